/* Bit tricks on 32- and 64-bit boards: what Cython cannot say.
 *
 * Needs GNU C (GCC, Clang) for its vector types. With BANQI_PORTABLE every instruction-set builtin is
 * replaced by plain C, so that the fallbacks can be built and tested anywhere.
 *
 * A quad holds one bitboard for each of the four directions, north, south, east, west. C operators work
 * lane by lane on it, also against a plain bitboard, which then counts for every lane.
 */
#ifndef BANQI_BITS_H
#define BANQI_BITS_H

#include <stdint.h>
#if defined(__BMI2__) && !defined(BANQI_PORTABLE)
#include <immintrin.h>
#define BANQI_PDEP 1
#endif

typedef uint32_t quad32 __attribute__((vector_size(16)));
typedef uint64_t quad64 __attribute__((vector_size(32)));

#ifdef BANQI_PORTABLE

static inline int bits_popcount64(uint64_t x) {
    x = x - ((x >> 1) & 0x5555555555555555u);
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (int)((x * 0x0101010101010101u) >> 56);
}
static inline int bits_popcount32(uint32_t x) { return bits_popcount64(x); }

/* Index of the lowest set bit; x is not zero. */
static inline int bits_lowest64(uint64_t x) { return bits_popcount64((x & (0 - x)) - 1); }
static inline int bits_lowest32(uint32_t x) { return bits_lowest64(x); }

static inline void bits_prefetch(const void *address) { (void)address; }

#else

static inline int bits_popcount32(uint32_t x) { return __builtin_popcount(x); }
static inline int bits_popcount64(uint64_t x) { return __builtin_popcountll(x); }
static inline int bits_lowest32(uint32_t x) { return __builtin_ctz(x); }
static inline int bits_lowest64(uint64_t x) { return __builtin_ctzll(x); }
static inline void bits_prefetch(const void *address) { __builtin_prefetch(address); }

#endif

/* Index of the n-th set bit, counted from 0 at the low end; x has more than n bits. */
static inline int bits_select64(uint64_t x, int n) {
#ifdef BANQI_PDEP
    return bits_lowest64(_pdep_u64((uint64_t)1 << n, x));
#else
    while (n--) x &= x - 1;
    return bits_lowest64(x);
#endif
}
static inline int bits_select32(uint32_t x, int n) { return bits_select64(x, n); }

/* The high 64 bits of a product: maps a 64-bit key evenly onto 0 .. n-1. */
static inline uint64_t bits_scale(uint64_t key, uint64_t n) {
    return (uint64_t)(((unsigned __int128)key * n) >> 64);
}

/* A bitboard in every lane. */
static inline quad32 quad32_spread(uint32_t x) { return (quad32){x, x, x, x}; }
static inline quad64 quad64_spread(uint64_t x) { return (quad64){x, x, x, x}; }

/* Every square's neighbour in each direction, on a board `files` wide: lane d holds the squares that a step in
 * direction d from a square of x arrives at. A step off the side of the board arrives at the other side, a rank
 * away: see quad_inside. */
static inline quad32 quad32_shift(uint32_t x, int files) {
    return (quad32_spread(x) << (quad32){(uint32_t)files, 0, 1, 0}) >> (quad32){0, (uint32_t)files, 0, 1};
}
static inline quad64 quad64_shift(uint64_t x, int files) {
    return (quad64_spread(x) << (quad64){(uint64_t)files, 0, 1, 0}) >> (quad64){0, (uint64_t)files, 0, 1};
}

/* Where a shift in each direction arrives without having left the board; first and last are the outer files. */
static inline quad32 quad32_inside(uint32_t first, uint32_t last) {
    return (quad32){UINT32_MAX, UINT32_MAX, ~first, ~last};
}
static inline quad64 quad64_inside(uint64_t first, uint64_t last) {
    return (quad64){UINT64_MAX, UINT64_MAX, ~first, ~last};
}

static inline uint32_t quad32_lane(quad32 q, int direction) { return q[direction]; }
static inline uint64_t quad64_lane(quad64 q, int direction) { return q[direction]; }

static inline uint32_t quad32_any(quad32 q) { return q[0] | q[1] | q[2] | q[3]; }
static inline uint64_t quad64_any(quad64 q) { return q[0] | q[1] | q[2] | q[3]; }

typedef uint64_t pair64 __attribute__((vector_size(16)));

static inline int quad32_popcount(quad32 q) {
    pair64 halves = (pair64)q;
    return bits_popcount64(halves[0]) + bits_popcount64(halves[1]);
}
static inline int quad64_popcount(quad64 q) {
    return bits_popcount64(q[0]) + bits_popcount64(q[1]) + bits_popcount64(q[2]) + bits_popcount64(q[3]);
}

/* The n-th set bit over all lanes, as lane * (bits of a lane) + bit; q has more than n bits. */
static inline int quad32_select(quad32 q, int n) {
    pair64 halves = (pair64)q;
    int low = bits_popcount64(halves[0]);
    return n < low ? bits_select64(halves[0], n) : 64 + bits_select64(halves[1], n - low);
}
static inline int quad64_select(quad64 q, int n) {
    for (int lane = 0; lane < 3; lane++) {
        int bits = bits_popcount64(q[lane]);
        if (n < bits) return 64 * lane + bits_select64(q[lane], n);
        n -= bits;
    }
    return 192 + bits_select64(q[3], n);
}

#endif
