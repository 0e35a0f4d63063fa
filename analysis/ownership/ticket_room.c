/*
 * ticket_room.c - how much a launch adds to a counter (contract: ticket_private.h).
 *
 * It is at most 2^bits where that is proved or checked at the launch for the sum over all additions to the
 * counter, each with its constant times the threads that the counter has (of a shared one: of a block) times
 *   - the iterations of loops around it whose number is constant;
 *   - for one grid-stride loop, "from a >= 0 while index < n by the row of blockDim.x*gridDim.x threads" (of a
 *     shared counter: of blockDim.x): a thread runs at most n/row + 1 iterations, so a row of threads together
 *     n + row. A negative n would be less than none, so it must not be, or there is no other addition. In an
 *     innermost loop that ends where the number is not below n, numbers below n are given once, and the parts
 *     [number, number + constant) of what was counted do not overlap: there are n, and the negative ones of a
 *     signed counter, which may begin anywhere, and two constants for the parts that lie across an end; to
 *     these comes one addition for each thread that leaves the loop. In any other loop nobody knows, and the
 *     numbers are nobody's own.
 *
 * 64 bits are not counted: it takes 2^52 additions, weeks of any machine.
 */
#include "analysis/ownership/ticket_private.h"
#include "analysis/ir/restructure.h"
#include "analysis/clean/clean.h"

gw_op gw_ticket_of(const gw_func *p, gw_value v) {
    gw_op op = gw_value_at(p, v)->op;
    while (op && gw_op_at(p, op)->code == GW_OP_CAST) {
        gw_value inner = gw_operand(p, op, 0);
        if (!gw_type_is_integer(gw_typeof(p, inner)) ||
            gw_type_bits(gw_typeof(p, inner)) > gw_type_bits(gw_typeof(p, v)))
            return 0;
        v = inner;
        op = gw_value_at(p, v)->op;
    }
    return op && gw_op_at(p, op)->code == GW_OP_ATOMIC ? op : 0;
}

enum { TRIPS_MOST = 4096 };

typedef struct count {
    gw_ownership *w;
    gw_normal *n;     /* of the primal */
    gw_poly room;     /* 2^bits - what was counted so far, in the primal's terms */
    uint64_t assumed; /* of n */
    bool of_block;
    uint32_t additions; /* in the text */
} count;

static uint32_t constant_trips(const gw_func *p, gw_op loop) {
    int64_t index[TRIPS_MOST];
    return gw_op_at(p, loop)->code == GW_OP_FOR ? gw_list_trips(p, loop, index, TRIPS_MOST) : TRIPS_MOST + 1;
}

static bool is_nonnegative(count *c, const gw_poly *p) {
    return gw_prove_nonnegative(c->n, &gw_normal_context(c->n, c->n->f->entry)->facts, p, &c->assumed);
}

static bool host_number(count *c, gw_value v, gw_number *out) {
    gw_normal_exact(c->n, gw_normal_context(c->n, c->n->f->entry), v, out);
    return !out->bits && gw_poly_is_of_host(c->n, &out->poly);
}

/* ---- loops that draw numbers until there are none ---- */
/* v being `truth` ends a loop wherever the number of op is not below *bound. */
static bool ends_at(const gw_func *p, gw_value v, bool truth, gw_op op, gw_value *number, gw_value *bound) {
    gw_op made = gw_value_at(p, v)->op;
    if (!made) return false;
    gw_opcode code = (gw_opcode)gw_op_at(p, made)->code;
    if (code == GW_OP_NOT) return ends_at(p, gw_operand(p, made, 0), !truth, op, number, bound);
    bool turned = code == GW_OP_GT || code == GW_OP_LE; /* n > number, n <= number */
    if (code != (truth ? GW_OP_GE : GW_OP_LT) && code != (truth ? GW_OP_LE : GW_OP_GT)) return false;
    *number = gw_operand(p, made, turned);
    *bound = gw_operand(p, made, !turned);
    return gw_ticket_of(p, *number) == op;
}

