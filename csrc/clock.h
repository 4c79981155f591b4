/* Seconds on clocks that never go back. */
#ifndef BANQI_CLOCK_H
#define BANQI_CLOCK_H

#include <time.h>

static inline double clock_seconds(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double clock_now(void) { return clock_seconds(CLOCK_MONOTONIC); }

/* Processor time of the calling thread: what benchmarks count on a shared machine. */
static inline double clock_thread(void) { return clock_seconds(CLOCK_THREAD_CPUTIME_ID); }

#endif
