"""API tables: names classified without gaps, calls judged parameter by parameter."""

from __future__ import annotations

import importlib
import inspect
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.rules._callfit import Parameter, accepted, compare, fit
from gpuport.rules.tables import ApiTables, Fate

TARGETS = ("cupy-13", "cupy-14")
SECTIONS = ("numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.ndarray")
POSITIONAL = {"positional_only", "positional_or_keyword"}


@pytest.fixture(params=TARGETS)
def tables(request: pytest.FixtureRequest) -> ApiTables:
    return ApiTables.load(request.param)


@pytest.mark.parametrize("section", SECTIONS)
def test_each_public_name_of_the_installed_numpy_has_one_fate(
    tables: ApiTables, section: str
) -> None:
    if section == "numpy.ndarray":
        import numpy

        public = [name for name in dir(numpy.ndarray) if not name.startswith("_")]
    else:
        public = list(importlib.import_module(section).__all__)
    recorded = tables.names(section)
    import numpy

    if tables.versions("numpy")["numpy"].split(".")[:2] == numpy.__version__.split(".")[:2]:
        assert set(public) <= set(recorded)
    by_fate = {
        fate: {n for n in recorded if tables.counterpart(f"{section}.{n}").fate is fate}
        for fate in Fate
    }
    assert sum(map(len, by_fate.values())) == len(recorded) == len(set(recorded))
    assert all(by_fate[fate] for fate in (Fate.SAME, Fate.DIFFERS, Fate.HOST_ONLY))


def test_every_counterpart_is_told_with_its_reason(tables: ApiTables) -> None:
    for family in ("numpy", "scipy"):
        for module in tables.modules(family):
            for name in tables.names(module):
                found = tables.counterpart(f"{module}.{name}")
                if found.fate is Fate.SAME:
                    assert found.target_name is not None
                    assert not found.missing_parameters
                else:
                    assert found.note
                if found.fate is Fate.DIFFERS:
                    assert found.target_name is not None
                if found.target_name is not None:
                    assert tables.entry(found.target_name) is not None


def test_each_host_only_pattern_matches_a_name() -> None:
    tables = ApiTables.load()
    families = ("numpy", "scipy")
    names = {f"{m}.{n}" for f in families for m in tables.modules(f) for n in tables.names(m)}
    # Names that exist on other platforms' NumPy only.
    elsewhere = {"numpy.float96", "numpy.complex192", "scipy.LowLevelCallable"}
    idle = [
        pattern
        for pattern, _ in tables.files.policy["host_only"]
        if not any(re.match(pattern, name) for name in names)
        and not any(re.match(pattern, name) for name in elsewhere)
    ]
    assert idle == []


def test_each_parameter_exception_applies_to_some_function() -> None:
    newer, older = ApiTables.load("cupy-14"), ApiTables.load("cupy-13")
    for name, pairs in newer.files.policy["renamed"].items():
        ours = {p.name for p in newer.entry(name).parameters or ()}
        target = newer.counterpart(name).target_name
        theirs = {p.name for p in newer.entry(target).parameters or ()}
        assert set(pairs) <= ours, name
        assert set(pairs.values()) <= theirs, name
    used = set()
    for tables in (newer, older):
        for family in ("numpy", "scipy"):
            for module in tables.modules(family):
                for name in tables.names(module):
                    used |= default_pairs(tables, f"{module}.{name}")
    unused = tables._equal_defaults - used
    assert not unused


def default_pairs(tables: ApiTables, name: str) -> set[tuple[str, str, str]]:
    target = tables.counterpart(name).target_name
    if target is None:
        return set()
    ours, theirs = tables.entry(name), tables.entry(target)
    twins = {p.name: p.default for p in theirs.parameters or ()}
    return {
        (p.name, p.default, twins[p.name])
        for p in ours.parameters or ()
        if p.default is not None and twins.get(p.name) is not None
    }


