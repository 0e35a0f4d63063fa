/* The checked build's shared memory: every access is inside its variable, of bytes that the block has
 * written, and not in a race.
 *
 * Two accesses of one byte by two threads race if one of them writes, not both are atomic, and nothing
 * orders them: no barrier lies between them (each interval between barriers has a number of its own) and, if
 * the threads are of one warp, no __syncwarp in which they, or lanes in between, met (vector clocks of 32
 * lanes). Shuffles and votes order nothing: CUDA does not promise it.
 * For each byte the last plain write is kept, which all earlier accesses are ordered before, and two reads
 * and two atomics by different threads: whoever writes next, one of the two is another thread's. */
#include "block.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { lanes = 32, check_writes = 1, check_atomic = 2, check_whole = 4 };

/* What plugin/clang_plugin/shared_checks.cpp writes. */
typedef struct static_variable {
    const char *name;
    uint64_t offset, size;
} static_variable;

typedef struct static_variables {
    uint64_t count;
    static_variable items[];
} static_variables;

typedef struct access_site {
    const char *file;
    uint32_t line, column;
    const char *name;      /* of the variable that the access is based on; null if the source does not say */
    uint64_t offset, size; /* size 0: dynamic */
    const static_variables *variables;
    uint64_t kind;
} access_site;

typedef struct access {
    const access_site *site;
    uint32_t interval, clock, thread;
} access;

typedef struct byte_history {
    access write, reads[2], atomics[2];
    uint32_t written_by_block;
} byte_history;

struct gw_cpu_checks {
    uint32_t interval, block;
    uint32_t clocks[gw_cpu_block_threads_most][lanes];
    byte_history *bytes;
};

GW_CPU_API void gw_cpu_check_shared(const char *pointer, uint64_t size, const access_site *site);

/* Checked programs stop watching shared memory, and begin again. The caller waits for its launches before. */
GW_CPU_API void gw_cpu_watch_shared(int is_watched);

static bool is_unwatched;

void gw_cpu_watch_shared(int is_watched) { is_unwatched = !is_watched; }

static struct gw_cpu_checks *checks_of(gw_cpu_block *block) {
    if (block->checks) return block->checks;
    struct gw_cpu_checks *checks = calloc(1, sizeof *checks);
    void *bytes = mmap(NULL, gw_cpu_shared_arena * sizeof(byte_history), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!checks || bytes == MAP_FAILED) {
        free(checks);
        if (bytes != MAP_FAILED) munmap(bytes, gw_cpu_shared_arena * sizeof(byte_history));
        gw_cpu_block_fail(block, cudaErrorMemoryAllocation);
    }
    checks->bytes = bytes;
    checks->interval = checks->block = 1;
    for (unsigned int i = 0; i < gw_cpu_block_threads_most; ++i)
        checks->clocks[i][i % lanes] = 1;
    return block->checks = checks;
}

void gw_cpu_check_free(gw_cpu_block *block) {
    if (!block->checks) return;
    munmap(block->checks->bytes, gw_cpu_shared_arena * sizeof(byte_history));
    free(block->checks);
}

void gw_cpu_check_block_started(gw_cpu_block *block) {
    if (!block->checks) return;
    ++block->checks->interval;
    ++block->checks->block;
}

void gw_cpu_check_barrier(gw_cpu_block *block) {
    if (block->checks) ++block->checks->interval;
}

void gw_cpu_check_warp_met(gw_cpu_block *block, unsigned int base, uint32_t arrived) {
    if (!block->checks) return;
    uint32_t joined[lanes] = {0};
    for (uint32_t left = arrived; left; left &= left - 1) {
        const uint32_t *clock = block->checks->clocks[base + (unsigned int)__builtin_ctz(left)];
        for (unsigned int i = 0; i < lanes; ++i)
            joined[i] = clock[i] > joined[i] ? clock[i] : joined[i];
    }
    for (uint32_t left = arrived; left; left &= left - 1) {
        const unsigned int lane = (unsigned int)__builtin_ctz(left);
        memcpy(block->checks->clocks[base + lane], joined, sizeof joined);
        ++block->checks->clocks[base + lane][lane];
    }
}

static gw_cpu_site place(const access_site *site) {
    return (gw_cpu_site){site->file, site->line, site->column};
}

