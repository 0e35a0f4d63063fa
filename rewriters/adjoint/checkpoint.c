/*
 * checkpoint.c - the checkpoint pass: a loop marked GW_CHECKPOINT(n) becomes a loop over segments of n
 * iterations.
 *
 *     for (k = 0; k < m; k++) ...   ->   for (s = 0; s < ceil(m / n); s++)
 *                                            for (k = s * n; k < s * n + min(m - s * n, n); k++) ...
 *
 * The adjoint pass then needs no rule for it: what a loop carries is stored at the start of each iteration, so
 * of the outer loop once for n iterations, and of the inner one for the segment that is being reversed, after
 * it has run again from its start (Griewank & Walther, Evaluating Derivatives, section 12.2: uniform
 * checkpoints on two levels). Memory is ceil(m / n) + n states instead of m; each iteration runs forward once
 * more.
 *
 * Requires: simplified primals. Guarantees: the same iterations in the same order with the same values: the
 * inner loop begins where the one before it ended, no index leaves its type (segments are counted in 64 bits),
 * and a stop of the inner loop stops the outer one. The outer loop keeps the mark: it is run again, never
 * recorded (adjoint/choice.c).
 *
 * A loop marked GW_CHECKPOINT_BINOMIAL(n) stays whole (adjoint/snapshots.c), and must say how often it runs.
 * One that is left before its end goes on to that with nothing to do.
 *
 * A program's loop that draws random numbers is not run again, as it would draw others: its mark is taken away,
 * and all that it does is recorded.
 */
#include "analysis/clean/clean.h"
#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/requests.h"
#include "analysis/ir/restructure.h"

typedef GW_VEC(gw_value) value_list;

typedef struct segments {
    gw_value trips; /* all iterations; 64 bits */
    gw_value count; /* segments of n */
    int64_t n;
    /* the index goes up by 1: the inner loop's is the primal's; else the number in the segment */
    bool each;
} segments;

static gw_value op2(gw_builder *b, gw_opcode code, gw_value x, gw_value y) { return gw_binary(b, code, x, y); }

/* Iterations that the header allows, as a signed number that is not negative; the index has at most 32 bits. */
static gw_value narrow_trips(gw_builder *b, gw_op loop, bool each) {
    gw_func *f = b->f;
    uint16_t attr = gw_op_at(f, loop)->attr;
    bool falling = attr == GW_OP_GT || attr == GW_OP_GE, closed = attr == GW_OP_LE || attr == GW_OP_GE;
    gw_value part[3], one = gw_int(b, GW_T_I64, 1), zero = gw_int(b, GW_T_I64, 0);
    for (uint32_t i = 0; i < 3; i++) part[i] = gw_cast(b, GW_T_I64, gw_operand(f, loop, i));
    gw_value span = falling ? op2(b, GW_OP_SUB, part[0], part[1]) : op2(b, GW_OP_SUB, part[1], part[0]);
    if (each) return op2(b, GW_OP_IMAX, span, zero);
    /* 0 never divides */
    gw_value step = op2(b, GW_OP_IMAX, falling ? gw_unary(b, GW_OP_NEG, part[2]) : part[2], one);
    /* the quotient is not positive where the loop does not run */
    gw_value up = closed ? step : op2(b, GW_OP_SUB, step, one);
    return op2(b, GW_OP_IMAX, op2(b, GW_OP_DIV, op2(b, GW_OP_ADD, span, up), step), zero);
}

static void give_name(gw_func *f, gw_value v, const char *name) {
    int64_t constant;
    if (!gw_value_at(f, v)->name && !gw_const_int(f, v, &constant))
        gw_value_at(f, v)->name = gw_intern(f->session, name);
}