REFUSED = [
    *((f"numpy.{name}", 1, ("where",), "where") for name in ("sum", "mean", "max", "any", "std")),
    *((f"numpy.{name}", 1, ("initial",), "initial") for name in ("sum", "prod", "min", "amax")),
    ("numpy.ndarray.sum", 0, ("where",), "where"),
    ("numpy.ndarray.max", 0, ("initial",), "initial"),
    ("numpy.std", 1, ("mean",), "mean"),
    ("numpy.var", 1, ("correction",), "correction"),
    ("numpy.clip", 1, ("min", "max"), "min"),
    ("numpy.sort", 1, ("stable",), "stable"),
    ("numpy.argsort", 1, ("order",), "order"),
    ("numpy.percentile", 2, ("weights",), "weights"),
    ("numpy.quantile", 2, ("weights",), "weights"),
    ("numpy.histogram2d", 5, (), "density"),
    ("numpy.histogramdd", 4, (), "density"),
    ("numpy.cov", 0, ("m",), "m"),
    ("numpy.unique", 1, ("sorted",), "sorted"),
    ("numpy.isin", 2, ("kind",), "kind"),
    ("numpy.count_nonzero", 1, ("keepdims",), "keepdims"),
    ("numpy.put", 3, (), "mode"),
    ("numpy.ndarray.put", 2, (), "mode"),
    ("numpy.ravel_multi_index", 2, (), "mode"),
    ("numpy.linalg.pinv", 1, ("rtol",), "rtol"),
    ("numpy.linalg.matrix_rank", 1, ("hermitian",), "hermitian"),
    ("numpy.linalg.svd", 1, ("hermitian",), "hermitian"),
    ("numpy.linalg.svd", 4, (), "hermitian"),
    ("numpy.linalg.cholesky", 1, ("upper",), "upper"),
    ("numpy.fft.fft", 1, ("out",), "out"),
    ("numpy.argmax", 3, (), "out"),
    ("numpy.delete", 1, ("obj",), "obj"),
    *(("numpy.add", 2, (name,), name) for name in ("where", "order", "subok", "signature")),
    ("numpy.random.exponential", 0, ("size",), "scale"),
]


@pytest.mark.parametrize(("name", "positional", "keywords", "parameter"), REFUSED)
def test_what_cupy_lacks_is_refused_by_name(
    tables: ApiTables, name: str, positional: int, keywords: tuple[str, ...], parameter: str
) -> None:
    found = tables.fit_call(name, positional, keywords)
    assert not found.fits
    assert parameter in found.unsupported
    assert parameter in found.message
    assert name in found.message


ACCEPTED = [
    ("numpy.sum", 1, ("axis", "keepdims")),
    ("numpy.sum", 2, ()),
    ("numpy.ndarray.mean", 0, ("axis",)),
    ("numpy.ndarray.reshape", 3, ()),
    ("numpy.ndarray.view", 1, ()),
    ("numpy.add", 2, ("out",)),
    ("numpy.add", 3, ()),
    ("numpy.divmod", 4, ()),
    ("numpy.clip", 3, ()),
    ("numpy.put", 2, ("mode", "v")),
    ("numpy.linalg.svd", 1, ("compute_uv", "full_matrices")),
    ("numpy.linalg.solve", 2, ()),
    ("numpy.reshape", 2, ()),
    ("numpy.delete", 2, ("axis",)),
    ("numpy.zeros", 1, ("dtype",)),
    ("numpy.add.reduce", 1, ("axis",)),
    ("numpy.add.at", 3, ()),
    ("numpy.float64", 1, ()),
    ("scipy.special.erf", 1, ()),
    ("scipy.signal.fftconvolve", 2, ("mode",)),
]


@pytest.mark.parametrize(("name", "positional", "keywords"), ACCEPTED)
def test_what_both_take_fits(
    tables: ApiTables, name: str, positional: int, keywords: tuple[str, ...]
) -> None:
    assert tables.fit_call(name, positional, keywords).message == ""


def test_histogram_changed_its_order_between_versions() -> None:
    older, newer = ApiTables.load("cupy-13"), ApiTables.load("cupy-14")
    assert "density" in older.fit_call("numpy.histogram", 4, ()).unsupported
    assert newer.fit_call("numpy.histogram", 4, ()).fits


def test_unimplemented_ufunc_methods_are_missing(tables: ApiTables) -> None:
    assert tables.counterpart("numpy.subtract.reduce").fate is Fate.MISSING
    assert "NotImplementedError" in tables.fit_call("numpy.subtract.reduce", 1, ()).message
    assert tables.counterpart("numpy.add.reduce").target_name == "cupy.add.reduce"


