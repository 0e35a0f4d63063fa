/*
 * emit/text/statement.c - ops as C statements: definitions, stores, accumulation, calls, returns.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/atomic.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/differences.h"
#include "analysis/ir/query.h"
#include "analysis/ir/rungs.h"
#include "analysis/ir/warp.h"
#include "rewriters/adjoint/adjoint.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_ALIKE = 3 };

static bool prints_nothing(const gw_emitter *e, gw_op op) {
    uint32_t needed = 0, i = 0;
    if (!e->plan.ops[op].needed || gw_emit_is_in_vector(e->f, op)) return true;
    if (gw_op_at(e->f, op)->results) i = gw_emit_needed_result(&e->plan, op, &needed);
    return needed && gw_emit_is_inline(&e->plan, gw_result(e->f, op, i));
}

/* Why the update is plain or atomic goes without saying where nobody else is there. */
static bool has_reason(const gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const bool alone = e->f->kind == GW_FUNC_HOST && !e->in_parallel;
    if ((o->code != GW_OP_ACCUM && o->code != GW_OP_STORE) || !o->decision) return false;
    return o->attr != GW_ACCUMULATE_LOCAL && !gw_is_collected(o->attr) && !alone;
}

/* How many updates in a row, from this one on, have its reason. */
static uint32_t count_alike(const gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    uint32_t count = 1;
    if (e->session->options.checked) return count; /* each has a claim in front */
    for (gw_op at = gw_next(e->f, op); at; at = gw_next(e->f, at)) {
        const gw_op_data *other = gw_op_at(e->f, at);
        if (prints_nothing(e, at)) continue;
        if (!has_reason(e, at) || other->attr != o->attr) break;
        if (!gw_decision_alike(e->session, o->decision, other->decision, false)) break;
        count++;
    }
    return count;
}

/* A statement with the reason why it is plain or atomic: behind it where there is room, else above; once above
 * several that have the same. Where one
 * thread is all there is, a variable of its own or a function of the host, the reason goes without saying. */
static void put_update(gw_emitter *e, const char *line, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    if (e->said || !has_reason(e, op)) {
        e->said -= e->said != 0;
        gw_emit_line(e, "%s", line);
        return;
    }
    const uint32_t alike = count_alike(e, op);
    if (alike >= FEWEST_ALIKE) e->said = alike - 1;
    gw_text note = {0};
    gw_decision_note(e->session, o->attr, &o->decision, 1, &note);
    char *comment = gw_emit_comment_of(note.at);
    gw_text_free(&note);
    if (e->said || 4 * e->depth + strlen(line) + 2 + strlen(comment) > GW_EMIT_WIDTH) {
        gw_emit_line(e, "%s", comment);
        gw_emit_line(e, "%s", line);
    } else {
        gw_emit_line(e, "%s  %s", line, comment);
    }
    free(comment);
}

/* ---- variables ---- */
/* A division that undoes an update of the primal (adjoint/nest/invert.c) says so. */
static void define(gw_emitter *e, gw_op op) {
    uint32_t needed, i = gw_emit_needed_result(&e->plan, op, &needed);
    gw_value v = gw_result(e->f, op, i), root = gw_emit_variable(&e->plan, v);
    const gw_op_data *o = gw_op_at(e->f, op);
    if ((o->code == GW_OP_DIV || o->code == GW_OP_OVER) && o->note)
        gw_emit_line(e, "// undoes line %u of the primal: nothing was stored", o->loc.line);
    if (gw_emit_assign_in_place(e, root, v)) return;
    gw_piece p = gw_emit_operation(e, v, GW_IN_ASSIGN);
    gw_emit_assign(e, root, p.text.at);
    gw_text_free(&p.text);
}

/* ---- memory ---- */
static void add_to_place(gw_emitter *e, gw_op op, gw_value v, bool subtract) {
    gw_piece p = gw_emit_place(e, op), value = gw_emit_expression(e, v, GW_IN_EXACT);
    bool minus = gw_piece_strip_minus(&value, gw_typeof(e->f, v)) != subtract;
    char *line = gw_format("%s %s= %s;", p.text.at, minus ? "-" : "+", value.text.at);
    put_update(e, line, op);
    free(line);
    gw_text_free(&value.text);
    gw_text_free(&p.text);
}

