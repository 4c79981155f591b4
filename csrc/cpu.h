/* What the processor can do, asked at run time. Included only by code that is compiled for the platform's
 * base instruction set, so that it runs anywhere.
 */
#ifndef BANQI_CPU_H
#define BANQI_CPU_H

/* The level the extension modules were compiled for: 3 and 2 for x86-64-v3 and -v2, 0 for the platform's base. */
#ifndef BANQI_ISA_LEVEL
#define BANQI_ISA_LEVEL 0
#endif

/* The highest of those levels that this processor has. */
static inline int cpu_level(void) {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#if (defined(__clang__) && __clang_major__ >= 18) || (!defined(__clang__) && __GNUC__ >= 12)
    if (__builtin_cpu_supports("x86-64-v3")) return 3;
    if (__builtin_cpu_supports("x86-64-v2")) return 2;
#else
    /* Older compilers know no level by name. Every processor with these has the rest of its level. */
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) return 3;
    if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt")) return 2;
#endif
#endif
    return 0;
}

#endif
