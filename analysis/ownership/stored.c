/*
 * stored.c - how many cells a launch stores to, as a function of its dimensions and of the kernel's parameters
 * (contract: ownership.h).
 *
 * Each execution of a store that is first (first.c) has a cell of its own. So a launch that executes n of them
 * reaches n cells; where the adjoint has no more, all are written, whatever the order of the cells is. What has
 * to be known is not where the stores go, but how often they are executed: a lower bound of that.
 *
 * The coordinates of a thread are digits. What is a number made of digits which no other condition asks about
 * takes each value from 0 to its size - 1, once for each value of the other digits (`sources`):
 *
 *     blockIdx.x * blockDim.x + threadIdx.x        gridDim.x * blockDim.x values
 *     blockIdx.x, threadIdx.y                      gridDim.x, blockDim.y
 *     threadIdx.x % 32, (...) / 32                 32, gridDim.x * blockDim.x / 32, in blocks of whole warps,
 *                                                  and of all of a block's threads, by their number
 *
 * Around a store may stand
 *     if (a < b)                                            all come through or none
 *     if (source < N)                                       min(N, size) of the source's values come through
 *     for (k = source; k < N; k += size of the source)      N iterations, by all threads of the source together
 *     for (k = a; k < b; k += step)                         as many iterations in each thread
 * where N, a and b are the same in all threads, and known on the host. The store is executed as often as the
 * product of these says, and of the sizes of all digits that nothing has asked about. Whatever else stands
 * around it, or is not known without more being assumed of the launch, makes the number 0.
 *
 * The product does not wrap: it is a number of different cells in memory, or the launch never ends.
 */
#include "analysis/ownership/ownership.h"

#include "analysis/clean/clean.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ir/restructure.h"
#include "analysis/ownership/host_side_private.h"

#include <stdlib.h>

enum { X_HIGH = 1, X_LOW = 2, Y = 4, Z = 8, BLOCK_X = 16, BLOCK_Y = 32, BLOCK_Z = 64, DIGITS = 127 };
enum { SOURCES_MOST = 64, PATHS_MOST = 8 };

/* A number made of digits, and how many values it has. */
typedef struct source {
    gw_poly number, size;
    unsigned digits;
} source;

typedef struct stores {
    gw_ownership *w;
    gw_builder b;
    gw_host_side side;
    gw_cloner copies; /* of what a launch is given, and of what the kernel makes of that alone */
    source sources[SOURCES_MOST];
    uint32_t count;
} stores;

/* One store, while the way out of all that stands around it is walked. */
typedef struct around {
    stores *s;
    unsigned digits; /* that nothing has asked about */
    gw_value number;
} around;

/* ---- sources ---- */
static void add_source(stores *s, const gw_poly *number, const gw_poly *size, unsigned digits) {
    if (s->count == SOURCES_MOST || number->broken || size->broken || !number->count) return;
    s->sources[s->count++] = (source){*number, *size, digits};
}

/* What the digits of the block make, alone and behind those of a block's place. */
static void add_with_blocks(stores *s, const gw_poly *number, const gw_poly *size, unsigned digits) {
    add_source(s, number, size, digits);
    for (unsigned axis = 0; axis < 3; axis++) {
        gw_poly block, blocks, all, many;
        gw_poly_special(s->w->n, GW_SPECIAL_ATTR(GW_BLOCK_IDX, axis), &block);
        gw_poly_special(s->w->n, GW_SPECIAL_ATTR(GW_GRID_DIM, axis), &blocks);
        gw_poly_multiply(&all, &block, size);
        gw_poly_add(&all, 1, NULL, number);
        gw_poly_multiply(&many, &blocks, size);
        add_source(s, &all, &many, digits | (unsigned)BLOCK_X << axis);
    }
}