/* x[i] = x[i] + y is written x[i] += y. */
static bool store_sum(gw_emitter *e, gw_op op) {
    gw_value v = gw_operand(e->f, op, gw_index_count(e->f, op));
    gw_op sum = gw_emit_inline_op(e, v, GW_OP_ADD), difference = sum ? 0 : gw_emit_inline_op(e, v, GW_OP_SUB);
    const gw_op_data *o = gw_op_at(e->f, op);
    const gw_type number = gw_typeof(e->f, v);
    if (!(gw_type_is_float(number) || gw_type_is_four(number)) || (!sum && !difference)) return false;
    /* their += rounds on the way */
    if (gw_type_is_half(gw_stored_type(e->f, o->object, o->path))) return false;
    for (uint32_t i = 0; i < (sum ? 2 : 1); i++) {
        gw_op load = gw_emit_inline_op(e, gw_operand(e->f, sum ? sum : difference, i), GW_OP_LOAD);
        if (!load || !gw_same_address(e->f, load, op)) continue;
        add_to_place(e, op, gw_operand(e->f, sum ? sum : difference, 1 - i), difference != 0);
        return true;
    }
    return false;
}

/* A cell of half precision is given what it holds of the value: rounding it before, too, says nothing new. */
static char *half_value(gw_emitter *e, gw_type type, gw_value v) {
    gw_op rounding = gw_emit_inline_op(e, v, type == GW_T_F16 ? GW_OP_TO_HALF : GW_OP_TO_BFLOAT16);
    char *value = gw_emit_text(e, rounding ? gw_operand(e->f, rounding, 0) : v, GW_IN_EXACT, GW_PREC_SELECT);
    char *text = gw_format("%s(%s)", type == GW_T_F16 ? "__float2half_rn" : "__float2bfloat16_rn", value);
    free(value);
    return text;
}

static char *stored_value(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    if (gw_path_asks_null(gw_cstr(e->session, o->path)))
        return gw_strdup(e->language == GW_EMIT_C ? "NULL" : "nullptr");
    gw_value v = gw_operand(e->f, op, gw_index_count(e->f, op));
    gw_type type = gw_stored_type(e->f, o->object, o->path);
    gw_str enumeration = e->language == GW_EMIT_C ? 0 : gw_cell_enumeration(e->f, o->object, o->path);
    if (enumeration) {
        char *number = gw_emit_text(e, v, GW_IN_ASSIGN, GW_PREC_UNARY);
        char *made = gw_format("(%s)%s", gw_cstr(e->session, enumeration), number);
        free(number);
        return made;
    }
    if (gw_type_is_half(type)) return half_value(e, type, v);
    return gw_emit_text(e, v, GW_IN_ASSIGN, GW_PREC_ASSIGN);
}

static void store(gw_emitter *e, gw_op op) {
    if (e->object_is_table[gw_op_at(e->f, op)->object]) return; /* its declaration has the values */
    if (store_sum(e, op)) return;
    gw_piece p = gw_emit_place(e, op);
    char *value = stored_value(e, op);
    char *line = gw_format("%s = %s;", p.text.at, value);
    put_update(e, line, op);
    free(line);
    free(value);
    gw_text_free(&p.text);
}

static void internal_error(gw_emitter *e, gw_op op, const char *what) {
    gw_diag(e->session, GW_DIAG_INTERNAL, gw_op_at(e->f, op)->loc, what);
}

static void accum_call(gw_emitter *e, gw_op op) {
    if (e->f->kind == GW_FUNC_HOST && !e->in_parallel) internal_error(e, op, "an atomic update in host code");
    char *address = gw_emit_address(e, op);
    char *value = gw_emit_text(e, gw_operand(e->f, op, gw_index_count(e->f, op)), GW_IN_EXACT, GW_PREC_SELECT);
    const gw_way_row *way = gw_way(gw_op_at(e->f, op)->attr);
    const char *scope = gw_emit_is_of_block_scope(e->f, op) ? "_block" : "";
    char *into = way->into == GW_INTO_ACCUMULATOR ? gw_emit_exact_into(e, op) : NULL;
    char *line = gw_format("%s%s(%s%s%s, %s);", way->call, scope, into ? into : "", into ? ", " : "", address,
                           value);
    put_update(e, line, op);
    free(line);
    free(into);
    free(value);
    free(address);
}

