/*
 * measured.c - what launches ask that only memory can say: how long arrays are, and how large tapes are that
 * are measured.
 */
#include "private.h"

#include <stdlib.h>

size_t gw_program_cells(gw_program *run, const void *at, size_t cell_bytes) {
    if (gw_run_is_dead(run) || !at) return 0;
    gw_buffer *b = gw_buffer_of(run, at);
    if (!b || !gw_buffer_is_sized(run, b)) return 0;
    return (b->bytes - (size_t)((const char *)at - b->base)) / cell_bytes;
}

size_t gw_program_recall(gw_program *run, gw_stream on) {
    if (gw_run_is_dead(run) || !gw_lane_is_captured(run, on)) return 0;
    const size_t number = run->measured++;
    if (number < run->pool->measured_count) return run->pool->measured[number];
    gw_run_fail(run, GW_ERROR_ARGUMENT,
                "a tape that is measured cannot be captured: run the gradient with this pool once before");
    return 0;
}

size_t gw_program_remember(gw_program *run, size_t bytes) {
    if (gw_run_is_dead(run)) return 0;
    gw_program_awaited(run);
    if (bytes == SIZE_MAX) {
        gw_run_fail(run, GW_ERROR_WORKSPACE, "%s", gw_last_error());
        return 0;
    }
    gw_pool *pool = run->pool;
    const size_t number = run->measured++;
    if (number == pool->measured_room) {
        const size_t room = pool->measured_room ? 2 * pool->measured_room : 16;
        size_t *more = realloc(pool->measured, room * sizeof *more);
        if (!more) {
            gw_run_fail(run, GW_ERROR_MEMORY, "no memory for the sizes of measured tapes");
            return 0;
        }
        pool->measured = more;
        pool->measured_room = room;
    }
    if (number == pool->measured_count) pool->measured[pool->measured_count++] = 0;
    pool->measured[number] = gw_size_max(pool->measured[number], bytes);
    return bytes;
}
