/*
 * emit/text/expression.c - a value as a C expression (operators with two operands are in emit/text/binary.c).
 *
 * Requires a plan; guarantees that the text has the value and, in an exact context, the type of the IR value;
 * integers narrower than int are truncated by a cast where C's promotion would keep more bits.
 */
#include "analysis/ir/query.h"
#include "analysis/ir/texture.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>

gw_op gw_emit_inline_op(const gw_emitter *e, gw_value v, gw_opcode code) {
    gw_op op = gw_value_at(e->f, v)->op;
    return op && gw_emit_is_inline(&e->plan, v) && gw_op_at(e->f, op)->code == code ? op : 0;
}

char *gw_emit_text(gw_emitter *e, gw_value v, gw_context context, gw_precedence at_least) {
    return gw_piece_text(gw_emit_expression(e, v, context), at_least);
}

/* ---- conversions that the context does by itself ---- */
static bool context_converts(gw_context context, gw_type from, gw_type to) {
    if (from == GW_T_BOOL || to == GW_T_BOOL || context == GW_IN_EXACT) return false;
    if (context == GW_IN_ASSIGN && from == GW_T_F32 && to == GW_T_F64) return true;
    if (!gw_type_is_integer(from) || !gw_type_is_integer(to)) return false;
    if (context == GW_IN_INDEX) return gw_type_bits(to) == 64;
    return gw_type_bits(to) >= gw_type_bits(from);
}

/* Whether `inner` wraps a number around that the wider type behind it, `to`, would hold: the int of an unsigned
 * number, as 64 bits. */
static bool wraps_before(const gw_emitter *e, gw_value inner, gw_type to) {
    const gw_op op = gw_emit_inline_op(e, inner, GW_OP_CAST);
    if (!op) return false;
    const gw_type by = gw_typeof(e->f, inner), from = gw_typeof(e->f, gw_operand(e->f, op, 0));
    if (!gw_type_is_integer(from) || gw_type_is_signed(by) == gw_type_is_signed(from)) return false;
    const bool holds = gw_type_is_signed(by) && gw_type_bits(by) > gw_type_bits(from);
    return !holds && gw_type_bits(to) > gw_type_bits(by);
}

static gw_piece constant(gw_emitter *e, gw_value v, gw_context context) {
    int64_t x;
    bool small = gw_const_int(e->f, v, &x) && x >= -INT32_MAX && x <= INT32_MAX;
    return gw_emit_literal(e, v, context != GW_IN_EXACT && small);
}

static gw_piece prefix(const char *sign, gw_piece p) {
    bool repeated = sign[0] == '-' && p.text.at[0] == '-';
    char *inner = gw_piece_text(p, repeated ? GW_PREC_PRIMARY : GW_PREC_UNARY);
    char *text = gw_format("%s%s", sign, inner);
    free(inner);
    return gw_piece_new(text, GW_PREC_UNARY);
}

static gw_piece cast(gw_emitter *e, gw_op op, gw_context context) {
    gw_value inner = gw_operand(e->f, op, 0);
    gw_type to = gw_typeof(e->f, gw_result(e->f, op, 0)), from = gw_typeof(e->f, inner);
    if (context_converts(context, from, to))
        return gw_emit_expression(e, inner, wraps_before(e, inner, to) ? GW_IN_EXACT : context);
    gw_piece p = gw_emit_expression(e, inner, GW_IN_EXACT);
    if (to == GW_T_BOOL) {
        const char *zero = gw_type_is_float(from) ? "0.0" : "0";
        if (from == GW_T_F32) zero = "0.0f";
        char *text = gw_piece_text(p, GW_PREC_ADD);
        gw_piece test = gw_piece_new(gw_format("%s != %s", text, zero), GW_PREC_EQUAL);
        free(text);
        return test;
    }
    if (gw_type_is_four(to)) {
        char *four = gw_piece_text(p, GW_PREC_SELECT);
        char *converted = gw_format("__builtin_convertvector(%s, %s)", four, gw_emit_type(e, to));
        free(four);
        return gw_piece_new(converted, GW_PREC_PRIMARY);
    }
    char *sign = gw_format("(%s)", gw_emit_type(e, to));
    gw_piece made = prefix(sign, p);
    free(sign);
    return made;
}