/* A number times the block's size along the axis, and the thread's place there. */
static void add_digit(const stores *s, unsigned axis, gw_poly *number) {
    gw_poly thread, threads, product;
    gw_poly_special(s->w->n, GW_SPECIAL_ATTR(GW_THREAD_IDX, axis), &thread);
    gw_poly_special(s->w->n, GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis), &threads);
    gw_poly_multiply(&product, number, &threads);
    gw_poly_add(&product, 1, NULL, &thread);
    *number = product;
}

/* threadIdx.x in pieces of `width`, of which blocks are multiples. */
static void add_pieces(stores *s, gw_atom quotient, int64_t width) {
    gw_poly high, low, whole, size, pieces, flat, all, product;
    gw_poly_constant(&whole, width);
    gw_poly_special(s->w->n, GW_SPECIAL_ATTR(GW_BLOCK_DIM, 0), &size);
    if (!gw_poly_divide(&size, &whole, &pieces)) return;
    gw_poly_atom(&high, quotient);
    gw_poly_special(s->w->n, GW_SPECIAL_ATTR(GW_THREAD_IDX, 0), &low);
    gw_poly_add(&low, -width, NULL, &high);
    add_with_blocks(s, &high, &pieces, X_HIGH);
    add_source(s, &low, &whole, X_LOW);
    gw_poly_zero(&flat);
    gw_poly_constant(&all, 1);
    for (unsigned axis = 3; axis-- > 1;) { /* (z * Y + y) * pieces + x's */
        add_digit(s, axis, &flat);
        gw_poly_special(s->w->n, GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis), &size);
        gw_poly_multiply(&product, &all, &size);
        all = product;
    }
    gw_poly_multiply(&product, &flat, &pieces);
    gw_poly_add(&product, 1, NULL, &high);
    gw_poly_multiply(&size, &all, &pieces);
    add_with_blocks(s, &product, &size, X_HIGH | Y | Z);
}

static void add_all_pieces(stores *s) {
    const gw_normal *n = s->w->n;
    gw_poly thread;
    int64_t width, first = 0;
    gw_poly_special(n, GW_SPECIAL_ATTR(GW_THREAD_IDX, 0), &thread);
    for (uint32_t a = 1; a < n->atoms.count; a++) {
        const gw_atom_data *d = &n->atoms.at[a];
        if (d->kind != GW_ATOM_QUOTIENT || !gw_poly_equal(&n->keys.at[d->first_key], &thread) ||
            !gw_poly_is_constant(&n->keys.at[d->first_key + 1], &width) || width < 2)
            continue;
        if (first && first != width) return; /* digits of one number */
        add_pieces(s, (gw_atom)a, width);    /* one for each type that it is divided in */
        first = width;
    }
}

static void find_sources(stores *s) {
    static const unsigned digits[] = {X_HIGH | X_LOW, Y, Z};
    gw_poly one, none, flat, size;
    gw_poly_constant(&one, 1);
    gw_poly_zero(&none);
    s->count = 0;
    add_with_blocks(s, &none, &one, 0);
    for (unsigned axis = 0; axis < 3; axis++) {
        gw_poly thread, threads;
        gw_poly_special(s->w->n, GW_SPECIAL_ATTR(GW_THREAD_IDX, axis), &thread);
        gw_poly_special(s->w->n, GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis), &threads);
        add_with_blocks(s, &thread, &threads, digits[axis]);
    }
    flat = none, size = one;
    for (unsigned axis = 3; axis-- > 0;) { /* (z * Y + y) * X + x */
        gw_poly threads, product;
        add_digit(s, axis, &flat);
        gw_poly_special(s->w->n, GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis), &threads);
        gw_poly_multiply(&product, &size, &threads);
        size = product;
    }
    add_with_blocks(s, &flat, &size, X_HIGH | X_LOW | Y | Z);
    add_all_pieces(s);
}

/* Takes its digits. */
static const source *take_source(around *a, const gw_poly *number) {
    for (uint32_t i = 0; i < a->s->count; i++) {
        const source *found = &a->s->sources[i];
        if ((found->digits & ~a->digits) || !gw_poly_equal(&found->number, number)) continue;
        a->digits &= ~found->digits;
        return found;
    }
    return NULL;
}