static void accum_vector(gw_emitter *e, gw_op op) {
    char *line = gw_emit_vector(e, op);
    put_update(e, line, op);
    free(line);
}

/* By its own name: gw_atomic_add is for adjoints. */
static void atomic(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const gw_type type = gw_stored_type(e->f, o->object, o->path);
    gw_text text = {0};
    char *address = gw_emit_address(e, op);
    gw_text_addf(&text, "%s(%s", gw_atomic_rows[o->attr].spelling, address);
    for (uint32_t i = gw_index_count(e->f, op); i < o->operands; i++) {
        const gw_value v = gw_operand(e->f, op, i);
        char *value = gw_type_is_half(type) ? half_value(e, type, v)
                                            : gw_emit_text(e, v, GW_IN_EXACT, GW_PREC_SELECT);
        gw_text_addf(&text, ", %s", value);
        free(value);
    }
    gw_text_add(&text, ")");
    if (o->note) {
        char *comment = gw_emit_comment_of(gw_cstr(e->session, o->note));
        gw_emit_line(e, "%s", comment);
        free(comment);
    }
    if (o->results && e->plan.values[o->first_result].needed)
        gw_emit_assign(e, gw_emit_variable(&e->plan, o->first_result), text.at);
    else
        gw_emit_line(e, "%s;", text.at);
    gw_text_free(&text);
    free(address);
}

static void accum_plain(gw_emitter *e, gw_op op) {
    gw_value v = gw_operand(e->f, op, gw_index_count(e->f, op));
    gw_op negative = gw_emit_inline_op(e, v, GW_OP_NEG);
    add_to_place(e, op, negative ? gw_operand(e->f, negative, 0) : v, negative != 0);
}

/* In a loop of OpenMP's, C has no other atomic addition to numbers. */
static void accum_openmp(gw_emitter *e, gw_op op) {
    gw_emit_line(e, "#pragma omp atomic");
    accum_plain(e, op);
}

static void accum(gw_emitter *e, gw_op op) {
    const unsigned how = gw_op_at(e->f, op)->attr;
    if (how == GW_ACCUMULATE_UNDECIDED) internal_error(e, op, "an accumulation whose safety nobody decided");
    else if (how == GW_ACCUMULATE_ATOMIC && e->in_openmp) accum_openmp(e, op);
    else if (gw_way(how)->as == GW_AS_CALL) accum_call(e, op);
    else if (gw_way(how)->as == GW_AS_RUN) accum_vector(e, op);
    else accum_plain(e, op);
}

static void declare(gw_emitter *e, gw_op op) {
    gw_object object = gw_op_at(e->f, op)->object;
    if (gw_object_at(e->f, object)->sized) {
        gw_emit_make_sized(e, op);
    } else if (!e->object_declared[object]) {
        gw_emit_declare_object(e, object);
    } else if (gw_object_at(e->f, object)->zeroed && !e->object_is_table[object]) {
        const char *name = gw_cstr(e->session, gw_emit_object(e, object));
        gw_emit_line(e, "memset(&%s, 0, sizeof %s);", name, name);
    }
}

/* ---- threads of a block ---- */
static void barrier(gw_emitter *e, gw_op op) {
    static const char *const names[] = {"__syncthreads", "__syncthreads_count", "__syncthreads_and",
                                        "__syncthreads_or"};
    const gw_op_data *o = gw_op_at(e->f, op);
    char *value =
        o->operands ? gw_emit_text(e, gw_operand(e->f, op, 0), GW_IN_EXACT, GW_PREC_SELECT) : gw_strdup("");
    char *text = gw_format("%s(%s)", names[o->attr], value);
    if (o->results && e->plan.values[o->first_result].needed)
        gw_emit_assign(e, gw_emit_variable(&e->plan, o->first_result), text);
    else if (o->note)
        gw_emit_line(e, "%s;  // %s", text, gw_cstr(e->session, o->note));
    else
        gw_emit_line(e, "%s;", text);
    if (e->barriers) gw_emit_line(e, "++%s;", gw_cstr(e->session, e->barriers));
    free(text);
    free(value);
}