/* ---- choices ---- */
static gw_piece both(gw_piece a, const char *sign, gw_piece b, gw_precedence own) {
    char *left = gw_piece_text(a, a.precedence == own ? own : GW_PREC_BITOR);
    char *right = gw_piece_text(b, b.precedence == own ? own : GW_PREC_BITOR);
    char *text = gw_format("%s %s %s", left, sign, right);
    free(left);
    free(right);
    return gw_piece_new(text, own);
}

/* A choice of bools with a constant arm is c && x, c || x and so on. */
static bool logical_choice(gw_emitter *e, gw_value c, gw_value x, gw_value y, gw_piece *out) {
    int64_t k;
    if (gw_typeof(e->f, x) != GW_T_BOOL) return false;
    if (gw_const_int(e->f, x, &k)) {
        gw_piece when = k ? gw_emit_expression(e, c, GW_IN_EXACT) : gw_emit_negation(e, c);
        *out = both(when, k ? "||" : "&&", gw_emit_expression(e, y, GW_IN_EXACT), k ? GW_PREC_OR : GW_PREC_AND);
        return true;
    }
    if (!gw_const_int(e->f, y, &k)) return false;
    gw_piece when = k ? gw_emit_negation(e, c) : gw_emit_expression(e, c, GW_IN_EXACT);
    *out = both(when, k ? "||" : "&&", gw_emit_expression(e, x, GW_IN_EXACT), k ? GW_PREC_OR : GW_PREC_AND);
    return true;
}

/* gcc takes what it has computed of vectors, and such vectors as they are declared, for two types. */
static char *side_of_choice(gw_emitter *e, gw_value v, gw_precedence at_least) {
    const gw_type type = gw_typeof(e->f, v);
    const bool computed = gw_type_is_four(type) && gw_emit_is_inline(&e->plan, v) &&
                          !gw_emit_inline_op(e, v, GW_OP_CONST) && !gw_emit_inline_op(e, v, GW_OP_LOAD);
    char *text = gw_emit_text(e, v, GW_IN_EXACT, computed ? GW_PREC_UNARY : at_least);
    if (!computed) return text;
    char *cast = gw_format("(%s)%s", gw_emit_type(e, type), text);
    free(text);
    return cast;
}

static gw_piece choice(gw_emitter *e, gw_value c, gw_value x, gw_value y) {
    gw_piece short_form;
    if (logical_choice(e, c, x, y, &short_form)) return short_form;
    char *when = gw_emit_text(e, c, GW_IN_EXACT, GW_PREC_OR);
    char *then = side_of_choice(e, x, GW_PREC_OR);
    char *other = side_of_choice(e, y, GW_PREC_SELECT);
    char *text = gw_format("%s ? %s : %s", when, then, other);
    free(when);
    free(then);
    free(other);
    return gw_piece_new(text, GW_PREC_SELECT);
}

static gw_piece minmax(gw_emitter *e, gw_op op, gw_type type) {
    bool least = gw_op_at(e->f, op)->code == GW_OP_IMIN;
    char *a = gw_emit_text(e, gw_operand(e->f, op, 0), GW_IN_EXACT, e->device ? GW_PREC_SELECT : GW_PREC_ADD);
    char *b = gw_emit_text(e, gw_operand(e->f, op, 1), GW_IN_EXACT, e->device ? GW_PREC_SELECT : GW_PREC_ADD);
    const char *size = type == GW_T_I64 ? "ll" : "";
    if (type == GW_T_U64) size = "ull";
    char *text = e->device ? gw_format("%s%s(%s, %s)", size, least ? "min" : "max", a, b)
                           : gw_format("%s %s %s ? %s : %s", a, least ? "<" : ">", b, a, b);
    free(a);
    free(b);
    return gw_piece_new(text, e->device ? GW_PREC_PRIMARY : GW_PREC_SELECT);
}

