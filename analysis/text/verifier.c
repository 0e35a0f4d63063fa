/*
 * verifier.c - the rules of the IR (docs/internals/ir.md states each of them; the error texts are their short
 * forms).
 *
 * Requires nothing. Links are checked first (verifier_links.c), so that everything after it may follow any
 * handle; then objects and parameters; then each op against ops.def and its own rule; then the tape.
 * What passes here is what the passes and the emission take for granted without asking again.
 */
#include "analysis/text/verifier_private.h"

#include "analysis/ir/atomic.h"
#include "analysis/ir/device.h"
#include "analysis/ir/policies.h"
#include "analysis/text/printer_private.h"
#include "analysis/ir/query.h"
#include "analysis/ir/rungs.h"
#include "analysis/ir/texture.h"
#include "analysis/ir/warp.h"
#include "analysis/ir/words.h"
#include "analysis/text/text.h"

#include <string.h>

static gw_type operand_type(const gw_rules *r, gw_op op, uint32_t i) {
    return gw_typeof(r->f, gw_operand(r->f, op, i));
}
static gw_type result_type(const gw_rules *r, gw_op op, uint32_t i) {
    return gw_typeof(r->f, gw_result(r->f, op, i));
}
static const char *type_name(const gw_rules *r, gw_type t) { return gw_type_text(r->f->session, t); }

static bool has_results(gw_rules *r, gw_op op, uint32_t wanted) {
    uint32_t have = gw_op_at(r->f, op)->results;
    return have == wanted || gw_rule_broken(r, op, "it has %u results instead of %u", have, wanted);
}

static bool has_operands(gw_rules *r, gw_op op, uint32_t wanted) {
    uint32_t have = gw_op_at(r->f, op)->operands;
    return have == wanted || gw_rule_broken(r, op, "it has %u operands instead of %u", have, wanted);
}

static bool is_result(gw_rules *r, gw_op op, uint32_t i, gw_type wanted) {
    gw_type have = result_type(r, op, i);
    if (have == wanted) return true;
    return gw_rule_broken(r, op, "result %u is of type %s instead of %s", i, type_name(r, have),
                          type_name(r, wanted));
}

static bool is_operand(gw_rules *r, gw_op op, uint32_t i, gw_type wanted) {
    gw_type have = operand_type(r, op, i);
    if (have == wanted) return true;
    return gw_rule_broken(r, op, "operand %u is of type %s instead of %s", i, type_name(r, have),
                          type_name(r, wanted));
}

static bool is_integer_operand(gw_rules *r, gw_op op, uint32_t i) {
    gw_type have = operand_type(r, op, i);
    return gw_type_is_integer(have) ||
           gw_rule_broken(r, op, "operand %u is of type %s, which is no integer", i, type_name(r, have));
}

/* ---- pure ops ---- */
static bool in_domain(gw_domain domain, gw_type t) {
    switch (domain) {
    case GW_DOMAIN_FLOATS: return gw_type_is_float(t);
    case GW_DOMAIN_INTEGERS: return gw_type_is_integer(t);
    case GW_DOMAIN_NUMBERS: return gw_type_is_integer(t) || gw_type_is_float(t);
    case GW_DOMAIN_BITS: return gw_type_is_integer(t) || t == GW_T_BOOL;
    case GW_DOMAIN_ADDRESS: return t == GW_T_ADDRESS;
    case GW_DOMAIN_ANYTHING: return true;
    default: return false;
    }
}

static bool is_reinterpreted(gw_rules *r, gw_op op) {
    gw_type from = operand_type(r, op, 0), to = gw_typeof(r->f, gw_result(r->f, op, 0));
    if (gw_bits_spelling(from, to)) return true;
    return gw_rule_broken(r, op, "there are no bits of %s as %s", type_name(r, from), type_name(r, to));
}

/* Numbers of four seeds are made by what is linear in them; a factor is a number of the primal. */
static bool check_four(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    const gw_type type = gw_typeof(r->f, gw_result(r->f, op, 0)), one = gw_type_one_of_four(type);
    switch (o->code) {
    case GW_OP_ADD:
    case GW_OP_SUB:
    case GW_OP_USED: return is_operand(r, op, 0, type) && is_operand(r, op, 1, type);
    case GW_OP_NEG: return is_operand(r, op, 0, type);
    case GW_OP_MUL:
        return operand_type(r, op, 0) == one ? is_operand(r, op, 1, type)
                                             : is_operand(r, op, 0, type) && is_operand(r, op, 1, one);
    case GW_OP_DIV: return is_operand(r, op, 0, type) && is_operand(r, op, 1, one);
    default: return gw_rule_broken(r, op, "it is not defined on %s", type_name(r, type));
    }
}

