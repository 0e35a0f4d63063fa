/*
 * contents.c - what lay in a buffer when a call ran: saved before it is overwritten, found on the way back.
 *
 * Forward. `needed` says that some call's reverse reads what lies in the buffer now, but for one range that was
 * overwritten (and saved) since: of that range, what lies there now is needed by nobody. A call that overwrites
 * saves the rest of its range, if that is needed, and nothing else: so each version of a byte is saved at most
 * once. (Of several such ranges one is remembered. Saving more than needed is sound.)
 *
 * Backward. The version to which the calls were taken back lies in `where`, once the pending saves are copied
 * over it. Taking back a call that overwrote R and saved S makes R \ S lost, S found. A save of the whole
 * buffer is itself the new `where`; others are copied into a block as large as the buffer, the first time
 * somebody asks. Asking while something is lost means that a read was not told, and is an error: no wrong bytes
 * are ever given out. The buffer itself is never written, but for an input that is put back, when its first
 * call was taken back, and a variable of the device's, which kernels know by its name (gw_program_settle); what
 * the streams read of it until then is in `home`.
 */
#include "private.h"

#include <stdlib.h>
#include <string.h>

/* ---- ranges ---- */

static bool is_empty(size_t from, size_t to) { return from >= to; }

/* Without a range of `lost`; the rest of one that is cut in two goes to the end. */
static bool find_again(gw_program *run, gw_buffer *b, size_t from, size_t to) {
    size_t kept = 0;
    const size_t count = b->lost_count;
    gw_range rest[1];
    bool has_rest = false;
    for (size_t i = 0; i < count; i++) {
        const gw_range r = b->lost[i];
        const gw_range left = {r.from, r.to < from ? r.to : from}, right = {r.from > to ? r.from : to, r.to};
        const bool has_left = !is_empty(left.from, left.to), has_right = !is_empty(right.from, right.to);
        if (has_left) b->lost[kept++] = left;
        if (has_left && has_right) {
            rest[0] = right; /* ranges do not overlap, so this happens to one of them */
            has_rest = true;
        } else if (has_right) {
            b->lost[kept++] = right;
        }
    }
    b->lost_count = kept;
    if (!has_rest) return true;
    if (!gw_grow(run, (void **)&b->lost, &b->lost_room, b->lost_count, sizeof *b->lost)) return false;
    b->lost[b->lost_count++] = rest[0];
    return true;
}

static bool lose(gw_program *run, gw_buffer *b, size_t from, size_t to) {
    if (is_empty(from, to)) return true;
    if (!find_again(run, b, from, to)) return false; /* so that none overlap */
    if (!gw_grow(run, (void **)&b->lost, &b->lost_room, b->lost_count, sizeof *b->lost)) return false;
    b->lost[b->lost_count++] = (gw_range){from, to};
    return true;
}

/* ---- forward ---- */

void gw_program_reads(gw_program *run, const void *at) {
    if (gw_run_is_dead(run) || !at) return;
    run->backward = false;
    gw_buffer *b = gw_buffer_of(run, at);
    if (!b || run->unrecorded || run->along) return;
    b->needed = true;
    b->gone_from = b->gone_to = 0;
}

void gw_program_keep(gw_program *run, const void *at) {
    if (gw_run_is_dead(run) || !at) return;
    gw_program_reads(run, at);
    gw_buffer *b = gw_buffer_of(run, at);
    if (b) b->kept = true;
}

void gw_program_keep_added(gw_program *run, const void *at, gw_program_adder *add) {
    if (gw_run_is_dead(run) || !at) return;
    gw_program_keep(run, at);
    gw_buffer *b = gw_buffer_of(run, at);
    if (b) b->add = add;
}

bool gw_contents_are_needed(const gw_buffer *b) {
    return b->needed && !(b->gone_from == 0 && b->gone_to >= b->bytes);
}

bool gw_contents_are_taken_back(const gw_buffer *b) {
    return b->where || b->stands.kind || b->pending_count || b->lost_count;
}

/* [from, to) of the buffer without what is gone, as one range. */
static gw_range to_save(const gw_buffer *b, size_t from, size_t to) {
    gw_range r = {from, to};
    if (!b->needed) r.to = from;
    if (is_empty(b->gone_from, b->gone_to)) return r;
    if (b->gone_from <= r.from && r.from < b->gone_to) r.from = b->gone_to < r.to ? b->gone_to : r.to;
    if (b->gone_from < r.to && r.to <= b->gone_to && b->gone_from >= r.from) r.to = b->gone_from;
    return r;
}

void gw_contents_add_gone(gw_buffer *b, size_t from, size_t to) {
    if (!b->needed) return;
    const bool touch = from <= b->gone_to && b->gone_from <= to && !is_empty(b->gone_from, b->gone_to);
    if (touch) {
        if (from < b->gone_from) b->gone_from = from;
        if (to > b->gone_to) b->gone_to = to;
    } else if (to - from > b->gone_to - b->gone_from) {
        b->gone_from = from;
        b->gone_to = to;
    }
}

