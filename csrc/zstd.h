/* The zstd library, found when it is asked for: no headers and no linking, so that a build needs neither.
 *
 * What is declared here is the part of its stable interface that tables use (zstd 1.0 and later).
 */
#ifndef BANQI_ZSTD_H
#define BANQI_ZSTD_H

#include <dlfcn.h>
#include <stddef.h>

typedef struct {
    size_t (*compress)(void *target, size_t room, const void *source, size_t size, int level);
    size_t (*decompress)(void *target, size_t room, const void *source, size_t size);
    size_t (*bound)(size_t size);
    unsigned (*is_error)(size_t code);
} zstd_library;

/* Fills in the functions. Returns 0, or -1 when there is no library or one without them. */
static inline int zstd_open(zstd_library *z) {
    static const char *const names[] = {"libzstd.so.1", "libzstd.1.dylib"};
    void *handle = NULL;
    for (unsigned i = 0; i < sizeof names / sizeof *names && handle == NULL; i++)
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return -1;
    *(void **)&z->compress = dlsym(handle, "ZSTD_compress");
    *(void **)&z->decompress = dlsym(handle, "ZSTD_decompress");
    *(void **)&z->bound = dlsym(handle, "ZSTD_compressBound");
    *(void **)&z->is_error = dlsym(handle, "ZSTD_isError");
    return z->compress && z->decompress && z->bound && z->is_error ? 0 : -1;
}

#endif
