"""``cupy.cuda`` and ``cupyx.profiler``: stand-ins that keep CuPy's promises."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from gpuport import host


def profiler(cp: Any) -> Any:
    return importlib.import_module("cupyx.profiler")


def test_a_block_is_in_its_stream(cp: Any) -> None:
    stream = cp.cuda.Stream(non_blocking=True)
    before = cp.cuda.get_current_stream()
    with stream as entered:
        assert entered is stream
        assert cp.cuda.get_current_stream() == stream
        total = cp.arange(10).sum()
    stream.synchronize()
    assert cp.cuda.get_current_stream() == before
    assert (stream.is_non_blocking, stream.done, int(total)) == (True, True, 45)


def test_the_null_stream(cp: Any) -> None:
    assert cp.cuda.Stream(null=True) == cp.cuda.Stream.null != cp.cuda.Stream()
    assert cp.cuda.Stream.null.ptr == 0
    with pytest.raises(RuntimeError, match=r"cannot capture on the default \(legacy\) stream"):
        cp.cuda.Stream.null.begin_capture()


def test_callbacks_run_after_the_work(cp: Any) -> None:
    seen: list[Any] = []
    stream = cp.cuda.Stream()
    stream.launch_host_func(seen.append, "done")
    stream.synchronize()
    assert seen == ["done"]


def test_events_measure_milliseconds(cp: Any) -> None:
    stream = cp.cuda.Stream.null
    start, end = stream.record(), cp.cuda.Event()
    cp.arange(1000).sum()
    end.record()
    end.synchronize()
    assert 0 <= cp.cuda.get_elapsed_time(start, end) < 60_000


def test_events_that_keep_no_time(cp: Any) -> None:
    with pytest.raises(RuntimeError, match="cudaErrorInvalidResourceHandle"):
        cp.cuda.get_elapsed_time(cp.cuda.Event(), cp.cuda.Event())
    with pytest.raises(ValueError, match="Timing must be disabled for interprocess events"):
        cp.cuda.Event(interprocess=True)


def test_devices(cp: Any) -> None:
    with cp.cuda.Device(0) as device:
        assert (device.id, int(device), repr(device)) == (0, 0, "<CUDA Device 0>")
        free, total = device.mem_info
        assert 0 < free <= total
        assert device.attributes["WarpSize"] == 32
    assert cp.cuda.Device() == device
    with pytest.raises(TypeError, match="unhashable"):
        hash(device)
    missing = cp.cuda.Device(cp.cuda.runtime.getDeviceCount())
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="invalid device ordinal"):
        missing.use()


def test_properties(cp: Any) -> None:
    properties = cp.cuda.runtime.getDeviceProperties(0)
    assert (properties["warpSize"], type(properties["name"])) == (32, bytes)
    assert properties["totalGlobalMem"] > 0
    assert cp.cuda.runtime.runtimeGetVersion() >= 11020


def test_attributes_by_number_are_those_by_name(cp: Any) -> None:
    for name, value in cp.cuda.Device(0).attributes.items():
        number = getattr(cp.cuda.runtime, f"cudaDevAttr{name}")
        assert cp.cuda.runtime.deviceGetAttribute(number, 0) == value


def test_the_pool_knows_what_arrays_hold(cp: Any) -> None:
    pool = cp.get_default_memory_pool()
    pool.free_all_blocks()
    before = pool.used_bytes()
    array = cp.zeros(1000)
    assert pool.used_bytes() - before == 8192
    assert pool.total_bytes() == pool.used_bytes() + pool.free_bytes()
    del array
    assert pool.used_bytes() == before
    pool.free_all_blocks()
    assert pool.free_bytes() == 0


def test_beyond_the_limit_there_is_no_memory(cp: Any) -> None:
    pool = cp.get_default_memory_pool()
    pool.free_all_blocks()
    before = pool.used_bytes()
    pool.set_limit(size=pool.total_bytes() + 1024)
    try:
        with pytest.raises(MemoryError, match=r"Out of memory allocating 8,192 bytes"):
            cp.zeros(1000)
        assert cp.zeros(100).size == 100
    finally:
        pool.set_limit(size=0)
    assert pool.used_bytes() == before
    with pytest.raises(ValueError, match="size and fraction cannot be specified at one time"):
        pool.set_limit(size=1, fraction=0.5)


def test_waiting_is_counted(emulated: Any) -> None:
    with host.count() as counts:
        emulated.cuda.Stream().synchronize()
        emulated.cuda.Device().synchronize()
        emulated.cuda.runtime.deviceSynchronize()
        emulated.cuda.Event().synchronize()
    assert (counts.syncs, counts.d2h, counts.launches) == (4, 0, 0)


def test_benchmark(cp: Any) -> None:
    found = profiler(cp).benchmark(lambda x: x + 1, (cp.ones(3),), n_repeat=5, name="sum")
    assert (found.cpu_times.shape, found.gpu_times.shape) == ((5,), (1, 5))
    assert (found.cpu_times > 0).all()
    assert str(found).startswith("sum ")
    with pytest.raises(ValueError, match=r"`args` should be of tuple type\."):
        profiler(cp).benchmark(np.sum, [1])


def test_benchmark_ends_when_told(cp: Any) -> None:
    found = profiler(cp).benchmark(lambda: None, name="none", max_duration=0)
    assert found.cpu_times.shape == (1,)


def test_time_range_is_a_decorator_and_a_block(emulated: Any) -> None:
    time_range = profiler(emulated).time_range

    @time_range()
    def work() -> int:
        return 7

    assert work() == 7
    with time_range("block", color_id=1):
        pass
    with pytest.raises(ValueError, match="the message argument cannot be None"):
        time_range().__enter__()
    with pytest.raises(ValueError, match="Only either color_id or argb_color"):
        time_range("both", 1, 2)


def test_what_needs_hardware_says_so(emulated: Any) -> None:
    for use in (
        lambda: emulated.cuda.Stream().begin_capture(),
        lambda: emulated.cuda.Device().cublas_handle,
        lambda: emulated.cuda.Graph(),
    ):
        with pytest.raises(NotImplementedError, match="the host backend"):
            use()


def test_raw_memory_is_memory_of_arrays(emulated: Any) -> None:
    pointer = emulated.cuda.alloc(24)
    x = emulated.ndarray((2, 3), "f4", pointer)
    x[...] = emulated.arange(6).reshape(2, 3)
    again = emulated.ndarray(3, "f4", pointer + 12)
    assert again.tolist() == [3, 4, 5]
    again.data.memset(0, 12)
    assert x.tolist() == [[0, 1, 2], [0, 0, 0]]
    assert x[1].data.ptr - x.data.ptr == 12
    assert x[1].data.mem.size == 24


def test_raw_memory_ends(emulated: Any) -> None:
    pointer = emulated.cuda.alloc(8)
    with pytest.raises(TypeError):
        emulated.ndarray(3, "f4", pointer)
    with pytest.raises(ValueError, match="0 to 9 of a memory of 8 bytes"):
        pointer.memset(0, 9)


def test_pinned_memory_is_a_buffer(emulated: Any) -> None:
    memory = emulated.cuda.alloc_pinned_memory(3 * 8)
    host = np.frombuffer(memory, np.float64, 3)
    host[...] = [1, 2, 3]
    assert emulated.asarray(host).tolist() == [1, 2, 3]


def test_memory_of_pointers_is_given_back(emulated: Any) -> None:
    pool = emulated.get_default_memory_pool()
    before = pool.used_bytes()
    pointer = emulated.cuda.alloc(1000)
    x = emulated.ndarray(10, "u1", pointer)
    assert pool.used_bytes() - before == 1024
    del pointer
    assert pool.used_bytes() - before == 1024
    del x
    assert pool.used_bytes() == before
