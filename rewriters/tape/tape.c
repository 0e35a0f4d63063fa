/*
 * tape.c - the tape pass: how many slots a thread's tape needs at most, and where it lies.
 *
 * Pushes stand at the start of an iteration of a forward loop, their pops in the reverse loop of the same
 * region. So at one time the tape holds the pushes of the forward loops in each region on the way in: the
 * need of a region is the sum over its pushing loops (trips x pushes of an iteration) plus the largest need
 * of what is nested in its other ops. Small and constant: a local array of the thread. Otherwise a kernel takes
 * the caller's workspace, with a host function (form BOUND) that computes the need from launch and arguments -
 * or, where none can, a kernel that measures it (form MEASURE, measure.c) -,
 * and a function of the host a tape that grows (gradwright/tape.h), as does each function of the host that
 * calls one. On the device, a pullback that is called pushes on the tape of its caller, above what that has
 * there, and leaves the top where it was: at the call, the caller needs room for the callee's need, bounded by
 * what is known of the arguments there. Where nothing is, or the kernel measures its tape, the source is read
 * once more with such functions inlined (session->to_inline). The host function also tells how many rows a
 * thread writes at most for each group of additions (accumulate/slots.c), how many accumulators an array has
 * and what goes into one (accumulate/exact.c), and how long the copies are that blocks add to
 * (accumulate/copies.c).
 */
#include "rewriters/tape/tape.h"

#include "analysis/clean/clean.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/restructure.h"
#include "rewriters/adjoint/adjoint.h"
#include "rewriters/formula/formula.h"
#include "rewriters/workspace/workspace.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>
#include <string.h>

enum { LOCAL_SLOTS = 64 }; /* at most so many 4-byte slots in a local array: beyond, they spill anyway */
/* The most that a thread's tape of constant size may take: such tapes of a warp's threads would be 128 GB, and
 * a launch has many warps. */
static const int64_t most_bytes = (int64_t)1 << 32;

typedef struct need {
    gw_value slots[2]; /* of 4 and 8 bytes, i64 */
} need;

typedef struct sizing {
    gw_bounds bounds;
    bool calls; /* a function that takes this tape is called */
    enum { ALL_SLOTS, IN_ARRAY, IN_WORKSPACE } counted;
    gw_op unbounded; /* a pushing loop without bound */
    gw_op pushing;   /* the first pushing loop */
    gw_op longest;   /* the pushing loop that runs most often, of those with a constant bound */
    int64_t most;    /* times that it does */
} sizing;

static gw_value number(sizing *z, int64_t x) { return gw_int(z->bounds.to, GW_T_I64, x); }

static need nothing(sizing *z) { return (need){{number(z, 0), number(z, 0)}}; }

/* Needs are never negative: the maximum with 0 is the other. */
static gw_value combine_slots(sizing *z, gw_opcode code, gw_value x, gw_value y) {
    int64_t c;
    if (code == GW_OP_IMAX && (x == y || (gw_const_int(z->bounds.to->f, y, &c) && c == 0))) return x;
    if (code == GW_OP_IMAX && gw_const_int(z->bounds.to->f, x, &c) && c == 0) return y;
    return gw_binary(z->bounds.to, code, x, y);
}

static need combine(sizing *z, gw_opcode code, need x, need y) {
    for (int i = 0; i < 2; i++)
        x.slots[i] = combine_slots(z, code, x.slots[i], y.slots[i]);
    return x;
}

/* All pushes inside a region of a forward loop, inner loops multiplied. */
static need pushed_in(sizing *z, gw_region r);