static cudaError_t copy(void *to, const void *from, size_t bytes, gw_space space, cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, space == GW_SPACE_HOST ? cudaMemcpyHostToHost : cudaMemcpyDefault,
                           stream);
}

bool gw_contents_copy(gw_program *run, const gw_buffer *b, void *to, const void *from, size_t bytes, int lane) {
    return gw_run_ok(run, copy(to, from, bytes, b->space, run->lanes[lane].stream),
                     "cudaMemcpyAsync of contents at a mark");
}

bool gw_contents_save(gw_program *run, gw_buffer *b, gw_write *w, gw_range r) {
    if (is_empty(r.from, r.to)) return true;
    if (r.to == SIZE_MAX && !gw_buffer_is_sized(run, b)) return false;
    w->saved = gw_block_take(run, r.to - r.from, b->space, w->lane, GW_PART_SAVED);
    if (!w->saved) return false;
    w->saved_from = r.from;
    w->saved_to = r.to;
    run->saved_bytes += r.to - r.from;
    gw_ledger_save(run, r.to - r.from);
    if (gw_run_ok(run,
                  copy(w->saved->at, b->base + r.from, r.to - r.from, b->space, run->lanes[w->lane].stream),
                  "cudaMemcpyAsync of contents that are overwritten")) {
        gw_spill_add(run, w->saved, w->lane);
        return true; /* what failed then is another's */
    }
    gw_block_give(run, w->saved); /* it holds nothing that may be put back */
    w->saved = NULL;
    return false;
}

void gw_contents_add_hull(gw_buffer *b, size_t from, size_t to) {
    const bool first = is_empty(b->hull_from, b->hull_to);
    if (first || from < b->hull_from) b->hull_from = from;
    if (first || to > b->hull_to) b->hull_to = to;
}

void gw_program_writes(gw_program *run, void *at, size_t bytes, gw_stream on) {
    gw_program_reaches(run, at, bytes);
    if (gw_run_is_dead(run) || !at) return;
    run->backward = false;
    gw_buffer *b = gw_buffer_of(run, at);
    const int lane = b ? gw_lane_of(run, on) : no_stream;
    if (lane < 0) return;
    char text[32];
    const size_t offset = (size_t)((char *)at - b->base);
    if (b->zeros) {
        gw_along_refuse_write(run, b);
        return;
    }
    if (bytes > b->bytes - offset || gw_contents_are_taken_back(b)) {
        gw_run_fail(run, GW_ERROR_ARGUMENT,
                    gw_contents_are_taken_back(b) ? "%s is written to behind the reverse of a call"
                                                  : "a call writes beyond the end of %s",
                    gw_buffer_name(b, text));
        return;
    }
    if (b->block) gw_use_wait(run, &b->before, lane);
    if (run->along) {
        b->overwritten = true;
        return;
    }
    if (!gw_grow(run, (void **)&b->writes, &b->write_room, b->write_count, sizeof *b->writes)) return;
    run->restored = false;
    const gw_origin origin = gw_origin_holds(b) ? b->origin : (gw_origin){0};
    b->origin = (gw_origin){0};
    b->version++;
    if (run->unrecorded) {
        gw_marks_write(run, b, bytes ? offset : 0, bytes ? offset + bytes : b->bytes, lane);
        return;
    }
    gw_write w = {.from = bytes ? offset : 0,
                  .to = bytes ? offset + bytes : b->bytes,
                  .lane = lane,
                  .needed = b->needed,
                  .gone_from = b->gone_from,
                  .gone_to = b->gone_to};
    const gw_range r = to_save(b, w.from, w.to);
    const bool whole = origin.kind && r.from == 0 && r.to == b->bytes;
    if (whole) w.origin = origin;
    const bool saved = whole || gw_contents_save(run, b, &w, r);
    b->writes[b->write_count++] = w;
    if (!saved) return;
    b->overwritten = true;
    gw_contents_add_gone(b, w.from, w.to);
    gw_contents_add_hull(b, w.from, w.to);
}

/* ---- backward ---- */

static void drop_where(gw_program *run, gw_buffer *b) {
    gw_block_give(run, b->where);
    b->where = NULL;
    b->stands = (gw_origin){0};
    for (size_t i = 0; i < b->pending_count; i++)
        gw_block_give(run, b->pending[i].saved);
    b->pending_count = 0;
}