/* The variable that holds the bytes, for a message; fails where none does. */
static const char *variable_at(gw_cpu_block *block, uint64_t offset, uint64_t size, const access_site *site,
                               uint64_t *start) {
    const char *name = site->name;
    uint64_t length = site->size != 0 ? site->size : block->shared_bytes;
    *start = site->offset;
    if (!name && offset < gw_cpu_shared_static) {
        name = "dynamic shared memory";
    } else if (!name) {
        length = 0;
        for (uint64_t i = 0; i < site->variables->count; ++i) {
            const static_variable *v = &site->variables->items[i];
            if (offset < v->offset) break;
            *start = v->offset;
            length = v->size;
            name = v->name;
        }
    }
    if (offset < *start || offset - *start > length || size > length - (offset - *start))
        gw_cpu_misuse(block, place(site), "'%s' has %llu bytes, the access is to %llu bytes from byte %lld on",
                      name ? name : "shared memory", (unsigned long long)length, (unsigned long long)size,
                      (long long)(offset - *start));
    return name;
}

static bool ordered(const gw_cpu_block *block, const access *earlier) {
    const unsigned int self = block->running;
    if (!earlier->site || earlier->interval != block->checks->interval || earlier->thread == self) return true;
    return earlier->thread / lanes == self / lanes &&
           block->checks->clocks[self][earlier->thread % lanes] >= earlier->clock;
}

static void check_order(gw_cpu_block *block, const access *earlier, const access_site *site, const char *name,
                        uint64_t byte) {
    if (ordered(block, earlier)) return;
    const uint3 t = block->threads[earlier->thread].index;
    const char *const did[] = {"reads", "writes", "updates", "updates"};
    const char *const what[] = {"read", "wrote", "updated", "updated"};
    gw_cpu_misuse(
        block, place(site),
        "race in shared memory: %s byte %llu of '%s', which thread (%u,%u,%u) %s at %s:%u:%u with no barrier "
        "between them",
        did[site->kind & 3], (unsigned long long)byte, name, t.x, t.y, t.z, what[earlier->site->kind & 3],
        earlier->site->file, earlier->site->line, earlier->site->column);
}

/* Keeps two different threads' accesses that are not ordered before this one. */
static void remember(const gw_cpu_block *block, access kept[2], access now) {
    if (ordered(block, &kept[0]))
        kept[0] = now;
    else
        kept[1] = now;
}

static void check_byte(gw_cpu_block *block, byte_history *byte, const access_site *site, const char *name,
                       uint64_t number) {
    struct gw_cpu_checks *checks = block->checks;
    const unsigned int self = block->running;
    const access now = {site, checks->interval, checks->clocks[self][self % lanes], self};
    const bool updates = site->kind & check_atomic, stores = site->kind & check_writes;
    check_order(block, &byte->write, site, name, number);
    if (stores)
        for (unsigned int i = 0; i < 2; ++i)
            check_order(block, &byte->reads[i], site, name, number);
    if (!updates)
        for (unsigned int i = 0; i < 2; ++i)
            check_order(block, &byte->atomics[i], site, name, number);
    if ((!stores || updates) && !(site->kind & check_whole) && byte->written_by_block != checks->block)
        gw_cpu_misuse(block, place(site),
                      "reads byte %llu of '%s', which no thread of the block has written yet",
                      (unsigned long long)number, name);
    if (updates && stores)
        remember(block, byte->atomics, now);
    else if (stores)
        byte->write = now;
    else if (!updates) /* an atomic load goes before an atomic update, which counts */
        remember(block, byte->reads, now);
    if (stores) byte->written_by_block = checks->block;
}

void gw_cpu_check_shared(const char *pointer, uint64_t size, const access_site *site) {
    const uint64_t offset = (uint64_t)((uintptr_t)pointer - (uintptr_t)gw_cpu_shared);
    if (is_unwatched) return;
    gw_cpu_block *block = gw_cpu_block_current();
    if (!block || size == 0 || (!site->name && offset >= gw_cpu_shared_arena)) return;
    uint64_t start = 0;
    const char *name = variable_at(block, offset, size, site, &start);
    byte_history *bytes = checks_of(block)->bytes + offset;
    for (uint64_t i = 0; i < size; ++i)
        check_byte(block, &bytes[i], site, name, offset - start + i);
}