def test_types_that_cupy_passes_on_need_no_porting(tables: ApiTables) -> None:
    entry = tables.entry("cupy.float64")
    assert entry is not None
    assert (entry.kind, entry.same_as) == ("type", "numpy.float64")
    assert tables.counterpart("numpy.float64").fate is Fate.SAME


def test_real_names_are_those_that_errors_show(tables: ApiTables) -> None:
    assert tables.entry("cupy.max").real_name == "amax"
    assert tables.entry("cupy.add").real_name == "cupy_add"


def test_modules_that_need_cuda_libraries_are_read_from_source(tables: ApiTables) -> None:
    entry = tables.entry("cupyx.scipy.signal.fftconvolve")
    assert entry.from_source
    assert [p.name for p in entry.parameters][:3] == ["in1", "in2", "mode"]
    assert tables.counterpart("scipy.linalg.svd").fate is Fate.MISSING


def test_a_name_numpy_lacks_is_a_key_error(tables: ApiTables) -> None:
    for name in ("numpy.no_such_name", "numpy.linalg.linalg", "os.path", "cupy.sin"):
        with pytest.raises(KeyError):
            tables.counterpart(name)
    assert tables.entry("numpy.no_such_name") is None
    assert tables.entry("os.path") is None


def test_an_unknown_target_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"cupy-13, cupy-14"):
        ApiTables.load("cupy-2")


def test_starred_calls_need_equal_signatures(tables: ApiTables) -> None:
    assert tables.fit_call("numpy.linalg.solve", 0, (), star=True).fits
    assert tables.fit_call("numpy.broadcast_arrays", 0, (), star=True).fits
    assert not tables.fit_call("numpy.broadcast_arrays", 0, ("subok",), star=True).fits
    assert tables.fit_call("numpy.meshgrid", 0, ("indexing",), star=True).fits
    assert not tables.fit_call("numpy.sum", 0, (), star=True).fits  # `initial`, at its place
    found = tables.fit_call("numpy.sum", 1, (), double_star=True)
    assert not found.fits
    assert {"where", "initial"} <= set(found.unsupported)


def callables(tables: ApiTables) -> list[str]:
    names = (f"{m}.{n}" for m in SECTIONS for n in tables.names(m))
    return [
        name
        for name in names
        if tables.counterpart(name).fate in (Fate.SAME, Fate.DIFFERS)
        and tables.entry(name).parameters
    ]


@given(st.data(), st.sampled_from(TARGETS))
def test_position_or_keyword_makes_no_difference_where_names_agree(
    data: st.DataObject, target: str
) -> None:
    tables = ApiTables.load(target)
    name = data.draw(st.sampled_from(callables(tables)))
    ours = tables.entry(name).parameters
    theirs = {p.name: p for p in tables.entry(tables.counterpart(name).target_name).parameters}
    count = sum(p.kind in POSITIONAL for p in ours)
    given_ = data.draw(st.integers(0, count))
    by_position = tables.fit_call(name, given_, ())
    kept = data.draw(st.integers(0, given_))
    moved = [p for p in ours if p.kind in POSITIONAL][kept:given_]
    both = all(
        p.kind == "positional_or_keyword"
        and getattr(theirs.get(p.name), "kind", "") == "positional_or_keyword"
        for p in moved
    )
    by_keyword = tables.fit_call(name, kept, tuple(p.name for p in moved))
    if by_position.fits and both:
        assert by_keyword.fits
    if by_position.fits and not by_keyword.fits:
        assert set(by_keyword.unsupported) <= {p.name for p in moved}


