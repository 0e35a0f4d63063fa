/*
 * emit/text/tape.c - pushes and pops of the tape.
 *
 * A kernel's tape is the caller's workspace, reached through a gw_tape (emitted/device.cuh). Where the
 * number of slots is known when compiling, of all or of some, they are in an array of the thread with an index.
 * Values keep their bits: an array whose slots have several types holds unsigned integers. A host function's
 * tape is a gw_host_tape (gradwright/tape.h) that grows; the top of its stack is a local variable, which only
 * calls hand over.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "rewriters/emit/text/text_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

/* How a type travels: its own function, or converted to a wider integer. */
static const struct slot_row {
    gw_type type;
    int wide;           /* 1: 8-byte slot */
    const char *suffix; /* gw_tape_push_SUFFIX, gw_bits_of_SUFFIX */
} slot_rows[] = {
    {GW_T_F32, 0, "f32"}, {GW_T_I32, 0, "i32"}, {GW_T_U32, 0, "u32"}, {GW_T_BOOL, 0, "i32"},
    {GW_T_I8, 0, "i32"},  {GW_T_U8, 0, "u8"},   {GW_T_I16, 0, "i32"}, {GW_T_U16, 0, "i32"},
    {GW_T_F64, 1, "f64"}, {GW_T_I64, 1, "i64"}, {GW_T_U64, 1, "u64"}, {GW_T_ADDRESS, 1, "address"},
    {GW_T_F80, 1, "f80"},
};

static const struct slot_row *row_of(gw_type type) {
    for (size_t i = 0; i < sizeof slot_rows / sizeof slot_rows[0]; i++)
        if (slot_rows[i].type == type) return &slot_rows[i];
    return NULL;
}

static const struct slot_row *slot_of(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_type type = gw_object_at(e->f, o->object)->type;
    const struct slot_row *row = row_of(type);
    if (!row) gw_diag(e->session, GW_DIAG_INTERNAL, o->loc, "a tape slot of a type that no slot can hold");
    return row;
}

/* The slot is in an array of the function, not reached through functions of a tape. */
static bool in_array(const gw_emitter *e, gw_op op) {
    return !e->host_tape && (!e->tape || gw_object_at(e->f, gw_op_at(e->f, op)->object)->in_array);
}

/* What the second half of a split gradient pushes itself, of segments that it runs again, lies behind the
 * records of the first: those stay as they were, so that it may be launched again. */
static bool is_own(const gw_emitter *e, gw_op op) {
    for (uint32_t i = 0; i < e->plan.order.count && e->f->form == GW_FORM_BWD; i++) {
        const gw_op_data *o = gw_op_at(e->f, e->plan.order.at[i]);
        if (o->code == GW_OP_PUSH && o->object == gw_op_at(e->f, op)->object) return true;
    }
    return false;
}

static const char *cursor(const gw_emitter *e, gw_op op) {
    return gw_cstr(e->session, e->own_tape && is_own(e, op) ? e->own_tape : e->tape);
}

static const char *address_of(const gw_emitter *e) { return e->tape_is_given ? "" : "&"; }

char *gw_emit_tape_to_hand(const gw_emitter *e) {
    return gw_format("%s%s", address_of(e), gw_cstr(e->session, e->own_tape ? e->own_tape : e->tape));
}

static void declare_stack(gw_emitter *e, int wide, bool only, gw_type type, bool mixed) {
    /* of a loop that never runs */
    uint64_t slots = e->f->tape_local_slots[wide] ? e->f->tape_local_slots[wide] : 1;
    e->stack_type[wide] = mixed ? GW_T_VOID : type;
    if (mixed) type = wide ? GW_T_U64 : GW_T_U32;
    const char *c_type = gw_type_c(e->session, type), *stack = wide ? "tape8" : "tape4",
               *top = wide ? "top8" : "top4";
    if (only) stack = e->tape ? "kept" : "tape", top = "top";
    e->stack[wide] = gw_emit_unique(e, stack);
    e->top[wide] = gw_emit_unique(e, top);
    /* a compiler does not see that pushes come before pops; a thread of a kernel would pay for the zeros */
    const char *start = e->f->kind == GW_FUNC_HOST ? " = {0}" : "";
    gw_emit_line(e, "%s %s[%llu]%s;", c_type, gw_cstr(e->session, e->stack[wide]), (unsigned long long)slots,
                 start);
    gw_emit_line(e, "int %s = 0;", gw_cstr(e->session, e->top[wide]));
}

