/*
 * calls/amounts.c - numbers of bytes as polynomials (contract: amounts_private.h).
 */
#include "rewriters/calls/amounts_private.h"

#include <stdlib.h>
#include <string.h>

void gw_amounts_begin(gw_amounts *a, const gw_func *f) {
    *a = (gw_amounts){.f = f};
    gw_push(&a->unknowns, ((gw_unknown){.name = 0}));
}

void gw_amounts_free(gw_amounts *a) {
    for (uint32_t i = 0; i < a->unknowns.count; i++)
        free(a->unknowns.at[i].text), free(a->unknowns.at[i].why);
    gw_vec_free(&a->unknowns);
}

/* ---- unknowns ---- */

/* What parameters say has no value and no region. */
static bool is_same(const gw_unknown *u, const gw_unknown *other) {
    return u->name == other->name && u->value == other->value && u->region == other->region;
}

/* Takes `why`; another one of the same name gets a number. */
static void add_unknown(gw_amounts *a, gw_unknown u, gw_poly *out) {
    uint32_t i = 1, others = 0;
    for (; i < a->unknowns.count && !is_same(&u, &a->unknowns.at[i]); i++)
        others += a->unknowns.at[i].name == u.name;
    if (i < a->unknowns.count) {
        free(u.why);
    } else {
        const char *name = gw_cstr(a->f->session, u.name);
        u.text = others ? gw_format("%s'%u", name, others + 1) : gw_strdup(name);
        gw_push(&a->unknowns, u);
    }
    gw_poly_atom(out, (gw_atom)i);
}

void gw_amount_named(gw_amounts *a, const char *text, const char *why, gw_region region, gw_poly *out) {
    add_unknown(a,
                (gw_unknown){.name = gw_intern(a->f->session, text),
                             .why = why ? gw_strdup(why) : NULL,
                             .region = region},
                out);
}

/* The parameter of the text that the value is, or that the object belongs to; its number + 1. */
static uint32_t param_of(const gw_func *f, gw_value v, gw_object object) {
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (gw_param_is_hidden(p) || p->is_vector) continue;
        if ((v && p->value == v) || (object && p->object == object)) return i + 1;
    }
    return 0;
}

void gw_amount_bytes(gw_amounts *a, const char *text, const char *why, gw_value given, gw_poly *out) {
    add_unknown(a,
                (gw_unknown){.name = gw_intern(a->f->session, text),
                             .why = gw_strdup(why),
                             .param = param_of(a->f, given, 0),
                             .is_bytes = true},
                out);
}

/* A parameter of the text, or a member of one that nobody writes. */
static bool is_given(const gw_func *f, gw_value v) {
    const gw_value_data *d = gw_value_at(f, v);
    if (!d->op) return d->region == f->entry;
    const gw_op_data *o = gw_op_at(f, d->op);
    if (o->code != GW_OP_LOAD || gw_object_at(f, o->object)->kind != GW_OBJECT_STRUCT) return false;
    for (gw_op op = gw_first(f, f->entry); op; op = gw_next(f, op))
        if (gw_touches(f, op, o->object, GW_TOUCH_WRITE)) return false;
    return gw_index_count(f, d->op) == 0;
}

static void opaque(gw_amounts *a, gw_value v, gw_poly *out) {
    const gw_func *f = a->f;
    const gw_value_data *d = gw_value_at(f, v);
    const gw_op loop = d->op ? 0 : gw_region_at(f, d->region)->parent;
    const gw_op made = d->op ? d->op : loop;
    gw_unknown u = {.value = v};
    gw_text text = {0};
    const bool given = is_given(f, v), plain = gw_index_text(f, v, &text) && text.count;
    if (!plain) {
        gw_text_free(&text);
        gw_text_addf(&text, "value(%u)", gw_op_at(f, made)->loc.line);
    }
    u.name = gw_intern(f->session, text.at);
    gw_text_free(&text);
    if (!given) {
        u.region = gw_value_region(f, v);
        u.why = gw_format("known when the program runs (line %u)", gw_op_at(f, made)->loc.line);
    }
    if (given) u.value = 0;
    if (given && plain) {
        u.param = param_of(f, v, d->op ? gw_op_at(f, d->op)->object : 0);
        u.path = d->op ? gw_op_at(f, d->op)->path : 0;
    }
    const bool is_index = loop && gw_op_at(f, loop)->code == GW_OP_FOR && d->index == 0;
    if (is_index) u.loop = loop;
    add_unknown(a, u, out);
}

