/* The transposition table's memory: clusters of 16-byte entries shared by all threads without locks.
 *
 * An entry is two 64-bit words, read and written with relaxed atomics. The first holds key ^ data, so a
 * pair of words that two threads wrote between them does not match any key and reads as a miss
 * (Hyatt, Mann, "A lock-less transposition table implementation for parallel search", 2002).
 *
 *   data bits  0-15  action
 *             16-39  value + 2^23
 *             40-47  depth
 *             48-49  bound: 0 empty, 1 upper, 2 lower, 3 exact
 *             50-63  generation
 */
#ifndef BANQI_TTABLE_H
#define BANQI_TTABLE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "bits.h"

enum { TT_UPPER = 1, TT_LOWER = 2, TT_EXACT = 3, TT_WAYS = 4, TT_GENERATIONS = 1 << 14 };

typedef struct {
    uint64_t check;
    uint64_t data;
} tt_entry;

typedef struct {
    tt_entry way[TT_WAYS];
} tt_cluster;

_Static_assert(sizeof(tt_entry) == 16, "an entry is 16 bytes");
_Static_assert(sizeof(tt_cluster) == 64, "a cluster fills one cache line");

typedef struct {
    tt_cluster *clusters;
    uint64_t count;
    unsigned generation; /* 0 .. TT_GENERATIONS - 1 */
} tt_table;

typedef struct {
    int action, value, depth, bound;
} tt_hit;

static inline void tt_clear(tt_table *t) {
    memset(t->clusters, 0, t->count * sizeof(tt_cluster));
    t->generation = 0;
}

/* Takes at most `bytes` of memory, at least one cluster. Returns 0, or -1 when there is no memory. */
static inline int tt_allocate(tt_table *t, uint64_t bytes) {
    uint64_t count = bytes / sizeof(tt_cluster);
    void *memory = NULL;
    if (count == 0) count = 1;
    if (count > SIZE_MAX / sizeof(tt_cluster)) return -1;
    if (posix_memalign(&memory, bytes >= (1u << 21) ? 1u << 21 : 64, count * sizeof(tt_cluster))) return -1;
#ifdef MADV_HUGEPAGE
    madvise(memory, count * sizeof(tt_cluster), MADV_HUGEPAGE);
#endif
    t->clusters = memory;
    t->count = count;
    tt_clear(t);
    return 0;
}

static inline void tt_free(tt_table *t) {
    free(t->clusters);
    t->clusters = NULL;
    t->count = 0;
}

/* Call once before each search: entries of earlier searches are replaced first. */
static inline void tt_new_search(tt_table *t) { t->generation = (t->generation + 1) & (TT_GENERATIONS - 1); }

static inline tt_cluster *tt_cluster_of(const tt_table *t, uint64_t key) {
    return &t->clusters[bits_scale(key, t->count)];
}

static inline void tt_prefetch(const tt_table *t, uint64_t key) { bits_prefetch(tt_cluster_of(t, key)); }

static inline uint64_t tt_load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline void tt_save(uint64_t *word, uint64_t x) { __atomic_store_n(word, x, __ATOMIC_RELAXED); }

static inline int tt_depth(uint64_t data) { return (int)((data >> 40) & 255); }
static inline unsigned tt_age(const tt_table *t, uint64_t data) {
    return (t->generation - (unsigned)(data >> 50)) & (TT_GENERATIONS - 1);
}

/* Returns 1 and fills `hit` when the table knows the key. */
static inline int tt_probe(const tt_table *t, uint64_t key, tt_hit *hit) {
    tt_cluster *cluster = tt_cluster_of(t, key);
    for (int i = 0; i < TT_WAYS; i++) {
        uint64_t data = tt_load(&cluster->way[i].data);
        if ((tt_load(&cluster->way[i].check) ^ data) == key && data != 0) {
            hit->action = (int)(data & 0xFFFF);
            hit->value = (int)((data >> 16) & 0xFFFFFF) - (1 << 23);
            hit->depth = tt_depth(data);
            hit->bound = (int)((data >> 48) & 3);
            return 1;
        }
    }
    return 0;
}

/* Overwrites the same key, else the entry that is oldest and shallowest. */
static inline void tt_store(tt_table *t, uint64_t key, int action, int value, int depth, int bound) {
    tt_cluster *cluster = tt_cluster_of(t, key);
    int victim = 0, worst = 1 << 30;
    for (int i = 0; i < TT_WAYS; i++) {
        uint64_t data = tt_load(&cluster->way[i].data);
        int worth;
        if ((tt_load(&cluster->way[i].check) ^ data) == key) {
            victim = i;
            break;
        }
        worth = data == 0 ? -(1 << 20) : tt_depth(data) - 8 * (int)tt_age(t, data);
        if (worth < worst) {
            worst = worth;
            victim = i;
        }
    }
    uint64_t data = (uint64_t)(action & 0xFFFF) | (uint64_t)(value + (1 << 23)) << 16 | (uint64_t)depth << 40 |
                    (uint64_t)bound << 48 | (uint64_t)t->generation << 50;
    tt_save(&cluster->way[victim].data, data);
    tt_save(&cluster->way[victim].check, key ^ data);
}

/* Thousandths of a sample of entries that the present search wrote. */
static inline int tt_hashfull(const tt_table *t) {
    uint64_t clusters = t->count < 250 ? t->count : 250;
    int used = 0;
    for (uint64_t c = 0; c < clusters; c++)
        for (int i = 0; i < TT_WAYS; i++) {
            uint64_t data = tt_load(&t->clusters[c].way[i].data);
            used += data != 0 && tt_age(t, data) == 0;
        }
    return (int)((uint64_t)used * 1000 / (clusters * TT_WAYS));
}

#endif
