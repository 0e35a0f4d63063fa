/*
 * along.c - memory of tangents in programs that are differentiated twice (GW_HVP): what a buffer changes by
 * lies in another buffer, at the same offset.
 *
 * The program tells of it like of memory of its own: it is read, overwritten, saved, taken back and has an
 * adjoint as any buffer. So the run knows but which two belong together. One that the run makes is made where
 * its primal is made, lives as long, and is zero: it is cleared on the stream that asks for it first, or before
 * a mark, which must find in it what the part behind the mark finds when it runs again.
 */
#include "private.h"

#include <string.h>

static void clear(gw_program *run, gw_buffer *b, gw_stream on) {
    gw_buffer *t = b->along;
    b->along_is_new = false;
    gw_program_writes(run, t->base, 0, on);
    if (gw_run_is_dead(run)) return;
    if (t->space == GW_SPACE_HOST)
        memset(t->base, 0, t->bytes);
    else
        gw_run_ok(run, cudaMemsetAsync(t->base, 0, t->bytes, on), "cudaMemsetAsync of tangents");
}

/* Memory of the caller's that nothing was written to has zeros, which nothing is written to either. They are no
 * allocation that a part makes again. Nobody may know the end of host memory: they go as far as copies do. */
static void make_zeros(gw_program *run, gw_buffer *b, size_t bytes, int lane) {
    gw_block *block = gw_block_take_apart(run, bytes, b->space, lane);
    if (!block) return;
    gw_program_given(run, block->at, NULL, bytes);
    gw_buffer *t = gw_run_is_dead(run) ? NULL : gw_buffer_beginning(run, block->at);
    if (!t) {
        gw_block_give(run, block);
        return;
    }
    t->block = block;
    t->looked_up = t->zeros = true;
    t->space = b->space;
    b->along = t;
    if (t->space == GW_SPACE_HOST)
        memset(t->base, 0, bytes);
    else
        gw_run_ok(run, cudaMemsetAsync(t->base, 0, bytes, run->lanes[lane].stream),
                  "cudaMemsetAsync of tangents");
}

void gw_along_refuse_write(gw_program *run, const gw_buffer *zeros) {
    char text[32];
    const gw_buffer *of = zeros;
    for (size_t i = 0; i < run->sorted_count; i++)
        if (run->sorted[i]->along == zeros) of = run->sorted[i];
    gw_run_fail(run, GW_ERROR_ARGUMENT,
                "the program writes to the memory %s, and has read its tangents: name it in the request",
                gw_buffer_name(of, text));
}

/* Memory that is taken now may lie where something did that the reverse makes again. */
static bool has_released(const gw_program *run) {
    for (size_t i = 0; i < run->sorted_count; i++)
        if (run->sorted[i]->released) return true;
    return false;
}

static void make(gw_program *run, gw_buffer *b, int lane) {
    char text[32];
    const bool is_late = lane >= 0 && b->given;
    const size_t reach = b->bytes == SIZE_MAX ? gw_buffer_reach(run, b) : b->bytes;
    if (is_late && reach && !b->overwritten) {
        make_zeros(run, b, reach, lane);
    } else if (!reach || b->mark_at || (is_late && has_released(run))) {
        gw_run_fail(run, GW_ERROR_ARGUMENT,
                    "the program writes to the memory %s, and how large it is, or that its tangents are used, "
                    "was not known: name it in the request",
                    gw_buffer_name(b, text));
    } else {
        void *const made = gw_program_alloc(run, reach, b->space);
        b->along = made ? gw_buffer_beginning(run, made) : NULL;
        b->along_is_new = b->along != NULL;
    }
}

void gw_program_pair(gw_program *run, const void *at, void *tangents, const char *name) {
    if (gw_run_is_dead(run) || !at) return;
    if (name && !tangents) {
        gw_run_fail(run, GW_ERROR_ARGUMENT, "%s is a null pointer, and what it is the tangent of is none",
                    name);
        return;
    }
    gw_buffer *b = gw_buffer_beginning(run, at);
    if (!b || (b->along && !tangents)) return;
    if (tangents) b->along = gw_buffer_beginning(run, tangents);
    else if (gw_buffer_known(run, at)) make(run, b, no_stream);
}

void *gw_program_beside(gw_program *run, const void *at, gw_stream on) {
    if (gw_run_is_dead(run) || !at) return NULL;
    gw_buffer *b = gw_buffer_of(run, at);
    const int lane = b ? gw_lane_of(run, on) : no_stream;
    if (lane < 0) return NULL;
    const bool is_short = b->along && b->along->zeros && gw_buffer_reach(run, b) > b->along->bytes;
    if (!b->along || is_short) make(run, b, lane);
    if (gw_run_is_dead(run)) return NULL;
    if (b->along_is_new) clear(run, b, on);
    gw_use_write(run, &b->along_use, lane); /* who cleared it, or worked on it, was on another stream */
    if (gw_run_is_dead(run)) return NULL;
    return b->along->base + ((const char *)at - b->base);
}

void gw_along_clear_all(gw_program *run) {
    for (size_t i = 0; i < run->sorted_count && !gw_run_is_dead(run); i++) {
        gw_buffer *b = run->sorted[i];
        if (!b->along_is_new) continue;
        const int lane = gw_lane_of(run, run->lane_count ? run->lanes[0].stream : NULL);
        if (lane < 0) return;
        clear(run, b, run->lanes[lane].stream);
        gw_use_write(run, &b->along_use, lane);
    }
}
