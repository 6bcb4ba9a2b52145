"""New pieces of a syntax tree are where those are that they stand for."""

from __future__ import annotations

import ast

from gpuport.source.making import Standing, assigned, statements


def test_what_stands_for_a_name_is_a_copy_at_its_place() -> None:
    tree = ast.parse("y = 1\nx = x + y")
    value = ast.parse("u[i]", mode="eval").body
    made = Standing({"x": value}).visit(tree)
    assert ast.unparse(made) == "y = 1\nu[i] = u[i] + y"
    stored, read = made.body[1].targets[0], made.body[1].value.left
    assert isinstance(stored.ctx, ast.Store)
    assert isinstance(read.ctx, ast.Load)
    assert stored.lineno == read.lineno == 2
    assert stored is not read
    assert read is not value


def test_assignments_and_statements_of_a_text() -> None:
    where = ast.parse("\n\nf(x)").body[0]
    made = [assigned("s", ast.Constant(1), where), *statements("t = 2\nu = t", where)]
    assert [ast.unparse(one) for one in made] == ["s = 1", "t = 2", "u = t"]
    assert {one.lineno for one in made} == {3}
    compile(ast.Module(made, []), "made", "exec")