static need pushed_by(sizing *z, gw_op op) {
    const gw_func *f = z->bounds.from;
    const gw_op_data *o = gw_op_at(f, op);
    need sum = nothing(z);
    if (o->code == GW_OP_PUSH) {
        int wide = gw_type_bytes(gw_object_at(f, o->object)->type) > 4;
        bool in_array = gw_object_at(f, o->object)->in_array;
        if ((z->counted == IN_ARRAY && !in_array) || (z->counted == IN_WORKSPACE && in_array)) return sum;
        sum.slots[wide] = number(z, 1);
        return sum;
    }
    if (!gw_has_op(f, op, GW_OP_PUSH)) return sum;
    for (uint32_t i = 0; i < o->regions; i++)
        sum = combine(z, GW_OP_ADD, sum, pushed_in(z, o->region[i]));
    if (!gw_is_loop(f, op)) return sum;
    if (!z->pushing) z->pushing = op;
    gw_value trips = gw_bounds_trip(&z->bounds, op);
    if (!trips) {
        if (!z->unbounded) z->unbounded = op;
        trips = number(z, LOCAL_SLOTS + 1); /* too many for an array */
    }
    int64_t times;
    if (gw_const_int(z->bounds.to->f, trips, &times) && times > z->most) z->most = times, z->longest = op;
    return combine(z, GW_OP_MUL, sum, (need){{trips, trips}});
}

static need pushed_in(sizing *z, gw_region r) {
    need sum = nothing(z);
    for (gw_op op = gw_first(z->bounds.from, r); op; op = gw_next(z->bounds.from, op))
        sum = combine(z, GW_OP_ADD, sum, pushed_by(z, op));
    return sum;
}

/* ---- functions of the device that push on their caller's tape ---- */
static const gw_func *taker(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    const gw_func *callee = !o->dead && o->code == GW_OP_CALL ? gw_func_find(f->session, o->callee) : NULL;
    return callee && callee->tape_caller ? callee : NULL;
}

static bool hands_tape(const gw_func *f, gw_op op) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (taker(f, in)) return true;
    return false;
}

static bool hands_tape_anywhere(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (taker(f, op)) return true;
    return false;
}

static need region_need(sizing *z, gw_region r);

/* What the callee needs for the arguments of this call. */
static need called_need(sizing *z, gw_op call) {
    const gw_func *f = z->bounds.from, *callee = taker(f, call);
    if (z->counted == IN_ARRAY) return nothing(z); /* it has its own */
    sizing inner = {.bounds = {.from = callee, .to = z->bounds.to}, .counted = IN_WORKSPACE};
    for (uint32_t i = 0; i < gw_op_at(f, call)->operands && i < callee->params.count; i++) {
        const gw_value to = callee->params.at[i].value, v = gw_operand(f, call, i);
        if (!to || !gw_type_is_integer(gw_typeof(callee, to))) continue;
        const gw_value exact = gw_bounds_exact(&z->bounds, v);
        const gw_interval range = exact ? (gw_interval){0, 0} : gw_bounds_of(&z->bounds, v);
        if (exact) gw_map_set(&inner.bounds.param, to, exact);
        if (!range.low || !range.high) continue;
        gw_map_set(&inner.bounds.low, to, range.low);
        gw_map_set(&inner.bounds.high, to, range.high);
    }
    const need n = region_need(&inner, callee->entry);
    z->calls = true;
    if (inner.unbounded && !z->unbounded) z->unbounded = call;
    if (inner.most > z->most) z->most = inner.most, z->longest = call;
    if (!z->pushing) z->pushing = call;
    gw_bounds_free(&inner.bounds);
    return n;
}

static need region_need(sizing *z, gw_region r) {
    const gw_func *f = z->bounds.from;
    need here = nothing(z), inside = nothing(z);
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        const bool hands = hands_tape(f, op);
        if (hands && taker(f, op)) inside = combine(z, GW_OP_IMAX, inside, called_need(z, op));
        if (!gw_has_op(f, op, GW_OP_PUSH) && !hands) continue;
        /* a forward loop: everything else that contains pushes contains their pops */
        if (!gw_has_op(f, op, GW_OP_POP) && gw_has_op(f, op, GW_OP_PUSH)) {
            here = combine(z, GW_OP_ADD, here, pushed_by(z, op));
            if (!hands) continue;
        }
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            inside = combine(z, GW_OP_IMAX, inside, region_need(z, gw_op_at(f, op)->region[i]));
    }
    return combine(z, GW_OP_ADD, here, inside);
}

/* ---- loops without a bound ---- */

static bool is_same_place(gw_loc a, gw_loc b) { return a.line == b.line && a.column == b.column; }

