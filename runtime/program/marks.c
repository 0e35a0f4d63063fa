/*
 * marks.c - parts of a program that run unrecorded, and again on the way back.
 *
 * A mark counts as a reader of all memory that the program has then. So the log of contents.c does most of the
 * work: behind the mark, what is overwritten for the first time is saved, whoever tells of it. That is all
 * that is kept of unrecorded calls (GW_WRITE_KEPT), once for each byte; recorded ones behind them save what the
 * marks need along with what reverses need.
 *
 * Back to the mark: when all recorded calls behind it were taken back, and the marks behind it are gone, a byte
 * lay at the mark where the log has it: in a kept content, the oldest first; else in the version to which the
 * calls were taken back; else in its place. All of that is copied to its place, between a moment that all
 * streams have reached and one for which all wait: calls that are run again read and write without being asked.
 * From then on nothing is taken back, and what is below in the log is right again, as it speaks of memory as it
 * was at the mark. Kept contents stay until the mark goes, since the part behind it may run several times.
 *
 * Allocations behind the mark are taken back by it, and come again in the same order: the n-th then is the
 * same buffer with the same adjoint, so that a segment finds the adjoint that later segments left. Its address
 * may be another one; who knew the old one was taken back as well. What is older than a mark is not freed
 * behind it.
 *
 * What the caller sees. Inputs: a mark puts them back too, and older calls are taken back as ever.
 * Outputs: the first way back to any mark saves what the forward run left, and the end of the run puts it
 * there again.
 */
#include "private.h"

#include <stdlib.h>

static bool fail(gw_program *run, const char *what) {
    gw_run_fail(run, GW_ERROR_ARGUMENT, "%s", what);
    return false;
}

/* ---- unrecorded writes ---- */

/* The first piece of [from, to) that no kept content behind the buffer's mark covers; empty: none is left. */
static gw_range uncovered(const gw_buffer *b, size_t from, size_t to) {
    gw_range r = {from, to};
    for (bool moved = true; moved && r.from < r.to;) {
        moved = false;
        for (size_t i = b->mark_at; i < b->write_count; i++) {
            const gw_write *w = &b->writes[i];
            if (w->kind != GW_WRITE_KEPT || w->saved_from > r.from || w->saved_to <= r.from) continue;
            r.from = w->saved_to;
            moved = true;
        }
    }
    for (size_t i = b->mark_at; i < b->write_count; i++) {
        const gw_write *w = &b->writes[i];
        if (w->kind == GW_WRITE_KEPT && w->saved_from > r.from && w->saved_from < r.to) r.to = w->saved_from;
    }
    if (r.from > r.to) r.from = r.to;
    return r;
}

void gw_marks_write(gw_program *run, gw_buffer *b, size_t from, size_t to, int lane) {
    b->overwritten = b->run_again = true;
    gw_contents_add_hull(b, from, to);
    if (!b->mark_at) return; /* younger than the mark: it begins anew when that part runs again */
    for (gw_range r = uncovered(b, from, to); r.from < r.to; r = uncovered(b, from, to)) {
        if (!gw_grow(run, (void **)&b->writes, &b->write_room, b->write_count, sizeof *b->writes)) return;
        gw_write w = {.from = r.from, .to = r.to, .lane = lane, .kind = GW_WRITE_KEPT};
        if (!gw_contents_save(run, b, &w, r)) return;
        b->writes[b->write_count++] = w;
        gw_contents_add_gone(b, r.from, r.to);
    }
}

/* ---- marks ---- */

static bool push_mark(gw_program *run, gw_buffer *b) {
    if (!gw_grow(run, (void **)&b->writes, &b->write_room, b->write_count, sizeof *b->writes)) return false;
    b->writes[b->write_count++] = (gw_write){.from = run->mark_count,
                                             .kind = GW_WRITE_MARK,
                                             .needed = b->needed,
                                             .gone_from = b->gone_from,
                                             .gone_to = b->gone_to,
                                             .mark_at = b->mark_at};
    b->mark_at = b->write_count;
    b->needed = true;
    b->gone_from = b->gone_to = 0;
    return true;
}

