/*
 * bits.c - integers that are only moved, and are the bits of numbers, become these numbers, so that derivatives
 * go along: uint4 v = c ? from[i] : zeros, and arrays and shared memory of such.
 *
 * Values that are joined by what moves them (branches, selections, loops, conversions of the sign, cells of
 * local and shared memory) are one group. Where all of a group comes from the bits of numbers and from
 * constants, and something of it becomes a number again, it is a group of numbers; what else asks for one of
 * its integers gets the bits. That is sound because bits and numbers are one to one. A group with a constant
 * that is no finite number stays one of integers.
 */
#include "analysis/clean/clean.h"

#include "analysis/ir/query.h"
#include "analysis/ir/restructure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Members are values by their numbers, then objects. What is said of a group is said of its leader. */
typedef struct groups {
    gw_func *f;
    GW_VEC(gw_object) cells;
    uint32_t values, *leader;
    bool *is_other, *has_bits, *is_number;
} groups;

/* What the bits of an integer of this type are of, or GW_T_VOID. */
static gw_type number_of(gw_type type) {
    if (type == GW_T_U32 || type == GW_T_I32) return GW_T_F32;
    return type == GW_T_U64 || type == GW_T_I64 ? GW_T_F64 : GW_T_VOID;
}

/* ---- what a value begins with ---- */
static bool same_width(const gw_func *f, gw_value a, gw_value b) {
    const gw_type number = number_of(gw_typeof(f, a));
    return number != GW_T_VOID && number == number_of(gw_typeof(f, b));
}

/* The number whose bits the value is; 0: it is not made so. */
static gw_value number_behind(const gw_func *f, gw_value v) {
    const gw_op op = gw_made_by(f, v, GW_OP_BITS), cast = gw_made_by(f, v, GW_OP_CAST);
    if (cast && same_width(f, v, gw_operand(f, cast, 0))) return number_behind(f, gw_operand(f, cast, 0));
    const gw_value x = op ? gw_operand(f, op, 0) : 0;
    return x && gw_typeof(f, x) == number_of(gw_typeof(f, v)) ? x : 0;
}

static bool constant_number(const gw_func *f, gw_value v, double *number) {
    int64_t n;
    float single;
    if (!gw_const_int(f, v, &n)) return false;
    const uint32_t low = (uint32_t)n;
    if (number_of(gw_typeof(f, v)) == GW_T_F64) memcpy(number, &n, sizeof n);
    else memcpy(&single, &low, sizeof single), *number = (double)single;
    return isfinite(*number);
}

/* ---- members ---- */
static uint32_t cell_of(const groups *g, gw_op op) {
    const gw_object object = gw_op_at(g->f, op)->object;
    for (uint32_t i = 0; object && i < g->cells.count; i++)
        if (g->cells.at[i] == object) return g->values + i;
    return 0;
}

static bool is_row_of_integers(const gw_func *f, gw_object object, gw_str path) {
    const char *text = gw_cstr(f->session, path);
    const gw_object_data *d = gw_object_at(f, object);
    const bool is_carved = d->kind == GW_OBJECT_SHARED && d->sized;
    return gw_object_is_inner(d->kind) && !is_carved && !d->in_step && *text &&
           strspn(text, "[]") == strlen(text) && number_of(gw_cell_type(f, object, path)) != GW_T_VOID;
}

/* Objects that are only loaded from and stored to. */
static void find_cells(groups *g) {
    gw_func *f = g->f;
    bool *is_other = gw_alloc(f->objects.count), *is_used = gw_alloc(f->objects.count);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE;
        if (o->dead || !o->object || o->code == GW_OP_DECLARE) continue;
        is_used[o->object] = true;
        is_other[o->object] |= !access || !is_row_of_integers(f, o->object, o->path);
    }
    for (gw_object o = 1; o < f->objects.count; o++)
        if (is_used[o] && !is_other[o]) gw_push(&g->cells, o);
    free(is_other), free(is_used);
}