/* ---- functions and specials ---- */
static gw_piece call(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    char *name = gw_emit_math_name(e, (gw_opcode)o->code, gw_typeof(e->f, gw_operand(e->f, op, 0)),
                                   o->flags & GW_OP_FAST);
    gw_text text = {0};
    bool exchanged = gw_op_is_exchanged((gw_opcode)o->code);
    gw_text_addf(&text, "%s(", name);
    for (uint32_t i = 0; i < o->operands; i++) {
        uint32_t at = exchanged ? 1 - i : i;
        char *arg = gw_emit_text(e, gw_operand(e->f, op, at), GW_IN_EXACT, GW_PREC_SELECT);
        gw_text_addf(&text, "%s%s", i ? ", " : "", arg);
        free(arg);
    }
    bool classifies = gw_op_rows[o->code].typing == GW_TYPING_FREE && e->language == GW_EMIT_C;
    gw_text_add(&text, classifies ? ") != 0" : ")"); /* C's isnan gives any non-zero int */
    free(name);
    return (gw_piece){.text = text, .precedence = classifies ? GW_PREC_EQUAL : GW_PREC_PRIMARY};
}

static gw_piece bits(gw_emitter *e, gw_op op, gw_value v) {
    gw_value x = gw_operand(e->f, op, 0);
    char *text = gw_emit_text(e, x, GW_IN_EXACT, GW_PREC_SELECT);
    char *call = gw_format("%s(%s)", gw_bits_spelling(gw_typeof(e->f, x), gw_typeof(e->f, v)), text);
    free(text);
    return gw_piece_new(call, GW_PREC_PRIMARY);
}

/* tex2D<float4>(image, x, y).w, gw_texture_cell_2d<4>(d_image, corner, x, y) */
static gw_piece texture(gw_emitter *e, gw_op op) {
    static const char *const functions[] = {"slope", "cell", "weight", "read"};
    static const char *const types[] = {"", "float", "float2", "", "float4"};
    const gw_op_data *o = gw_op_at(e->f, op);
    const gw_fetch t = gw_fetch_of(o->attr);
    const gw_texture_row *row = &gw_texture_rows[t.kind];
    const bool fetches = o->code == GW_OP_TEXTURE, slope = o->code == GW_OP_TEXTURE_SLOPE;
    const gw_object shadow = gw_texture_shadow(e->f, gw_operand(e->f, op, 0));
    gw_text text = {0};
    if (fetches) gw_text_add(&text, row->spelling);
    else gw_text_addf(&text, "gw_texture_%s_%s", functions[o->code - GW_OP_TEXTURE_SLOPE], row->suffix);
    if (fetches) gw_text_addf(&text, "<%s>", types[t.channels]);
    if (slope) gw_text_addf(&text, "<%s, %u>", types[t.channels], t.axis);
    if (o->code == GW_OP_TEXTURE_CELL) gw_text_addf(&text, "<%u>", t.channels);
    gw_text_add(&text, "(");
    if (!fetches) gw_text_addf(&text, "%s", gw_cstr(e->session, e->object_name[shadow]));
    if (o->code == GW_OP_TEXTURE_READ) gw_text_addf(&text, ", %u", t.channel);
    for (uint32_t i = !fetches && !slope; i < o->operands; i++) {
        char *arg = gw_emit_text(e, gw_operand(e->f, op, i), GW_IN_EXACT, GW_PREC_SELECT);
        gw_text_addf(&text, "%s%s", i || slope ? ", " : "", arg);
        free(arg);
    }
    gw_text_add(&text, ")");
    if (t.channels > 1 && (fetches || slope)) gw_text_addf(&text, ".%c", "xyzw"[t.channel]);
    return (gw_piece){.text = text, .precedence = GW_PREC_PRIMARY};
}