/* What the loops lack that would do without a tape; NULL if that is not known. */
static const char *missing_for_nest(const gw_func *f, gw_loc loop) {
    gw_near_nest_list near = {0};
    const char *says = NULL;
    gw_near_nests(f->primal, &f->session->requests.at[f->request], &near);
    for (uint32_t i = 0; i < near.count && !says; i++) {
        const gw_near_nest *n = &near.at[i];
        if (!is_same_place(n->loop, loop) && !is_same_place(n->inner, loop)) continue;
        const gw_near_nest_row *row = &gw_near_nest_rows[n->kind];
        char *text = gw_format("; or go without a tape, which these loops nearly do: in line %u %s; %s",
                               n->at.line, row->says, row->mends);
        says = gw_cstr(f->session, gw_intern(f->session, text));
        free(text);
    }
    gw_vec_free(&near);
    return says;
}

/* What helps beside a bound. */
static const char *other_way(const gw_func *f, gw_op loop) {
    const gw_op_data *o = gw_op_at(f, loop);
    bool counted = o->code == GW_OP_FOR && !o->imm.i;
    const char *missing = missing_for_nest(f, o->loc);
    if (missing) return missing;
    if (counted && !(o->flags & GW_OP_EXIT) && !gw_holds_barrier(f, loop))
        return "; or write GW_CHECKPOINT_BINOMIAL(10) before it, which needs none";
    return "";
}

/* ---- the host function ---- */
/* Slots of several types share an array of integers, and none has the bits of a long double. */
static bool fits_an_array(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_PUSH && gw_object_at(f, o->object)->type == GW_T_F80) return false;
    }
    return true;
}

/* More than a launch can have. */
static bool is_absurd(const gw_func *b, need n) {
    int64_t narrow = 0, wide = 0;
    gw_const_int(b, n.slots[0], &narrow);
    gw_const_int(b, n.slots[1], &wide);
    return narrow < 0 || wide < 0 || narrow > most_bytes / 4 || wide > most_bytes / 8;
}

/* A local array has room for them. */
static bool is_small(const gw_func *b, need n, uint64_t slots[2]) {
    int64_t narrow, wide;
    if (!gw_const_int(b, n.slots[0], &narrow) || !gw_const_int(b, n.slots[1], &wide)) return false;
    slots[0] = (uint64_t)narrow;
    slots[1] = (uint64_t)wide;
    return narrow <= LOCAL_SLOTS && wide <= LOCAL_SLOTS && narrow + 2 * wide <= LOCAL_SLOTS;
}

static bool place_locally(gw_func *f, const gw_func *b, need n) {
    uint64_t slots[2];
    if (gw_is_split(f) || !is_small(b, n, slots) || !fits_an_array(f)) return false;
    f->tape_local = true;
    memcpy(f->tape_local_slots, slots, sizeof slots);
    return true;
}

static void mark_slots(gw_func *f, gw_op op, bool in_array) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (gw_op_at(f, in)->code == GW_OP_PUSH) gw_object_at(f, gw_op_at(f, in)->object)->in_array = in_array;
}

/* Forward loops that push so few values that each fits a local array by itself. */
static void mark_small_loops(sizing *z, gw_func *f, gw_region r) {
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        uint64_t slots[2];
        if (!gw_has_op(f, op, GW_OP_PUSH)) continue;
        for (uint32_t i = 0; gw_has_op(f, op, GW_OP_POP) && i < gw_op_at(f, op)->regions; i++)
            mark_small_loops(z, f, gw_op_at(f, op)->region[i]);
        if (!gw_has_op(f, op, GW_OP_POP) && is_small(z->bounds.to->f, pushed_by(z, op), slots))
            mark_slots(f, op, true);
    }
}

/* A kernel whose tape is in the workspace keeps short loops' values in a local array all the same - the
 * segments of a checkpointed loop are such -, if one array holds them all. */
static void place_small_loops(sizing *z, gw_func *f) {
    gw_op half = gw_split_second(f); /* an array does not live from one half to the other */
    mark_small_loops(z, f, half ? gw_op_at(f, half)->region[0] : f->entry);
    z->counted = IN_ARRAY;
    need few = region_need(z, f->entry);
    z->counted = ALL_SLOTS;
    if (is_small(z->bounds.to->f, few, f->tape_local_slots) && fits_an_array(f)) return;
    f->tape_local_slots[0] = f->tape_local_slots[1] = 0;
    for (gw_op op = gw_first(f, f->entry); op; op = gw_next(f, op))
        mark_slots(f, op, false);
}

