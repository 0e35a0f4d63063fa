/*
 * host_tape.c - growth of the tapes of host gradients, and the memory of their local arrays.
 *
 * Requires a tape of gradwright/tape.h. Guarantees that a failed growth frees nothing, empties the tape and
 * says how much was asked for. A tape at least doubles, so that pushing n bytes copies O(n). No state is shared
 * between tapes: any number of threads may grow their own.
 */
#include "gradwright/tape.h"

#include <stdalign.h>
#include <stdlib.h>

struct gw_host_block {
    struct gw_host_block *next, *previous;
    size_t bytes;
    alignas(max_align_t) char memory[];
};

static void *fail(gw_host_tape *tape, const char *what, size_t bytes) {
    tape->top = tape->base;
    while (tape->blocks) gw_host_array_free(tape, tape->blocks->memory);
    gw_report(GW_ERROR_MEMORY, "out of memory: the %s of a gradient need%s %zu bytes", what,
              what[0] == 't' ? "s" : "", bytes);
    return NULL;
}

enum { LEAST_ROOM = 4096, MOST_EXPECTED = 1 << 30 };

/* Moves the lowest `used` bytes into a block of `room`; false, with everything as it was, without memory. */
static bool move(gw_host_tape *tape, size_t used, size_t room) {
    const size_t entered = tape->base ? (size_t)(tape->top - tape->base) : 0;
    char *base = room <= PTRDIFF_MAX ? realloc(tape->owned ? tape->base : NULL, room) : NULL;
    if (!base) return false;
    if (!tape->owned && used) memcpy(base, tape->base, used);
    *tape = (gw_host_tape){base, base + entered, base + room, true, tape->blocks};
    return true;
}

char *gw_host_tape_grow(gw_host_tape *tape, char *top, uint64_t count, size_t each) {
    const size_t used = tape->base ? (size_t)(top - tape->base) : 0;
    const size_t added = gw_size_mul(count > SIZE_MAX ? SIZE_MAX : (size_t)count, each);
    const size_t needed = gw_size_add(used, added);
    const size_t held = tape->base ? (size_t)(tape->end - tape->base) : 0;
    size_t room = gw_size_mul(held, 2) > needed ? gw_size_mul(held, 2) : needed;
    if (room < LEAST_ROOM) room = LEAST_ROOM;
    if (!move(tape, used, room) && (needed >= room || !move(tape, used, needed)))
        return fail(tape, "tape", needed);
    return tape->base + used;
}

/* The first time in its very size, so that an allocator keeps the block for the next call; later as a tape
 * grows. */
char *gw_host_tape_expect(gw_host_tape *tape, char *top, uint64_t bytes) {
    const size_t used = tape->base ? (size_t)(top - tape->base) : 0;
    const size_t held = tape->base ? (size_t)(tape->end - tape->base) : 0;
    if (bytes > MOST_EXPECTED || bytes <= held - used) return top;
    size_t room = gw_size_add(used, (size_t)bytes);
    if (tape->owned && room < gw_size_mul(held, 2)) room = gw_size_mul(held, 2);
    return move(tape, used, room) ? tape->base + used : top;
}

void gw_host_tape_free(gw_host_tape *tape) {
    while (tape->blocks) gw_host_array_free(tape, tape->blocks->memory);
    if (tape->owned) free(tape->base);
    *tape = (gw_host_tape)GW_HOST_TAPE;
}

/* ---- local arrays ---- */
static struct gw_host_block *block_of(void *array) {
    return (struct gw_host_block *)((char *)array - offsetof(struct gw_host_block, memory));
}

void gw_host_array_free(gw_host_tape *tape, void *array) {
    if (!array) return;
    struct gw_host_block *block = block_of(array);
    if (block->next) block->next->previous = block->previous;
    *(block->previous ? &block->previous->next : &tape->blocks) = block->next;
    free(block);
}

void *gw_host_array(gw_host_tape *tape, void *old, uint64_t count, size_t size) {
    const size_t bytes = gw_size_mul(count > SIZE_MAX ? SIZE_MAX : (size_t)count, size);
    if (old && block_of(old)->bytes >= bytes) return old;
    gw_host_array_free(tape, old);
    const size_t all = gw_size_add(bytes, sizeof(struct gw_host_block));
    struct gw_host_block *block = all <= PTRDIFF_MAX ? malloc(all) : NULL;
    if (!block) return fail(tape, "local arrays", bytes);
    block->next = tape->blocks;
    block->previous = NULL;
    block->bytes = bytes;
    if (block->next) block->next->previous = block;
    tape->blocks = block;
    return block->memory;
}

void gw_host_no_memory(void) { abort(); } /* fail() has said why */

void *gw_host_zeros(gw_host_tape *tape, void *old, uint64_t count, size_t size) {
    void *array = gw_host_array(tape, old, count, size);
    if (array) memset(array, 0, (size_t)count * size);
    return array;
}