static void warp(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const gw_warp_row *row = &gw_warp_rows[o->attr];
    const char *name = *row->emitted ? row->emitted : row->spelling;
    gw_text text = {0};
    gw_text_add(&text, o->code == GW_OP_SYNCWARP ? "__syncwarp" : name);
    if (e->whole && o->code == GW_OP_WARP && (o->attr == GW_WARP_PRESENT || o->attr == GW_WARP_TILE_ROWS))
        gw_text_addf(&text, "<%s>", gw_cstr(e->session, e->whole));
    gw_text_add(&text, "(");
    for (uint32_t i = 0; i < o->operands; i++) {
        char *operand = gw_emit_text(e, gw_operand(e->f, op, i), GW_IN_EXACT, GW_PREC_SELECT);
        gw_text_addf(&text, "%s%s", i ? ", " : "", operand);
        free(operand);
    }
    gw_text_add(&text, ")");
    if (o->results) gw_emit_assign(e, gw_emit_variable(&e->plan, o->first_result), text.at);
    else if (o->note) gw_emit_line(e, "%s;  // %s", text.at, gw_cstr(e->session, o->note));
    else gw_emit_line(e, "%s;", text.at);
    if (!o->results && e->barriers) gw_emit_line(e, "++%s;", gw_cstr(e->session, e->barriers));
    gw_text_free(&text);
}

static void clear(gw_emitter *e, gw_op op) {
    gw_object object = gw_op_at(e->f, op)->object;
    const char *name = gw_cstr(e->session, gw_emit_object(e, object));
    const uint32_t parts = gw_emit_dynamic_parts(e->f, object).count;
    const unsigned long long before = gw_adjoint_shared_moved(e->f);
    if (gw_object_at(e->f, object)->sized && before)
        gw_emit_line(e, "gw_clear_shared(%s, gw_dynamic_shared_part_bytes(%u, %llu));", name, parts, before);
    else if (gw_object_at(e->f, object)->sized && parts > 2)
        gw_emit_line(e, "gw_clear_shared(%s, gw_dynamic_shared_part_bytes(%u));", name, parts);
    else if (gw_object_at(e->f, object)->sized)
        gw_emit_line(e, "gw_clear_shared(%s, gw_dynamic_shared_bytes() / 2);", name);
    else
        gw_emit_line(e, "gw_clear_shared(&%s, sizeof %s);", name, name);
}

/* ---- calls, returns ---- */
static size_t namespace_length(const char *qualified) {
    const char *last = strrchr(qualified, ':');
    return last ? (size_t)(last + 1 - qualified) : 0;
}

/* As the caller's namespace sees it. */
static char *callee_name(const gw_emitter *e, gw_str callee) {
    const gw_func *f = gw_func_find(e->session, callee), *caller = e->f->primal ? e->f->primal : e->f;
    const char *symbol = gw_cstr(e->session, callee);
    if (!f) return gw_format("%.*s", (int)strcspn(symbol, "'"), symbol);
    const char *from = gw_cstr(e->session, caller->qualified);
    const char *to = gw_cstr(e->session, f->primal ? f->primal->qualified : f->qualified);
    size_t n = namespace_length(to);
    bool same = n == namespace_length(from) && strncmp(from, to, n) == 0;
    char *own = gw_emit_at(f, f->name), *text = gw_format("%.*s%s", same ? 0 : (int)n, to, own);
    free(own);
    return text;
}

/* A call that goes on with the tape: it finds the top of the stack there, and may move the stack. */
static void call_with_tape(gw_emitter *e, const char *text) {
    const char *tape = gw_cstr(e->session, e->host_tape), *top = gw_cstr(e->session, e->host_top);
    gw_emit_line(e, "%s->top = %s;", tape, top);
    gw_emit_line(e, "if (%s != GW_OK) %s", text, gw_emit_without_memory(e));
    gw_emit_line(e, "%s = %s->top;", top, tape);
}