static const char *host_top(const gw_emitter *e) { return gw_cstr(e->session, e->host_top); }

static bool hands_over(const gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const gw_func *callee = o->code == GW_OP_CALL ? gw_func_find(e->session, o->callee) : NULL;
    return callee && gw_emit_takes_tape(callee);
}

/* A call of what pushes on this function's tape on the device. */
static bool hands_on(const gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const gw_func *callee = o->code == GW_OP_CALL ? gw_func_find(e->session, o->callee) : NULL;
    return callee && callee->tape_caller;
}

/* The top of the stack is a variable only where something happens there. */
static bool moves_top(const gw_emitter *e) {
    for (uint32_t i = 0; i < e->plan.order.count; i++) {
        gw_op op = e->plan.order.at[i];
        const gw_op loop = gw_policy_around(e->f, op);
        uint32_t bytes;
        if (loop && gw_policy_tape_of(e->f, loop, &bytes) == GW_POLICY_TAPE_OWN) continue; /* has its own */
        if (gw_op_at(e->f, op)->code == GW_OP_RESERVE || hands_over(e, op)) return true;
    }
    return gw_is_half(e->f);
}

/* ---- records that outlive a function of the host: the halves of a split gradient ---- */

static uint64_t hash_of(uint64_t before, const char *text) { return gw_hash(before, text, strlen(text)); }

static gw_str first_half(const gw_func *f) { return gw_derived_name(f->primal, f->request, GW_FORM_FWD); }

/* A variable with what both halves know: which function it is, and the numbers that are passed by value. */
static const char *make_check(gw_emitter *e) {
    const gw_func *f = e->f;
    const gw_str parts[] = {first_half(f), f->primal->symbol, f->template_arguments};
    uint64_t hash = GW_HASH_START;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i]) hash = hash_of(hash_of(hash, gw_cstr(e->session, parts[i])), "/");
    const char *check = gw_cstr(e->session, gw_emit_unique(e, "check"));
    gw_emit_line(e, "unsigned long long %s = 0x%llxull;", check, (unsigned long long)hash);
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (!p->value || p->is_adjoint) continue;
        const char *name = gw_cstr(e->session, e->variable_name[p->value]);
        bool real = gw_type_is_float(gw_typeof(f, p->value));
        gw_emit_line(e,
                     real ? "%s = gw_check_with(%s, gw_bits_of_f64((double)%s));"
                          : "%s = gw_check_with(%s, (unsigned long long)%s);",
                     check, check, name);
    }
    return check;
}

static void open_records(gw_emitter *e) {
    const char *check = make_check(e);
    gw_emit_line(e, "if (!gw_host_tape_open(%s, &%s, %s, \"%s\", \"%s\"))", gw_cstr(e->session, e->host_tape),
                 host_top(e), check, gw_cstr(e->session, e->f->name), gw_cstr(e->session, first_half(e->f)));
    gw_emit_line(e, "    return GW_ERROR_ARGUMENT;");
}

static void close_records(gw_emitter *e) {
    const char *check = make_check(e);
    gw_emit_line(e, "%s = gw_host_tape_close(%s, %s, %s);", host_top(e), gw_cstr(e->session, e->host_tape),
                 host_top(e), check);
    gw_emit_line(e, "if (!%s) return GW_ERROR_MEMORY;", host_top(e));
}

/* Calls left the top where they began: the caller finds it where it was, or where this half leaves it. */
void gw_emit_tape_end(gw_emitter *e) {
    if (e->f->form == GW_FORM_FWD) close_records(e);
    bool calls = false;
    for (uint32_t i = 0; i < e->plan.order.count; i++)
        calls |= hands_over(e, e->plan.order.at[i]) && !gw_policy_around(e->f, e->plan.order.at[i]);
    if (calls || gw_is_half(e->f))
        gw_emit_line(e, "%s->top = %s;", gw_cstr(e->session, e->host_tape), host_top(e));
}

static bool makes_sized(const gw_emitter *e) {
    for (uint32_t i = 0; i < e->plan.order.count; i++) {
        const gw_op_data *o = gw_op_at(e->f, e->plan.order.at[i]);
        if (o->code == GW_OP_DECLARE && gw_object_at(e->f, o->object)->sized) return true;
    }
    return false;
}

