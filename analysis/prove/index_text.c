/*
 * index_text.c - integer values, references and polynomials as a user would write them (contract:
 * prove.h). For reports only: no decision depends on it.
 */
#include "analysis/ir/query.h"
#include "analysis/prove/prove.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 8, TIGHTEST = 9 };

static const char *const special_text[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

static void special(uint32_t attr, gw_text *out) {
    gw_text_addf(out, "%s.%c", special_text[attr / 4], "xyz?"[attr % 4]);
}

/* How tightly an op's text binds: 0 needs brackets everywhere. */
static int tightness(gw_opcode code) {
    switch (code) {
    case GW_OP_MUL:
    case GW_OP_DIV:
    case GW_OP_REM:
        return 5;
    case GW_OP_ADD:
    case GW_OP_SUB:
        return 4;
    case GW_OP_SHL:
    case GW_OP_SHR:
        return 3;
    default:
        return gw_op_rows[code].spelling == GW_SPELLED_INFIX ? 1 : TIGHTEST;
    }
}

/* What is written, and whether all of it is: no "...", and no value that a condition chooses. */
typedef struct spelling {
    gw_text *out;
    bool plain;
    bool spelled;  /* an index is what it is computed by, whatever its name */
    bool distinct; /* so is what has a name that another number has */
} spelling;

static void value(const gw_func *f, gw_value v, int around, int depth, spelling *s);

static void skip(spelling *s) {
    gw_text_add(s->out, "...");
    s->plain = false;
}

static void list(const gw_func *f, gw_op op, int depth, spelling *s) {
    gw_text_add(s->out, "(");
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
        gw_text_add(s->out, i ? ", " : "");
        value(f, gw_operand(f, op, i), 0, depth, s);
    }
    gw_text_add(s->out, ")");
}

static void made(const gw_func *f, gw_value v, int around, int depth, spelling *s);

/* What is chosen, or carried by a loop, has its name alone; the index of a loop of the host too. */
static bool is_computed(const gw_func *f, gw_value v) {
    const gw_op op = gw_value_at(f, v)->op;
    if (v == f->iteration) return false;
    return op && gw_op_rows[gw_op_at(f, op)->code].effect == GW_EFFECT_PURE;
}

/* Both are computed alike, of what has the same names: v, and what v is in the reverse of a loop. */
static bool is_alike(const gw_func *f, gw_value v, gw_value w, int depth) {
    if (gw_same_number(f, v, w)) return true;
    if (!is_computed(f, v) || !is_computed(f, w) || !depth)
        return gw_value_at(f, v)->name && gw_value_at(f, v)->name == gw_value_at(f, w)->name;
    const gw_op a = gw_value_at(f, v)->op, b = gw_value_at(f, w)->op;
    const gw_op_data *x = gw_op_at(f, a), *y = gw_op_at(f, b);
    bool alike = x->code == y->code && x->attr == y->attr && x->operands == y->operands && !x->object &&
                 x->imm.i == y->imm.i;
    for (uint32_t i = 0; i < x->operands && alike; i++)
        alike = is_alike(f, gw_operand(f, a, i), gw_operand(f, b, i), depth - 1);
    return alike;
}

/* It has a variable in the text. */
static bool is_used_again(const gw_func *f, gw_value v) {
    uint32_t uses = 0;
    for (gw_op op = 1; op < f->ops.count && uses < 2; op++)
        for (uint32_t i = 0; !gw_op_at(f, op)->dead && i < gw_op_at(f, op)->operands; i++)
            uses += gw_operand(f, op, i) == v;
    return uses > 1;
}

/* A number that is not this one has the name, as the results of a helper have, and parameters of inlined
 * functions: of several the first variable has it in the text. */
static bool has_name_of_another(const gw_func *f, gw_value v) {
    const bool is_variable = is_used_again(f, v);
    for (gw_value w = 1; w < (is_variable ? v : f->values.count); w++) {
        const gw_op op = gw_value_at(f, w)->op;
        if (gw_value_at(f, w)->name != gw_value_at(f, v)->name || (op && gw_op_at(f, op)->dead)) continue;
        if (!is_alike(f, v, w, DEPTH_MOST)) return true;
    }
    return false;
}

static void index_value(const gw_func *f, gw_value v, int depth, spelling *s) {
    if (s->spelled && is_computed(f, v) && depth > 0)
        made(f, v, 0, depth - 1, s);
    else
        value(f, v, 0, depth, s);
}

static void reference(const gw_func *f, gw_op op, gw_str name, int depth, spelling *s) {
    uint32_t index = 0, count = gw_index_count(f, op);
    gw_text_add(s->out, gw_cstr(f->session, name));
    for (const char *p = gw_cstr(f->session, gw_op_at(f, op)->path); *p; p++) {
        if (p[0] == '[' && p[1] == ']' && index < count) {
            gw_text_add(s->out, "[");
            index_value(f, gw_operand(f, op, index++), depth, s);
        } else {
            gw_text_add_char(s->out, *p);
        }
    }
}

/* The op's template, $0 $1 $2 replaced; the right operand binds tighter than the left. */
static void from_template(const gw_func *f, gw_op op, int depth, spelling *s) {
    gw_opcode code = (gw_opcode)gw_op_at(f, op)->code;
    int tight = tightness(code);
    for (const char *p = gw_op_rows[code].c_text; *p; p++) {
        if (*p != '$') {
            gw_text_add_char(s->out, *p);
            continue;
        }
        uint32_t i = (uint32_t)(*++p - '0');
        value(f, gw_operand(f, op, i), tight + (i > 0), depth, s);
    }
}

static bool shows_cast(const gw_func *f, gw_op op) {
    gw_type from = gw_typeof(f, gw_operand(f, op, 0)), to = gw_typeof(f, gw_result(f, op, 0));
    return gw_type_is_float(from) || gw_type_bits(to) < gw_type_bits(from);
}

