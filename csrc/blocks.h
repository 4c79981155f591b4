/* Files of numbered blocks of bytes, and a cache of decoded blocks that threads share.
 *
 * A file's bytes are trusted only behind a checksum: a block is compared with its CRC-32 whenever it is read. Files are
 * not mapped, as who shortens a mapped file ends the program; nor are they kept open, as there may be more of them than
 * a process may have open. So whatever becomes of a file, a block is as it was written or is an error. The cache maps a block to one slot; a slot has a lock of its own, held while its
 * block is decoded or a byte is read.
 */
#ifndef BANQI_BLOCKS_H
#define BANQI_BLOCKS_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "zstd.h"

enum {
    BLOCK_BYTES = 1 << 15,
    /* More than zstd makes of the bytes of a block. */
    BLOCK_ROOM = BLOCK_BYTES + 1024
};

/* CRC-32 as zlib and PNG have it: polynomial 0xEDB88320, reflected. */
static inline uint32_t blocks_crc(const uint8_t *bytes, uint64_t size) {
    static uint32_t table[4][256];
    static int ready;
    if (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) {
        /* Threads that come here together write the same numbers. */
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t x = i;
            for (int bit = 0; bit < 8; bit++) x = x >> 1 ^ (0xEDB88320u & (0u - (x & 1)));
            __atomic_store_n(&table[0][i], x, __ATOMIC_RELAXED);
        }
        for (int n = 1; n < 4; n++)
            for (int i = 0; i < 256; i++)
                __atomic_store_n(&table[n][i], table[n - 1][i] >> 8 ^ table[0][table[n - 1][i] & 255], __ATOMIC_RELAXED);
        __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    }
    uint32_t crc = ~0u;
    for (; size >= 4; size -= 4, bytes += 4) {
        crc ^= bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        crc = table[3][crc & 255] ^ table[2][crc >> 8 & 255] ^ table[1][crc >> 16 & 255] ^ table[0][crc >> 24];
    }
    while (size--) crc = crc >> 8 ^ table[0][(crc ^ *bytes++) & 255];
    return ~crc;
}

typedef struct {
    uint64_t offset;
    uint32_t length;
    uint32_t crc;
} blocks_entry;

typedef struct {
    char *path;
    uint64_t size;
    /* The directory, copied and checked: no block is stored in more than BLOCK_ROOM bytes. */
    blocks_entry *entry;
    /* All blocks as they are stored, one after the other, if they are kept in memory, else NULL. */
    uint8_t *whole;
    uint32_t count;
    /* Tells its blocks from those of other files in a cache. */
    uint32_t number;
} blocks_file;

typedef struct {
    uint32_t lock;
    /* Of the file, and of the block plus 1; 0 for none. */
    uint32_t number, block;
    uint8_t *bytes;
} blocks_slot;

typedef struct {
    zstd_library zstd;
    blocks_slot *slot;
    uint32_t slots;
    uint8_t *memory;
} blocks_cache;

/* Opens a regular file without waiting for anybody. Returns -1 if there is none or the system refuses. */
static inline int blocks_handle(const char *path, uint64_t *size) {
    struct stat status;
    int handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (handle < 0) return -1;
    if (fstat(handle, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(handle);
        return -1;
    }
    *size = (uint64_t)status.st_size;
    return handle;
}

/* Remembers a file, by its absolute path, and its size. Returns 0, or -1 if it cannot be opened. */
static inline int blocks_open(blocks_file *f, const char *path) {
    int handle = blocks_handle(path, &f->size);
    if (handle < 0) return -1;
    close(handle);
    f->path = strdup(path);
    return f->path == NULL ? -1 : 0;
}

static inline void blocks_close(blocks_file *f) {
    free(f->path);
    free(f->entry);
    free(f->whole);
    f->path = NULL;
    f->entry = NULL;
    f->whole = NULL;
}

/* Reads a block's stored bytes. Returns 0, or -1 when they are not those that its checksum was made of. */
static inline int blocks_fetch(const blocks_file *f, uint32_t block, uint8_t *target) {
    const blocks_entry *e = &f->entry[block];
    uint64_t size, done = 0;
    int handle = blocks_handle(f->path, &size);
    if (handle < 0) return -1;
    while (done < e->length) {
        ssize_t got = pread(handle, target + done, e->length - done, (off_t)(e->offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += (uint64_t)got;
    }
    close(handle);
    return done == e->length && blocks_crc(target, e->length) == e->crc ? 0 : -1;
}

/* Decodes a block of `size` bytes. Returns 0, or -1 when its bytes are not what was written. */
static inline int blocks_decode(
    const zstd_library *z, const blocks_file *f, uint32_t block, uint8_t *target, uint64_t size
) {
    uint8_t stored[BLOCK_ROOM];
    if (blocks_fetch(f, block, stored) != 0) return -1;
    return z->decompress(target, size, stored, f->entry[block].length) == size ? 0 : -1;
}

/* Takes at most `bytes` of memory. Returns 0, or -1 when there is none. */
static inline int blocks_allocate(blocks_cache *c, uint64_t bytes) {
    uint64_t slots = bytes / (BLOCK_BYTES + sizeof(blocks_slot));
    if (slots == 0) slots = 1;
    if (slots > UINT32_MAX) slots = UINT32_MAX;
    c->slot = calloc(slots, sizeof(blocks_slot));
    c->memory = malloc(slots * BLOCK_BYTES);
    if (c->slot == NULL || c->memory == NULL) return -1;
    for (uint64_t i = 0; i < slots; i++) c->slot[i].bytes = c->memory + i * BLOCK_BYTES;
    c->slots = (uint32_t)slots;
    return 0;
}

static inline void blocks_free(blocks_cache *c) {
    free(c->slot);
    free(c->memory);
    c->slot = NULL;
    c->memory = NULL;
    c->slots = 0;
}

/* The `width` (1 or 2) bytes at a place of a block of `size` bytes, lowest first; -1 when the block is broken. */
static inline int32_t blocks_read(
    const blocks_cache *c, const blocks_file *f, uint32_t block, uint64_t size, uint32_t place, int width
) {
    uint64_t mixed = ((uint64_t)f->number << 32 | block) * 0x9E3779B97F4A7C15u;
    blocks_slot *slot = &c->slot[(mixed >> 32) * c->slots >> 32];
    int32_t value = -1;
    while (__atomic_exchange_n(&slot->lock, 1, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(&slot->lock, __ATOMIC_RELAXED)) {
        }
    if (slot->number != f->number || slot->block != block + 1) {
        slot->number = f->number;
        slot->block = blocks_decode(&c->zstd, f, block, slot->bytes, size) == 0 ? block + 1 : 0;
    }
    if (slot->block != 0) value = width == 1 ? slot->bytes[place] : slot->bytes[place] | slot->bytes[place + 1] << 8;
    __atomic_store_n(&slot->lock, 0, __ATOMIC_RELEASE);
    return value;
}

#endif