static bool check_pure(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    if (!has_results(r, op, 1)) return false;
    const bool is_free = gw_op_rows[o->code].typing == GW_TYPING_FREE;
    if (!is_free && gw_type_is_four(gw_typeof(r->f, gw_result(r->f, op, 0)))) return check_four(r, op);
    gw_type first = operand_type(r, op, 0);
    if (!in_domain(gw_op_rows[o->code].domain, first))
        return gw_rule_broken(r, op, "it is not defined on %s", type_name(r, first));
    switch (gw_op_rows[o->code].typing) {
    case GW_TYPING_SHIFT:
        return is_integer_operand(r, op, 1) && is_result(r, op, 0, first);
    case GW_TYPING_FREE:
        if (o->code == GW_OP_CAST)
            return gw_type_is_four(first) == gw_type_is_four(gw_typeof(r->f, gw_result(r->f, op, 0))) ||
                   gw_rule_broken(r, op, "four numbers are no one number");
        if (o->code == GW_OP_BITS) return is_reinterpreted(r, op);
        if (o->code != GW_OP_SELECT) return is_result(r, op, 0, GW_T_BOOL);
        return is_operand(r, op, 0, GW_T_BOOL) && is_operand(r, op, 2, operand_type(r, op, 1)) &&
               is_result(r, op, 0, operand_type(r, op, 1));
    default:
        break;
    }
    for (uint32_t i = 1; i < o->operands; i++)
        if (!is_operand(r, op, i, first)) return false;
    gw_typing typing = gw_op_rows[o->code].typing;
    gw_type result = first;
    if (typing == GW_TYPING_BOOL) result = GW_T_BOOL;
    if (typing == GW_TYPING_INT) result = GW_T_I32;
    return is_result(r, op, 0, result);
}

static bool check_constant(gw_rules *r, gw_op op) {
    if (!has_results(r, op, 1)) return false;
    gw_type t = result_type(r, op, 0);
    int64_t value = gw_op_at(r->f, op)->imm.i;
    if (gw_type_is_four(t)) return !value || gw_rule_broken(r, op, "a %s other than 0", type_name(r, t));
    if (gw_type_is_float(t) || gw_type_bits(t) == 64) return true;
    int64_t top = (int64_t)1 << (gw_type_bits(t) - (gw_type_is_signed(t) ? 1 : 0));
    int64_t bottom = gw_type_is_signed(t) ? -top : 0;
    return (value >= bottom && value < top) ||
           gw_rule_broken(r, op, "the value does not fit %s", type_name(r, t));
}

static bool check_special(gw_rules *r, gw_op op) {
    uint16_t attr = gw_op_at(r->f, op)->attr;
    if (attr / 4 >= GW_COUNT_OF(gw_special_words) || attr % 4 > 2)
        return gw_rule_broken(r, op, "no such special value");
    return has_results(r, op, 1) && is_result(r, op, 0, GW_T_U32);
}

/* ---- memory ---- */
static uint32_t count_indices(const char *path) {
    uint32_t n = 0;
    while ((path = strstr(path, "[]")) != NULL)
        n++, path += 2;
    return n;
}

/* Nothing but addresses stands between an address and its call, so that the two happen at one time. */
static bool check_address(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    const char *path = gw_cstr(r->f->session, o->path);
    size_t n = strlen(path);
    gw_op call = gw_next(r->f, op);
    if (n < 2 || strcmp(path + n - 2, "[]") != 0)
        return gw_rule_broken(r, op, "it is the address of no element");
    if (!is_result(r, op, 0, GW_T_U64)) return false;
    while (call && gw_op_at(r->f, call)->code == GW_OP_ADDRESS) call = gw_next(r->f, call);
    for (uint32_t i = 0; call && gw_op_at(r->f, call)->code == GW_OP_CALL && i < gw_op_at(r->f, call)->operands;
         i++)
        if (gw_operand_address(r->f, call, i) == op) return true;
    return gw_rule_broken(r, op, "its call does not follow");
}