/* False if it cannot be told how often the loop runs at most. */
static bool count_segments(gw_builder *b, gw_op loop, segments *s) {
    gw_func *f = b->f;
    gw_type own = gw_typeof(f, gw_operand(f, loop, 0));
    bool narrow = gw_type_bits(own) <= 32;
    s->each = narrow && gw_loop_step(f, loop) == 1 && gw_op_at(f, loop)->attr == GW_OP_LT;
    if (gw_op_at(f, loop)->attr == GW_OP_NE) return false;
    s->trips = narrow ? narrow_trips(b, loop, s->each) : gw_header_most(b, loop);
    if (!s->trips) return false;
    gw_type type = gw_typeof(f, s->trips);
    gw_value n = gw_int(b, type, s->n), zero = gw_int(b, type, 0);
    if (narrow) { /* cannot overflow */
        s->count = op2(b, GW_OP_DIV, op2(b, GW_OP_ADD, s->trips, gw_int(b, type, s->n - 1)), n);
    } else {
        gw_value rest = gw_cast(b, type, op2(b, GW_OP_NE, op2(b, GW_OP_REM, s->trips, n), zero));
        s->count = op2(b, GW_OP_ADD, op2(b, GW_OP_DIV, s->trips, n), rest);
    }
    give_name(f, s->trips, "trips");
    give_name(f, s->count, "segments");
    return true;
}

/* The inner loop's header in segment `at`. */
static void inner_header(gw_builder *b, gw_op loop, const segments *s, gw_value at, gw_value header[3]) {
    gw_type type = gw_typeof(b->f, at), own = gw_typeof(b->f, gw_operand(b->f, loop, 0));
    gw_value n = gw_int(b, type, s->n), zero = gw_int(b, type, 0), done = op2(b, GW_OP_MUL, at, n);
    gw_value left = op2(b, GW_OP_SUB, s->trips, done);
    /* says to trip_bound.c that no cast changes it */
    if (gw_type_is_signed(type)) left = op2(b, GW_OP_IMAX, left, zero);
    gw_value here = op2(b, GW_OP_IMIN, left, n);
    header[0] = s->each ? op2(b, GW_OP_ADD, gw_operand(b->f, loop, 0), gw_cast(b, own, done)) : zero;
    header[1] = s->each ? op2(b, GW_OP_ADD, header[0], gw_cast(b, own, here)) : here;
    header[2] = gw_int(b, s->each ? own : type, 1);
}

/* The primal's index in iteration `t` of the segment. */
static gw_value inner_index(gw_builder *b, gw_op loop, const segments *s, gw_value at, gw_value t) {
    if (s->each) return t;
    gw_type type = gw_typeof(b->f, at), own = gw_typeof(b->f, gw_operand(b->f, loop, 0));
    gw_value number = op2(b, GW_OP_ADD, op2(b, GW_OP_MUL, at, gw_int(b, type, s->n)), t);
    gw_value way = op2(b, GW_OP_MUL, gw_cast(b, own, number), gw_operand(b->f, loop, 2));
    return op2(b, GW_OP_ADD, gw_operand(b->f, loop, 0), way);
}

/* ---- making loops ---- */
static gw_str name_of(const gw_func *f, gw_value v) { return gw_value_at(f, v)->name; }

/* Loop with results, and regions that have its carried values as arguments; `index` is the type of the first
 * argument. */
static gw_op make_loop(gw_builder *b, gw_op like, const value_list *operands, uint32_t first, gw_type index,
                       gw_str index_name) {
    gw_func *f = b->f;
    const gw_op_data old = *gw_op_at(f, like);
    gw_op made = gw_emit(b, (gw_opcode)old.code, GW_T_VOID, 0, operands->at, operands->count);
    gw_op_at(f, made)->flags = old.flags;
    gw_op_at(f, made)->loc = old.loc;
    for (uint32_t i = first; i < operands->count; i++)
        gw_op_add_result(f, made, gw_typeof(f, operands->at[i]),
                         i - first < old.results ? name_of(f, gw_result(f, like, i - first)) : 0);
    for (uint32_t k = 0; k < old.regions; k++) {
        gw_region r = gw_region_new(f, made);
        if (index) gw_region_arg(f, r, index, index_name);
        for (uint32_t i = first; i < operands->count; i++)
            gw_region_arg(f, r, gw_typeof(f, operands->at[i]),
                          i - first < old.results ? name_of(f, gw_result(f, like, i - first)) : 0);
    }
    return made;
}

static gw_builder inside(gw_func *f, gw_region r, gw_loc loc) {
    return (gw_builder){.f = f, .region = r, .loc = loc};
}

/* Region `from` of the loop with its carried values replaced by the arguments of `to`; what it yields goes to
 * *yields. */
