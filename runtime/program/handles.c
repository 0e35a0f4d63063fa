/*
 * handles.c - streams and events that a program creates.
 *
 * Its reverse works on them too, so that they live until the run ends, whenever the program destroys them. They
 * are the pool's from then on: a run that asks like the run before creates none. A stream that the pool hands
 * out again may still be busy with the run before, for which the run waits anyway (streams.c).
 */
#include "private.h"

#include <stdlib.h>

static gw_handle *find(gw_program *run, bool is_event, unsigned int flags, int priority) {
    for (size_t i = 0; i < run->pool->handle_count; i++) {
        gw_handle *h = &run->pool->handles[i];
        if (h->run == run->run || h->is_event != is_event || h->flags != flags || h->priority != priority)
            continue;
        h->run = run->run;
        return h;
    }
    return NULL;
}

static gw_handle *add(gw_program *run, bool is_event, unsigned int flags, int priority) {
    gw_pool *pool = run->pool;
    if (!gw_grow(run, (void **)&pool->handles, &pool->handle_room, pool->handle_count, sizeof *pool->handles))
        return NULL;
    gw_handle made = {.is_event = is_event, .flags = flags, .priority = priority, .run = run->run};
    const bool good =
        is_event ? gw_run_ok(run, cudaEventCreateWithFlags(&made.event, flags), "cudaEventCreateWithFlags")
                 : gw_run_ok(run, cudaStreamCreateWithPriority(&made.stream, flags, priority),
                             "cudaStreamCreateWithPriority");
    if (!good) return NULL;
    pool->handles[pool->handle_count] = made;
    return &pool->handles[pool->handle_count++];
}

static gw_handle *take(gw_program *run, bool is_event, unsigned int flags, int priority) {
    if (gw_run_is_dead(run)) return NULL;
    gw_handle *h = find(run, is_event, flags, priority);
    return h ? h : add(run, is_event, flags, priority);
}

gw_stream gw_program_stream(gw_program *run, unsigned int flags, int priority) {
    const gw_handle *h = take(run, false, flags, priority);
    return h ? h->stream : NULL;
}

gw_event gw_program_event(gw_program *run, unsigned int flags) {
    const gw_handle *h = take(run, true, flags, 0);
    return h ? h->event : NULL;
}

void gw_handles_free(gw_pool *pool) {
    for (size_t i = 0; i < pool->handle_count; i++) {
        const gw_handle *h = &pool->handles[i];
        if (h->is_event)
            (void)cudaEventDestroy(h->event);
        else
            (void)cudaStreamDestroy(h->stream);
    }
    free(pool->handles);
}

void gw_program_record(gw_program *run, gw_event what, gw_stream on) {
    if (gw_run_is_dead(run) || gw_lane_of(run, on) < 0) return;
    gw_run_ok(run, cudaEventRecord(what, on), "cudaEventRecord");
}

void gw_program_wait(gw_program *run, gw_stream on, gw_event what) {
    if (gw_run_is_dead(run) || gw_lane_of(run, on) < 0) return;
    gw_run_ok(run, cudaStreamWaitEvent(on, what, 0), "cudaStreamWaitEvent");
}

void gw_program_sync_event(gw_program *run, gw_event what) {
    if (gw_run_is_dead(run)) return;
    gw_program_waited(run);
    gw_run_ok(run, cudaEventSynchronize(what), "cudaEventSynchronize");
}

void gw_program_stop(gw_program *run, const char *where) {
    gw_run_fail(run, GW_ERROR_ARGUMENT, "the program ends the process at %s", where);
}
