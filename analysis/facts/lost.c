/*
 * lost.c - warnings of derivatives that are lost (contract: facts.h): a float that becomes an integer, or is
 * rounded, has the derivative zero, which is right almost everywhere and seldom meant.
 *
 * The value of such an op is followed through arithmetic, choices, loops, local arrays and calls to an output.
 * The bits of a number are followed likewise, through memory and from lane to lane too: where they become a
 * float again that an output depends on, that is an error, since it may be the number itself that came so.
 * What it only steers says nothing: indices, conditions and bounds of loops have no derivative anyway. Nor does
 * a difference whose other side is what was rounded, or what that was computed of: x - floor(x), x -
 * clamp((int)floor(x)), d - size * rint(d / size). That is how a fraction is taken, in order to keep the
 * derivative.
 *
 * What a program's host code rounds is followed into the numbers that kernels and copies are given, as far as
 * an output depends on these. Integers that a kernel leaves in memory are followed into the kernels that read
 * them, by way of the host too (programs/integers.c).
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/derived_name.h"
#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/warp.h"

#include <stdlib.h>
#include <string.h>

typedef struct trail {
    const gw_activity *a;
    const gw_roles *roles;
    gw_value lost;     /* where the way begins */
    bool is_bits;      /* of a number; else it is rounded */
    bool is_made;      /* elsewhere */
    gw_value *from;    /* by value: what it was reached from; 0: not reached */
    gw_op *through;    /* by value: and by which op */
    gw_value *content; /* by object: a value that a local one holds */
    bool changed;
    gw_op end;
    gw_value last;
    gw_op call; /* of a program's, that makes an output of it */
    gw_value given;
} trail;

static gw_value strip_casts(const gw_func *f, gw_value v) {
    for (gw_op op = gw_value_at(f, v)->op; op && gw_op_at(f, op)->code == GW_OP_CAST;
         op = gw_value_at(f, v)->op) {
        if (gw_type_is_float(gw_typeof(f, gw_operand(f, op, 0))) != gw_type_is_float(gw_typeof(f, v)) &&
            gw_type_is_float(gw_typeof(f, gw_operand(f, op, 0))))
            break; /* a conversion to an integer is no mere change of type */
        v = gw_operand(f, op, 0);
    }
    return v;
}

/* `v` is `from`, or computed from it by arithmetic. */
static bool comes_of(const gw_func *f, gw_value v, gw_value from, int depth) {
    v = strip_casts(f, v);
    gw_op op = gw_value_at(f, v)->op;
    if (v == from) return true;
    if (!op || depth == 6 || gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE ||
        gw_op_at(f, op)->regions)
        return false;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (comes_of(f, gw_operand(f, op, i), from, depth + 1)) return true;
    return false;
}

static bool a_varied_side(const trail *t, gw_op op) {
    const gw_func *f = t->a->f;
    return t->a->varied_value[gw_operand(f, op, 0)] || t->a->varied_value[gw_operand(f, op, 1)];
}

/* A difference of what was reached and of what has the derivative that was lost. */
static bool is_fraction(const trail *t, gw_op op) {
    const gw_func *f = t->a->f;
    if (gw_op_at(f, op)->code != GW_OP_SUB) return false;
    if (t->is_made) return a_varied_side(t, op); /* what it was computed of is another kernel's */
    for (uint32_t i = 0; i < 2; i++) {
        gw_value whole = strip_casts(f, gw_operand(f, op, 1 - i));
        if (t->from[gw_operand(f, op, i)] && t->a->varied_value[whole] &&
            comes_of(f, gw_operand(f, gw_value_at(f, t->lost)->op, 0), whole, 0))
            return true;
    }
    return false;
}

static void reach(trail *t, gw_value from, gw_value to, gw_op op) {
    if (!t->from[from] || t->from[to] || gw_typeof(t->a->f, to) == GW_T_BOOL) return;
    t->from[to] = from;
    t->through[to] = op;
    t->changed = true;
}

static void follow_regions(trail *t, gw_op op) {
    const gw_func *f = t->a->f;
    const gw_op_data *o = gw_op_at(f, op);
    for (uint32_t i = 0; i < o->results; i++) {
        gw_value result = gw_result(f, op, i);
        if (o->code == GW_OP_IF) {
            for (uint32_t side = 0; side < 2; side++)
                reach(t, gw_yielded(f, o->region[side], i), result, op);
            continue;
        }
        gw_value arg = gw_loop_arg(f, op, i);
        gw_value init = gw_loop_init(f, op, i);
        gw_value next = gw_loop_next(f, op, i);
        reach(t, init, arg, op);
        reach(t, next, arg, op);
        reach(t, init, result, op);
        reach(t, next, result, op);
    }
}