static void clone_part(gw_func *f, gw_region from, gw_region to, uint32_t lead, gw_value index, gw_builder *b,
                       value_list *yields) {
    gw_cloner c = {.from = f, .to = b};
    if (index) gw_map_set(&c.values, gw_arg(f, from, 0), index);
    for (uint32_t i = lead; i < gw_region_at(f, from)->args; i++)
        gw_map_set(&c.values, gw_arg(f, from, i), gw_arg(f, to, i));
    gw_clone_region_body(&c, from);
    gw_op end = gw_region_end(f, from);
    for (uint32_t i = 0; i < gw_op_at(f, end)->operands; i++)
        gw_push(yields, gw_clone_value(&c, gw_operand(f, end, i)));
    gw_map_free(&c.values);
    gw_map_free(&c.objects);
}

/* Ends the outer body: the stop flag is the inner loop's last result, the carried values its first. */
static void yield_results(gw_builder *b, gw_op inner, uint32_t carried, bool exits) {
    value_list yields = {0};
    if (exits) gw_push(&yields, gw_result(b->f, inner, gw_op_at(b->f, inner)->results - 1));
    for (uint32_t i = 0; i < carried; i++) gw_push(&yields, gw_result(b->f, inner, i));
    gw_yield(b, yields.at, yields.count);
    gw_vec_free(&yields);
}

static void replace_loop(gw_func *f, gw_op old, gw_op made) {
    gw_value_map map = {0};
    for (uint32_t i = 0; i < gw_op_at(f, old)->results; i++)
        gw_map_set(&map, gw_result(f, old, i), gw_result(f, made, i));
    gw_op_at(f, made)->imm.i = gw_op_at(f, old)->imm.i;
    gw_op_remove(f, old);
    gw_replace_many(f, &map);
    gw_map_free(&map);
}

/* ---- for ---- */
static gw_op inner_for(gw_builder *b, gw_op loop, const segments *s, gw_region outer) {
    gw_func *f = b->f;
    bool exits = gw_op_at(f, loop)->flags & GW_OP_EXIT;
    value_list operands = {0}, yields = {0};
    gw_value header[3], at = gw_arg(f, outer, 0);
    inner_header(b, loop, s, at, header);
    for (uint32_t i = 0; i < 3; i++) gw_push(&operands, header[i]);
    for (uint32_t i = 1; i < gw_region_at(f, outer)->args; i++) gw_push(&operands, gw_arg(f, outer, i));
    if (exits) gw_push(&operands, gw_int(b, GW_T_BOOL, 0));
    gw_region from = gw_loop_body(f, loop);
    gw_str name = s->each ? name_of(f, gw_arg(f, from, 0)) : gw_intern(f->session, "step");
    gw_op inner = make_loop(b, loop, &operands, 3, gw_typeof(f, header[0]), name);
    gw_op_at(f, inner)->attr = GW_OP_LT;
    gw_region body = gw_loop_body(f, inner);
    gw_builder in = inside(f, body, b->loc);
    clone_part(f, from, body, 1, inner_index(&in, loop, s, at, gw_arg(f, body, 0)), &in, &yields);
    if (exits) gw_push(&yields, yields.at[0]);
    gw_yield(&in, yields.at, yields.count);
    gw_vec_free(&operands);
    gw_vec_free(&yields);
    return inner;
}

static bool split_for(gw_func *f, gw_op loop) {
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    segments s = {.n = gw_op_at(f, loop)->imm.i};
    uint32_t carried = gw_loop_carried(f, loop);
    if (!count_segments(&b, loop, &s)) {
        gw_diag(f->session, GW_DIAG_UNSUPPORTED, gw_op_at(f, loop)->loc,
                "GW_CHECKPOINT on a loop whose 64-bit index runs to its end in steps that are not constant",
                "write 'index < limit' with a constant step");
        return false;
    }
    gw_type type = gw_typeof(f, s.count);
    value_list operands = {0};
    gw_push(&operands, gw_int(&b, type, 0));
    gw_push(&operands, s.count);
    gw_push(&operands, gw_int(&b, type, 1));
    for (uint32_t i = 0; i < carried; i++) gw_push(&operands, gw_operand(f, loop, 3 + i));
    gw_op outer = make_loop(&b, loop, &operands, 3, type, gw_intern(f->session, "segment"));
    gw_op_at(f, outer)->attr = GW_OP_LT;
    gw_vec_free(&operands);
    gw_region body = gw_loop_body(f, outer);
    gw_builder in = inside(f, body, b.loc);
    gw_op inner = inner_for(&in, loop, &s, body);
    yield_results(&in, inner, carried, gw_op_at(f, loop)->flags & GW_OP_EXIT);
    replace_loop(f, loop, outer);
    return true;
}