/* ---- values ---- */

static void of(gw_amounts *a, gw_value v, int depth, gw_poly *out);

/* "((n + 31) / 32)", which is as known as what it is made of. */
static void quotient(gw_amounts *a, gw_value v, const gw_poly *p, const gw_poly *by, gw_poly *out) {
    int64_t divisor, number;
    if (gw_poly_is_constant(by, &divisor) && divisor > 0) {
        bool exact = true;
        for (uint32_t i = 0; i < p->count; i++)
            exact = exact && p->term[i].coefficient % divisor == 0;
        *out = *p;
        for (uint32_t i = 0; exact && i < p->count; i++)
            out->term[i].coefficient /= divisor;
        if (exact) return;
        if (gw_poly_is_constant(p, &number)) {
            gw_poly_constant(out, number / divisor);
            return;
        }
    }
    gw_text top = {0}, bottom = {0};
    gw_amount_text(a, p, &top), gw_amount_text(a, by, &bottom);
    const char *const forms[2][2] = {{"(%s / %s)", "(%s / (%s))"}, {"((%s) / %s)", "((%s) / (%s))"}};
    const bool long_top = p->count != 1 || p->term[0].factors != 1, long_bottom = by->count != 1;
    char *name = gw_format(forms[long_top][long_bottom], top.at, bottom.at);
    gw_unknown u = {.name = gw_intern(a->f->session, name), .parts = *p, .top = *p, .bottom = *by};
    free(name);
    gw_poly_add(&u.parts, 1, NULL, by);
    for (uint32_t i = 1; i < a->unknowns.count; i++) {
        const gw_unknown *in = &a->unknowns.at[i];
        if ((gw_amount_has(p, i) || gw_amount_has(by, i)) && in->region &&
            (!u.region || gw_region_inside(a->f, in->region, u.region)))
            u.region = in->region;
    }
    if (u.region) u.value = v;
    gw_text_free(&top), gw_text_free(&bottom);
    add_unknown(a, u, out);
}

/* At most: the lesser of two is one of them; that it is not negative goes without saying. */
static void least(gw_amounts *a, gw_value v, const gw_poly *x, const gw_poly *y, gw_poly *out) {
    int64_t number;
    opaque(a, v, out);
    gw_atom made;
    if (!gw_poly_is_atom(out, &made)) return;
    gw_unknown *u = &a->unknowns.at[made];
    u->bounded = true;
    u->most = gw_poly_is_constant(y, &number) ? *y : *x;
}

static void binary(gw_amounts *a, gw_value v, gw_op op, int depth, gw_poly *out) {
    gw_poly x, y, product;
    int64_t shift, number;
    of(a, gw_operand(a->f, op, 0), depth, &x);
    of(a, gw_operand(a->f, op, 1), depth, &y);
    switch (gw_op_at(a->f, op)->code) {
    case GW_OP_ADD:
    case GW_OP_SUB:
        *out = x;
        gw_poly_add(out, gw_op_at(a->f, op)->code == GW_OP_ADD ? 1 : -1, NULL, &y);
        return;
    case GW_OP_MUL:
        gw_poly_multiply(&product, &x, &y);
        *out = product;
        return;
    case GW_OP_SHL:
        if (!gw_const_int(a->f, gw_operand(a->f, op, 1), &shift) || shift < 0 || shift > 40) break;
        *out = x;
        gw_poly_scale(out, INT64_C(1) << shift);
        return;
    case GW_OP_DIV:
        quotient(a, v, &x, &y, out);
        return;
    case GW_OP_IMAX: /* with 0 as a count has it */
        if (gw_poly_is_constant(&y, &number) && number <= 0) {
            *out = x;
            return;
        }
        if (gw_poly_is_constant(&x, &number) && number <= 0) {
            *out = y;
            return;
        }
        break;
    case GW_OP_IMIN:
        least(a, v, &x, &y, out);
        return;
    default:
        break;
    }
    opaque(a, v, out);
}

enum { DEPTH_MOST = 24 };