static bool moves(const groups *g, gw_op op, uint32_t result) {
    const gw_func *f = g->f;
    const gw_value v = gw_result(f, op, result);
    if (number_of(gw_typeof(f, v)) == GW_T_VOID) return false;
    switch (gw_op_at(f, op)->code) {
    case GW_OP_CAST: return same_width(f, v, gw_operand(f, op, 0)) && !number_behind(f, v);
    case GW_OP_LOAD: return cell_of(g, op) != 0;
    case GW_OP_SELECT:
    case GW_OP_IF:
    case GW_OP_FOR:
    case GW_OP_WHILE: return true;
    default: return false;
    }
}

static void find_members(groups *g) {
    gw_func *f = g->f;
    const uint32_t count = g->values + g->cells.count;
    g->leader = gw_alloc(count * sizeof *g->leader);
    g->is_other = gw_alloc(count), g->has_bits = gw_alloc(count), g->is_number = gw_alloc(count);
    for (uint32_t i = 0; i < count; i++)
        g->leader[i] = i, g->is_other[i] = i < g->values;
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->dead) continue;
        for (uint32_t i = 0; i < gw_op_at(f, op)->results; i++) {
            if (!moves(g, op, i)) continue;
            g->is_other[gw_result(f, op, i)] = false;
            if (!gw_is_loop(f, op)) continue;
            g->is_other[gw_loop_arg(f, op, i)] = false;
            if (gw_op_at(f, op)->code == GW_OP_WHILE)
                g->is_other[gw_arg(f, gw_op_at(f, op)->region[0], i)] = false;
        }
    }
}

/* ---- groups ---- */
static uint32_t leader(const groups *g, uint32_t member) {
    while (g->leader[member] != member)
        member = g->leader[member] = g->leader[g->leader[member]];
    return member;
}

static void join(groups *g, uint32_t a, uint32_t b) {
    a = leader(g, a), b = leader(g, b);
    g->leader[b] = a;
    g->is_other[a] |= g->is_other[b];
    g->has_bits[a] |= g->has_bits[b];
    g->is_number[a] |= g->is_number[b];
}

/* What a yield's operand becomes a result of. */
static uint32_t yielded_to(const gw_func *f, gw_op yield, uint32_t operand) {
    const gw_region r = gw_op_at(f, yield)->parent;
    const gw_op around = gw_region_at(f, r)->parent;
    const bool is_loop = around && gw_is_loop(f, around);
    const uint32_t first = is_loop ? gw_loop_first_yield(f, around) : 0;
    if (!around || (is_loop && r != gw_loop_body(f, around)) || operand < first) return 0;
    return operand - first < gw_op_at(f, around)->results ? gw_result(f, around, operand - first) : 0;
}

/* The member that an operand is moved to; 0: to none. */
static uint32_t goes_to(const groups *g, gw_op op, uint32_t operand) {
    const gw_func *f = g->f;
    uint32_t to = 0;
    switch (gw_op_at(f, op)->code) {
    case GW_OP_SELECT: to = operand ? gw_op_at(f, op)->first_result : 0; break;
    case GW_OP_CAST: to = gw_op_at(f, op)->first_result; break;
    case GW_OP_STORE: to = operand == gw_index_count(f, op) ? cell_of(g, op) : 0; break;
    case GW_OP_FOR:
    case GW_OP_WHILE:
        if (operand < gw_loop_first_init(f, op)) break;
        to = gw_result(f, op, operand - gw_loop_first_init(f, op));
        break;
    case GW_OP_YIELD: to = yielded_to(f, op, operand); break;
    default: break;
    }
    return to < g->values && (!to || !moves(g, gw_value_at(f, to)->op, gw_value_at(f, to)->index)) ? 0 : to;
}

static void find_groups(groups *g) {
    const gw_func *f = g->f;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        double number;
        if (o->dead) continue;
        for (uint32_t i = 0; i < o->operands; i++) {
            const gw_value v = gw_operand(f, op, i);
            const uint32_t to = goes_to(g, op, i);
            if (to && number_behind(f, v)) g->has_bits[leader(g, to)] = true;
            else if (to && !constant_number(f, v, &number)) join(g, to, v);
        }
        if (o->code == GW_OP_LOAD && cell_of(g, op)) join(g, cell_of(g, op), o->first_result);
        if (o->code == GW_OP_BITS && gw_type_is_float(gw_typeof(f, o->first_result)))
            g->is_number[leader(g, gw_operand(f, op, 0))] = true;
        for (uint32_t i = 0; gw_is_loop(f, op) && i < gw_loop_carried(f, op); i++) {
            join(g, gw_result(f, op, i), gw_loop_arg(f, op, i));
            if (o->code == GW_OP_WHILE) join(g, gw_result(f, op, i), gw_arg(f, o->region[0], i));
        }
    }
}