/* ---- what others ask ---- */
bool gw_tape_is_bounded(gw_func *f, gw_op op) {
    gw_probe p;
    gw_probe_open(&p, f);
    sizing z = {.bounds = p.bounds};
    bool bounded = gw_bounds_times(&z.bounds, op) != 0;
    p.bounds = z.bounds;
    gw_probe_close(&p);
    return bounded;
}

bool gw_tape_takes_workspace(gw_func *f) {
    gw_probe p;
    uint64_t slots[2];
    if (gw_slot_groups(f)) return true;
    gw_probe_open(&p, f);
    sizing z = {.bounds = p.bounds};
    bool takes = !is_small(p.host, region_need(&z, f->entry), slots) || !fits_an_array(f);
    p.bounds = z.bounds;
    gw_probe_close(&p);
    return takes;
}

/* Slots of the tape, and behind them what each tenant of the workspace asks for. */
static void return_sizes(sizing *z, need n) {
    gw_builder *to = z->bounds.to;
    gw_told_numbers out = {0};
    for (int i = 0; i < 2; i++)
        gw_push(&out, gw_cast(to, GW_T_U64, n.slots[i]));
    gw_tenants_tell(&z->bounds, &out);
    gw_emit(to, GW_OP_RET, GW_T_VOID, 0, out.at, out.count);
    gw_clean(to->f);
    gw_vec_free(&out);
}

static bool has_sized(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_DECLARE && gw_object_at(f, o->object)->sized) return true;
    }
    return false;
}

/* Calls lead from f to `to`, over functions that are not `seen` yet. */
static bool leads_to(const gw_func *f, const gw_func *to, bool *seen) {
    const gw_session *s = f->session;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        for (uint32_t i = 0; i < s->funcs.count && !o->dead && o->code == GW_OP_CALL; i++) {
            const gw_func *callee = s->funcs.at[i];
            if (seen[i] || callee != gw_func_find(s, o->callee)) continue;
            seen[i] = true;
            if (callee == to || leads_to(callee, to, seen)) return true;
        }
    }
    return false;
}

/* Whether it may be called with a tape: it is made for calls alone, and never calls itself. */
static bool takes_callers(const gw_func *f) {
    if (f->kind != GW_FUNC_DEVICE || f->form != GW_FORM_PULLBACK) return false;
    if (!f->session->requests.at[f->request].implied) return false;
    bool *seen = gw_alloc(f->session->funcs.count * sizeof *seen);
    bool again = leads_to(f, f, seen);
    free(seen);
    return !again;
}

/* The gradients that call the function, or are its own, are to inline what they call; false: all of them do. */
static bool ask_to_inline(const gw_func *f) {
    gw_session *s = f->session;
    bool asks = false;
    for (uint32_t i = 0; i < s->funcs.count && !s->options.from_ir; i++) {
        const gw_func *k = s->funcs.at[i];
        if (k->form != GW_FORM_GRAD) continue;
        bool *seen = gw_alloc(s->funcs.count * sizeof *seen);
        const bool concerned = k->primal == f->primal || leads_to(k, f, seen);
        free(seen);
        if (concerned) asks |= gw_ask_to_inline(s, k->primal->symbol, false);
    }
    return asks;
}

/* There is no tape for what stands at `at`; inlined it may have one. Returns false. */
static bool refuse_in_function(const gw_func *f, gw_op at, const gw_func *named) {
    if (!ask_to_inline(f))
        gw_diag(f->session, GW_DIAG_TAPE_IN_FUNCTION, gw_op_at(f, at)->loc, gw_cstr(f->session, named->name));
    return false;
}

/* Nobody can say how large the tape is; returns false. */
static bool refuse_bound(const sizing *z, const gw_func *f, gw_op unbounded, gw_unmeasured why) {
    gw_op loop = unbounded ? unbounded : z->longest;
    gw_diag(f->session, GW_DIAG_NO_TAPE_BOUND, gw_op_at(f, loop)->loc, gw_unmeasured_text(why),
            other_way(f, loop));
    return false;
}