static void of(gw_amounts *a, gw_value v, int depth, gw_poly *out) {
    const gw_op op = gw_value_at(a->f, v)->op;
    int64_t number;
    if (gw_const_int(a->f, v, &number)) {
        gw_poly_constant(out, number);
    } else if (!op || depth == DEPTH_MOST || !gw_type_is_integer(gw_typeof(a->f, v))) {
        opaque(a, v, out);
    } else if (gw_op_at(a->f, op)->code == GW_OP_CAST &&
               gw_type_is_integer(gw_typeof(a->f, gw_operand(a->f, op, 0)))) {
        of(a, gw_operand(a->f, op, 0), depth + 1, out);
    } else if (gw_op_at(a->f, op)->operands == 2 &&
               gw_op_rows[gw_op_at(a->f, op)->code].effect == GW_EFFECT_PURE) {
        binary(a, v, op, depth + 1, out);
    } else {
        opaque(a, v, out);
    }
    if (out->broken) opaque(a, v, out);
}

void gw_amount_of(gw_amounts *a, gw_value v, gw_poly *out) { of(a, v, 0, out); }

/* ---- bounds ---- */

void gw_amount_most(gw_poly *a, const gw_poly *b) {
    gw_poly made = {.broken = a->broken || b->broken};
    for (int side = 0; side < 2; side++) {
        const gw_poly *p = side ? b : a, *other = side ? a : b;
        for (uint32_t i = 0; i < p->count && !made.broken; i++) {
            gw_term t = p->term[i];
            int64_t there = 0;
            for (uint32_t k = 0; k < other->count; k++)
                if (other->term[k].factors == t.factors &&
                    memcmp(other->term[k].factor, t.factor, t.factors * sizeof *t.factor) == 0)
                    there = other->term[k].coefficient;
            const bool same = there != 0;
            if (side && same) continue; /* met from the first */
            if (there > t.coefficient) t.coefficient = there;
            if (same || t.coefficient > 0) gw_poly_add_term(&made, &t);
        }
    }
    *a = made;
}

void gw_amount_add(gw_poly *a, const gw_poly *b) { gw_poly_add(a, 1, NULL, b); }

bool gw_amount_has(const gw_poly *p, uint32_t unknown) {
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->term[i].factors; k++)
            if (p->term[i].factor[k] == unknown) return true;
    return false;
}

bool gw_amount_hangs_on(const gw_amounts *a, const gw_poly *p, uint32_t unknown) {
    bool found = gw_amount_has(p, unknown);
    for (uint32_t i = unknown + 1; i < a->unknowns.count && !found; i++) /* parts are older */
        found = gw_amount_has(&a->unknowns.at[i].parts, unknown) && gw_amount_hangs_on(a, p, i);
    return found;
}

/* What stands for an unknown: itself, or its greatest or least value. */
typedef struct stand_in {
    bool replaced;
    gw_poly most, least;
} stand_in;

/* At most p, with stand-ins by number of the unknown. */
static void replace(gw_poly *p, const stand_in *by) {
    gw_poly out = {.broken = p->broken};
    for (uint32_t i = 0; i < p->count && !out.broken; i++) {
        const gw_term *t = &p->term[i];
        gw_poly product, next;
        gw_poly_constant(&product, t->coefficient);
        for (uint32_t k = 0; k < t->factors; k++) {
            const stand_in *s = &by[t->factor[k]];
            gw_poly factor;
            if (s->replaced)
                factor = t->coefficient > 0 ? s->most : s->least;
            else
                gw_poly_atom(&factor, t->factor[k]);
            gw_poly_multiply(&next, &product, &factor);
            product = next;
        }
        gw_poly_add(&out, 1, NULL, &product);
    }
    *p = out;
}

static void settle(const gw_amounts *a, gw_poly *p) {
    stand_in *by = gw_alloc(a->unknowns.count * sizeof *by);
    bool any = false;
    for (uint32_t i = 1; i < a->unknowns.count; i++) {
        if (!a->unknowns.at[i].bounded || !gw_amount_has(p, i)) continue;
        by[i] = (stand_in){.replaced = any = true, .most = a->unknowns.at[i].most};
    }
    if (any) replace(p, by);
    free(by);
    if (any) settle(a, p); /* bounds are of what was there before */
}