static bool is_collected(const gw_func *f, gw_op add);

/* The one thing that is stored to what is asked of a pointer. */
static bool sets_null(const gw_rules *r, gw_op op, uint32_t indices) {
    const gw_op_data *o = gw_op_at(r->f, op);
    int64_t value;
    return o->code == GW_OP_STORE && gw_path_asks_null(gw_cstr(r->f->session, o->path)) &&
           gw_const_int(r->f, gw_operand(r->f, op, indices), &value) && !value;
}

static bool check_access(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    bool load = o->code == GW_OP_LOAD;
    if (!o->object) return gw_rule_broken(r, op, "it names no object");
    const gw_object_data *object = gw_object_at(r->f, o->object);
    if (object->kind == GW_OBJECT_TAPE) return gw_rule_broken(r, op, "a tape is reached by push and pop only");
    gw_type cell = gw_cell_type(r->f, o->object, o->path);
    if (cell == GW_T_VOID || cell >= GW_T_SCALARS)
        return gw_rule_broken(r, op, "the path '%s' reaches no scalar of the object",
                              gw_cstr(r->f->session, o->path));
    uint32_t indices = count_indices(gw_cstr(r->f->session, o->path));
    bool address = o->code == GW_OP_ADDRESS, gives = load || address, atomic = o->code == GW_OP_ATOMIC;
    if (atomic ? !o->attr || o->attr >= GW_ATOMIC_COUNT : o->attr >= GW_ACCUMULATE_COUNT)
        return gw_rule_broken(r, op, "no such way to accumulate: %u", o->attr);
    uint32_t values = atomic ? gw_atomic_rows[o->attr].values : !gives && o->code != GW_OP_SETTLE;
    if (!has_operands(r, op, indices + values)) return false;
    if (atomic && o->results ? !has_results(r, op, 1) || !is_result(r, op, 0, cell)
                             : !has_results(r, op, gives))
        return false;
    for (uint32_t i = 0; i < indices; i++)
        if (operand_type(r, op, i) != GW_T_BOOL && !is_integer_operand(r, op, i)) return false; /* x[a < b] */
    if (address) return check_address(r, op);
    if (load) return is_result(r, op, 0, cell);
    if (gw_path_asks(gw_cstr(r->f->session, o->path)) && !sets_null(r, op, indices))
        return gw_rule_broken(r, op, "a pointer can only be set to null, and a vector's size only be loaded");
    /* The mirror of a struct has its const members, and its cells are written all the same (emission casts). */
    bool mirrored = object->shadow_of && gw_cell_behind_pointer(r->f, o->object, o->path);
    if (!mirrored && gw_cell_is_const(r->f, o->object, o->path))
        return gw_rule_broken(r, op, "the object is const");
    if (o->code == GW_OP_ACCUM && gw_is_collected(o->attr) && !is_collected(r->f, op))
        return gw_rule_broken(r, op, "nothing behind it collects it");
    if (atomic && gw_type_is_float(cell) && gw_atomic_rows[o->attr].floats == '-')
        return gw_rule_broken(r, op, "there is no '%s' of floating-point cells", gw_atomic_rows[o->attr].text);
    if (values == 2 && !is_operand(r, op, indices + 1, cell)) return false;
    if (o->code == GW_OP_ACCUM && !gw_type_is_float(cell) && !gw_type_is_four(cell))
        return gw_rule_broken(r, op, "only floating-point cells accumulate");
    return !values || is_operand(r, op, indices, cell);
}

static bool check_slot(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    gw_object_kind wanted = GW_OBJECT_TAPE;
    if (o->code == GW_OP_DECLARE) wanted = GW_OBJECT_LOCAL;
    if (o->code == GW_OP_CLEAR || o->code == GW_OP_SETTLE_ALL) wanted = GW_OBJECT_SHARED;
    if (!o->object || gw_object_at(r->f, o->object)->kind != wanted)
        return gw_rule_broken(r, op, "it needs a %s object", gw_object_words[wanted]);
    gw_type type = gw_object_at(r->f, o->object)->type;
    if (o->code == GW_OP_DECLARE) {
        uint32_t extents = gw_object_at(r->f, o->object)->sized;
        return has_results(r, op, 0) && has_operands(r, op, extents) &&
               (!extents || is_operand(r, op, 0, GW_T_U64));
    }
    if (wanted == GW_OBJECT_SHARED) return has_results(r, op, 0);
    if (o->code == GW_OP_POP) return has_results(r, op, 1) && is_result(r, op, 0, type);
    return has_results(r, op, 0) && is_operand(r, op, 0, type);
}