/* ---- what the host knows ---- */
static gw_value on_host(const stores *s, gw_builder *b, const gw_poly *p) {
    return gw_host_side_sum(&s->side, b, p, GW_T_I64, false);
}

static void multiply(around *a, gw_value by) { a->number = gw_binary(&a->s->b, GW_OP_MUL, a->number, by); }

/* None where it does not hold. */
static void only_where(around *a, gw_value holds) {
    gw_builder *b = &a->s->b;
    multiply(a, gw_select(b, holds, gw_int(b, GW_T_I64, 1), gw_int(b, GW_T_I64, 0)));
}

/* What v is wherever the region runs; what that assumes beside what the launch is checked for is asked. */
static bool exactly(around *a, gw_region r, gw_value v, gw_poly *out) {
    gw_ownership *w = a->s->w;
    gw_number number;
    if (!gw_type_is_integer(gw_typeof(w->f, v))) return false;
    gw_normal_exact(w->n, gw_normal_context(w->n, r), v, &number);
    *out = number.poly;
    const uint64_t more = number.assumed & ~w->assumed;
    if (out->broken || more << (64 - GW_ASSUME_LENGTHS)) return false;
    for (uint32_t i = 0; i < w->n->assumptions.count; i++) {
        gw_text text = {0};
        if (!(more >> (GW_ASSUME_LENGTHS + i) & 1)) continue;
        only_where(a, gw_host_side_holds(&a->s->side, &a->s->b, &w->n->assumptions.at[i], &text));
        gw_text_free(&text);
    }
    return true;
}

/* ---- what is made of it ---- */
static void start_copies(stores *s) {
    const gw_func *f = s->w->f;
    s->copies = (gw_cloner){.from = f, .to = &s->b};
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        const gw_value number = p->value ? gw_map_get(&s->side.values, p->value) : 0;
        if (number) gw_map_set(&s->copies.values, p->value, number);
    }
}

/* A member that the kernel leaves as it was given. */
static bool is_given_cell(const stores *s, gw_op load) {
    const gw_func *f = s->w->f;
    const gw_object o = gw_op_at(f, load)->object;
    bool given = gw_object_at(f, o)->kind == GW_OBJECT_STRUCT && gw_map_get(&s->side.objects, o) &&
                 !gw_cell_behind_pointer(f, o, gw_op_at(f, load)->path);
    for (gw_op op = 1; op < f->ops.count && given; op++)
        given = gw_op_at(f, op)->dead || gw_op_at(f, op)->object != o || gw_op_at(f, op)->code == GW_OP_LOAD;
    return given;
}

/* v as the host has it; 0: it is not made of what the launch is given alone. */
static gw_value as_given(stores *s, gw_value v) {
    const gw_func *f = s->w->f;
    const gw_op op = gw_value_at(f, v)->op;
    const gw_op_data *o = gw_op_at(f, op);
    const gw_value known = gw_map_get(&s->copies.values, v);
    if (known || !op) return known;
    const bool is_load = o->code == GW_OP_LOAD && is_given_cell(s, op),
               is_size = o->code == GW_OP_SPECIAL && o->attr / 4 >= GW_BLOCK_DIM;
    const bool is_made = !o->regions && gw_op_rows[o->code].effect == GW_EFFECT_PURE;
    if (!is_load && !is_size && (!is_made || o->code == GW_OP_SPECIAL)) return 0;
    for (uint32_t i = 0; i < o->operands; i++)
        if (!as_given(s, gw_operand(f, op, i))) return 0;
    if (is_load) gw_map_set(&s->copies.objects, o->object, gw_map_get(&s->side.objects, o->object));
    gw_clone_op(&s->copies, op);
    return gw_map_get(&s->copies.values, v);
}