static void times(gw_amounts *a, gw_op loop, gw_poly *out) {
    const gw_func *f = a->f;
    uint32_t on_line = 0; /* loops before it on the same line */
    for (gw_op op = 1; op < loop; op++)
        on_line += !gw_op_at(f, op)->dead && gw_is_loop(f, op) &&
                   gw_op_at(f, op)->loc.line == gw_op_at(f, loop)->loc.line;
    const uint32_t line = gw_op_at(f, loop)->loc.line;
    char *text = on_line ? gw_format("times(%u.%u)", line, on_line + 1) : gw_format("times(%u)", line),
         *why = gw_format("how often the loop of line %u runs at most, counted when the program runs", line);
    gw_amount_named(a, text, why, gw_op_at(f, loop)->parent, out);
    free(text), free(why);
}

void gw_amount_trips(gw_amounts *a, gw_op loop, gw_poly *out) {
    const gw_func *f = a->f;
    const gw_op_data *o = gw_op_at(f, loop);
    const int64_t step = o->code == GW_OP_FOR ? gw_loop_step(f, loop) : 0;
    if (!step || o->attr == GW_OP_EQ) {
        times(a, loop, out);
        return;
    }
    gw_poly low, by;
    const bool down = step < 0, with_end = o->attr == GW_OP_LE || o->attr == GW_OP_GE;
    gw_amount_of(a, gw_operand(f, loop, down), &low);
    gw_amount_of(a, gw_operand(f, loop, !down), out);
    gw_poly_add(out, -1, NULL, &low);
    settle(a, out);
    const int64_t each = down ? -step : step;
    gw_poly_add_constant(out, (with_end ? 1 : 0) + (each - 1));
    gw_poly_constant(&by, each);
    gw_poly top = *out;
    if (each > 1) quotient(a, 0, &top, &by, out);
    if (out->broken) times(a, loop, out);
}

void gw_amount_leave(gw_amounts *a, gw_op loop, gw_poly *p) {
    const gw_func *f = a->f;
    settle(a, p);
    stand_in *by = gw_alloc(a->unknowns.count * sizeof *by);
    for (uint32_t i = 1; i < a->unknowns.count; i++) {
        const gw_unknown *u = &a->unknowns.at[i];
        if (!u->region || !gw_amount_has(p, i)) continue;
        if (!gw_region_inside(f, u->region, gw_loop_body(f, loop))) continue;
        by[i].replaced = true;
        gw_poly_atom(&by[i].most, (gw_atom)i); /* the greatest that it is there */
        if (u->loop != loop || !gw_loop_step(f, loop)) continue;
        const bool down = gw_loop_step(f, loop) < 0;
        gw_amount_of(a, gw_operand(f, loop, down), &by[i].least);
        gw_amount_of(a, gw_operand(f, loop, !down), &by[i].most);
        if (!down && gw_op_at(f, loop)->attr != GW_OP_LE) gw_poly_add_constant(&by[i].most, -1);
    }
    replace(p, by);
    free(by);
    settle(a, p);
}

void gw_amount_each(gw_amounts *a, gw_op op, gw_poly *p) {
    for (gw_op loop = gw_loop_around(a->f, op); loop; loop = gw_loop_around(a->f, loop)) {
        gw_poly trips, product;
        gw_amount_trips(a, loop, &trips);
        gw_amount_leave(a, loop, p);
        gw_poly_multiply(&product, p, &trips);
        *p = product;
    }
}

/* ---- text ---- */

static void add_term(const gw_amounts *a, const gw_term *t, bool first, gw_text *out) {
    const int64_t c = t->coefficient;
    if (first)
        gw_text_add(out, c < 0 ? "-" : "");
    else
        gw_text_add(out, c < 0 ? " - " : " + ");
    const uint64_t size = c < 0 ? 0 - (uint64_t)c : (uint64_t)c;
    const bool shown = size != 1 || !t->factors;
    if (shown) gw_text_addf(out, "%llu", (unsigned long long)size);
    for (uint32_t i = 0; i < t->factors; i++)
        gw_text_addf(out, "%s%s", shown || i ? " * " : "", a->unknowns.at[t->factor[i]].text);
}

void gw_amount_text(const gw_amounts *a, const gw_poly *p, gw_text *out) {
    if (p->broken) {
        gw_text_add(out, "too long to be written");
        return;
    }
    if (!p->count) gw_text_add(out, "0");
    for (uint32_t i = 0; i < p->count; i++)
        add_term(a, &p->term[i], i == 0, out);
}