static const char *begin_of(const gw_func *f) {
    if (f->form == GW_FORM_FWD) return "gw_split_begin";
    return f->form == GW_FORM_BWD ? "gw_split_resume" : "gw_tape_begin";
}

void gw_emit_tape_begin(gw_emitter *e) {
    if (e->host_tape) {
        if (!moves_top(e) && !makes_sized(e)) /* of a template: another instantiation has something on it */
            gw_emit_line(e, "(void)%s;", gw_cstr(e->session, e->host_tape));
        if (!moves_top(e)) return;
        e->host_top = gw_emit_unique(e, "top");
        gw_emit_line(e, "char *%s = %s->top;", host_top(e), gw_cstr(e->session, e->host_tape));
        if (e->f->form == GW_FORM_BWD) open_records(e);
        return;
    }
    gw_type type[2] = {0};
    bool used[2] = {0}, mixed[2] = {0}, on_tape = false, own = false;
    for (uint32_t i = 0; i < e->plan.order.count; i++) {
        gw_op op = e->plan.order.at[i];
        uint16_t code = gw_op_at(e->f, op)->code;
        if (hands_on(e, op)) {
            on_tape = true;
            own |= e->f->form == GW_FORM_BWD;
        }
        const struct slot_row *row = code == GW_OP_PUSH || code == GW_OP_POP ? slot_of(e, op) : NULL;
        if (!row) continue;
        if (!in_array(e, op)) {
            on_tape = true;
            own |= code == GW_OP_PUSH && e->f->form == GW_FORM_BWD;
            continue;
        }
        mixed[row->wide] |= used[row->wide] && type[row->wide] != row->type;
        used[row->wide] = true;
        type[row->wide] = row->type;
    }
    const bool begins = e->tape && !e->tape_is_given;
    if (begins && (on_tape || e->f->form == GW_FORM_FWD))
        gw_emit_line(e, "%s(&%s);", begin_of(e->f), gw_cstr(e->session, e->tape));
    else if (begins && e->f->form != GW_FORM_BWD) /* which reads it to refuse a wrong one */
        gw_emit_line(e, "(void)%s;", gw_cstr(e->session, e->tape));
    if (own) {
        e->own_tape = gw_emit_unique(e, "again");
        const char *again = gw_companion(e->f, GW_FORM_MEASURE) ? "gw_measured_split_tape" : "gw_split_tape";
        gw_emit_line(e, "%s %s = %s;", again, gw_cstr(e->session, e->own_tape), gw_cstr(e->session, e->tape));
    }
    for (int wide = 0; wide < 2; wide++)
        if (used[wide]) declare_stack(e, wide, !used[!wide], type[wide], mixed[wide]);
}

void gw_emit_expect(gw_emitter *e, gw_op op) {
    char *bytes = gw_emit_text(e, gw_operand(e->f, op, 0), GW_IN_EXACT, GW_PREC_SELECT);
    gw_emit_line(e, "%s = gw_host_tape_expect(%s, %s, %s);", host_top(e), gw_cstr(e->session, e->host_tape),
                 host_top(e), bytes);
    free(bytes);
}

void gw_emit_skip(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const char *sign = o->flags & GW_OP_DOWN ? "-" : "+";
    gw_value v = gw_operand(e->f, op, 0);
    int64_t known;
    if (gw_const_int(e->f, v, &known)) {
        gw_emit_line(e, "%s %s= %lld;", host_top(e), sign, (long long)known * o->attr);
        return;
    }
    char *count = gw_emit_text(e, v, GW_IN_EXACT, GW_PREC_MUL);
    gw_emit_line(e, "%s %s= %s * %u;", host_top(e), sign, count, o->attr);
    free(count);
}

void gw_emit_reserve_room(gw_emitter *e, gw_op op) {
    gw_value v = gw_operand(e->f, op, 0);
    int64_t known;
    char *count = gw_const_int(e->f, v, &known) ? gw_format("%lld", (long long)known)
                                                : gw_emit_text(e, v, GW_IN_EXACT, GW_PREC_SELECT);
    gw_emit_line(e, "%s = gw_host_tape_room(%s, %s, %s, %u);", host_top(e), gw_cstr(e->session, e->host_tape),
                 host_top(e), count, gw_op_at(e->f, op)->attr);
    gw_emit_line(e, "if (!%s) %s", host_top(e), gw_emit_without_memory(e));
    free(count);
}