/* A parallel loop pushes: an array of the function would be one for all iterations. */
static bool has_parallel_loop(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->policy && gw_has_op(f, op, GW_OP_PUSH)) return true;
    return false;
}

static bool size_tape(gw_func *f) {
    if (has_sized(f) || gw_is_program(f) || has_parallel_loop(f)) {
        f->tape_host = true; /* whose blocks they are; whose parts have tapes */
        return true;
    }
    gw_value_map param = {0};
    gw_func *b = gw_bound_func(f, &param);
    gw_builder to = {.f = b, .region = b->entry, .loc = f->loc};
    sizing z = {.bounds = {.from = f, .to = &to, .param = param}};
    need n = region_need(&z, f->entry);
    gw_op unbounded = z.unbounded;
    bool local = !z.calls && !unbounded && place_locally(f, b, n), good = true,
         asked = gw_numbers_before(f, GW_TENANTS) != 0;
    bool host = f->kind == GW_FUNC_HOST || f->kind == GW_FUNC_HOST_DEVICE;
    if (!local && host) {
        f->tape_host = local = true;
    } else if (f->kind == GW_FUNC_KERNEL && z.calls && (unbounded || (z.longest && is_absurd(b, n)))) {
        good = refuse_in_function(f, unbounded ? unbounded : z.longest, f->primal);
    } else if (takes_callers(f) && !local && z.pushing) {
        place_small_loops(&z, f);
        f->tape_caller = local = true;
    } else if (f->kind == GW_FUNC_KERNEL && !local && (unbounded || (z.longest && is_absurd(b, n)))) {
        place_small_loops(&z, f);
        const bool measures = gw_takes(f->session, GW_OPTIONAL_MEASURE);
        gw_unmeasured why = measures ? gw_measure_tape(f) : GW_UNMEASURED_LEFT_OUT;
        good = why == GW_MEASURED || refuse_bound(&z, f, unbounded, why);
        if (asked) return_sizes(&z, nothing(&z));
        local = !asked;
    } else if (!local && z.pushing && f->kind != GW_FUNC_KERNEL) {
        good = refuse_in_function(f, z.pushing, f->primal);
    } else if (!local) {
        place_small_loops(&z, f);
        z.counted = IN_WORKSPACE;
        return_sizes(&z, region_need(&z, f->entry));
    } else if (asked && !host) {
        return_sizes(&z, nothing(&z));
    }
    gw_bounds_free(&z.bounds);
    if ((local && !asked) || !good) gw_bound_drop(b);
    return good;
}

static bool region_pushes(const gw_func *f) {
    for (gw_op op = gw_first(f, f->entry); op; op = gw_next(f, op))
        if (gw_has_op(f, op, GW_OP_PUSH)) return true;
    return false;
}

/* ---- callers ---- */
static gw_func *callee_with_tape(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->dead || o->code != GW_OP_CALL) return NULL;
    gw_func *callee = gw_func_find(f->session, o->callee);
    return callee && callee->tape_host && callee->form != GW_FORM_JVP ? callee : NULL;
}

/* Gives the callers of functions with a tape one too, until nothing changes; the device has none. */
static bool hand_down(gw_func **list, uint32_t count) {
    bool changed = true, good = true;
    while (changed && good) {
        changed = false;
        for (uint32_t i = 0; i < count; i++)
            for (gw_op op = 1; op < list[i]->ops.count && good && !list[i]->tape_host; op++) {
                const gw_func *callee = callee_with_tape(list[i], op);
                if (!callee) continue;
                if (list[i]->kind == GW_FUNC_HOST || list[i]->kind == GW_FUNC_HOST_DEVICE) {
                    list[i]->tape_host = changed = true;
                    list[i]->tape_local = false;
                    continue;
                }
                good = refuse_in_function(list[i], op, callee->primal);
            }
    }
    return good;
}