static bool takes_reference(const gw_func *callee, uint32_t i) {
    const gw_param *p = &callee->params.at[i];
    return p->object && !p->is_adjoint && gw_object_at(callee, p->object)->is_reference;
}

/* The enumeration that a parameter is of, which C++ makes of no number by itself; 0: it is of none. */
static gw_str enumeration_of(const gw_emitter *e, gw_str name, uint32_t i, const gw_func *callee) {
    const gw_rule *rule = gw_rule_find(e->session, name);
    if (e->language == GW_EMIT_C) return 0;
    if (callee && i < callee->params.count)
        return callee->params.at[i].is_enumerated ? callee->params.at[i].type_text : 0;
    if (!rule) rule = gw_differences_of(e->session, name);
    return rule && i < rule->params.count && rule->params.at[i].is_enumerated ? rule->params.at[i].type : 0;
}

static char *argument(gw_emitter *e, gw_op op, uint32_t i, const gw_func *callee) {
    const gw_str enumeration = enumeration_of(e, gw_op_at(e->f, op)->callee, i, callee);
    char *text =
        gw_emit_text(e, gw_operand(e->f, op, i), GW_IN_EXACT, enumeration ? GW_PREC_UNARY : GW_PREC_SELECT);
    if (!enumeration) return text;
    char *made = gw_format("(%s)%s", gw_cstr(e->session, enumeration), text);
    free(text);
    return made;
}

static void say_differences(gw_emitter *e, gw_str callee) {
    const gw_rule *rule = gw_differences_of(e->session, callee);
    if (!rule) return;
    gw_text says = {0};
    gw_differences_say(e->session, rule, &says);
    char *comment = gw_emit_comment_of(says.at);
    gw_emit_line(e, "%s", comment);
    gw_text_free(&says);
    free(comment);
}

static void call(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const gw_func *callee = gw_func_find(e->session, o->callee);
    bool tape = callee && gw_emit_takes_tape(callee);
    GW_VEC(char *) items = {0};
    for (uint32_t i = 0; i < o->operands; i++) {
        gw_op address = gw_operand_address(e->f, op, i);
        int64_t constant;
        const gw_value operand = gw_operand(e->f, op, i);
        if (gw_typeof(e->f, operand) == GW_T_ADDRESS && gw_const_int(e->f, operand, &constant) && !constant)
            gw_push(&items, gw_strdup("0")); /* a null pointer, in C too */
        else if (!address)
            gw_push(&items, argument(e, op, i, callee));
        else if (callee && i < callee->params.count && takes_reference(callee, i))
            gw_push(&items, gw_piece_text(gw_emit_place(e, address), GW_PREC_SELECT));
        else
            gw_push(&items, gw_emit_address(e, address));
    }
    if (tape) gw_push(&items, gw_strdup(gw_cstr(e->session, e->host_tape)));
    else if (callee && callee->tape_caller) gw_push(&items, gw_emit_tape_to_hand(e));
    char *name = callee_name(e, o->callee);
    say_differences(e, o->callee);
    gw_text list = {0};
    for (uint32_t i = 0; i < items.count; i++)
        gw_text_addf(&list, "%s%s", i ? ", " : "", items.at[i]);
    const bool stays = o->flags & GW_OP_STAYS;
    char *text = gw_format("%s%s(%s)%s", stays ? "[&]() noexcept { return " : "", name, list.at ? list.at : "",
                           stays ? "; }()" : "");
    if (tape)
        call_with_tape(e, text);
    else if (o->results && e->plan.values[gw_result(e->f, op, 0)].needed)
        gw_emit_assign(e, gw_emit_variable(&e->plan, gw_result(e->f, op, 0)), text);
    else
        gw_emit_line(e, "%s;", text);
    for (uint32_t i = 0; i < items.count; i++)
        free(items.at[i]);
    gw_vec_free(&items);
    gw_text_free(&list);
    free(text);
    free(name);
}

