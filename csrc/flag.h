/* Numbers that several threads read and one writes, without locks and without order. */
#ifndef BANQI_FLAG_H
#define BANQI_FLAG_H

#include <stdint.h>

static inline uint64_t flag_get(const uint64_t *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
static inline void flag_set(uint64_t *flag, uint64_t x) { __atomic_store_n(flag, x, __ATOMIC_RELAXED); }

#endif
