"""What names mean: imports under every form, aliases, and everything that hides them."""

import ast
import textwrap

import pytest

from gpuport.source.names import Scope, walk_scopes
from gpuport.source.scoping import build_scopes


def resolved(text: str, expression: str = "probe") -> list[str | None]:
    """What ``expression`` stands for at each `probe(<expression>)`-like mark, in source order.

    A mark is a call of ``probe``; its first argument is what is resolved.
    """
    tree = ast.parse(textwrap.dedent(text))
    found: list[tuple[int, str | None]] = []
    for scope in walk_scopes(build_scopes(tree)):
        for node in _own_nodes(scope):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == expression:
                found.append((node.lineno, scope.resolve(node.args[0])))
    return [path for _, path in sorted(found, key=lambda f: f[0])]


def _own_nodes(scope: Scope) -> list[ast.AST]:
    inner = {id(child.node) for child in scope.children}
    body = scope.node.body
    pending: list[ast.AST] = list(body) if isinstance(body, list) else [body]
    found = []
    while pending:
        node = pending.pop()
        if id(node) in inner:
            continue
        found.append(node)
        pending.extend(ast.iter_child_nodes(node))
    return found


@pytest.mark.parametrize(
    ("statement", "name", "path"),
    [
        ("import numpy", "numpy.sin", "numpy.sin"),
        ("import numpy as np", "np.sin", "numpy.sin"),
        ("import numpy as numpy", "numpy.linalg.svd", "numpy.linalg.svd"),
        ("import numpy.linalg", "numpy.linalg.svd", "numpy.linalg.svd"),
        ("import numpy.linalg", "numpy.sin", "numpy.sin"),
        ("import numpy.linalg as la", "la.svd", "numpy.linalg.svd"),
        ("import numpy as np, scipy.fft as fft", "fft.rfft", "scipy.fft.rfft"),
        ("from numpy import linalg", "linalg.svd", "numpy.linalg.svd"),
        ("from numpy import linalg as la", "la.svd", "numpy.linalg.svd"),
        ("from numpy import sin, cos as c", "c", "numpy.cos"),
        ("from numpy.linalg import svd", "svd", "numpy.linalg.svd"),
        ("from numpy.linalg import svd as decomp", "decomp", "numpy.linalg.svd"),
        ("from . import np", "np.sin", ".np.sin"),
        ("from .. import np", "np.sin", "..np.sin"),
        ("from .numpy import sin", "sin", ".numpy.sin"),
        ("from ..lib import fast as np", "np.sin", "..lib.fast.sin"),
        ("import autograd.numpy as np", "np.sin", "autograd.numpy.sin"),
        ("import jax.numpy as np", "np.sin", "jax.numpy.sin"),
        ("import numpy as np", "sum", "builtins.sum"),
        ("import numpy as np", "np", "numpy"),
        ("import numpy as np", "np().x", None),
        ("import numpy as np", "np.a[0]", None),
        ("import numpy as np", "unheard_of.sin", None),
        ("from numpy import *", "sin", None),
    ],
)
def test_each_form_of_import(statement: str, name: str, path: str | None):
    assert resolved(f"{statement}\nprobe({name})") == [path]


def test_the_same_import_twice_keeps_its_meaning():
    assert resolved("import numpy\nimport numpy.linalg\nprobe(numpy.sin)") == ["numpy.sin"]
    assert resolved("import numpy as np\nimport numpy as np\nprobe(np.sin)") == ["numpy.sin"]


def test_local_imports_hold_in_their_function_alone():
    text = """
        def f():
            import numpy as np
            from numpy.linalg import svd as decomp
            probe(np.sin)
            probe(decomp)
            def inner():
                probe(np.cos)
        probe(np.sin)
        probe(decomp)
    """
    assert resolved(text) == ["numpy.sin", "numpy.linalg.svd", "numpy.cos", None, None]