/* Copies the pending saves over `to`, which lies in the buffer itself or in a block as large. */
static bool apply(gw_program *run, gw_buffer *b, char *to, int lane) {
    for (size_t i = 0; i < b->pending_count; i++) {
        const gw_write *w = &b->pending[i];
        gw_use_read(run, &w->saved->use, lane);
        if (gw_run_is_dead(run) ||
            !gw_run_ok(run,
                       copy(to + w->saved_from, w->saved->at, w->saved_to - w->saved_from, b->space,
                            run->lanes[lane].stream),
                       "cudaMemcpyAsync of saved contents"))
            return false; /* they are all there still, for gw_contents_rescue */
    }
    for (size_t i = 0; i < b->pending_count; i++)
        gw_block_give(run, b->pending[i].saved);
    b->pending_count = 0;
    return true;
}

static const char *content_of(gw_program *run, gw_buffer *b, int lane);

/* To `to` what the buffer stands for, or holds. */
static bool make_again(gw_program *run, gw_buffer *b, char *to, int lane) {
    const gw_origin o = b->stands;
    const cudaStream_t stream = run->lanes[lane].stream;
    if (o.kind == GW_ORIGIN_FILL)
        return gw_run_ok(run, cudaMemsetAsync(to, o.byte, b->bytes, stream), "cudaMemsetAsync of contents");
    const char *from = b->base;
    if (o.kind == GW_ORIGIN_COPY)
        from = content_of(run, o.of, lane);
    else
        gw_use_read(run, &b->home, lane);
    return !gw_run_is_dead(run) &&
           gw_run_ok(run, copy(to, from + o.shift, b->bytes, b->space, stream), "cudaMemcpyAsync of contents");
}

static bool begin_where(gw_program *run, gw_buffer *b, int lane) {
    if (!gw_buffer_is_sized(run, b)) return false;
    gw_block *made = gw_block_take(run, b->bytes, b->space, lane, GW_PART_SAVED);
    if (!made) return false;
    if (!make_again(run, b, made->at, lane)) {
        gw_block_give(run, made);
        return false;
    }
    b->where = made;
    b->stands = (gw_origin){0};
    return true;
}

/* Sees that `where`, or the buffer, has all of the version. */
static bool gather(gw_program *run, gw_buffer *b, int lane) {
    if (!b->pending_count && !b->stands.kind) return true;
    if (!b->where) {
        if (!begin_where(run, b, lane)) return false;
    } else {
        gw_use_write(run, &b->where->use, lane);
    }
    if (gw_run_is_dead(run)) return false;
    return !b->pending_count || apply(run, b, b->where->at, lane);
}

static bool is_whole(gw_program *run, const gw_buffer *b) {
    if (!b->lost_count) return true;
    char text[32];
    gw_run_fail(run, GW_ERROR_ARGUMENT,
                "internal error: a reverse reads contents of %s that were overwritten and not told to be read",
                gw_buffer_name(b, text));
    return false;
}

/* Takes all calls back from an input. */
static void put_back(gw_program *run, gw_buffer *b, int lane) {
    if (!is_whole(run, b)) return;
    b->version++;
    b->home = gw_use_all(run); /* calls forward on streams whose reverses use nothing of it */
    gw_use_write(run, &b->home, lane);
    if (gw_run_is_dead(run)) return;
    if (b->where) {
        if (!gather(run, b, lane)) return;
        gw_use_read(run, &b->where->use, lane);
        if (gw_run_is_dead(run)) return;
        gw_run_ok(run,
                  copy(b->base + b->hull_from, (char *)b->where->at + b->hull_from, b->hull_to - b->hull_from,
                       b->space, run->lanes[lane].stream),
                  "cudaMemcpyAsync of an input that is put back");
    } else if (!apply(run, b, b->base, lane)) {
        return;
    }
    if (gw_run_is_dead(run)) return;
    drop_where(run, b);
    b->hull_from = b->hull_to = 0;
}

static bool take_back(gw_program *run, gw_buffer *b, const gw_write *w) {
    const bool all_saved = w->saved && w->saved_from == 0 && w->saved_to >= b->bytes;
    if (all_saved || w->origin.kind || (w->from == 0 && w->to >= b->bytes)) drop_where(run, b);
    if (w->origin.kind) {
        b->stands = w->origin;
        b->lost_count = 0;
        return true;
    }
    if (all_saved) {
        b->where = w->saved;
        b->lost_count = 0;
        return gw_spill_take(run, w->saved);
    }
    bool good = lose(run, b, w->from, w->to);
    if (!w->saved) return good;
    good = good && find_again(run, b, w->saved_from, w->saved_to) &&
           gw_grow(run, (void **)&b->pending, &b->pending_room, b->pending_count, sizeof *b->pending);
    if (good)
        b->pending[b->pending_count++] = *w;
    else
        gw_block_give(run, w->saved);
    return good;
}

