/*
 * pack.c - adjoints of several arrays in one array of records, as GW_PACK asks (contract: accumulate.h).
 *
 * In the reverse of `mean[i].x * color[3 * i + 1]`, what is added to element i of each array goes to one
 * record,
 *
 *     d_mean[i].x += a, d_color[3 * i + 1] += b     ->     d_pack[8 * i] += a, d_pack[8 * i + 3] += b
 *
 * so that lanes which hold sums of neighbours write neighbours, with one instruction. The launch function
 * clears the records before, and adds them to the arrays behind (emit/kernel/pack.c).
 *
 * Requires ownership's decisions, and keeps them: (element, float of it) -> float of a record is one to one, so
 * threads meet in a record's cell where they met in the array's, and nowhere else. Each access of the arrays is
 * an addition, at k*i + c with 0 <= c < k where the elements are single floats, in arithmetic that does not
 * wrap around (signed, or of 64 bits); i is computed on in 64 bits. Sound, because what the caller sees is the
 * sum of all additions in the end: nothing reads the arrays meanwhile.
 *
 * The type of an array of single floats does not say which floats are an element, and the caller gives as many
 * records as there are elements. So the arrays are read at the same i, compared as polynomials
 * (prove.h), up to constants: in `mean[q].x * color[3 * q + k]` nothing else says that 3 * q + k is not
 * an element. Where no array tells how long its elements are, an i that looks like `3 * q + k` itself is
 * refused, and so is a single array, whose records would be of one float.
 *
 * A record is as long as a power of two up to 32 floats, so that it lies within one line of the cache; longer
 * ones are multiples of 4.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "rewriters/accumulate/accumulate.h"

#include "analysis/clean/clean.h"
#include "analysis/prove/prove.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FLOATS = 1024, LINE = 32 };

static const char other_index[] = "its index is not k*i + c with a constant k and 0 <= c < k";

/* The elements of an array that additions reach, as polynomials without their constants, each once. */
typedef struct elements {
    GW_VEC(gw_poly) at;
    GW_VEC(gw_op) add; /* the first addition to each */
    bool of_one_float; /* by its type they could be longer */
} elements;

/* An element and the float of it that an addition reaches. */
typedef struct place {
    gw_value element;
    uint32_t of, at; /* floats of an element; which */
} place;

uint32_t gw_pack_floats_of(const gw_session *s, gw_type type) {
    const gw_type_data *d = &s->types.at[type];
    if (type == GW_T_F32) return 1;
    if (d->kind != GW_TYPE_STRUCT) return 0;
    for (uint32_t i = 0; i < d->count; i++)
        if (s->fields.at[d->first + i].type != GW_T_F32) return 0;
    return d->count;
}

static bool refuse(const gw_func *f, const gw_packed *p, gw_loc loc, const char *why) {
    gw_diag(f->session, GW_DIAG_CANNOT_PACK, loc.line ? loc : p->loc, gw_cstr(f->session, p->name), why);
    return false;
}

/* ---- where an addition goes ---- */
static bool is_exact(gw_type type) {
    return gw_type_is_integer(type) && (gw_type_is_signed(type) || gw_type_bits(type) == 64);
}

/* The other operand of an op with a constant one; 0 if there is none. */
static gw_value beside_constant(const gw_func *f, gw_op op, int64_t *constant) {
    for (uint32_t i = 0; i < 2; i++)
        if (gw_const_int(f, gw_operand(f, op, i), constant)) return gw_operand(f, op, 1 - i);
    return 0;
}

/* v without what widens it and without constants that are added, which *plus gets. */
static gw_value peel(const gw_func *f, gw_value v, int64_t *plus) {
    for (gw_op op = gw_value_at(f, v)->op; op; op = gw_value_at(f, v)->op) {
        const gw_op_data *o = gw_op_at(f, op);
        int64_t constant;
        gw_value inner = o->code == GW_OP_CAST ? gw_operand(f, op, 0) : 0;
        if (inner && (!is_exact(gw_typeof(f, inner)) ||
                      gw_type_bits(gw_typeof(f, inner)) > gw_type_bits(gw_typeof(f, v))))
            return v;
        if (o->code == GW_OP_ADD && is_exact(gw_typeof(f, v))) {
            inner = beside_constant(f, op, &constant);
            if (inner) *plus += constant;
        }
        if (!inner) return v;
        v = inner;
    }
    return v;
}

/* k*i + c; an array of single floats that is read at any index is k = 1. */
static bool find_in_floats(const gw_func *f, gw_value index, place *out) {
    int64_t plus = 0, factor = 0;
    gw_value base = peel(f, index, &plus);
    gw_op op = gw_value_at(f, base)->op;
    gw_value element = op && gw_op_at(f, op)->code == GW_OP_MUL && is_exact(gw_typeof(f, base))
                           ? beside_constant(f, op, &factor)
                           : 0;
    *out = (place){.element = index, .of = 1};
    if (!element || factor < 2 || factor > MOST_FLOATS) return true;
    *out = (place){element, (uint32_t)factor, (uint32_t)plus};
    return plus >= 0 && plus < factor;
}

