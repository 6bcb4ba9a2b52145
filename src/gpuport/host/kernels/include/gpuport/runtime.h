// What a kernel compiled for the host runs in: who the current thread is, which memory it may
// touch, and what it did wrong. One instance in each compiled kernel.
#pragma once

// C's headers only (-nostdinc++): those of C++ would add overloads that device code has not.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The runtime itself is neither instrumented nor seen from outside of the shared object.
#define GPUPORT_PLAIN __attribute__((no_sanitize("thread", "undefined")))
#define GPUPORT_HOOK extern "C" __attribute__((visibility("hidden"), used)) GPUPORT_PLAIN

struct gpuport_uint3 {
  unsigned x, y, z;
};
#define GPUPORT_SHARED_OBJECT extern __attribute__((visibility("hidden")))
GPUPORT_SHARED_OBJECT gpuport_uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace gpuport {

enum FaultKind {
  NO_FAULT,
  OUT_OF_BOUNDS,   // an access beside an argument's elements
  INDEX,           // an index outside an array's shape
  CONFLICT,        // two threads meet in one cell without a barrier or an atomic
  DIVERGENT,       // threads of a block wait at different barriers
  WILD,            // an address that belongs to no argument
  DIVISION,        // integer division that C++ leaves undefined
  SHIFT,           // shift by a negative count or by the width and more
  CAST,            // a floating value that the integer type cannot hold
  LOCAL_BOUNDS,    // an index outside a local or shared array
  ASSERTION,       // assert() failed
  TRAP,            // __trap()
  ENDLESS,         // a thread that neither ends nor comes to a barrier
  MISALIGNED,      // an address that is no multiple of what its type asks for
  STACK,           // more memory of a thread's own than it has
  UNORDERED        // a reduction whose expression gives another value in another order
};

typedef int64_t Word;
const int MAX_DIMENSIONS = 32, FILE_LENGTH = 256;

// The following structures are mirrored by ctypes in execution.py.
struct Fault {
  int32_t kind, argument, write, size;
  int64_t offset, other_thread;
  int32_t dimensions, line, column, dimension;
  int64_t index[MAX_DIMENSIONS];
  uint32_t thread[3], block[3];
  char file[FILE_LENGTH];
};

struct Range {
  int64_t pad_low, low, high, pad_high;  // addresses; the pads are never touched
  int32_t argument, granule;
  const uint8_t *owned;  // which bytes between low and high are elements; null: all
  int32_t written;       // told back: whether anything was
};

struct Request {
  uint32_t grid[3], block[3];
  uint32_t shared_bytes, order;
  int32_t fill, range_count;
  Range *ranges;
  const int64_t *words;
  int64_t word_count;
  int64_t step_limit;  // accesses of one thread between barriers
  double atomic_mass;  // sum of |value| over all floating atomics: bounds their rounding
  int32_t float_atomics, flush, strict, repeated;
  int32_t skipped_line;         // of a barrier that a thread's end has passed by, and the thread
  uint32_t skipped_by, skipped_block;
  Fault fault;
};

struct Cell {  // last accesses to one cell of memory; threads counted from 1
  uint32_t writer, write_tick, reader, read_tick;
};
const uint32_t MANY = 0xFFFFFFFFu;

struct Tracked {
  uintptr_t pad_low, pad_length, low, high;
  int32_t argument, granule;
  bool shared;
  Range *range;
  Cell *cells;
};

struct State {
  bool active, in_atomic, fenced, knows_module, speaks, spoke;
  Request *request;
  uintptr_t stack_low, stack_length, module_low, module_length;
  uintptr_t shared_low, shared_length, anchor_offset;
  uintptr_t data_low, data_length;       // writable variables of the module
  char *before, *after;                  // the same before and after the first of several runs
  Tracked tracked[160];
  int tracked_count;
  uint32_t thread, threads_in_block;     // thread: in the whole grid, from 1
  uint32_t block;
  int64_t steps;                         // accesses of this thread since it was last resumed
  uint32_t tick, block_tick;             // barriers passed; the last one of this block
  uint32_t warp_tick[33];
  jmp_buf escape;
  unsigned long home;                    // the thread of the host that runs all this
};
GPUPORT_SHARED_OBJECT State state;
GPUPORT_SHARED_OBJECT int64_t words[1024];
GPUPORT_SHARED_OBJECT char *dynamic_shared;

// Where a thread stops for others: at a barrier of its block or of its warp.
enum FiberStatus { READY, AT_BLOCK_BARRIER, AT_WARP_BARRIER, DONE };

// Defined in runtime.cpp, which is compiled once and linked to each kernel.
void access(const volatile void *pointer, unsigned size, bool write);
[[noreturn]] void fail_index(int argument, int dimensions, const int64_t *index, int dimension);
[[noreturn]] void fail_at(int kind, const char *file, uint32_t line, uint32_t column);
void wait(int status, int line, unsigned mask, int site);
int vote(int value, int line, int kind, int site);
unsigned ballot(unsigned mask, int value);
int lane();
void exchange(unsigned mask, void *value, size_t size, int source);
void start(Request &request, void (*body)(), bool barriers);

// Atomics only take part in the check of bounds: they order themselves.
struct Atomic {
  GPUPORT_PLAIN Atomic() { state.in_atomic = true; }
  GPUPORT_PLAIN ~Atomic() { state.in_atomic = false; }
};

}  // namespace gpuport