void gw_program_unwrite(gw_program *run, void *at) {
    if (gw_run_is_dead(run) || !at) return;
    run->backward = true;
    gw_buffer *b = gw_buffer_of(run, at);
    if (!b) return;
    b->origin = (gw_origin){0};
    if (!b->write_count || b->writes[b->write_count - 1].kind != GW_WRITE_TOLD) {
        char text[32];
        gw_run_fail(run, GW_ERROR_ARGUMENT, "internal error: the reverse of a call that was not told writes %s",
                    gw_buffer_name(b, text));
        return;
    }
    const gw_write w = b->writes[--b->write_count];
    b->needed = w.needed;
    b->gone_from = w.gone_from;
    b->gone_to = w.gone_to;
    if (take_back(run, b, &w) && b->kept && !b->write_count) put_back(run, b, w.lane);
    gw_spill_ahead(run);
}

/* The begin of the buffer's contents; what is a copy, and nothing else, is read where it was copied from. */
static const char *content_of(gw_program *run, gw_buffer *b, int lane) {
    if (!is_whole(run, b)) return NULL;
    if (b->stands.kind == GW_ORIGIN_COPY && !b->pending_count) {
        const char *from = content_of(run, b->stands.of, lane);
        return from ? from + b->stands.shift : NULL;
    }
    if (!gather(run, b, lane)) return NULL;
    gw_use_read(run, b->where ? &b->where->use : &b->home, lane);
    if (gw_run_is_dead(run)) return NULL;
    return b->where ? b->where->at : b->base;
}

const void *gw_program_content(gw_program *run, const void *at, gw_stream on) {
    if (gw_run_is_dead(run) || !at) return NULL;
    gw_buffer *b = gw_buffer_of(run, at);
    const int lane = b ? gw_lane_of(run, on) : no_stream;
    const char *begin = lane < 0 ? NULL : content_of(run, b, lane);
    return begin ? begin + ((const char *)at - b->base) : NULL;
}

/* ---- for marks ---- */

bool gw_contents_settle(gw_program *run, gw_buffer *b, int lane) {
    b->version++;
    if (!b->where) {
        if (b->stands.kind && !make_again(run, b, b->base, lane)) return false;
        b->stands = (gw_origin){0};
        return !b->pending_count || apply(run, b, b->base, lane);
    }
    if (!gather(run, b, lane)) return false;
    gw_use_read(run, &b->where->use, lane);
    if (gw_run_is_dead(run) || !gw_contents_copy(run, b, b->base, b->where->at, b->bytes, lane)) return false;
    drop_where(run, b);
    return true;
}

void gw_contents_drop(gw_program *run, gw_buffer *b) {
    drop_where(run, b);
    b->lost_count = 0;
}

bool gw_contents_find(gw_program *run, gw_buffer *b, size_t from, size_t to) {
    return find_again(run, b, from, to);
}

void gw_program_settle(gw_program *run, const void *at, gw_stream on) {
    gw_buffer *b = gw_run_is_dead(run) || !at ? NULL : gw_buffer_of(run, at);
    const int lane = b ? gw_lane_of(run, on) : no_stream;
    if (lane < 0 || !is_whole(run, b)) return;
    if (b->where || b->stands.kind || b->pending_count) {
        b->home = gw_use_all(run); /* nobody tells who read it by its name */
        gw_use_write(run, &b->home, lane);
        if (gw_run_is_dead(run) || !gw_marks_keep_result(run, b, lane)) return;
        gw_contents_settle(run, b, lane);
    } else {
        gw_use_read(run, &b->home, lane);
    }
}

/* ---- ends ---- */

void gw_contents_lose(gw_program *run, gw_buffer *b) { lose(run, b, 0, b->bytes); }

void gw_contents_free(gw_program *run, gw_buffer *b) {
    drop_where(run, b);
    for (size_t i = 0; i < b->write_count; i++)
        gw_block_give(run, b->writes[i].saved);
    b->write_count = b->mark_at = 0;
}

void gw_contents_rescue(gw_buffer *b) {
    const enum cudaMemcpyKind kind = b->space == GW_SPACE_HOST ? cudaMemcpyHostToHost : cudaMemcpyDefault;
    if (b->where && b->hull_to <= b->bytes)
        (void)cudaMemcpy(b->base + b->hull_from, (char *)b->where->at + b->hull_from, b->hull_to - b->hull_from,
                         kind);
    for (size_t i = 0; i < b->pending_count; i++)
        (void)cudaMemcpy(b->base + b->pending[i].saved_from, b->pending[i].saved->at,
                         b->pending[i].saved_to - b->pending[i].saved_from, kind);
    for (size_t i = b->write_count; i-- > 0;)
        if (b->writes[i].saved)
            (void)cudaMemcpy(b->base + b->writes[i].saved_from, b->writes[i].saved->at,
                             b->writes[i].saved_to - b->writes[i].saved_from, kind);
    (void)cudaGetLastError();
}