/* Specialisations of one primary template have one type, so one that takes a tape has the others take one. */
static bool is_sibling(const gw_func *f, const gw_func *g) {
    bool same_place =
        f->loc.file == g->loc.file && f->loc.line == g->loc.line && f->loc.column == g->loc.column;
    return f != g && f->template_head && g->template_head && f->name == g->name && f->form == g->form &&
           same_place;
}

static bool join_siblings(gw_func **list, uint32_t count) {
    bool changed = false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count && !list[i]->tape_host; k++)
            if (list[k]->tape_host && is_sibling(list[i], list[k])) {
                list[i]->tape_host = changed = true;
                list[i]->tape_local = false;
            }
    return changed;
}

/* A forward derivative that returns nothing says by a status that memory was out: callers do not ask. */
static bool check_forward_calls(gw_func *const *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        for (gw_op op = 1; op < list[i]->ops.count; op++) {
            const gw_op_data *o = gw_op_at(list[i], op);
            const gw_func *callee =
                !o->dead && o->code == GW_OP_CALL ? gw_func_find(list[i]->session, o->callee) : NULL;
            if (!callee || callee->form != GW_FORM_JVP || !callee->tape_host ||
                callee->return_type != GW_T_VOID)
                continue;
            gw_diag(list[i]->session, GW_DIAG_UNSUPPORTED, o->loc,
                    "forward, a call of a function that returns nothing and has arrays of run-time size",
                    "give its arrays a constant size, or let it return a number");
            return false;
        }
    return true;
}

static bool needs_size(const gw_func *f) {
    return region_pushes(f) || hands_tape_anywhere(f) || has_sized(f) || gw_is_program(f) || gw_is_split(f) ||
           gw_has_tenants(f);
}

/* Sizes the tapes of what the function calls, then its own. */
static bool size_behind_callees(gw_func *f, gw_func **left, uint32_t count) {
    bool good = true;
    uint32_t at = 0;
    while (at < count && left[at] != f)
        at++;
    if (at == count) return true;
    left[at] = NULL; /* a circle of calls ends here */
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_CALL && gw_func_find(f->session, o->callee))
            good &= size_behind_callees(gw_func_find(f->session, o->callee), left, count);
    }
    return (!needs_size(f) || size_tape(f)) && good;
}

/* Every caller of a function with a tape of its caller has one to hand over. */
static bool check_takers(const gw_session *s) {
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        bool has = f->tape_caller || (f->kind == GW_FUNC_KERNEL && f->form == GW_FORM_GRAD && !f->tape_local);
        for (gw_op op = 1; op < f->ops.count && !has; op++)
            if (taker(f, op)) return refuse_in_function(f, op, taker(f, op)->primal);
    }
    return true;
}

bool gw_pass_tape(gw_run *run) {
    gw_session *s = run->session;
    bool good = true;
    uint32_t count = s->funcs.count;
    GW_VEC(gw_func *) list = {0};
    for (uint32_t i = 0; i < count; i++)
        if (s->funcs.at[i]->form == GW_FORM_GRAD || s->funcs.at[i]->form == GW_FORM_PULLBACK)
            gw_push(&list, s->funcs.at[i]);
    gw_func **left = gw_alloc((list.count + 1) * sizeof *left);
    memcpy(left, list.at, list.count * sizeof *left);
    for (uint32_t i = 0; i < list.count; i++)
        good &= size_behind_callees(list.at[i], left, list.count);
    free(left);
    good = good && check_takers(s);
    do
        good = good && hand_down(list.at, list.count);
    while (good && join_siblings(list.at, list.count));
    list.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (s->funcs.at[i]->form != GW_FORM_JVP) continue;
        s->funcs.at[i]->tape_host = has_sized(s->funcs.at[i]) || gw_is_program(s->funcs.at[i]);
        gw_push(&list, s->funcs.at[i]);
    }
    join_siblings(list.at, list.count);
    good = good && check_forward_calls(list.at, list.count);
    gw_vec_free(&list);
    return good;
}

bool gw_pass_halves(gw_run *run) {
    uint32_t count = run->session->funcs.count; /* second halves are added behind */
    for (uint32_t i = 0; i < count; i++)
        if (gw_is_split(run->session->funcs.at[i])) gw_split_cut(run->session->funcs.at[i]);
    return true;
}