/* ---- as numbers ---- */
static bool is_meant(const groups *g, uint32_t member) {
    member = leader(g, member);
    return !g->is_other[member] && g->has_bits[member] && g->is_number[member];
}

/* What comes to a member, as a number in front of the builder's place. */
static gw_value as_number(const groups *g, gw_builder *b, gw_value v) {
    double number;
    const gw_value behind = number_behind(g->f, v);
    if (behind) return behind;
    if (constant_number(g->f, v, &number)) return gw_real(b, number_of(gw_typeof(g->f, v)), number);
    return v;
}

/* A member, as the integer that somebody asks for. */
static gw_value as_integer(const groups *g, gw_builder *b, gw_value v) {
    const gw_type type = gw_typeof(g->f, v);
    const gw_value bits = gw_pure(b, GW_OP_BITS, type == GW_T_U64 ? GW_T_I64 : type, 0, &v, 1);
    return type == GW_T_U64 ? gw_pure(b, GW_OP_CAST, type, 0, &bits, 1) : bits;
}

static void rewrite(groups *g, gw_op op, gw_value_map *gone) {
    gw_func *f = g->f;
    const gw_op_data o = *gw_op_at(f, op);
    gw_builder b = {f, o.parent, op, o.loc};
    const bool is_copy = o.code == GW_OP_CAST && is_meant(g, o.first_result) && goes_to(g, op, 0);
    for (uint32_t i = 0; i < o.operands; i++) {
        const gw_value v = gw_operand(f, op, i);
        const uint32_t to = goes_to(g, op, i);
        const bool is_member = v < g->values && is_meant(g, v);
        const bool is_back =
            is_member && o.code == GW_OP_BITS && gw_type_is_float(gw_typeof(f, o.first_result));
        if (is_back || is_copy) gw_map_set(gone, o.first_result, is_back ? v : as_number(g, &b, v));
        else if (to && is_meant(g, to)) gw_set_operand(f, op, i, as_number(g, &b, v));
        else if (is_member) gw_set_operand(f, op, i, as_integer(g, &b, v));
    }
}

static gw_type row_of(gw_session *s, gw_type type) {
    const gw_type_data d = s->types.at[type];
    return d.kind == GW_TYPE_ARRAY ? gw_type_array(s, row_of(s, d.element), d.count) : number_of(type);
}

static void make_numbers(groups *g) {
    gw_func *f = g->f;
    gw_value_map gone = {0};
    const uint32_t ops = f->ops.count;
    for (gw_op op = 1; op < ops; op++)
        if (!gw_op_at(f, op)->dead) rewrite(g, op, &gone);
    for (gw_value v = 1; v < g->values; v++)
        if (is_meant(g, v)) gw_value_at(f, v)->type = number_of(gw_typeof(f, v));
    for (uint32_t i = 0; i < g->cells.count; i++) {
        gw_object_data *d = gw_object_at(f, g->cells.at[i]);
        if (is_meant(g, g->values + i)) d->type = row_of(f->session, d->type);
    }
    for (gw_op op = 1; op < ops; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->results == 1 && gw_map_get(&gone, o->first_result)) gw_op_remove(f, op);
    }
    gw_replace_many(f, &gone);
    gw_map_free(&gone);
}

bool gw_numbers_for_bits(gw_func *f) {
    groups g = {.f = f, .values = f->values.count};
    bool any = false;
    find_cells(&g);
    find_members(&g);
    find_groups(&g);
    for (uint32_t i = 1; i < g.values && !any; i++)
        any = is_meant(&g, i);
    if (any) make_numbers(&g);
    gw_vec_free(&g.cells);
    free(g.leader), free(g.is_other), free(g.has_bits), free(g.is_number);
    return any;
}