static bool check_barrier(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    uint32_t values = o->attr != GW_BARRIER_PLAIN;
    if (o->attr >= GW_COUNT_OF(gw_barrier_words)) return gw_rule_broken(r, op, "no such barrier: %u", o->attr);
    if (r->f->kind != GW_FUNC_KERNEL) return gw_rule_broken(r, op, "it stands in a function that is no kernel");
    if (!has_operands(r, op, values) || !has_results(r, op, values)) return false;
    return !values || (is_operand(r, op, 0, GW_T_I32) && is_result(r, op, 0, GW_T_I32));
}

static bool check_warp(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    if (!o->attr || o->attr >= GW_WARP_COUNT)
        return gw_rule_broken(r, op, "no such operation of a warp: %u", o->attr);
    const gw_warp_row *row = &gw_warp_rows[o->attr];
    gw_type given = GW_T_VOID;
    if (!has_operands(r, op, (uint32_t)strlen(row->operands)) || !has_results(r, op, 1)) return false;
    for (uint32_t i = 0; i < o->operands; i++) {
        char kind = row->operands[i];
        if (kind == 'v') given = operand_type(r, op, i);
        else if (!is_operand(r, op, i, kind == 'i' ? GW_T_I32 : GW_T_U32)) return false;
    }
    return is_result(r, op, 0, gw_warp_result((gw_warp)o->attr, given));
}

/* The object, of one corner its number, the coordinates, the layer. */
static bool check_texture(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    const gw_fetch t = gw_fetch_of(o->attr);
    if (!t.kind || t.kind >= GW_TEXTURE_COUNT) return gw_rule_broken(r, op, "no such texture: %u", o->attr);
    const gw_texture_row *row = &gw_texture_rows[t.kind];
    bool good = (t.channels == 1 || t.channels == 2 || t.channels == 4) && t.channel < t.channels;
    if (!good || t.axis >= row->coordinates)
        return gw_rule_broken(r, op, "no such channel or axis: %u", o->attr);
    const uint32_t corner = o->code == GW_OP_TEXTURE_CELL || o->code == GW_OP_TEXTURE_WEIGHT;
    if (!has_operands(r, op, 1 + corner + row->coordinates + row->is_layered)) return false;
    if (!has_results(r, op, 1) || !is_operand(r, op, 0, GW_T_U64)) return false;
    if (o->code != GW_OP_TEXTURE && !gw_texture_shadow(r->f, gw_operand(r->f, op, 0)))
        return gw_rule_broken(r, op, "its texture is no parameter that has a shadow");
    for (uint32_t i = 1; i < o->operands; i++) {
        const bool number = i <= corner || i > corner + row->coordinates || t.kind == GW_TEXTURE_ELEMENT;
        if (!is_operand(r, op, i, number ? GW_T_I32 : GW_T_F32)) return false;
    }
    return is_result(r, op, 0, o->code == GW_OP_TEXTURE_CELL ? GW_T_I32 : GW_T_F32);
}

static gw_type device_type(char letter) {
    switch (letter) {
    case 'n': return GW_T_U64;
    case 'w':
    case 'i': return GW_T_I32;
    case 'd': return GW_T_U32;
    case 'f': return GW_T_F32;
    default: return GW_T_ADDRESS;
    }
}

/* A kernel, a function with a pullback, a member, a variable. */
static bool names_something(gw_device what) {
    switch (what) {
    case GW_DEVICE_LAUNCH:
    case GW_DEVICE_RULE:
    case GW_DEVICE_LIMIT:
    case GW_DEVICE_SYMBOL:
    case GW_DEVICE_VARIABLE:
    case GW_DEVICE_HANDLE:
    case GW_DEVICE_HANDLE_AT:
    case GW_DEVICE_PROPERTY:
    case GW_DEVICE_BLOCKS:
    case GW_DEVICE_FUNCTION:
    case GW_DEVICE_ASKED:
    case GW_DEVICE_BEST: return true;
    default: return false;
    }
}

