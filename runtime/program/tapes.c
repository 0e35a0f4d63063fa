/*
 * tapes.c - the tapes of launches whose reverse needs what they overwrite: the first half of a kernel's split
 * gradient leaves one, the second takes the last that is there.
 *
 * Calls are taken back last first, so the tapes of a run are a stack. A part that is not recorded runs again
 * before its reverse does: its tapes are nobody's, and lie where a workspace would. It runs the first half all
 * the same, and not the kernel, so that the same bits come out each time.
 */
#include "private.h"

#include <stdlib.h>

void *gw_program_tape(gw_program *run, size_t bytes, gw_stream on) {
    if (gw_run_is_dead(run)) return NULL;
    if (run->unrecorded) return gw_program_workspace(run, bytes, on);
    const int lane = gw_lane_of(run, on);
    if (lane < 0 || !gw_grow(run, (void **)&run->tapes, &run->tape_room, run->tape_count, sizeof *run->tapes))
        return NULL;
    gw_block *const block = gw_block_take(run, bytes, GW_SPACE_DEVICE, lane, GW_PART_SAVED);
    if (!block) return NULL;
    run->tapes[run->tape_count++] = (gw_tape_kept){block, bytes};
    return block->at;
}

void *gw_program_last_tape(gw_program *run, size_t *bytes, gw_stream on) {
    *bytes = 0;
    if (gw_run_is_dead(run)) return NULL;
    if (!run->tape_count) {
        gw_run_fail(run, GW_ERROR_ARGUMENT, "internal error: no launch has left a tape");
        return NULL;
    }
    const int lane = gw_lane_of(run, on);
    if (lane < 0) return NULL;
    const gw_tape_kept tape = run->tapes[run->tape_count - 1];
    gw_use_write(run, &tape.block->use, lane);
    *bytes = tape.bytes;
    return gw_run_is_dead(run) ? NULL : tape.block->at;
}

void gw_program_untape(gw_program *run) {
    if (gw_run_is_dead(run) || !run->tape_count) return;
    gw_block_give(run, run->tapes[--run->tape_count].block);
}

void gw_tapes_free(gw_program *run) {
    while (run->tape_count)
        gw_block_give(run, run->tapes[--run->tape_count].block);
    free(run->tapes);
}