static gw_piece special(const gw_emitter *e, unsigned attr) {
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const char *name = names[attr / 4];
    if (e->thread && attr / 4 == GW_THREAD_IDX) name = gw_cstr(e->session, e->thread);
    if (e->launch_is_argument && attr / 4 == GW_BLOCK_DIM) name = gw_cstr(e->session, e->block);
    if (e->launch_is_argument && attr / 4 == GW_GRID_DIM) name = gw_cstr(e->session, e->grid);
    return gw_piece_new(gw_format("%s.%c", name, "xyz"[attr % 4]), GW_PREC_PRIMARY);
}

/* ---- bool negation ---- */
static gw_opcode opposite(gw_opcode code, bool is_float) {
    switch (code) {
    case GW_OP_EQ:
        return GW_OP_NE;
    case GW_OP_NE:
        return GW_OP_EQ;
    case GW_OP_LT:
        return is_float ? GW_OP_NONE : GW_OP_GE; /* a NaN is in no order */
    case GW_OP_LE:
        return is_float ? GW_OP_NONE : GW_OP_GT;
    case GW_OP_GT:
        return is_float ? GW_OP_NONE : GW_OP_LE;
    case GW_OP_GE:
        return is_float ? GW_OP_NONE : GW_OP_LT;
    default:
        return GW_OP_NONE;
    }
}

/* Does the negation of v need no "!"? */
static bool negates_well(const gw_emitter *e, gw_value v) {
    gw_op op = gw_value_at(e->f, v)->op;
    if (!op || !gw_emit_is_inline(&e->plan, v)) return false;
    const gw_op_data *o = gw_op_at(e->f, op);
    if (o->code == GW_OP_NOT) return true;
    if (o->code == GW_OP_AND || o->code == GW_OP_OR)
        return negates_well(e, gw_operand(e->f, op, 0)) && negates_well(e, gw_operand(e->f, op, 1));
    bool real = o->operands && gw_type_is_float(gw_typeof(e->f, gw_operand(e->f, op, 0)));
    return opposite((gw_opcode)o->code, real) != GW_OP_NONE;
}

gw_piece gw_emit_negation(gw_emitter *e, gw_value v) {
    gw_op op = gw_value_at(e->f, v)->op;
    if (op && gw_emit_is_inline(&e->plan, v)) {
        const gw_op_data *o = gw_op_at(e->f, op);
        if (o->code == GW_OP_NOT) return gw_emit_expression(e, gw_operand(e->f, op, 0), GW_IN_EXACT);
        if (o->code == GW_OP_CONST)
            return gw_piece_new(gw_strdup(o->imm.i ? "false" : "true"), GW_PREC_PRIMARY);
        bool real = o->operands && gw_type_is_float(gw_typeof(e->f, gw_operand(e->f, op, 0)));
        gw_opcode other = opposite((gw_opcode)o->code, real);
        if (other) return gw_emit_binary(e, op, other);
        if (negates_well(e, v)) { /* !(a && b) is !a || !b */
            bool any = o->code == GW_OP_AND;
            gw_piece a = gw_emit_negation(e, gw_operand(e->f, op, 0)),
                     b = gw_emit_negation(e, gw_operand(e->f, op, 1));
            return both(a, any ? "||" : "&&", b, any ? GW_PREC_OR : GW_PREC_AND);
        }
    }
    gw_piece p = prefix("!", gw_emit_expression(e, v, GW_IN_EXACT));
    p.is_not = true;
    return p;
}

/* ---- any op ---- */
/* Can the result, computed in int, leave the range of its narrower type? */
static bool may_exceed(gw_opcode code) {
    switch (code) {
    case GW_OP_ADD:
    case GW_OP_SUB:
    case GW_OP_MUL:
    case GW_OP_DIV:
    case GW_OP_NEG:
    case GW_OP_NOT:
    case GW_OP_IABS:
    case GW_OP_SHL:
        return true;
    default:
        return false;
    }
}