static void follow_memory(trail *t, gw_op op) {
    const gw_func *f = t->a->f;
    const gw_op_data *o = gw_op_at(f, op);
    bool local = gw_object_is_inner(gw_object_at(f, o->object)->kind) || t->is_bits;
    if (o->code == GW_OP_ATOMIC && o->results && t->content[o->object])
        reach(t, t->content[o->object], o->first_result, op);
    if (o->code == GW_OP_LOAD) {
        if (local && t->content[o->object]) reach(t, t->content[o->object], o->first_result, op);
        return;
    }
    gw_value value = gw_operand(f, op, o->operands - 1);
    if (!t->from[value]) return;
    if (local && !t->content[o->object]) {
        t->content[o->object] = value;
        t->changed = true;
    }
    if (t->roles->output[op] && gw_type_is_float(gw_typeof(f, value))) t->end = op, t->last = value;
}

/* Numbers that a call of a program's is given. What it makes of them is another function's. */
static void follow_given(trail *t, gw_op op) {
    const gw_func *f = t->a->f;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
        const gw_value v = gw_operand(f, op, i);
        if (!t->from[v] || !gw_type_is_float(gw_typeof(f, v)) || !t->a->useful_value[v]) continue;
        t->call = op, t->given = v;
    }
}

static void follow(trail *t, gw_op op) {
    const gw_func *f = t->a->f;
    const gw_op_data *o = gw_op_at(f, op);
    const gw_rule *rule = o->code == GW_OP_CALL ? gw_rule_find(f->session, o->callee) : NULL;
    bool pure = gw_op_rows[o->code].effect == GW_EFFECT_PURE && o->code != GW_OP_DETACH; /* that is meant */
    bool computes = pure || (o->code == GW_OP_CALL && !(rule && rule->is_nondifferentiable));
    if (o->regions) {
        follow_regions(t, op);
    } else if (o->code == GW_OP_WARP && gw_warp_rows[o->attr].result == 'v') {
        reach(t, gw_operand(f, op, 1), o->first_result, op);
    } else if (o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC) {
        follow_memory(t, op);
    } else if (o->code == GW_OP_RET) {
        gw_value v = t->roles->returned && o->operands ? gw_operand(f, op, 0) : 0;
        if (v && t->from[v]) t->end = op, t->last = v;
    } else if (o->code == GW_OP_DEVICE) {
        follow_given(t, op);
    } else if (computes && o->results == 1 && !is_fraction(t, op)) {
        for (uint32_t i = o->code == GW_OP_SELECT; i < o->operands; i++)
            reach(t, gw_operand(f, op, i), o->first_result, op);
    }
}

static gw_loc where_lost(const trail *t) {
    const gw_func *f = t->a->f;
    const gw_op op = gw_value_at(f, t->lost)->op;
    return op ? gw_op_at(f, op)->loc : f->loc;
}

/* "", or " (through lines 7, 9)": the lines of the way, without those of both ends. */
static char *path_text(const trail *t) {
    const gw_func *f = t->a->f;
    uint32_t last = gw_op_at(f, t->end)->loc.line, first = where_lost(t).line;
    GW_VEC(uint32_t) lines = {0};
    for (gw_value v = t->last; t->from[v] != v; v = t->from[v]) {
        uint32_t line = gw_op_at(f, t->through[v])->loc.line;
        bool known = !line || line == first || line == last;
        for (uint32_t i = 0; i < lines.count; i++)
            known |= lines.at[i] == line;
        if (!known) gw_push(&lines, line);
    }
    gw_text text = {0};
    gw_text_add(&text, "");
    if (last && last != first) gw_text_addf(&text, " in line %u", last);
    for (uint32_t i = lines.count; i-- > 0;)
        gw_text_addf(&text, "%s%u", i + 1 == lines.count ? ", by way of line " : ", ", lines.at[i]);
    gw_vec_free(&lines);
    return text.at;
}

/* The name of what integers that were made elsewhere lie in, or come as. */
static const char *made_as(const trail *t) {
    const gw_func *f = t->a->f;
    const gw_op op = gw_value_at(f, t->lost)->op;
    if (op) return gw_cstr(f->session, gw_object_at(f, gw_op_at(f, op)->object)->name);
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].value == t->lost) return gw_cstr(f->session, f->params.at[i].name);
    return "";
}

/* What is lost, in words that the caller frees. */
static char *what_is_lost(const trail *t) {
    const gw_func *f = t->a->f;
    const gw_op_data *lost = gw_op_at(f, gw_value_at(f, t->lost)->op);
    if (t->is_made && *made_as(t))
        return gw_format("the integers of '%s', which are made of numbers", made_as(t));
    if (t->is_made) return gw_strdup("these integers, which are made of numbers");
    if (lost->code == GW_OP_CAST) return gw_strdup("this conversion to an integer");
    if (lost->code != GW_OP_BITS) return gw_format("this '%s'", gw_op_rows[lost->code].text);
    const gw_value number = gw_operand(f, gw_value_at(f, t->lost)->op, 0);
    return gw_format("this '%s'", gw_bits_spelling(gw_typeof(f, number), gw_typeof(f, t->lost)));
}