static bool check_device(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    if (o->attr >= GW_DEVICE_COUNT) return gw_rule_broken(r, op, "no such call: %u", o->attr);
    const gw_device_row *row = &gw_device_rows[o->attr];
    const bool back = o->flags & GW_OP_BACK,
               launch = o->attr == GW_DEVICE_LAUNCH || o->attr == GW_DEVICE_RULE;
    const char *results = back ? "" : row->results;
    uint32_t count = 0;
    if (r->f->kind != GW_FUNC_HOST) return gw_rule_broken(r, op, "it stands in a function that is no host's");
    if (back && !row->reverses) return gw_rule_broken(r, op, "it has no reverse");
    for (const char *c = row->operands; *c && *c != '*'; c++, count++)
        if (count >= o->operands || !is_operand(r, op, count, device_type(*c))) return false;
    for (const char *c = row->results; back && *c; c++)
        if (*c == 'a' && !is_operand(r, op, count++, GW_T_ADDRESS)) return false;
    const bool may_name = o->attr == GW_DEVICE_SEND || o->attr == GW_DEVICE_FETCH; /* a type of cells */
    if (!may_name && names_something((gw_device)o->attr) != (o->callee != 0))
        return gw_rule_broken(r, op, "a launch, a rule, and what asks of a kernel or a variable, names it");
    if (o->attr == GW_DEVICE_RULE && !gw_rule_find(r->f->session, o->callee))
        return gw_rule_broken(r, op, "what it calls has no pullback");
    if (launch || o->attr == GW_DEVICE_SEND || o->attr == GW_DEVICE_FETCH) return true;
    if (o->attr != GW_DEVICE_ASKED && !has_operands(r, op, count)) return false;
    if (!has_results(r, op, (uint32_t)strlen(results))) return false;
    for (uint32_t i = 0; i < strlen(results); i++)
        if (!is_result(r, op, i, device_type(results[i]))) return false;
    return true;
}

/* It and the additions in front of it, one for each of its flags. */
static bool check_collect(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    if (!gw_is_collected(o->attr))
        return gw_rule_broken(r, op, "no such threads add together: %u", o->attr);
    if (r->f->kind != GW_FUNC_KERNEL) return gw_rule_broken(r, op, "it stands in a function that is no kernel");
    bool rows = gw_accumulates_in_rows(o->attr);
    gw_type first = GW_T_U32;
    if (rows) first = operand_type(r, op, 0) == GW_T_I64 ? GW_T_I64 : GW_T_I32;
    if (!has_results(r, op, 0) || !is_operand(r, op, 0, first)) return false;
    gw_op add = op;
    uint32_t rest = gw_row_operands(o->attr), count = o->operands > 1 + rest ? o->operands - 1 - rest : 0;
    for (uint32_t i = 0; i < rest; i++)
        if (!is_operand(r, op, count + 1 + i, GW_T_I64)) return false;
    for (uint32_t i = 1; i <= count; i++) {
        if (!is_operand(r, op, i, GW_T_BOOL)) return false;
        add = add ? gw_prev(r->f, add) : 0;
        if (!add || gw_op_at(r->f, add)->code != GW_OP_ACCUM || gw_op_at(r->f, add)->attr != o->attr)
            return gw_rule_broken(r, op, "not all that it says of additions stand in front of it");
    }
    return count > 0 || gw_rule_broken(r, op, "it collects nothing");
}

static bool is_collected(const gw_func *f, gw_op add) {
    uint32_t behind = 0;
    for (gw_op op = add; op; op = gw_next(f, op), behind++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->attr != gw_op_at(f, add)->attr) return false;
        if (o->code == GW_OP_COLLECT) return behind <= gw_collected(o->operands, o->attr);
        if (o->code != GW_OP_ACCUM) return false;
    }
    return false;
}

static bool check_reserve(gw_rules *r, gw_op op) {
    if (gw_op_at(r->f, op)->attr == 0) return gw_rule_broken(r, op, "it says 0 bytes");
    return has_results(r, op, 0) && is_operand(r, op, 0, GW_T_U64);
}