@given(st.data(), st.sampled_from(TARGETS))
def test_a_fitting_call_binds_to_cupys_signature_as_to_numpys(
    data: st.DataObject, target: str
) -> None:
    """``inspect`` itself, given both signatures, sends each argument to the same name."""
    tables = ApiTables.load(target)
    name = data.draw(st.sampled_from(callables(tables)))
    ours = tables.entry(name).parameters
    theirs = tables.entry(tables.counterpart(name).target_name)
    places = [p.name for p in ours if p.kind in POSITIONAL]
    count = data.draw(st.integers(0, len(places)))
    rest = [p.name for p in ours if p.kind in ("keyword_only", "positional_or_keyword")]
    keywords = data.draw(st.lists(st.sampled_from(rest), unique=True)) if rest else []
    keywords = [k for k in keywords if k not in places[:count]]
    result = tables.fit_call(name, count, tuple(keywords))
    required = {p.name for p in ours if p.default is None and not p.kind.startswith("var_")}
    complete = required <= {*places[:count], *keywords}
    # NumPy's einsum, whose operands are all one *operands, refuses a call without any itself.
    nothing = ours[0].kind == "var_positional" and not count if ours else False
    if not result.fits or not complete or theirs.same_as or nothing:
        return
    values = {n: object() for n in (*places[:count], *keywords)}
    bound = signature(theirs.parameters).bind(
        *(values[n] for n in places[:count]), **{k: values[k] for k in keywords}
    )
    renamed = tables.files.policy["renamed"].get(name, {})
    for index, (place, value) in enumerate(bound.arguments.items()):
        parameter = next(p for p in theirs.parameters if p.name == place)
        if parameter.kind.startswith("var_") or index == 0:
            continue
        ours_name = next(n for n, v in values.items() if v is value)
        if parameter.kind == "positional_only":
            continue
        assert place in (ours_name, renamed.get(ours_name)), (name, count, keywords)


def signature(parameters: tuple[Parameter, ...]) -> inspect.Signature:
    """A signature that ``inspect`` can bind to."""
    empty = inspect.Parameter.empty
    return inspect.Signature(
        [
            inspect.Parameter(
                p.name,
                getattr(inspect.Parameter, p.kind.upper()),
                default=empty if p.default is None else p.default,
            )
            for p in parameters
        ],
        __validate_parameters__=False,
    )


names = st.lists(st.sampled_from("abcdef"), unique=True, max_size=5)
kinds = st.sampled_from(["positional_or_keyword", "keyword_only"])


@given(names, st.data())
def test_a_signature_agrees_with_itself(listed: list[str], data: st.DataObject) -> None:
    parameters = sorted(
        (Parameter(name, data.draw(kinds), "None") for name in listed),
        key=lambda p: p.kind == "keyword_only",
    )
    comparison = compare(parameters, parameters, {}, frozenset())
    assert accepted(comparison)
    count = sum(p.kind in POSITIONAL for p in parameters)
    assert fit("f", "g", comparison, count, (), wholly=False).fits
    assert not fit("f", "g", comparison, count + 1, (), wholly=False).fits


@given(names.filter(lambda n: len(n) > 2), st.data())
def test_a_dropped_or_swapped_parameter_is_found(listed: list[str], data: st.DataObject) -> None:
    ours = [Parameter(name, "positional_or_keyword", "None") for name in listed]
    index = data.draw(st.integers(1, len(ours) - 2))
    swapped = [*ours]
    swapped[index], swapped[index + 1] = swapped[index + 1], swapped[index]
    dropped = ours[:index] + ours[index + 1 :]
    for theirs in (swapped, dropped):
        comparison = compare(ours, theirs, {}, frozenset())
        assert not accepted(comparison)
        found = fit("f", "g", comparison, len(ours), (), wholly=False)
        assert ours[index].name in found.unsupported
    by_keyword = fit("f", "g", compare(ours, swapped, {}, frozenset()), 1, listed[1:], wholly=False)
    assert by_keyword.fits


@pytest.mark.parametrize(
    ("path", "positional", "keywords", "refused"),
    [
        ("scipy.signal.lfilter", 3, (), ()),
        ("scipy.signal.lfilter", 3, ("zi",), ("zi",)),
        ("scipy.signal.lfilter", 5, (), ("zi",)),
        ("scipy.fft.dct", 1, ("norm",), ()),
        ("scipy.fft.dct", 2, (), ("type",)),
        ("scipy.ndimage.binary_erosion", 3, (), ("iterations",)),
    ],
)
def test_parameters_of_one_name_and_two_meanings_are_refused(
    path: str, positional: int, keywords: tuple[str, ...], refused: tuple[str, ...]
) -> None:
    fit = ApiTables.load().fit_call(path, positional, keywords)
    assert fit.unsupported == refused
    assert fit.fits == (not refused)


def test_messages_name_the_library() -> None:
    tables = ApiTables.load()
    assert "SciPy has no keyword" in tables.fit_call("scipy.fft.fft", 1, ("nope",)).message
    assert "in SciPy and to" in tables.counterpart("scipy.signal.lombscargle").note