/* Not less than none. */
static gw_value at_least_none(around *a, gw_value number) {
    return gw_binary(&a->s->b, GW_OP_IMAX, number, gw_int(&a->s->b, GW_T_I64, 0));
}

/* ---- conditions ---- */
/* small < large, or <= */
static bool pass_comparison(around *a, gw_region r, gw_value small, gw_value large, bool equal) {
    gw_poly number, bound;
    if (!exactly(a, r, small, &number) || !exactly(a, r, large, &bound) ||
        !gw_poly_is_of_host(a->s->w->n, &bound))
        return false;
    if (gw_poly_is_of_host(a->s->w->n, &number)) {
        gw_builder *b = &a->s->b;
        only_where(a, gw_binary(b, equal ? GW_OP_LE : GW_OP_LT, on_host(a->s, b, &number),
                                on_host(a->s, b, &bound)));
        return true;
    }
    const source *from = take_source(a, &number);
    if (!from || !gw_poly_is_of_host(a->s->w->n, &from->size)) return false;
    if (equal) gw_poly_add_constant(&bound, 1);
    const gw_value most = on_host(a->s, &a->s->b, &from->size),
                   through = at_least_none(a, on_host(a->s, &a->s->b, &bound));
    multiply(a, gw_binary(&a->s->b, GW_OP_IMIN, through, most));
    return true;
}

static bool pass_condition(around *a, gw_region r, gw_value v, bool truth);

/* "c && d" and "c || d" are branches: one side yields what would not go on. */
static bool pass_choice(around *a, gw_region r, gw_value v, bool truth) {
    const gw_func *f = a->s->w->f;
    const gw_op branch = gw_value_at(f, v)->op;
    const gw_op_data *o = gw_op_at(f, branch);
    for (uint32_t side = 0; side < 2; side++) {
        const gw_region other = o->region[1 - side];
        int64_t number;
        if (!gw_const_int(f, gw_yielded(f, o->region[side], gw_value_at(f, v)->index), &number)) continue;
        if ((number != 0) == truth) continue;
        return pass_condition(a, r, gw_operand(f, branch, 0), side == 1) &&
               pass_condition(a, other, gw_yielded(f, other, gw_value_at(f, v)->index), truth);
    }
    return false;
}

/* The condition has this truth in all threads that go on. */
static bool pass_condition(around *a, gw_region r, gw_value v, bool truth) {
    const gw_func *f = a->s->w->f;
    const gw_op op = gw_value_at(f, v)->op;
    const gw_op_data *o = gw_op_at(f, op);
    if (!op || o->operands < 1) return false;
    const gw_value x = gw_operand(f, op, 0), y = o->operands > 1 ? gw_operand(f, op, 1) : 0;
    switch (o->code) {
    case GW_OP_IF:
        return pass_choice(a, r, v, truth);
    case GW_OP_NOT:
        return pass_condition(a, r, x, !truth);
    case GW_OP_AND:
    case GW_OP_OR:
        return gw_typeof(f, v) == GW_T_BOOL && truth == (o->code == GW_OP_AND) &&
               pass_condition(a, r, x, truth) && pass_condition(a, r, y, truth);
    case GW_OP_LT:
    case GW_OP_GE:
        return (o->code == GW_OP_LT) == truth ? pass_comparison(a, r, x, y, false)
                                              : pass_comparison(a, r, y, x, true);
    case GW_OP_GT:
    case GW_OP_LE:
        return (o->code == GW_OP_GT) == truth ? pass_comparison(a, r, y, x, false)
                                              : pass_comparison(a, r, x, y, true);
    default:
        return false;
    }
}

static bool pass_branch(around *a, gw_op branch, bool yes) {
    const around before = *a;
    const gw_value v = gw_operand(a->s->w->f, branch, 0);
    if (pass_condition(a, gw_op_at(a->s->w->f, branch)->parent, v, yes)) return true;
    *a = before;
    const gw_value holds = as_given(a->s, v);
    if (holds) only_where(a, yes ? holds : gw_unary(&a->s->b, GW_OP_NOT, holds));
    return holds != 0;
}

