/*
 * streams.c - the streams of a run, and who waits for whom.
 *
 * Requires: what a call uses is told (gw_use_read, gw_use_write) before it is queued, and a call is queued on
 * one stream. Guarantees: of two uses of one piece of memory of which one writes, the later is queued behind
 * the earlier, on the same stream or behind an event.
 *
 * The event is recorded when somebody has to wait, not at each use: it stands for all that the other stream was
 * given until then, so that one event serves all uses before it (`waited_for`), and a program on one stream has
 * none. A tick is drawn for each use and each event; an event of a later tick covers the use.
 *
 * Work of earlier runs: each stream that joins a run waits for the ends of those, which were recorded when they
 * ended (their streams may be gone). A stream that is being captured cannot, and need not: the work is done
 * (program.h), and what a graph's launch is behind is its launcher's business.
 */
#include "private.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more stream in the square of ticks. */
static bool widen(gw_program *run) {
    const size_t side = run->waited_side, count = (size_t)run->lane_count;
    if (count < side) return true;
    const size_t wider = side ? 2 * side : 4;
    uint64_t *square = calloc(wider * wider, sizeof *square);
    if (!square) {
        gw_run_fail(run, GW_ERROR_MEMORY, "no memory for %zu streams", count + 1);
        return false;
    }
    for (size_t i = 0; i < side; i++)
        memcpy(square + i * wider, run->waited_for + i * side, side * sizeof *square);
    free(run->waited_for);
    run->waited_for = square;
    run->waited_side = wider;
    return true;
}