/* An operand for each parameter: a value of its type, or an address for what is no scalar. */
static bool check_argument(gw_rules *r, gw_op op, const gw_func *callee, uint32_t i) {
    const gw_param *p = &callee->params.at[i];
    gw_op address = gw_operand_address(r->f, op, i);
    if (p->value)
        return address ? gw_rule_broken(r, op, "operand %u is an address instead of a value", i)
                       : is_operand(r, op, i, gw_typeof(callee, p->value));
    return address || gw_rule_broken(r, op, "operand %u is no address", i);
}

static bool check_call(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    if (!o->callee) return gw_rule_broken(r, op, "it names no function");
    const gw_func *callee = gw_func_find(r->f->session, o->callee);
    if (!callee) return o->results <= 1 || has_results(r, op, 1);
    if (!has_operands(r, op, callee->params.count) ||
        !has_results(r, op, callee->return_type == GW_T_VOID ? 0 : 1))
        return false;
    for (uint32_t i = 0; i < callee->params.count; i++)
        if (!check_argument(r, op, callee, i)) return false;
    return !o->results || is_result(r, op, 0, callee->return_type);
}

/* ---- control ---- */
/* Region i ends in a yield of `count` values from operand `skip` on, of the types of the op's results. */
static bool check_yield(gw_rules *r, gw_op op, uint32_t i, uint32_t skip) {
    const gw_op_data *o = gw_op_at(r->f, op);
    gw_op end = gw_region_end(r->f, o->region[i]);
    if (!end || gw_op_at(r->f, end)->code != GW_OP_YIELD)
        return gw_rule_broken(r, op, "its region %u does not end in a yield", i);
    if (!has_operands(r, end, skip + o->results)) return false;
    for (uint32_t k = 0; k < skip + o->results; k++)
        if (!is_operand(r, end, k, k < skip ? GW_T_BOOL : result_type(r, op, k - skip))) return false;
    return true;
}

/* Region i takes the carried values as arguments `skip`.. */
static bool check_arguments(gw_rules *r, gw_op op, uint32_t i, uint32_t skip) {
    const gw_op_data *o = gw_op_at(r->f, op);
    gw_region region = o->region[i];
    uint32_t have = gw_region_at(r->f, region)->args;
    if (have != skip + o->results)
        return gw_rule_broken(r, op, "its region %u has %u arguments instead of %u", i, have,
                              skip + o->results);
    for (uint32_t k = 0; k < o->results; k++)
        if (gw_typeof(r->f, gw_arg(r->f, region, skip + k)) != result_type(r, op, k))
            return gw_rule_broken(r, op, "argument %u of its region %u is not of the type of the result",
                                  skip + k, i);
    return true;
}

static bool check_carried(gw_rules *r, gw_op op, uint32_t first) {
    for (uint32_t k = 0; k < gw_op_at(r->f, op)->results; k++)
        if (!is_operand(r, op, first + k, result_type(r, op, k))) return false;
    return true;
}

static bool check_if(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    for (uint32_t i = 0; i < 2; i++)
        if (gw_region_at(r->f, o->region[i])->args)
            return gw_rule_broken(r, op, "the regions of an if have no arguments");
    return is_operand(r, op, 0, GW_T_BOOL) && check_yield(r, op, 0, 0) && check_yield(r, op, 1, 0);
}

static bool check_for(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    if (o->attr < GW_OP_NE || o->attr > GW_OP_GE)
        return gw_rule_broken(r, op, "its comparison is not ne, lt, le, gt or ge");
    if (o->policy >= GW_POLICY_COUNT) return gw_rule_broken(r, op, "no such policy: %u", o->policy);
    if (o->operands < 3) return gw_rule_broken(r, op, "it has no lower bound, upper bound and step");
    if (!has_results(r, op, o->operands - 3) || !is_integer_operand(r, op, 0)) return false;
    gw_type counter = operand_type(r, op, 0);
    if (!is_operand(r, op, 1, counter) || !is_operand(r, op, 2, counter) || !check_carried(r, op, 3))
        return false;
    if (!check_arguments(r, op, 0, 1)) return false;
    if (gw_typeof(r->f, gw_arg(r->f, o->region[0], 0)) != counter)
        return gw_rule_broken(r, op, "its counter is not of the type of its bounds");
    return check_yield(r, op, 0, o->flags & GW_OP_EXIT ? 1 : 0);
}