/* ---- while ---- */
static gw_op inner_while(gw_builder *b, gw_op loop, gw_region outer) {
    gw_func *f = b->f;
    const gw_op_data old = *gw_op_at(f, loop);
    uint32_t carried = gw_loop_carried(f, loop);
    value_list operands = {0}, tests = {0}, yields = {0};
    for (uint32_t i = 0; i < carried; i++) gw_push(&operands, gw_arg(f, outer, i));
    gw_push(&operands, gw_int(b, GW_T_I32, 0));
    if (old.flags & GW_OP_EXIT) gw_push(&operands, gw_int(b, GW_T_BOOL, 0));
    gw_op inner = make_loop(b, loop, &operands, 0, GW_T_VOID, 0);
    gw_region test = gw_op_at(f, inner)->region[0], body = gw_op_at(f, inner)->region[1];
    gw_builder in = inside(f, test, b->loc);
    gw_value left = op2(&in, GW_OP_LT, gw_arg(f, test, carried), gw_int(&in, GW_T_I32, old.imm.i));
    clone_part(f, old.region[0], test, 0, 0, &in, &tests);
    tests.at[0] = op2(&in, GW_OP_AND, left, tests.at[0]);
    gw_yield(&in, tests.at, 1);
    in = inside(f, body, b->loc);
    clone_part(f, old.region[1], body, 0, 0, &in, &yields);
    gw_push(&yields, op2(&in, GW_OP_ADD, gw_arg(f, body, carried), gw_int(&in, GW_T_I32, 1)));
    if (old.flags & GW_OP_EXIT) gw_push(&yields, yields.at[0]);
    gw_yield(&in, yields.at, yields.count);
    gw_vec_free(&operands);
    gw_vec_free(&tests);
    gw_vec_free(&yields);
    return inner;
}

static void split_while(gw_func *f, gw_op loop) {
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    uint32_t carried = gw_loop_carried(f, loop);
    value_list operands = {0}, tests = {0};
    for (uint32_t i = 0; i < carried; i++) gw_push(&operands, gw_operand(f, loop, i));
    gw_op outer = make_loop(&b, loop, &operands, 0, GW_T_VOID, 0);
    gw_region test = gw_op_at(f, outer)->region[0], body = gw_op_at(f, outer)->region[1];
    gw_builder in = inside(f, test, b.loc);
    clone_part(f, gw_op_at(f, loop)->region[0], test, 0, 0, &in, &tests);
    gw_yield(&in, tests.at, 1);
    in = inside(f, body, b.loc);
    gw_op inner = inner_while(&in, loop, body);
    yield_results(&in, inner, carried, gw_op_at(f, loop)->flags & GW_OP_EXIT);
    replace_loop(f, loop, outer);
    gw_vec_free(&operands);
    gw_vec_free(&tests);
}

/* ---- to its end ---- */
/* Values stay where the loop has stopped, else they are those of the body. */
static void write_rest(gw_func *f, gw_op loop, gw_region body, uint32_t carried) {
    gw_builder in = inside(f, body, gw_op_at(f, loop)->loc);
    const gw_value stopped = gw_arg(f, body, 1 + carried);
    const gw_op branch = gw_emit(&in, GW_OP_IF, GW_T_VOID, 0, &stopped, 1);
    value_list kept = {0}, yields = {0};
    for (uint32_t i = 0; i <= carried; i++) gw_push(&kept, gw_arg(f, body, 1 + i));
    gw_builder side = inside(f, gw_region_new(f, branch), in.loc);
    gw_yield(&side, kept.at, kept.count);
    side.region = gw_region_new(f, branch);
    clone_part(f, gw_loop_body(f, loop), body, 1, gw_arg(f, body, 0), &side, &yields);
    gw_push(&yields, yields.at[0]);
    gw_yield(&side, yields.at + 1, yields.count - 1);
    kept.count = 0;
    for (uint32_t i = 0; i <= carried; i++) {
        const gw_value arg = gw_arg(f, body, 1 + i);
        gw_push(&kept, gw_op_add_result(f, branch, gw_typeof(f, arg), name_of(f, arg)));
    }
    gw_yield(&in, kept.at, kept.count);
    gw_vec_free(&kept);
    gw_vec_free(&yields);
}