static int join(gw_program *run, cudaStream_t stream) {
    if (!widen(run) ||
        !gw_grow(run, (void **)&run->lanes, &run->lane_room, (size_t)run->lane_count, sizeof *run->lanes))
        return no_stream;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (!gw_run_ok(run, cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing")) return no_stream;
    const bool capturing = status != cudaStreamCaptureStatusNone;
    if (capturing) run->pool->captured = true;
    for (size_t i = 0; i < run->pool->ends.count && !capturing; i++)
        if (!gw_run_ok(run, cudaStreamWaitEvent(stream, run->pool->ends.list[i], 0), "cudaStreamWaitEvent"))
            return no_stream;
    run->lanes[run->lane_count] = (gw_lane){.stream = stream, .capturing = capturing};
    return run->lane_count++;
}

int gw_lane_of(gw_program *run, cudaStream_t stream) {
    if (run->lane_count && run->lanes[run->lane_last].stream == stream) return run->lane_last;
    int lane = 0;
    while (lane < run->lane_count && run->lanes[lane].stream != stream)
        lane++;
    if (lane == run->lane_count) lane = join(run, stream);
    if (lane >= 0) run->lane_last = lane;
    return lane;
}

static uint64_t *waited(const gw_program *run, int on, int of) {
    return &run->waited_for[(size_t)on * run->waited_side + (size_t)of];
}

static void wait(gw_program *run, int on, int of, uint64_t tick) {
    if (on == of || *waited(run, on, of) > tick || gw_run_is_dead(run)) return;
    if (!run->scratch && !(run->scratch = gw_event_take(run))) return;
    if (gw_run_ok(run, cudaEventRecord(run->scratch, run->lanes[of].stream), "cudaEventRecord") &&
        gw_run_ok(run, cudaStreamWaitEvent(run->lanes[on].stream, run->scratch, 0), "cudaStreamWaitEvent"))
        *waited(run, on, of) = ++run->tick;
}

static void wait_for(gw_program *run, int user, uint64_t tick, int on) {
    if (user >= 0) wait(run, on, user, tick);
    for (int of = 0; user == all_streams && of < run->lane_count; of++)
        wait(run, on, of, tick);
}

void gw_use_wait(gw_program *run, const gw_use *use, int on) {
    wait_for(run, use->writer, use->written, on);
    wait_for(run, use->reader, use->read, on);
}

void gw_use_read(gw_program *run, gw_use *use, int on) {
    wait_for(run, use->writer, use->written, on);
    use->reader = use->reader == no_stream || use->reader == on ? on : all_streams;
    use->read = ++run->tick;
}

void gw_use_write(gw_program *run, gw_use *use, int on) {
    gw_use_wait(run, use, on);
    *use = (gw_use){.writer = on, .written = ++run->tick, .reader = no_stream};
}

gw_use gw_use_all(gw_program *run) {
    return (gw_use){.writer = all_streams, .written = ++run->tick, .reader = no_stream};
}

void gw_lanes_join(gw_program *run, int on) {
    const gw_use all = gw_use_all(run);
    if (run->lane_count > 1) gw_use_wait(run, &all, on);
}

void gw_lanes_fork(gw_program *run, int from) {
    const gw_use one = {.writer = from, .written = ++run->tick, .reader = no_stream};
    for (int lane = 0; lane < run->lane_count; lane++)
        gw_use_wait(run, &one, lane);
}

static bool is_near(const gw_program *run, int user, uint64_t tick, int on) {
    if (user == no_stream || user == on || run->lane_count <= 1) return true;
    return on >= 0 && user >= 0 && *waited(run, on, user) > tick;
}

bool gw_use_is_near(const gw_program *run, const gw_use *use, int on) {
    return is_near(run, use->writer, use->written, on) && is_near(run, use->reader, use->read, on);
}

/* ---- events of the program ---- */

void gw_program_unwait(gw_program *run, gw_stream on, gw_event what) {
    if (gw_run_is_dead(run) || gw_lane_of(run, on) < 0) return;
    if (!gw_grow(run, (void **)&run->joins, &run->join_room, run->join_count, sizeof *run->joins)) return;
    const gw_join made = {what, gw_event_take(run)};
    if (!made.own) return;
    run->joins[run->join_count++] = made;
    gw_run_ok(run, cudaEventRecord(made.own, on), "cudaEventRecord");
}

void gw_program_unrecord(gw_program *run, gw_event what, gw_stream on) {
    if (gw_run_is_dead(run) || gw_lane_of(run, on) < 0) return;
    size_t kept = 0;
    for (size_t i = 0; i < run->join_count; i++) {
        const gw_join join = run->joins[i];
        if (join.key != what) {
            run->joins[kept++] = join;
            continue;
        }
        gw_run_ok(run, cudaStreamWaitEvent(on, join.own, 0), "cudaStreamWaitEvent");
        gw_event_give(run->pool, join.own);
    }
    run->join_count = kept;
}

/* ---- the end ---- */

/* The ends of this run's streams stand for those of the runs before, which the streams waited for. */
static void record_ends(gw_program *run) {
    gw_pool *pool = run->pool;
    bool any = false;
    for (int lane = 0; lane < run->lane_count; lane++)
        any = any || !run->lanes[lane].capturing;
    if (!any) return;
    while (pool->ends.count)
        gw_event_give(pool, pool->ends.list[--pool->ends.count]);
    for (int lane = 0; lane < run->lane_count; lane++) {
        if (run->lanes[lane].capturing) continue;
        cudaEvent_t event = NULL;
        if (gw_event_find(pool, &event) == cudaSuccess &&
            cudaEventRecord(event, run->lanes[lane].stream) == cudaSuccess && gw_event_push(&pool->ends, event))
            continue;
        gw_event_give(pool, event);
        (void)cudaDeviceSynchronize(); /* instead of what nobody can wait for */
        (void)cudaGetLastError();
    }
}

void gw_lanes_wait(gw_program *run) {
    for (int lane = 0; run->waited && lane < run->lane_count; lane++)
        if (!run->lanes[lane].capturing)
            gw_run_ok(run, cudaStreamSynchronize(run->lanes[lane].stream), "cudaStreamSynchronize");
}

void gw_lanes_end(gw_program *run) {
    for (int lane = 0; lane < run->lane_count; lane++)
        for (int space = 0; space < space_count; space++)
            gw_block_give(run, run->lanes[lane].work[space]);
    for (size_t i = 0; i < run->join_count; i++)
        gw_event_give(run->pool, run->joins[i].own);
    gw_event_give(run->pool, run->scratch);
    record_ends(run);
}

bool gw_lane_is_captured(gw_program *run, cudaStream_t stream) {
    const int lane = gw_lane_of(run, stream);
    return lane >= 0 && run->lanes[lane].capturing;
}