@pytest.mark.parametrize(
    "imports",
    [
        "if fast:\n    import numpy as np\nelse:\n    import cupy as np\n",
        "try:\n    import cupy as np\nexcept ImportError:\n    import numpy as np\n",
        "import numpy as np\nimport autograd.numpy as np\n",
        "from numpy import sin as np\nfrom math import sin as np\n",
    ],
)
def test_a_name_of_two_libraries_means_neither(imports: str):
    assert resolved(f"{imports}probe(np)") == [None]


def test_a_guarded_import_of_one_library_means_that_library():
    text = "try:\n    import numpy as np\nexcept ImportError:\n    raise SystemExit\nprobe(np.sin)"
    assert resolved(text) == ["numpy.sin"]


@pytest.mark.parametrize(
    "binding",
    [
        "np = other()",
        "np = None",
        "np: int = 3",
        "np += 1",
        "a, np = pair",
        "[np, *rest] = pair",
        "*np, rest = pair",
        "for np in things: pass",
        "for i, (np, j) in things: pass",
        "with open(p) as np: pass",
        "with a as b, c as (np, d): pass",
        "try:\n    pass\nexcept ValueError as np:\n    pass",
        "try:\n    pass\nexcept* ValueError as np:\n    pass",
        "if (np := 3): pass",
        "def np(): pass",
        "async def np(): pass",
        "class np: pass",
        "del np",
        "match x:\n    case np: pass",
        "match x:\n    case [1, *np]: pass",
        "match x:\n    case {'a': 1, **np}: pass",
        "match x:\n    case A(b=np): pass",
        "match x:\n    case (1 | 2) as np: pass",
        "print([(np := y) for y in ys])",
    ],
)
def test_a_name_that_is_bound_otherwise_too_means_nothing(binding: str):
    assert resolved(f"import numpy as np\n{binding}\nprobe(np.sin)") == [None]


@pytest.mark.parametrize(
    "binding",
    [
        "np = other()",
        "for np in things: pass",
        "with open(p) as np: pass",
        "try:\n    pass\nexcept ValueError as np:\n    pass",
        "match x:\n    case {'a': 1, **np}: pass",
        "def np(): pass",
        "class np: pass",
        "import cupy as np",
        "del np",
    ],
)
def test_a_local_name_hides_the_import_in_its_function_alone(binding: str):
    body = textwrap.indent(binding, "    ")
    text = f"import numpy as np\ndef f(x):\n    probe(np.a)\n{body}\ndef g():\n    probe(np.b)\n"
    first, second = resolved(text)
    assert first != "numpy.a"
    assert second == "numpy.b"


@pytest.mark.parametrize(
    "parameters",
    ["np", "np, /", "*, np", "*np", "**np", "a, np=3"],
)
def test_parameters_hide_imports(parameters: str):
    text = f"import numpy as np\ndef f({parameters}):\n    probe(np.sin)\nprobe(np.cos)"
    assert resolved(text) == [None, "numpy.cos"]


def test_parameters_of_lambdas_hide_imports():
    text = "import numpy as np\nf = lambda np: probe(np.sin)\ng = lambda x: probe(np.cos)"
    assert set(resolved(text)) == {None, "numpy.cos"}


def test_the_targets_of_a_comprehension_hide_imports():
    text = "import numpy as np\nx = [probe(np.sin) for np in libraries]"
    assert resolved(text) == [None]


def test_defaults_and_decorators_belong_to_the_scope_outside():
    tree = ast.parse("import numpy as np\n@np.vectorize\ndef f(np, x=np.pi): pass")
    root = build_scopes(tree)
    function = tree.body[1]
    assert isinstance(function, ast.FunctionDef)
    assert root.resolve(function.decorator_list[0]) == "numpy.vectorize"
    assert root.resolve(function.args.defaults[0]) == "numpy.pi"


def test_functions_look_past_the_class_they_stand_in():
    text = """
        import numpy as np
        class A:
            np = 3
            probe(np.a)
            def method(self):
                probe(np.b)
    """
    assert resolved(text) == [None, "numpy.b"]