/* ---- loops ---- */
static bool pass_loop(around *a, gw_op loop) {
    const gw_func *f = a->s->w->f;
    const gw_op_data *o = gw_op_at(f, loop);
    gw_builder *b = &a->s->b;
    gw_poly from, to, step;
    int64_t by;
    if (o->code != GW_OP_FOR || (o->flags & GW_OP_EXIT) || (o->attr != GW_OP_LT && o->attr != GW_OP_LE))
        return false;
    if (!exactly(a, o->parent, gw_operand(f, loop, 0), &from) ||
        !exactly(a, o->parent, gw_operand(f, loop, 1), &to) ||
        !exactly(a, o->parent, gw_operand(f, loop, 2), &step) || !gw_poly_is_of_host(a->s->w->n, &to))
        return false;
    if (o->attr == GW_OP_LE) gw_poly_add_constant(&to, 1);
    if (gw_poly_is_of_host(a->s->w->n, &from)) {
        if (!gw_poly_is_constant(&step, &by) || by < 1) return false;
        gw_poly_add(&to, -1, NULL, &from);
        gw_poly_add_constant(&to, by - 1);
        multiply(a, at_least_none(a, gw_binary(b, GW_OP_DIV, on_host(a->s, b, &to), gw_int(b, GW_T_I64, by))));
        return true;
    }
    const source *all = take_source(a, &from);
    if (!all || !gw_poly_equal(&all->size, &step)) return false;
    multiply(a, at_least_none(a, on_host(a->s, b, &to)));
    return true;
}

/* ---- a store ---- */
/* Digits that nothing asks about, and which have more than one value. */
static void multiply_rest(around *a) {
    static const struct {
        unsigned digit;
        uint16_t size;
        uint32_t coordinate; /* gw_meeting's */
    } whole[] = {{Y, GW_SPECIAL_ATTR(GW_BLOCK_DIM, 1), 2},
                 {Z, GW_SPECIAL_ATTR(GW_BLOCK_DIM, 2), 4},
                 {BLOCK_X, GW_SPECIAL_ATTR(GW_GRID_DIM, 0), 8},
                 {BLOCK_Y, GW_SPECIAL_ATTR(GW_GRID_DIM, 1), 16},
                 {BLOCK_Z, GW_SPECIAL_ATTR(GW_GRID_DIM, 2), 32}};
    const gw_ownership *w = a->s->w;
    const unsigned rest = a->digits & (X_HIGH | X_LOW);
    gw_poly size;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        if (!(a->digits & whole[i].digit) || (gw_assumed_lengths(whole[i].coordinate) & w->assumed)) continue;
        gw_poly_special(w->n, whole[i].size, &size);
        multiply(a, on_host(a->s, &a->s->b, &size));
    }
    for (uint32_t i = 0; rest && i < a->s->count; i++) {
        if (a->s->sources[i].digits != rest) continue;
        multiply(a, on_host(a->s, &a->s->b, &a->s->sources[i].size));
        return;
    }
}

/* How often it is executed at least; 0 where that is not known. */
static gw_value executions(stores *s, gw_op store) {
    const gw_func *f = s->w->f;
    const gw_value none = gw_int(&s->b, GW_T_I64, 0);
    around a = {.s = s, .digits = DIGITS, .number = gw_int(&s->b, GW_T_I64, 1)};
    gw_op in = store;
    for (gw_op at = gw_op_around(f, store); at; in = at, at = gw_op_around(f, at)) {
        const gw_op_data *o = gw_op_at(f, at);
        const bool yes = gw_op_at(f, in)->parent == o->region[0];
        bool known = false;
        if (o->code == GW_OP_IF)
            known = pass_branch(&a, at, yes);
        else if (gw_is_loop(f, at))
            known = pass_loop(&a, at);
        if (!known) return none;
    }
    multiply_rest(&a);
    return a.number;
}