/* What the way ends in, in words that the caller frees. */
static char *what_depends(const trail *t) {
    const gw_func *f = t->a->f;
    const gw_op_data *end = gw_op_at(f, t->end);
    if (end->code == GW_OP_RET) return gw_strdup("the returned value");
    if (end->code != GW_OP_DEVICE)
        return gw_format("'%s'", gw_cstr(f->session, gw_object_at(f, end->object)->name));
    if (end->attr == GW_DEVICE_SEND) return gw_strdup("what is copied to the device");
    return gw_format("what '%s' is given", gw_algorithm_name(gw_cstr(f->session, end->callee)));
}

static void warn(const trail *t) {
    const gw_func *f = t->a->f;
    char *what = what_is_lost(t);
    char *output = what_depends(t);
    char *path = path_text(t);
    gw_diag(f->session, GW_DIAG_LOST_DERIVATIVE, where_lost(t), what, output, path);
    free(what);
    free(output);
    free(path);
}

static bool loses(const gw_activity *a, gw_op op) {
    const gw_func *f = a->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->dead || gw_op_rows[o->code].effect != GW_EFFECT_PURE || o->results != 1 || o->code == GW_OP_DETACH)
        return false;
    gw_type type = gw_typeof(f, o->first_result);
    bool none =
        gw_op_rows[o->code].adjoint == GW_ADJOINT_NONE || (o->code == GW_OP_CAST && !gw_type_is_float(type));
    for (uint32_t i = 0; none && type != GW_T_BOOL && i < o->operands; i++)
        if (gw_type_is_float(gw_typeof(f, gw_operand(f, op, i))) && a->varied_value[gw_operand(f, op, i)])
            return true;
    return false;
}

/* Follows what is lost as far as it goes, or, unless all is asked for, to an output. */
static trail follow_all(trail t, bool all) {
    const gw_func *f = t.a->f;
    t.changed = true;
    t.from = gw_alloc(f->values.count * sizeof *t.from);
    t.through = gw_alloc(f->values.count * sizeof *t.through);
    t.content = gw_alloc(f->objects.count * sizeof *t.content);
    t.from[t.lost] = t.lost;
    while (t.changed && (all || !t.end)) {
        t.changed = false;
        for (gw_op at = 1; at < f->ops.count && (all || !t.end); at++)
            if (!gw_op_at(f, at)->dead) follow(&t, at);
    }
    return t;
}

/* Bits of a number that changes with an input have become a number that an output depends on. */
static bool comes_back(const trail *t) {
    const gw_func *f = t->a->f;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_BITS || !t->from[gw_operand(f, op, 0)]) continue;
        if (!gw_type_is_float(gw_typeof(f, o->first_result)) || !t->a->useful_value[o->first_result]) continue;
        char *line = gw_format("%u", o->loc.line);
        gw_diag(f->session, GW_DIAG_LOST_BITS, where_lost(t), line);
        free(line);
        return true;
    }
    return false;
}

static void free_trail(trail *t) { free(t->from), free(t->through), free(t->content); }

bool gw_check_lost(const gw_activity *a, const gw_roles *roles) {
    const gw_func *f = a->f;
    bool good = true;
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (!loses(a, op)) continue;
        const bool is_bits = gw_op_at(f, op)->code == GW_OP_BITS;
        const trail begins = {
            .a = a, .roles = roles, .lost = gw_op_at(f, op)->first_result, .is_bits = is_bits};
        trail t = follow_all(begins, is_bits);
        bool back = is_bits && comes_back(&t);
        if (t.end && !back) warn(&t);
        good &= !back;
        free_trail(&t);
    }
    return good;
}

/* ---- between kernels ---- */
static gw_loss loss_at(const gw_activity *a, gw_value v, const gw_loss *made) {
    const gw_op op = gw_value_at(a->f, v)->op;
    if (made[v] || !op || !loses(a, op)) return made[v];
    return gw_op_at(a->f, op)->code == GW_OP_BITS ? GW_LOSS_BITS : GW_LOSS_ROUNDED;
}

bool gw_lost_between(const gw_activity *a, const gw_roles *roles, const gw_loss *made, gw_loss *reached,
                     bool says) {
    bool good = true;
    for (gw_value v = 1; v < a->f->values.count; v++) {
        const gw_loss how = loss_at(a, v, made);
        if (!how) continue;
        const trail begins = {
            .a = a, .roles = roles, .lost = v, .is_bits = how == GW_LOSS_BITS, .is_made = made[v]};
        trail t = follow_all(begins, true);
        for (gw_value to = 1; to < a->f->values.count; to++)
            if (t.from[to] && gw_type_is_integer(gw_typeof(a->f, to)) && reached[to] < how) reached[to] = how;
        const bool is_said = says && made[v], back = is_said && t.is_bits && comes_back(&t);
        const bool is_given = says && t.call && !t.end;
        if (is_given) t.end = t.call, t.last = t.given;
        if ((is_said || is_given) && t.end && !back) warn(&t);
        good &= !back;
        free_trail(&t);
    }
    return good;
}