void gw_emit_push(gw_emitter *e, gw_op op) {
    const struct slot_row *row = slot_of(e, op);
    if (!row) return;
    char *value = gw_emit_text(e, gw_operand(e->f, op, 0), GW_IN_EXACT, GW_PREC_SELECT);
    if (e->host_tape) {
        gw_emit_line(e, "gw_host_push_%s(&%s, %s);", row->suffix, host_top(e), value);
    } else if (!in_array(e, op)) {
        gw_emit_line(e, "gw_tape_push_%s(%s%s, %s);", row->suffix, address_of(e), cursor(e, op), value);
    } else {
        bool bits = e->stack_type[row->wide] == GW_T_VOID;
        char *packed = bits ? gw_format("gw_bits_of_%s(%s)", row->suffix, value) : gw_strdup(value);
        gw_emit_line(e, "%s[%s++] = %s;", gw_cstr(e->session, e->stack[row->wide]),
                     gw_cstr(e->session, e->top[row->wide]), packed);
        free(packed);
    }
    free(value);
}

void gw_emit_pop(gw_emitter *e, gw_op op) {
    const struct slot_row *row = slot_of(e, op);
    if (!row) return;
    const char *top = gw_cstr(e->session, e->top[row->wide]);
    gw_value v = gw_result(e->f, op, 0);
    bool function = !in_array(e, op);
    bool wanted = e->plan.values[v].needed, bits = !function && e->stack_type[row->wide] == GW_T_VOID;
    char *text;
    if (e->host_tape) text = gw_format("gw_host_pop_%s(&%s)", row->suffix, host_top(e));
    else if (function) text = gw_format("gw_tape_pop_%s(%s%s)", row->suffix, address_of(e), cursor(e, op));
    else text = gw_format("%s[--%s]", gw_cstr(e->session, e->stack[row->wide]), top);
    if (!wanted) {
        if (function)
            gw_emit_line(e, "%s;", text);
        else
            gw_emit_line(e, "--%s;", top);
    } else {
        char *unpacked = bits ? gw_format("gw_%s_of_bits(%s)", row->suffix, text) : gw_strdup(text);
        bool narrow = !e->host_tape && (bits || function);
        narrow &= row->type == GW_T_BOOL || gw_type_bits(row->type) < 32;
        char *typed = narrow ? gw_format("(%s)%s", gw_emit_type(e, row->type), unpacked) : gw_strdup(unpacked);
        gw_emit_assign(e, gw_emit_variable(&e->plan, v), typed);
        free(typed);
        free(unpacked);
    }
    free(text);
}

/* ---- no memory ---- */
/* The tangent of a real number that is returned; 0: none. */
static gw_object returned_tangent(const gw_func *f) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].is_adjoint && f->params.at[i].primal_index == UINT32_MAX)
            return f->params.at[i].object;
    return 0;
}

const char *gw_emit_without_memory(gw_emitter *e) {
    if (!e->without_memory) return "return GW_ERROR_MEMORY;";
    e->went_without = true;
    return gw_cstr(e->session, e->without_memory);
}

/* What is neither a status nor a number that may be none cannot tell. The tangent is none, too: callers go on
 * with it. */
void gw_emit_no_memory(gw_emitter *e) {
    const gw_func *f = e->f;
    bool value = f->form == GW_FORM_JVP && f->return_type != GW_T_VOID;
    gw_object tangent = value ? returned_tangent(f) : 0;
    if (value && !gw_type_is_float(f->return_type)) gw_emit_line(e, "    gw_host_no_memory();");
    else if (tangent) {
        gw_text all = {0};
        for (uint32_t lane = 0; lane < gw_directions(f); lane++)
            gw_text_addf(&all, "%s[%u] = ", gw_cstr(e->session, e->object_name[tangent]), lane);
        if (!all.at) gw_text_addf(&all, "*%s = ", gw_cstr(e->session, e->object_name[tangent]));
        gw_emit_line(e, "    return %sNAN;", all.at);
        gw_text_free(&all);
    }
    else gw_emit_line(e, "    return %s;", value ? "NAN" : "GW_ERROR_MEMORY");
}