/* ---- an object ---- */
/* The numbers in an element of the array, all of them floating-point numbers; 0: it has others. */
static uint32_t numbers_in(const gw_func *f, const gw_fresh *a) {
    const gw_session *s = f->session;
    gw_type t = gw_object_at(f, a->param->object)->type;
    char *path = gw_format("%s[]", a->member);
    if (*a->member) t = gw_type_at_path(s, t, path);
    free(path);
    const gw_type_data *d = &s->types.at[t];
    const bool is_number = d->kind == GW_TYPE_SCALAR;
    if (is_number) return gw_type_is_float(gw_type_of_value(t));
    uint32_t bytes = 0;
    for (uint32_t i = 0; d->kind == GW_TYPE_STRUCT && i < d->count; i++) {
        const gw_type of = s->fields.at[d->first + i].type;
        if (s->types.at[of].kind != GW_TYPE_SCALAR || !gw_type_is_float(gw_type_of_value(of))) return 0;
        bytes += gw_type_bytes(of);
    }
    return d->kind == GW_TYPE_STRUCT && bytes && bytes == d->layout.size ? d->count : 0;
}

static bool is_none(const stores *s, gw_value number) {
    int64_t n;
    return gw_const_int(s->b.f, number, &n) && !n;
}

/* As many as there are of that number of an element which has the fewest. */
static gw_value elements_stored(stores *s, const gw_fresh *a) {
    const gw_func *f = s->w->f;
    gw_str paths[PATHS_MOST];
    gw_value fewest = 0;
    uint32_t count = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool seen = o->code != GW_OP_STORE || !gw_is_of_fresh(f, op, a);
        for (uint32_t i = 0; i < count && !seen; i++)
            seen = paths[i] == o->path;
        if (seen) continue;
        if (count == PATHS_MOST || gw_index_count(f, op) != 1) return gw_int(&s->b, GW_T_I64, 0);
        paths[count++] = o->path;
    }
    for (uint32_t i = 0; i < count; i++) {
        gw_value of = gw_int(&s->b, GW_T_I64, 0);
        for (gw_op op = 1; op < f->ops.count; op++) {
            const gw_op_data *o = gw_op_at(f, op);
            const bool is_store = o->code == GW_OP_STORE && gw_is_of_fresh(f, op, a);
            if (is_store && o->path == paths[i]) of = gw_binary(&s->b, GW_OP_ADD, of, executions(s, op));
        }
        if (is_none(s, of)) return of;
        fewest = fewest ? gw_binary(&s->b, GW_OP_IMIN, fewest, of) : of;
    }
    const bool all = count && count == numbers_in(f, a);
    return all ? fewest : gw_int(&s->b, GW_T_I64, 0);
}

void gw_ownership_count_stored(gw_ownership *w, const gw_fresh *list, const bool *counts, uint32_t count) {
    stores s = {.w = w};
    GW_VEC(gw_value) results = {0};
    gw_func *made = gw_host_side_new(&s.side, w->n, GW_FORM_STORED);
    s.b = (gw_builder){.f = made, .region = made->entry, .loc = w->f->loc};
    start_copies(&s);
    for (uint32_t i = 0; i < count; i++) {
        gw_value number = gw_int(&s.b, GW_T_I64, 0);
        find_sources(&s);
        if (counts[i]) number = elements_stored(&s, &list[i]);
        gw_push(&results, gw_cast(&s.b, GW_T_U64, number));
    }
    gw_emit(&s.b, GW_OP_RET, GW_T_VOID, 0, results.at, results.count);
    gw_vec_free(&results);
    gw_map_free(&s.copies.values);
    gw_map_free(&s.copies.objects);
    gw_host_side_end(&s.side);
    gw_clean(made); /* several adjoints ask for the same numbers */
}