/* Or waits: while (cudaEventQuery(e) == cudaErrorNotReady). Once more changes nothing. */
static bool only_asks(gw_device what) {
    return gw_device_rows[what].asks || what == GW_DEVICE_SYNC || what == GW_DEVICE_SYNC_STREAM ||
           what == GW_DEVICE_SYNC_EVENT || what == GW_DEVICE_DONE || what == GW_DEVICE_STATUS;
}

static gw_op find_write(const gw_func *f, gw_region region) {
    for (gw_op op = gw_first(f, region); op; op = gw_walk(f, op, region)) {
        const gw_op_data *o = gw_op_at(f, op);
        gw_effect effect = gw_op_rows[o->code].effect;
        if (o->code == GW_OP_DEVICE && only_asks((gw_device)o->attr)) continue;
        if (effect == GW_EFFECT_WRITE || effect == GW_EFFECT_MEET) return op;
    }
    return 0;
}

static bool check_while(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    if (!has_results(r, op, o->operands) || !check_carried(r, op, 0)) return false;
    if (!check_arguments(r, op, 0, 0) || !check_arguments(r, op, 1, 0)) return false;
    gw_op end = gw_region_end(r->f, o->region[0]), write = find_write(r->f, o->region[0]);
    if (!end || gw_op_at(r->f, end)->code != GW_OP_YIELD)
        return gw_rule_broken(r, op, "its condition does not end in a yield");
    if (!has_operands(r, end, 1) || !is_operand(r, end, 0, GW_T_BOOL)) return false;
    if (write) return gw_rule_broken(r, write, "a loop's condition must not write");
    return check_yield(r, op, 1, o->flags & GW_OP_EXIT ? 1 : 0);
}

static bool check_ret(gw_rules *r, gw_op op) {
    const gw_func *f = r->f;
    gw_type wanted = f->return_type;
    uint32_t count = wanted != GW_T_VOID;
    if (f->form == GW_FORM_BOUND) {
        wanted = GW_T_U64;
        count = gw_op_at(f, op)->operands > 2 ? gw_op_at(f, op)->operands : 2;
    } else if (f->form == GW_FORM_MEASURE) {
        wanted = GW_T_U64;
        count = 2;
    } else if (f->form == GW_FORM_STORED) {
        wanted = GW_T_U64;
        count = gw_op_at(f, op)->operands;
    } else if (f->form == GW_FORM_CHECK) {
        wanted = GW_T_BOOL;
        count = f->assumptions.count;
    }
    if (!has_operands(r, op, count)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!is_operand(r, op, i, wanted)) return false;
    return true;
}

static bool check_end(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    bool entry = o->parent == r->f->entry;
    if (gw_next(r->f, op)) return gw_rule_broken(r, op, "it does not stand at the end of its region");
    if (entry != (o->code == GW_OP_RET))
        return gw_rule_broken(r, op, "a body ends in ret, every other region in yield");
    return has_results(r, op, 0) && (!entry || check_ret(r, op));
}

/* ---- all ops ---- */
static bool may_have(unsigned flag, unsigned code) {
    switch (flag) {
    case GW_OP_EXIT:
        return code == GW_OP_FOR || code == GW_OP_WHILE;
    case GW_OP_FAST:
        return gw_op_rows[code].effect == GW_EFFECT_PURE;
    case GW_OP_STALE:
        return code == GW_OP_LOAD || code == GW_OP_ADDRESS;
    case GW_OP_READS:
    case GW_OP_WRITES:
        return code == GW_OP_ADDRESS;
    case GW_OP_UNSURE:
        return code == GW_OP_STORE || code == GW_OP_ADDRESS;
    case GW_OP_REST:
        return code == GW_OP_IF;
    case GW_OP_EARLY:
        return code == GW_OP_LOAD || code == GW_OP_STORE;
    case GW_OP_ANY_ORDER:
        return code == GW_OP_FOR;
    case GW_OP_BEYOND: /* and STAYS, ALONE */
        return code == GW_OP_FOR || code == GW_OP_CALL || code == GW_OP_ACCUM;
    case GW_OP_DOWN: /* and ORDERED */
        return code == GW_OP_SKIP || code == GW_OP_CALL;
    case GW_OP_BACK:
        return code == GW_OP_DEVICE || code == GW_OP_CALL; /* and MAY_STOP */
    case GW_OP_ROUNDED:
        return code == GW_OP_ADD || code == GW_OP_SUB;
    case GW_OP_APART:
    case GW_OP_OF_BLOCK:
    case GW_OP_OF_WARP:
        return code == GW_OP_LOAD || code == GW_OP_STORE || code == GW_OP_ACCUM;
    default:
        return false;
    }
}

