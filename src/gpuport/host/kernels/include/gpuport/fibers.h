// Barriers, votes and shuffles of a block's threads.
#pragma once
#include "gpuport/runtime.h"

#define __syncthreads() gpuport::wait(gpuport::AT_BLOCK_BARRIER, __LINE__, 0, __COUNTER__)

namespace gpuport {

template <class T> static inline T exchange(unsigned mask, T value, int source) {
  static_assert(sizeof(T) <= 32, "a value of a warp shuffle");
  exchange(mask, &value, sizeof(T), source);
  return value;
}
template <class T> static inline T shuffle_down(unsigned mask, T value, unsigned by, int width = 32) {
  const int target = lane() + int(by);
  return exchange(mask, value, target / width == lane() / width ? target : lane());
}
template <class T> static inline T shuffle_up(unsigned mask, T value, unsigned by, int width = 32) {
  const int target = lane() - int(by);
  return exchange(mask, value, target < lane() / width * width ? lane() : target);
}
template <class T> static inline T shuffle_xor(unsigned mask, T value, int by, int width = 32) {
  const int target = lane() ^ by;
  return exchange(mask, value, target / width > lane() / width ? lane() : target);
}
template <class T> static inline T shuffle(unsigned mask, T value, int source, int width = 32) {
  return exchange(mask, value, lane() / width * width + (source & (width - 1)));
}

}  // namespace gpuport

#define __syncthreads_count(p) gpuport::vote(p, __LINE__, 0, __COUNTER__)
#define __syncthreads_and(p) gpuport::vote(p, __LINE__, 1, __COUNTER__)
#define __syncthreads_or(p) gpuport::vote(p, __LINE__, 2, __COUNTER__)
template <class T> static inline T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32) {
  return gpuport::shuffle_down(mask, value, by, width);
}
template <class T> static inline T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32) {
  return gpuport::shuffle_up(mask, value, by, width);
}
template <class T> static inline T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32) {
  return gpuport::shuffle_xor(mask, value, by, width);
}
template <class T> static inline T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  return gpuport::shuffle(mask, value, source, width);
}
static inline void __syncwarp(unsigned mask = 0xFFFFFFFFu) {
  gpuport::wait(gpuport::AT_WARP_BARRIER, 0, mask, 0);
}
static inline unsigned __ballot_sync(unsigned mask, int p) { return gpuport::ballot(mask, p); }
static inline int __any_sync(unsigned mask, int p) { return gpuport::ballot(mask, p) != 0; }
static inline int __all_sync(unsigned mask, int p) { return gpuport::ballot(mask, !p) == 0; }
static inline unsigned __activemask() { return 0xFFFFFFFFu; }