/* The number of so many bits is seen as signed, before it is widened or after. */
static bool may_be_negative(const gw_func *p, gw_value number, uint32_t bits) {
    for (gw_value v = number;; v = gw_operand(p, gw_value_at(p, v)->op, 0)) {
        if (gw_type_is_signed(gw_typeof(p, v)) && gw_type_bits(gw_typeof(p, v)) == bits) return true;
        if (gw_op_at(p, gw_value_at(p, v)->op)->code != GW_OP_CAST) return false;
    }
}

static bool take_drawn(count *c, gw_op loop, gw_op op, int64_t step) {
    const gw_func *p = c->n->f;
    gw_region body = gw_loop_body(p, loop);
    gw_value number, bound;
    gw_number most;
    bool exits = gw_op_at(p, loop)->flags & GW_OP_EXIT && gw_op_at(p, op)->parent == body;
    if (!exits || !ends_at(p, gw_yielded(p, body, 0), true, op, &number, &bound)) return false;
    if (!host_number(c, bound, &most)) return false;
    uint32_t bits = gw_type_bits(gw_typeof(p, gw_op_at(p, op)->first_result));
    bool negative = may_be_negative(p, number, bits);
    if (!negative && !is_nonnegative(c, &most.poly)) return false;
    gw_poly_add(&c->room, -1, NULL, &most.poly);
    gw_poly_add_constant(&c->room, -2 * step - (negative ? (int64_t)1 << (bits - 1) : 0));
    c->assumed |= most.assumed;
    return true;
}

/* ---- grid-stride loops ---- */
static gw_poly row_of_threads(const count *c) {
    gw_poly block, grid, row;
    gw_poly_special(c->n, GW_SPECIAL_ATTR(GW_BLOCK_DIM, 0), &block);
    gw_poly_special(c->n, GW_SPECIAL_ATTR(GW_GRID_DIM, 0), &grid);
    if (c->of_block) gw_poly_constant(&grid, 1);
    gw_poly_multiply(&row, &block, &grid);
    return row;
}

/* *out: how often the loop runs in all threads of a row together, at most. */
static bool strided(count *c, gw_op loop, gw_poly *out) {
    const gw_func *p = c->n->f;
    const gw_op_data *o = gw_op_at(p, loop);
    gw_number index, end;
    gw_poly row = row_of_threads(c), passed;
    if (o->code != GW_OP_FOR || o->attr != GW_OP_LT) return false;
    gw_context *in = gw_normal_context(c->n, gw_loop_body(p, loop));
    gw_normal_exact(c->n, in, gw_arg(p, gw_loop_body(p, loop), 0), &index);
    if (index.bits || index.poly.broken || !host_number(c, gw_operand(p, loop, 1), &end)) return false;
    if (c->additions > 1 && !is_nonnegative(c, &end.poly)) return false;
    gw_atom_data like = {.kind = GW_ATOM_TRIP, .detail = loop, .value = loop, .low = 0, .high = INT64_MAX};
    gw_poly trips, from = index.poly; /* index - row*trip */
    gw_atom trip = gw_atom_make(c->n, &like, NULL, 0);
    gw_poly_atom(&trips, trip);
    gw_poly_multiply(&passed, &row, &trips);
    gw_poly_add(&from, -1, NULL, &passed);
    for (uint32_t i = 0; i < from.count; i++)
        for (uint32_t k = 0; k < from.term[i].factors; k++)
            if (from.term[i].factor[k] == trip) return false;
    if (!gw_prove_nonnegative(c->n, &in->facts, &from, &c->assumed)) return false;
    *out = end.poly;
    gw_poly_add(out, 1, NULL, &row);
    c->assumed |= index.assumed | end.assumed;
    return true;
}