static gw_op run_to_end(gw_func *f, gw_op loop) {
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    const uint32_t carried = gw_loop_carried(f, loop);
    const gw_value index = gw_arg(f, gw_loop_body(f, loop), 0);
    value_list operands = {0};
    for (uint32_t i = 0; i < 3 + carried; i++) gw_push(&operands, gw_operand(f, loop, i));
    gw_push(&operands, gw_int(&b, GW_T_BOOL, 0));
    const gw_op made = make_loop(&b, loop, &operands, 3, gw_typeof(f, index), name_of(f, index));
    gw_op_at(f, made)->flags &= (uint16_t)~GW_OP_EXIT;
    gw_op_at(f, made)->attr = gw_op_at(f, loop)->attr;
    write_rest(f, loop, gw_loop_body(f, made), carried);
    replace_loop(f, loop, made);
    gw_vec_free(&operands);
    return made;
}

/* Says why a loop cannot be reversed from a few stored states, or NULL. */
static const char *why_no_snapshots(const gw_func *f, gw_op loop, const char **way_out) {
    *way_out = "write 'for (k = first; k < limit; k++)', with 'break' where it ends before";
    if (gw_op_at(f, loop)->code != GW_OP_FOR)
        return "GW_CHECKPOINT_BINOMIAL on a loop that is not counted";
    *way_out = "write GW_CHECKPOINT";
    if (gw_holds_barrier(f, loop) && !gw_has_op(f, loop, GW_OP_DEVICE))
        return "GW_CHECKPOINT_BINOMIAL on a loop in which threads meet";
    for (gw_object o = 1; o < f->objects.count; o++) {
        const gw_object_data *d = gw_object_at(f, o);
        if (d->kind == GW_OBJECT_LOCAL && d->sized && gw_touches(f, loop, o, GW_TOUCH_WRITE) &&
            !gw_declares(f, loop, o))
            return "GW_CHECKPOINT_BINOMIAL on a loop that changes an array of run-time size";
    }
    return NULL;
}

static bool check_snapshots(const gw_func *f, gw_op loop) {
    const char *way_out, *why = why_no_snapshots(f, loop, &way_out);
    if (why) gw_diag(f->session, GW_DIAG_UNSUPPORTED, gw_op_at(f, loop)->loc, why, way_out);
    return !why;
}

static bool draws(const gw_func *f, gw_op loop) {
    bool found = false;
    for (gw_op op = loop; op && !found; op = gw_walk_op(f, op, loop)) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool is_rule = o->code == GW_OP_DEVICE && o->attr == GW_DEVICE_RULE;
        found = is_rule && gw_rule_find(f->session, o->callee)->draws;
    }
    return found;
}

/* Inner loops first: what is split is copied. */
static bool split_in(gw_func *f, gw_region r) {
    bool good = true;
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) good &= split_in(f, gw_op_at(f, op)->region[i]);
        if (!good || !gw_is_loop(f, op) || !gw_op_at(f, op)->imm.i) continue;
        if (draws(f, op)) {
            gw_op_at(f, op)->imm.i = 0;
            continue;
        }
        if (gw_loop_snapshots(f, op)) good = check_snapshots(f, op);
        if (good && gw_loop_snapshots(f, op) && gw_op_at(f, op)->flags & GW_OP_EXIT) op = run_to_end(f, op);
        if (gw_loop_snapshots(f, op)) continue;
        if (gw_op_at(f, op)->code == GW_OP_FOR) good = split_for(f, op);
        else split_while(f, op);
    }
    return good;
}

static bool is_differentiated(const gw_session *s, const gw_func *f) {
    for (uint32_t i = 0; i < s->requests.count; i++) {
        const gw_request *q = &s->requests.at[i];
        if (q->func == f && gw_request_is_swept(q)) return true;
    }
    return false;
}

bool gw_pass_checkpoint(gw_run *run) {
    gw_session *s = run->session;
    bool good = true;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        gw_func *f = s->funcs.at[i];
        if (f->form != GW_FORM_PRIMAL || !is_differentiated(s, f)) continue;
        good &= split_in(f, f->entry);
        if (good) gw_clean(f);
    }
    return good;
}