static bool find_in_fields(const gw_func *f, gw_op add, gw_type type, place *out) {
    const gw_session *s = f->session;
    const gw_type_data *d = &s->types.at[type];
    const char *path = gw_cstr(s, gw_op_at(f, add)->path);
    *out = (place){.element = gw_operand(f, add, 0), .of = d->count};
    if (gw_index_count(f, add) != 1 || strncmp(path, "[].", 3) != 0) return false;
    while (out->at < d->count && strcmp(gw_cstr(s, s->fields.at[d->first + out->at].name), path + 3) != 0)
        out->at++;
    return out->at < d->count && is_exact(gw_typeof(f, out->element));
}

static bool find_place(const gw_func *f, gw_op add, place *out) {
    gw_type type = gw_object_at(f, gw_op_at(f, add)->object)->type;
    if (type != GW_T_F32) return find_in_fields(f, add, type, out);
    return strcmp(gw_cstr(f->session, gw_op_at(f, add)->path), "[]") == 0 &&
           find_in_floats(f, gw_operand(f, add, 0), out) && is_exact(gw_typeof(f, out->element));
}

/* ---- what is asked ---- */
/* The primal's parameter is a pointer: of a number or a reference there is one cell, whatever the number of
 * records. */
static bool is_pointer(const gw_func *primal, gw_str name) {
    for (uint32_t i = 0; i < primal->params.count; i++) {
        const gw_param *p = &primal->params.at[i];
        if (p->name != name) continue;
        return p->object && gw_object_at(primal, p->object)->kind == GW_OBJECT_POINTER &&
               !gw_object_at(primal, p->object)->is_reference;
    }
    return false;
}

/* The adjoint of the parameter that the mark names; 0 if the request has none. */
static gw_object adjoint_of(const gw_func *f, gw_str name) {
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (p->is_adjoint && p->primal_index < f->primal->params.count &&
            f->primal->params.at[p->primal_index].name == name)
            return p->object;
    }
    return 0;
}

/* Each access of the array is an addition that has a place, with elements of one length. */
static bool fits(gw_func *f, gw_packed *p) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        place at;
        if (o->dead || o->object != p->object) continue;
        if (o->code != GW_OP_ACCUM) return refuse(f, p, o->loc, "its adjoint is not only added to");
        if (!find_place(f, op, &at) || (p->floats && p->floats != at.of))
            return refuse(f, p, o->loc, other_index);
        p->floats = at.of;
    }
    return p->floats || refuse(f, p, p->loc, "the gradient adds nothing to its adjoint");
}

static bool find(gw_func *f, const gw_packed *mark) {
    gw_packed p = {.name = mark->name, .loc = mark->loc, .object = adjoint_of(f, mark->name)};
    const gw_session *s = f->session;
    if (!p.object) return refuse(f, &p, p.loc, "the request has no adjoint of it");
    const gw_object_data *d = gw_object_at(f, p.object);
    if (!is_pointer(f->primal, p.name) || !gw_pack_floats_of(s, d->type))
        return refuse(f, &p, p.loc, "it is no array of floats, or of structs of floats");
    for (uint32_t i = 0; i < f->primal->asked.count; i++)
        if (f->primal->asked.at[i].name == p.name)
            return refuse(f, &p, p.loc, "GW_ACCUMULATE asks for a rung of it alone");
    if (!fits(f, &p)) return false;
    for (uint32_t i = 0; i < f->packed.count; i++) p.first += f->packed.at[i].floats;
    gw_push(&f->packed, p);
    return true;
}

/* ---- one element for all ---- */
static void drop_constant(gw_poly *p) {
    for (uint32_t i = 0; i < p->count; i++)
        if (!p->term[i].factors) gw_poly_add_constant(p, -p->term[i].coefficient);
}

static bool has(const elements *list, const gw_poly *p) {
    for (uint32_t i = 0; i < list->at.count; i++)
        if (gw_poly_equal(&list->at.at[i], p)) return true;
    return false;
}

static void find_elements(gw_normal *n, const gw_packed *p, elements *out) {
    const gw_func *f = n->f;
    out->of_one_float = gw_object_at(f, p->object)->type == GW_T_F32 && p->floats == 1;
    for (gw_op op = 1; op < f->ops.count; op++) {
        place at;
        gw_number element;
        if (gw_op_at(f, op)->dead || gw_op_at(f, op)->object != p->object) continue;
        find_place(f, op, &at);
        gw_normal_exact(n, gw_normal_context(n, gw_op_at(f, op)->parent), at.element, &element);
        drop_constant(&element.poly);
        if (has(out, &element.poly)) continue;
        gw_push(&out->at, element.poly);
        gw_push(&out->add, op);
    }
}

/* 3*q + k, of which it is not known whether 3*q is the first float of an element. */
static bool may_be_within(const gw_poly *p) {
    for (uint32_t i = 0; i < p->count; i++)
        if (p->term[i].coefficient < -1 || p->term[i].coefficient > 1) return true;
    return p->broken;
}

