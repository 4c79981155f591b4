/* splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). */
#ifndef BANQI_RNG_H
#define BANQI_RNG_H

#include <stdint.h>

/* A bijection of 64 bits that scatters neighbouring inputs. */
static inline uint64_t rng_mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static inline uint64_t rng_next(uint64_t *state) {
    uint64_t x = rng_mix(*state);
    *state += 0x9E3779B97F4A7C15u;
    return x;
}

/* 0 .. n-1 out of the high bits; the bias is below n / 2^32. */
static inline uint32_t rng_below(uint64_t *state, uint32_t n) {
    return (uint32_t)(((rng_next(state) >> 32) * n) >> 32);
}

#endif