/* Whether the buffer was there at the innermost mark. */
static bool is_marked(const gw_program *run, const gw_buffer *b) {
    return b->mark_at && b->writes[b->mark_at - 1].from == run->mark_count;
}

void gw_program_mark(gw_program *run) {
    if (gw_run_is_dead(run) ||
        !gw_grow(run, (void **)&run->marks, &run->mark_room, run->mark_count, sizeof *run->marks))
        return;
    gw_along_clear_all(run);
    run->marks[run->mark_count++] = (gw_mark){run->birth_at};
    for (size_t i = 0; i < run->sorted_count; i++)
        if (!run->sorted[i]->released && !push_mark(run, run->sorted[i])) return;
    run->unrecorded = true;
    run->restored = true;
}

void gw_program_log(gw_program *run) {
    if (!gw_run_is_dead(run)) run->unrecorded = false;
}

/* ---- back to one ---- */

static bool is_output(const gw_buffer *b) { return b->given && !b->kept && b->hull_from < b->hull_to; }

bool gw_marks_keep_result(gw_program *run, gw_buffer *b, int lane) {
    const bool moves = b->run_again || b->where || b->stands.kind || b->pending_count;
    if (b->result || !is_output(b) || !moves) return true;
    if (b->hull_to == SIZE_MAX && !gw_buffer_is_sized(run, b)) return false;
    if (b->hull_to == SIZE_MAX) b->hull_to = b->bytes;
    b->result = gw_block_take(run, b->hull_to - b->hull_from, b->space, lane, GW_PART_SAVED);
    return b->result && gw_contents_copy(run, b, b->result->at, b->base + b->hull_from,
                                         b->hull_to - b->hull_from, lane);
}

/* The oldest kept content that is all of the buffer, or their number. */
static size_t whole(const gw_buffer *b) {
    size_t i = b->mark_at;
    while (i < b->write_count && !(b->writes[i].saved_from == 0 && b->writes[i].saved_to >= b->bytes))
        i++;
    return i;
}

static bool put_kept(gw_program *run, gw_buffer *b, size_t end, int lane) {
    for (size_t i = end; i-- > b->mark_at;) {
        gw_write *w = &b->writes[i];
        if (w->kind != GW_WRITE_KEPT)
            return fail(run, "internal error: a call behind a mark is not taken back");
        gw_use_read(run, &w->saved->use, lane);
        if (gw_run_is_dead(run) || !gw_contents_find(run, b, w->saved_from, w->saved_to) ||
            !gw_contents_copy(run, b, b->base + w->saved_from, w->saved->at, w->saved_to - w->saved_from, lane))
            return false;
    }
    return true;
}

/* One that stands for a copy comes behind its source, so that no memory is taken for either. */
static void restore(gw_program *run, gw_buffer *b, int lane) {
    const size_t all = whole(b);
    const bool replaced = all < b->write_count;
    if (!replaced && !gw_contents_settle(run, b, lane)) return;
    if (!put_kept(run, b, replaced ? all + 1 : all, lane)) return;
    if (b->lost_count) {
        fail(run, "internal error: contents at a mark were overwritten, and not saved");
        return;
    }
    gw_contents_drop(run, b);
    b->released = false;
    b->needed = true;
    b->gone_from = b->gone_to = 0;
    for (size_t i = b->mark_at; i < b->write_count; i++)
        gw_contents_add_gone(b, b->writes[i].saved_from, b->writes[i].saved_to);
    b->home = gw_use_none(); /* all streams wait */
}

static void go_back(gw_program *run, gw_buffer *b, int lane) {
    b->origin = (gw_origin){0};
    b->version++;
    if (is_marked(run, b) && (gw_contents_are_taken_back(b) || b->write_count > b->mark_at))
        restore(run, b, lane);
    else if (is_marked(run, b))
        b->released = false;
    else if (b->given)
        gw_contents_drop(run, b);
}