def test_a_name_imported_in_a_class_is_its_own():
    text = """
        class A:
            import numpy as np
            probe(np.a)
            def method(self):
                probe(np.b)
    """
    assert resolved(text) == ["numpy.a", None]


def test_a_global_that_a_function_rebinds_means_nothing_anywhere():
    text = """
        import numpy as np
        def swap():
            global np
            import cupy as np
        def f():
            probe(np.a)
        probe(np.b)
    """
    assert resolved(text) == [None, None]


def test_a_nonlocal_that_an_inner_function_rebinds_means_nothing():
    text = """
        def outer():
            import numpy as np
            def swap():
                nonlocal np
                np = other
            probe(np.a)
    """
    assert resolved(text) == [None]


def test_star_imports_are_kept_where_they_stand():
    root = build_scopes(ast.parse("from numpy import *\nfrom numpy.linalg import *\n"))
    assert [star.module for star in root.stars] == ["numpy", "numpy.linalg"]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("svd = np.linalg.svd\nprobe(svd)", "numpy.linalg.svd"),
        ("la = np.linalg\nprobe(la.svd)", "numpy.linalg.svd"),
        ("la = np.linalg\nsvd = la.svd\nprobe(svd)", "numpy.linalg.svd"),
        ("svd = np.linalg.svd\nsvd = other\nprobe(svd)", None),
        ("svd = np.linalg.svd if a else other\nprobe(svd)", None),
        ("a = b = np.sin\nprobe(a)", None),
        ("a = b\nb = a\nprobe(a)", None),
        ("svd: object = np.linalg.svd\nprobe(svd)", None),
        ("if fast:\n    sin = np.sin\nprobe(sin)", "numpy.sin"),
        ("U32, U64 = np.uint32, np.uint64\nprobe(U64)", "numpy.uint64"),
        ("[a, (b, c)] = x, (np.sin, np.cos)\nprobe(b)", "numpy.sin"),
        ("a, b = np.sin\nprobe(b)", None),
        ("a, *b = np.sin, np.cos\nprobe(a)", None),
        ("a, b = *c, np.cos\nprobe(b)", None),
        ("a, a = np.sin, np.cos\nprobe(a)", None),
        ("a, b = np.sin, np.cos\na, b = b, a\nprobe(a)", None),
    ],
)
def test_aliases_of_functions_are_followed(text: str, path: str | None):
    assert resolved(f"import numpy as np\n{text}") == [path]


def test_an_alias_in_a_function_hides_the_module():
    text = """
        from numpy import sin
        import math
        def f():
            sin = math.sin
            probe(sin)
        probe(sin)
    """
    assert resolved(text) == ["math.sin", "numpy.sin"]


def test_a_builtin_that_is_rebound_is_no_builtin():
    assert resolved("sum = 3\nprobe(sum)\nprobe(len)") == [None, "builtins.len"]


def test_qualified_names_leave_locals_out():
    tree = ast.parse("class A:\n    def f(self):\n        def g(): pass\n        lambda: 0\n")
    assert [scope.name for scope in walk_scopes(build_scopes(tree))] == [
        "", "A", "A.f", "A.f.g", "A.f.<lambda>",
    ]  # fmt: skip


def test_scopes_know_what_is_defined_in_them():
    root = build_scopes(ast.parse("def f(): pass\nclass A:\n    def g(self): pass\n"))
    assert list(root.functions) == ["f"]
    assert list(root.classes) == ["A"]
    assert list(root.children[1].functions) == ["g"]


def test_a_name_that_is_defined_and_imported_is_bound_twice():
    tree = ast.parse(
        "try:\n    from fast import f\nexcept ImportError:\n    def f(x):\n        return x\n"
    )
    root = build_scopes(tree)
    assert root.bound["f"] == 2
    assert root.resolve(ast.Name("f", ast.Load())) is None