/* model(adjoint, value, row) */
static gw_piece model(gw_emitter *e, gw_op op) {
    char *adjoint = gw_emit_text(e, gw_operand(e->f, op, 0), GW_IN_EXACT, GW_PREC_ASSIGN),
         *value = gw_emit_text(e, gw_operand(e->f, op, 1), GW_IN_EXACT, GW_PREC_ASSIGN),
         *table = gw_emit_rounding_table_name(e->session, e->f->request),
         *text = gw_format("%s(%s, %s, &%s().rows[%u])", gw_cstr(e->session, gw_op_at(e->f, op)->path), adjoint,
                           value, table, gw_op_at(e->f, op)->attr);
    free(adjoint);
    free(value);
    free(table);
    return gw_piece_new(text, GW_PREC_PRIMARY);
}

static gw_piece exact(gw_emitter *e, gw_op op, gw_value v) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_type type = gw_typeof(e->f, v);
    switch (o->code) {
    case GW_OP_SPECIAL:
        return special(e, o->attr);
    case GW_OP_LOAD:
        return gw_emit_loaded(e, op);
    case GW_OP_DETACH:
    case GW_OP_FOLLOW:
    case GW_OP_ROUNDING:
        return gw_emit_expression(e, gw_operand(e->f, op, 0), GW_IN_EXACT);
    case GW_OP_MODEL:
        return model(e, op);
    case GW_OP_BITS:
        return bits(e, op, v);
    case GW_OP_NEG:
        return prefix("-", gw_emit_expression(e, gw_operand(e->f, op, 0), GW_IN_EXACT));
    case GW_OP_HANDLE:
        return prefix("(long long)", gw_emit_expression(e, gw_operand(e->f, op, 0), GW_IN_EXACT));
    case GW_OP_NOT:
        if (type == GW_T_BOOL) return gw_emit_negation(e, gw_operand(e->f, op, 0));
        return prefix("~", gw_emit_expression(e, gw_operand(e->f, op, 0), GW_IN_EXACT));
    case GW_OP_IMIN:
    case GW_OP_IMAX:
        return minmax(e, op, type);
    case GW_OP_SELECT:
        return choice(e, gw_operand(e->f, op, 0), gw_operand(e->f, op, 1), gw_operand(e->f, op, 2));
    case GW_OP_IF: {
        uint32_t i = gw_value_at(e->f, v)->index;
        return choice(e, gw_operand(e->f, op, 0), gw_yielded(e->f, o->region[0], i),
                      gw_yielded(e->f, o->region[1], i));
    }
    default:
        if (gw_op_is_texture((gw_opcode)o->code)) return texture(e, op);
        if (gw_op_is_function((gw_opcode)o->code)) return call(e, op);
        return gw_emit_binary(e, op, (gw_opcode)o->code);
    }
}

gw_piece gw_emit_operation(gw_emitter *e, gw_value v, gw_context context) {
    gw_op op = gw_value_at(e->f, v)->op;
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_type type = gw_typeof(e->f, v);
    if (o->code == GW_OP_CONST) return constant(e, v, context);
    if (o->code == GW_OP_CAST) return cast(e, op, context);
    gw_piece p = exact(e, op, v);
    bool narrow = gw_type_is_integer(type) && gw_type_bits(type) < 32;
    if (!narrow || !may_exceed((gw_opcode)o->code)) return p;
    char *sign = gw_format("(%s)", gw_emit_type(e, type));
    gw_piece made = prefix(sign, p);
    free(sign);
    return made;
}

gw_piece gw_emit_expression(gw_emitter *e, gw_value v, gw_context context) {
    if (gw_emit_is_inline(&e->plan, v)) return gw_emit_operation(e, v, context);
    gw_str name = e->variable_name[gw_emit_variable(&e->plan, v)];
    return gw_piece_new(gw_strdup(gw_cstr(e->session, name)), GW_PREC_PRIMARY);
}
