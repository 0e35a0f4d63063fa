/*
 * host_tape.c - growth of the tapes of host gradients.
 *
 * Requires a tape of gradwright/tape.h. Guarantees that a failed growth frees nothing, empties the tape and says
 * how much was asked for. A tape at least doubles, so that pushing n bytes copies O(n). No state is
 * shared between tapes: any number of threads may grow their own.
 */
#include "gradwright/tape.h"

#include <stdlib.h>

enum { LEAST_ROOM = 4096 };

char *gw_host_tape_grow(gw_host_tape *tape, char *top, uint64_t count, size_t each) {
    const size_t used = tape->base ? (size_t)(top - tape->base) : 0;
    const size_t entered = tape->base ? (size_t)(tape->top - tape->base) : 0;
    const size_t added = gw_size_mul(count > SIZE_MAX ? SIZE_MAX : (size_t)count, each);
    const size_t needed = gw_size_add(used, added);
    const size_t held = tape->base ? (size_t)(tape->end - tape->base) : 0;
    size_t room = gw_size_mul(held, 2) > needed ? gw_size_mul(held, 2) : needed;
    if (room < LEAST_ROOM) room = LEAST_ROOM;
    char *base = NULL;
    if (room <= PTRDIFF_MAX) base = realloc(tape->owned ? tape->base : NULL, room);
    if (!base && needed < room && needed <= PTRDIFF_MAX) {
        room = needed;
        base = realloc(tape->owned ? tape->base : NULL, room);
    }
    if (!base) {
        tape->top = tape->base;
        gw_report(GW_ERROR_MEMORY, "out of memory: the tape of a gradient needs %zu bytes", needed);
        return NULL;
    }
    if (!tape->owned && used) memcpy(base, tape->base, used);
    *tape = (gw_host_tape){.base = base, .top = base + entered, .end = base + room, .owned = true};
    return base + used;
}

void gw_host_tape_free(gw_host_tape *tape) {
    if (tape->owned) free(tape->base);
    *tape = (gw_host_tape)GW_HOST_TAPE;
}