static void branch(gw_emitter *e, gw_op op) {
    if (!e->plan.ops[op].expression) gw_emit_if(e, op);
    else if (!gw_emit_update(e, op)) define(e, op);
}

static void stop(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const char *text = gw_cstr(e->session, o->path);
    char *operand = o->operands ? gw_emit_text(e, gw_operand(e->f, op, 0), GW_IN_EXACT, GW_PREC_SELECT) : NULL;
    if (operand) gw_emit_line(e, "%s(%s);", text, operand);
    else gw_emit_line(e, "%s;", text);
    free(operand);
}

/* Programs are above (emit/program/program.c). */
static void device(gw_emitter *e, gw_op op) { e->write_device(e, op); }

/* whoever has the region writes what a YIELD gives */
static void nothing(gw_emitter *e, gw_op op) { (void)e, (void)op; }

/* The others define a value. */
static void (*const writers[GW_OP_COUNT])(gw_emitter *, gw_op) = {
    [GW_OP_STORE] = store,
    [GW_OP_ACCUM] = accum,
    [GW_OP_ATOMIC] = atomic,
    [GW_OP_DECLARE] = declare,
    [GW_OP_BARRIER] = barrier,
    [GW_OP_WARP] = warp,
    [GW_OP_SYNCWARP] = warp,
    [GW_OP_CLEAR] = clear,
    [GW_OP_SETTLE] = gw_emit_settle,
    [GW_OP_SETTLE_ALL] = gw_emit_settle_all,
    [GW_OP_COLLECT] = gw_emit_collect,
    [GW_OP_PUSH] = gw_emit_push,
    [GW_OP_POP] = gw_emit_pop,
    [GW_OP_EXPECT] = gw_emit_expect,
    [GW_OP_SKIP] = gw_emit_skip,
    [GW_OP_RESERVE] = gw_emit_reserve_room,
    [GW_OP_CALL] = call,
    [GW_OP_DEVICE] = device,
    [GW_OP_STOP] = stop,
    [GW_OP_FOR] = gw_emit_for,
    [GW_OP_WHILE] = gw_emit_while,
    [GW_OP_RET] = gw_emit_return,
    [GW_OP_YIELD] = nothing,
    [GW_OP_IF] = branch,
};

static void statement(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    if (o->code == GW_OP_ACCUM && gw_is_collected(o->attr)) return; /* the COLLECT behind it writes it */
    gw_emit_claim(e, op, "");
    if (gw_emit_is_in_vector(e->f, op)) return;
    (writers[o->code] ? writers[o->code] : define)(e, op);
}

/* A statement of a line above that of the one before it says which: the reverse sweep goes up. Whole numbers
 * steer it, and stand where they are needed. */
static void note_line(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const bool is_update = o->code == GW_OP_ACCUM || o->code == GW_OP_STORE;
    const bool is_real = o->results && gw_type_is_float(gw_typeof(e->f, gw_result(e->f, op, 0)));
    if (o->regions || !o->loc.line || (!is_update && !is_real)) return;
    if (o->loc.file == e->below.file && o->loc.line == e->below.line) return;
    e->names_line = o->loc.file != e->below.file || o->loc.line < e->below.line;
    e->below = o->loc;
}

void gw_emit_region(gw_emitter *e, gw_region r) {
    for (gw_op op = gw_first(e->f, r); op; op = gw_next(e->f, op)) {
        if (prints_nothing(e, op) && !(e->plan.ops[op].needed && gw_emit_is_in_vector(e->f, op))) continue;
        gw_op outer = e->statement;
        bool loop = gw_is_loop(e->f, op);
        e->statement = op;
        note_line(e, op);
        for (uint32_t k = 0; k < gw_op_at(e->f, op)->results && !gw_op_at(e->f, op)->regions; k++)
            gw_emit_forget(e, gw_emit_variable(&e->plan, gw_result(e->f, op, k)));
        if (loop) e->held.count = 0;
        statement(e, op);
        if (loop) e->held.count = 0;
        e->statement = outer;
    }
}