static bool check_flags(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    for (unsigned bit = 0; bit < 16; bit++) {
        if (!(o->flags >> bit & 1) || may_have(1u << bit, o->code)) continue;
        if (bit >= GW_COUNT_OF(gw_flag_words)) return gw_rule_broken(r, op, "it has an unknown flag");
        return gw_rule_broken(r, op, "a '%s' cannot be '%s'", gw_op_rows[o->code].text, gw_flag_words[bit]);
    }
    return true;
}

static bool check_op(gw_rules *r, gw_op op) {
    const gw_op_data *o = gw_op_at(r->f, op);
    int operands = gw_op_rows[o->code].operands;
    if (operands >= 0 && !has_operands(r, op, (uint32_t)operands)) return false;
    if (!check_flags(r, op)) return false;
    switch (o->code) {
    case GW_OP_CONST:
        return check_constant(r, op);
    case GW_OP_SPECIAL:
        return check_special(r, op);
    case GW_OP_LOAD:
    case GW_OP_STORE:
    case GW_OP_ACCUM:
    case GW_OP_ATOMIC:
    case GW_OP_SETTLE:
    case GW_OP_ADDRESS:
        return check_access(r, op);
    case GW_OP_BARRIER:
        return check_barrier(r, op);
    case GW_OP_WARP:
        return check_warp(r, op);
    case GW_OP_TEXTURE:
    case GW_OP_TEXTURE_SLOPE:
    case GW_OP_TEXTURE_CELL:
    case GW_OP_TEXTURE_WEIGHT:
    case GW_OP_TEXTURE_READ:
        return check_texture(r, op);
    case GW_OP_DEVICE: return check_device(r, op);
    case GW_OP_COLLECT:
        return check_collect(r, op);
    case GW_OP_SYNCWARP:
        return has_results(r, op, 0) && is_operand(r, op, 0, GW_T_U32);
    case GW_OP_DECLARE:
    case GW_OP_CLEAR:
    case GW_OP_SETTLE_ALL:
    case GW_OP_PUSH:
    case GW_OP_POP:
        return check_slot(r, op);
    case GW_OP_RESERVE:
    case GW_OP_SKIP:
        return check_reserve(r, op);
    case GW_OP_EXPECT:
        return has_results(r, op, 0) && is_operand(r, op, 0, GW_T_U64);
    case GW_OP_STOP: case GW_OP_KEEP:
    case GW_OP_REPEAT: return has_results(r, op, 0);
    case GW_OP_CALL:
        return check_call(r, op);
    case GW_OP_IF:
        return check_if(r, op);
    case GW_OP_FOR:
        return check_for(r, op);
    case GW_OP_WHILE:
        return check_while(r, op);
    case GW_OP_YIELD:
    case GW_OP_RET:
        return check_end(r, op);
    default:
        return check_pure(r, op);
    }
}

static bool check_region(gw_rules *r, gw_region region) {
    for (gw_op op = gw_first(r->f, region); op; op = gw_walk(r->f, op, region))
        if (!check_op(r, op)) return false;
    return true;
}

bool gw_verify_at(const gw_func *f, char **why, gw_op *op) {
    gw_rules r = {.f = f};
    bool ok = gw_verify_links(&r);
    r.links_hold = ok;
    ok = ok && gw_verify_objects(&r) && check_region(&r, f->entry);
    gw_op end = ok ? gw_region_end(f, f->entry) : 0;
    if (ok && !end) ok = gw_rule_broken(&r, 0, "its body does not end in a ret");
    ok = ok && gw_verify_tape(&r);
    *why = r.why;
    *op = r.op;
    return ok;
}

bool gw_verify(const gw_func *f, char **why) {
    gw_op op;
    return gw_verify_at(f, why, &op);
}