/* ---- all additions ---- */
static bool take(count *c, gw_op op) {
    const gw_func *p = c->n->f;
    int64_t step = 0;
    gw_const_int(p, gw_operand(p, op, gw_op_at(p, op)->operands - 1), &step);
    gw_op loop = gw_loop_around(p, op);
    if (loop && constant_trips(p, loop) > TRIPS_MOST && take_drawn(c, loop, op, step))
        loop = gw_loop_around(p, loop);
    gw_term rows = {.coefficient = -step};
    gw_poly row = row_of_threads(c);
    bool is_strided = false;
    for (; loop; loop = gw_loop_around(p, loop)) {
        uint32_t trips = constant_trips(p, loop);
        if (rows.coefficient < INT32_MIN) return false;
        if (trips <= TRIPS_MOST) rows.coefficient *= trips;
        else if (is_strided || !strided(c, loop, &row)) return false;
        is_strided |= trips > TRIPS_MOST;
    }
    for (unsigned axis = 1; axis < 3; axis++) {
        rows.factor[rows.factors++] = gw_atom_special(GW_BLOCK_DIM, axis);
        if (!c->of_block) rows.factor[rows.factors++] = gw_atom_special(GW_GRID_DIM, axis);
    }
    if (c->of_block && !is_strided) gw_poly_add_constant(&c->room, rows.coefficient * GW_MOST_THREADS);
    else gw_poly_add(&c->room, rows.coefficient, &rows, &row);
    return !c->room.broken;
}

/* ---- in the derivative's terms ---- */
typedef struct terms {
    count *c;
    bool good;
} terms;

static gw_atom derivative_atom(const void *context, gw_atom a) {
    terms *t = *(terms *const *)context;
    gw_ownership *w = t->c->w;
    const gw_func *p = t->c->n->f;
    const gw_atom_data *d = gw_atom_at(t->c->n, a);
    gw_number number;
    gw_atom made = 0;
    if (d->kind == GW_ATOM_SPECIAL) return a;
    for (uint32_t i = 0; i < p->params.count && d->kind == GW_ATOM_VALUE; i++) {
        if (p->params.at[i].value != d->value) continue;
        gw_normal_exact(w->n, gw_normal_context(w->n, w->f->entry), w->f->params.at[i].value, &number);
        if (!gw_poly_is_atom(&number.poly, &made)) made = 0;
    }
    t->good &= made != 0;
    return made ? made : a;
}

/* p >= 0, of the primal's terms, is true of every launch or becomes an assumption. */
static bool assume(count *c, const gw_poly *p, uint64_t *assumed) {
    gw_fact_list none = {0};
    terms t = {c, true}, *context = &t;
    gw_poly q = *p;
    gw_poly_whole(c->n, &q);
    gw_poly_rename(&q, derivative_atom, &context);
    bool good = t.good && (gw_prove_nonnegative(c->w->n, &none, &q, assumed) ||
                           gw_assume_nonnegative(c->w->n, &none, &q, GW_ASSUMED_NO_WRAP, assumed));
    gw_vec_free(&none);
    return good;
}

static bool assume_all(count *c, uint64_t *assumed) {
    uint64_t needs = *assumed | (c->assumed & (((uint64_t)1 << GW_ASSUME_LENGTHS) - 1));
    for (uint32_t i = 0; i < c->n->assumptions.count; i++)
        if ((c->assumed >> (GW_ASSUME_LENGTHS + i) & 1) && !assume(c, &c->n->assumptions.at[i], &needs))
            return false;
    if (!assume(c, &c->room, &needs)) return false;
    *assumed = needs;
    return true;
}

bool gw_ticket_room(gw_ownership *w, gw_op ticket, uint64_t *assumed) {
    const gw_func *p = w->f->primal;
    gw_object counter = gw_op_at(p, ticket)->object;
    uint32_t bits = gw_type_bits(gw_typeof(p, gw_op_at(p, ticket)->first_result));
    if (bits == 64) return true;
    const gw_effort effort = w->f->session->effort;
    count c = {.w = w, .n = gw_normal_new(p), .of_block = gw_object_at(p, counter)->kind == GW_OBJECT_SHARED};
    GW_VEC(gw_op) additions = {0};
    bool good = true;
    w->f->session->effort = effort; /* these proofs are the derivative's */
    for (gw_op op = 1; op < p->ops.count; op++)
        if (!gw_op_at(p, op)->dead && gw_op_at(p, op)->object == counter &&
            gw_op_at(p, op)->code == GW_OP_ATOMIC)
            gw_push(&additions, op);
    c.additions = additions.count;
    gw_poly_constant(&c.room, (int64_t)1 << bits);
    for (uint32_t i = 0; i < additions.count && good; i++) good = take(&c, additions.at[i]);
    gw_vec_free(&additions);
    good = good && assume_all(&c, assumed);
    gw_normal_free(c.n);
    return good;
}