static void made(const gw_func *f, gw_value v, int around, int depth, spelling *s) {
    gw_op op = gw_value_at(f, v)->op;
    const gw_op_data *o = gw_op_at(f, op);
    gw_opcode code = (gw_opcode)o->code;
    bool visible = code != GW_OP_CAST || shows_cast(f, op);
    bool bracket = tightness(code) < around && gw_op_rows[code].spelling == GW_SPELLED_INFIX;
    if (code == GW_OP_CONST && !gw_type_is_float(gw_typeof(f, v)))
        gw_text_addf(s->out, "%lld", (long long)o->imm.i);
    else if (code == GW_OP_SPECIAL)
        special(o->attr, s->out);
    else if (code == GW_OP_LOAD)
        reference(f, op, gw_object_at(f, o->object)->name, depth, s);
    else if (code == GW_OP_CAST) {
        if (visible) gw_text_addf(s->out, "(%s)", gw_type_c(f->session, gw_typeof(f, v)));
        value(f, gw_operand(f, op, 0), visible ? TIGHTEST : around, depth, s);
    } else if (gw_op_rows[code].spelling == GW_SPELLED_INFIX) {
        gw_text_add(s->out, bracket ? "(" : "");
        s->plain &= code != GW_OP_SELECT;
        from_template(f, op, depth, s);
        gw_text_add(s->out, bracket ? ")" : "");
    } else if (gw_op_rows[code].effect == GW_EFFECT_PURE && o->operands) {
        const char *name = gw_op_rows[code].text;
        if (code == GW_OP_IMIN) name = "min";
        if (code == GW_OP_IMAX) name = "max";
        gw_text_add(s->out, name);
        list(f, op, depth, s);
    } else
        skip(s);
}

static void value(const gw_func *f, gw_value v, int around, int depth, spelling *s) {
    const gw_value_data *d = gw_value_at(f, v);
    if (d->name && !(s->distinct && depth > 0 && is_computed(f, v) && has_name_of_another(f, v)))
        gw_text_add(s->out, gw_cstr(f->session, d->name));
    else if (d->op && depth > 0)
        made(f, v, around, depth - 1, s);
    else
        skip(s);
}

bool gw_index_text(const gw_func *f, gw_value v, gw_text *out) {
    spelling s = {.out = out, .plain = true};
    value(f, v, 0, DEPTH_MOST, &s);
    return s.plain;
}

void gw_reference_text(const gw_func *f, gw_op op, gw_str name, gw_text *out) {
    spelling s = {.out = out, .plain = true};
    reference(f, op, name, DEPTH_MOST, &s);
}

void gw_reference_distinct(const gw_func *f, gw_op op, gw_str name, gw_text *out) {
    spelling s = {.out = out, .plain = true, .distinct = true};
    reference(f, op, name, DEPTH_MOST, &s);
}

void gw_reference_spelled(const gw_func *f, gw_op op, gw_str name, gw_text *out) {
    spelling s = {.out = out, .plain = true, .spelled = true, .distinct = true};
    reference(f, op, name, DEPTH_MOST, &s);
}

/* ---- polynomials ---- */
static void atom(const gw_normal *n, gw_atom a, gw_text *out) {
    const gw_atom_data *d = gw_atom_at(n, a);
    if (d->kind == GW_ATOM_PART) {
        gw_text_add(out, "(");
        gw_poly_text(n, &n->keys.at[d->first_key], out);
        gw_text_addf(out, " / %u)", d->more);
    } else if (d->kind == GW_ATOM_SPECIAL) {
        special(d->detail, out);
    } else if (d->kind == GW_ATOM_TRIP) {
        gw_text_add(out, "iteration");
    } else if (d->kind == GW_ATOM_QUOTIENT) {
        gw_text_add(out, "((");
        gw_poly_text(n, &n->keys.at[d->first_key], out);
        gw_text_add(out, ") / (");
        gw_poly_text(n, &n->keys.at[d->first_key + 1], out);
        gw_text_add(out, "))");
    } else {
        value(n->f, d->value, TIGHTEST, DEPTH_MOST, &(spelling){.out = out, .plain = true});
    }
}

/* Thread-varying factors first, then launch dimensions with the grid's before the block's, then others. */
static int place_of(const gw_normal *n, gw_atom a) {
    const gw_atom_data *d = gw_atom_at(n, a);
    if (!d->uniform) return 0;
    return d->kind == GW_ATOM_SPECIAL ? 32 - a : 64;
}

static void factors(const gw_normal *n, const gw_term *t, bool product, gw_text *out) {
    for (int at = 0; at <= 64; at++)
        for (uint32_t i = 0; i < t->factors; i++) {
            if (place_of(n, t->factor[i]) != at) continue;
            gw_text_add(out, product ? " * " : "");
            atom(n, t->factor[i], out);
            product = true;
        }
}

static void term(const gw_normal *n, const gw_term *t, bool first, gw_text *out) {
    int64_t c = t->coefficient;
    if (first)
        gw_text_add(out, c < 0 ? "-" : "");
    else
        gw_text_add(out, c < 0 ? " - " : " + ");
    uint64_t size = c < 0 ? 0 - (uint64_t)c : (uint64_t)c;
    if (size != 1 || t->factors == 0) gw_text_addf(out, "%llu", (unsigned long long)size);
    factors(n, t, size != 1, out);
}

void gw_poly_text(const gw_normal *n, const gw_poly *p, gw_text *out) {
    if (p->count == 0) gw_text_add(out, "0");
    for (uint32_t i = 0; i < p->count; i++)
        term(n, &p->term[i], i == 0, out);
}