/* All elements of a are elements of b. */
static bool is_read_beside(const gw_func *f, uint32_t a, uint32_t b, const elements *lists) {
    for (uint32_t i = 0; i < lists[a].at.count; i++) {
        if (has(&lists[b], &lists[a].at.at[i])) continue;
        char *why =
            gw_format("'%s' is not read at the same i, of k*i + c", gw_cstr(f->session, f->packed.at[b].name));
        refuse(f, &f->packed.at[a], gw_op_at(f, lists[a].add.at[i])->loc, why);
        free(why);
        return false;
    }
    return true;
}

static bool tell_elements(const gw_func *f, const elements *lists) {
    bool told = false;
    for (uint32_t i = 0; i < f->packed.count; i++)
        told |= !lists[i].of_one_float;
    for (uint32_t i = 1; i < f->packed.count; i++)
        if (!is_read_beside(f, i, 0, lists) || !is_read_beside(f, 0, i, lists)) return false;
    if (told) return true;
    if (f->packed.count == 1)
        return refuse(f, &f->packed.at[0], f->packed.at[0].loc, "a record would be one float");
    for (uint32_t i = 0; i < lists[0].at.count; i++)
        if (may_be_within(&lists[0].at.at[i]))
            return refuse(f, &f->packed.at[0], gw_op_at(f, lists[0].add.at[i])->loc, other_index);
    return true;
}

static bool have_one_element(gw_func *f) {
    elements *lists = gw_alloc(f->packed.count * sizeof *lists);
    gw_normal *n = gw_normal_new(f);
    n->unassuming = true;
    for (uint32_t i = 0; i < f->packed.count; i++)
        find_elements(n, &f->packed.at[i], &lists[i]);
    bool good = tell_elements(f, lists);
    for (uint32_t i = 0; i < f->packed.count; i++) {
        gw_vec_free(&lists[i].at);
        gw_vec_free(&lists[i].add);
    }
    gw_normal_free(n);
    free(lists);
    return good;
}

static uint32_t stride_of(uint32_t floats) {
    uint32_t power = 4;
    while (power < floats) power *= 2;
    return power <= LINE ? power : (floats + 3) / 4 * 4;
}

/* ---- doing it ---- */
/* Behind the adjoints; the halves of a split gradient have two parameters behind those. */
static void add_parameter(gw_func *f) {
    gw_session *s = f->session;
    gw_param p = {
        .name = gw_intern(s, "d_pack"), .is_adjoint = true, .primal_index = UINT32_MAX, .loc = f->loc};
    p.type_text = gw_intern(s, "float *");
    p.object = f->pack = gw_object_new(f, GW_OBJECT_POINTER, p.name, GW_T_F32);
    gw_push(&f->params, p);
    for (uint32_t i = f->params.count - 1, end = gw_is_split(f) ? i - GW_SPLIT_HALVES : i; i > end; i--) {
        f->params.at[i] = f->params.at[i - 1];
        f->params.at[i - 1] = p;
    }
    gw_names_settle(f);
}

static void move(gw_func *f, const gw_packed *p, gw_op add) {
    place at;
    find_place(f, add, &at);
    uint32_t last = gw_op_at(f, add)->operands - 1;
    gw_builder b = {f, gw_op_at(f, add)->parent, add, gw_op_at(f, add)->loc};
    gw_value record =
        gw_binary(&b, GW_OP_MUL, gw_int(&b, GW_T_I64, f->pack_stride), gw_cast(&b, GW_T_I64, at.element));
    gw_value operands[] = {gw_binary(&b, GW_OP_ADD, record, gw_int(&b, GW_T_I64, p->first + at.at)),
                           gw_operand(f, add, last)};
    gw_op_set_operands(f, add, operands, 2);
    gw_op_at(f, add)->object = f->pack;
    gw_op_at(f, add)->path = gw_intern(f->session, "[]");
}

static bool pack(gw_func *f) {
    const gw_func *primal = f->primal;
    bool good = true;
    uint32_t floats = 0;
    for (uint32_t i = 0; i < primal->packed.count; i++) good &= find(f, &primal->packed.at[i]);
    if (!good || !primal->packed.count) return good;
    if (f->session->requests.at[f->request].launched)
        return refuse(f, &f->packed.at[0], f->packed.at[0].loc,
                      "a program launches the kernel, and has no records");
    if (!have_one_element(f)) return false;
    for (uint32_t i = 0; i < f->packed.count; i++) floats += f->packed.at[i].floats;
    if (floats > MOST_FLOATS)
        return refuse(f, &f->packed.at[0], f->packed.at[0].loc, "the records would be longer than 1024 floats");
    f->pack_stride = stride_of(floats);
    add_parameter(f);
    for (uint32_t i = 0; i < f->packed.count; i++)
        for (gw_op op = 1, count = f->ops.count; op < count; op++)
            if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->object == f->packed.at[i].object)
                move(f, &f->packed.at[i], op);
    gw_cse(f);
    return true;
}

bool gw_pass_pack(gw_run *run) {
    bool good = true;
    for (uint32_t i = 0; i < run->session->funcs.count; i++) {
        gw_func *f = run->session->funcs.at[i];
        if (gw_is_gradient_kernel(f)) good &= pack(f);
    }
    return good;
}