void gw_program_restore(gw_program *run) {
    if (gw_run_is_dead(run)) return;
    if (!run->mark_count) {
        fail(run, "internal error: there is no mark to go back to");
        return;
    }
    const int lane = 0;
    const gw_mark mark = run->marks[run->mark_count - 1];
    if (run->lane_count) gw_lanes_join(run, lane);
    for (size_t i = 0; i < run->sorted_count && !gw_run_is_dead(run); i++)
        if (run->lane_count) gw_marks_keep_result(run, run->sorted[i], lane);
    for (size_t i = mark.births; i < run->birth_count; i++)
        if (run->births[i]) gw_buffer_sleep(run, run->births[i]);
    run->birth_at = mark.births;
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < run->sorted_count && !gw_run_is_dead(run); i++)
            if ((run->sorted[i]->stands.kind != GW_ORIGIN_NONE) == turn) go_back(run, run->sorted[i], lane);
    if (run->lane_count) gw_lanes_fork(run, lane);
    run->unrecorded = true;
    run->restored = true;
}

static void pop_mark(gw_program *run, gw_buffer *b) {
    while (b->write_count > b->mark_at)
        gw_block_give(run, b->writes[--b->write_count].saved);
    const gw_write w = b->writes[--b->write_count];
    b->needed = w.needed;
    b->gone_from = w.gone_from;
    b->gone_to = w.gone_to;
    b->mark_at = w.mark_at;
}

void gw_program_unmark(gw_program *run) {
    if (gw_run_is_dead(run)) return;
    if (!run->mark_count || !run->restored) {
        fail(run, "internal error: a mark goes before memory is as it was there");
        return;
    }
    for (size_t i = 0; i < run->sorted_count; i++)
        if (is_marked(run, run->sorted[i])) pop_mark(run, run->sorted[i]);
    run->mark_count--;
    run->unrecorded = run->unrecorded && run->mark_count;
}

/* ---- allocations ---- */

bool gw_marks_release(gw_program *run, gw_buffer *b) {
    if (b->mark_at) return true; /* it may be read again */
    if (!run->unrecorded) return false;
    gw_buffer_sleep(run, b);
    if (b->shadow_block) return true;
    if (b->born) run->births[b->born - 1] = NULL;
    gw_buffer_free(run, b);
    return true;
}

gw_buffer *gw_marks_birth(gw_program *run, size_t bytes, gw_space space) {
    gw_buffer *b = run->birth_at < run->birth_count ? run->births[run->birth_at] : NULL;
    if (!b) return NULL;
    if (b->asleep && b->bytes == bytes && b->space == space) return b;
    fail(run, "a part of the program allocates otherwise when it is run again");
    return NULL;
}

void gw_marks_born(gw_program *run, gw_buffer *b) {
    b->asleep = false;
    if (!run->mark_count && run->birth_at == run->birth_count) return;
    if (run->birth_at == run->birth_count) {
        if (!gw_grow(run, (void **)&run->births, &run->birth_room, run->birth_count, sizeof *run->births))
            return;
        run->birth_count++;
    }
    run->births[run->birth_at++] = b;
    b->born = run->birth_at;
}

void gw_marks_unborn(gw_program *run, gw_buffer *b) {
    if (!b->born) return;
    if (b->born != run->birth_at) fail(run, "internal error: allocations are not taken back last first");
    run->birth_at = b->born - 1;
    run->births[run->birth_at] = NULL;
    if (!gw_run_is_dead(run)) run->birth_count = run->birth_at;
}

/* ---- the end ---- */

void gw_marks_end(gw_program *run) {
    bool any = false;
    for (size_t i = 0; i < run->sorted_count; i++)
        any = any || run->sorted[i]->result;
    if (!any || gw_run_is_dead(run)) return;
    const int lane = 0;
    gw_lanes_join(run, lane);
    for (size_t i = 0; i < run->sorted_count && !gw_run_is_dead(run); i++) {
        gw_buffer *b = run->sorted[i];
        if (!b->result) continue;
        gw_use_read(run, &b->result->use, lane);
        gw_contents_copy(run, b, b->base + b->hull_from, b->result->at, b->hull_to - b->hull_from, lane);
    }
    gw_lanes_fork(run, lane);
}

void gw_marks_free(gw_program *run) {
    for (size_t i = 0; i < run->birth_count; i++)
        if (run->births[i] && run->births[i]->asleep) gw_buffer_free(run, run->births[i]);
}
