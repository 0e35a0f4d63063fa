/*
 * spill.c - saved contents that lie in pinned memory of the host, when there are more than the pool shall hold.
 *
 * Contents are needed back in the order opposite to that in which they were saved, so the oldest go first, on a
 * stream of the pool's own, and the youngest that went come back first, as soon as taken back calls make room
 * for them: ahead of use, by as much as stays on the device. The run has all saved contents of device memory in
 * a list by age; up to `edge` they are on the host.
 *
 * A content is moved by giving its block the memory of another one, so that whoever holds the block need not
 * know. A copy works from either kind of memory. What kernels are to read is brought back for good
 * (gw_spill_take). Who waits for whom is as for any use of blocks (streams.c): the pool's stream is one of the
 * run's.
 */
#include "private.h"

gw_status gw_pool_spill(gw_pool *pool, size_t device_bytes) {
    if (!pool->spill_stream) {
        const cudaError_t error = cudaStreamCreateWithPriority(&pool->spill_stream, cudaStreamNonBlocking, 0);
        if (error != cudaSuccess)
            return gw_report(GW_ERROR_CUDA, "gw_pool_spill: a stream: %s", cudaGetErrorString(error));
    }
    pool->spills = true;
    pool->spill_limit = device_bytes;
    return GW_OK;
}

size_t gw_pool_spilled(const gw_pool *pool) { return pool->spilled_most; }

static void swap_memory(gw_block *a, gw_block *b) {
    const gw_block was = *a;
    a->at = b->at, a->bytes = b->bytes, a->space = b->space, a->class = b->class;
    a->is_given = b->is_given;
    a->use = b->use, a->run = b->run, a->used_before = b->used_before;
    b->at = was.at, b->bytes = was.bytes, b->space = was.space, b->class = was.class;
    b->is_given = was.is_given;
    b->use = was.use, b->run = was.run, b->used_before = was.used_before;
}

static bool move(gw_program *run, gw_block *block, gw_space to) {
    const int lane = gw_lane_of(run, run->pool->spill_stream);
    gw_block *other = lane < 0 ? NULL : gw_block_take(run, block->bytes, to, lane, GW_PART_SAVED);
    if (!other) return false;
    gw_use_read(run, &block->use, lane);
    const bool good =
        !gw_run_is_dead(run) && gw_run_ok(run,
                                          cudaMemcpyAsync(other->at, block->at, block->bytes, cudaMemcpyDefault,
                                                          run->lanes[lane].stream),
                                          "cudaMemcpyAsync of contents that are spilled");
    if (good) swap_memory(block, other);
    gw_block_give(run, other);
    return good;
}

static void count_spilled(gw_program *run, size_t bytes) {
    gw_pool *pool = run->pool;
    run->resident -= bytes;
    run->spilled += bytes;
    if (run->spilled > pool->spilled_most) pool->spilled_most = run->spilled;
}

void gw_spill_add(gw_program *run, gw_block *block, int lane) {
    if (!run->pool->spills || block->space != GW_SPACE_DEVICE) return;
    if (run->lanes[lane].capturing) {
        gw_run_fail(run, GW_ERROR_ARGUMENT, "a run that is captured cannot spill contents (gw_pool_spill)");
        return;
    }
    block->older = run->youngest;
    block->younger = NULL;
    if (run->youngest) run->youngest->younger = block;
    run->youngest = block;
    if (!run->edge) run->edge = block;
    block->listed = true;
    run->resident += block->bytes;
    while (run->edge && run->resident > run->pool->spill_limit) {
        if (!move(run, run->edge, GW_SPACE_PINNED)) return;
        count_spilled(run, run->edge->bytes);
        run->edge = run->edge->younger;
    }
}

void gw_spill_drop(gw_program *run, gw_block *block) {
    if (!block->listed) return;
    block->listed = false;
    *(block->space == GW_SPACE_DEVICE ? &run->resident : &run->spilled) -= block->bytes;
    if (run->edge == block) run->edge = block->younger;
    if (run->youngest == block) run->youngest = block->older;
    if (block->older) block->older->younger = block->younger;
    if (block->younger) block->younger->older = block->older;
    block->older = block->younger = NULL;
}

void gw_spill_ahead(gw_program *run) {
    if (!run->pool->spills) return;
    while (!gw_run_is_dead(run)) {
        gw_block *next = run->edge ? run->edge->older : run->youngest;
        if (!next || run->resident + next->bytes > run->pool->spill_limit) return;
        if (!move(run, next, GW_SPACE_DEVICE)) return;
        run->edge = next;
        run->spilled -= next->bytes;
        run->resident += next->bytes;
    }
}

bool gw_spill_take(gw_program *run, gw_block *block) {
    if (!block->listed) return true;
    gw_spill_drop(run, block);
    return block->space == GW_SPACE_DEVICE || move(run, block, GW_SPACE_DEVICE);
}
