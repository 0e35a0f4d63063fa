/*
 * emit/program/host.c - copies between memory that kernels see and values of a program (SEND and FETCH): the
 * values stand in an array of as many cells; those of half precision, which are floats, in one of floats.
 */
#include "analysis/ir/device.h"
#include "rewriters/emit/program/program_private.h"

#include <stdlib.h>

static char *address(gw_emitter *e, gw_op op, uint32_t i, const char *type) {
    int64_t null;
    if (gw_const_int(e->f, gw_operand(e->f, op, i), &null)) return gw_strdup("nullptr");
    char *text = gw_emit_text(e, gw_operand(e->f, op, i), GW_IN_EXACT, GW_PREC_UNARY),
         *made = gw_format("(%s)%s", type, text);
    free(text);
    return made;
}

/* "float sent[2] = {a, b}" of the operands from `first` on; its name. */
static const char *declare(gw_emitter *e, gw_op op, gw_type cell, const char *wish, uint32_t first,
                           uint32_t count) {
    const char *name = gw_cstr(e->session, gw_emit_unique(e, wish));
    gw_text values = {0};
    for (uint32_t i = 0; first && i < count; i++) {
        char *one = gw_emit_text(e, gw_operand(e->f, op, first + i), GW_IN_EXACT, GW_PREC_ASSIGN);
        gw_text_addf(&values, "%s%s", i ? ", " : "", one);
        free(one);
    }
    gw_emit_line(e, "%s %s[%u] = {%s};", gw_emit_type(e, cell), name, count, first ? values.at : "");
    gw_text_free(&values);
    return name;
}

/* "_as<__half>" of cells that floats stand for, which are half as wide as their adjoints. */
static const char *cells_as(const gw_emitter *e, gw_op op) {
    const gw_str cell = gw_op_at(e->f, op)->callee;
    if (cell == gw_intern(e->session, "__half")) return "_as<__half>";
    return cell == gw_intern(e->session, "__nv_bfloat16") ? "_as<__nv_bfloat16>" : "";
}

static void take(gw_emitter *e, gw_op op, const char *name, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const gw_value v = gw_result(e->f, op, first + i);
        if (!e->plan.values[v].needed) continue;
        char *text = gw_format("%s[%u]", name, i);
        gw_emit_assign(e, gw_emit_variable(&e->plan, v), text);
        free(text);
    }
}

/* The tangents of numbers, which stand behind these. */
static void write_tangents(gw_emitter *e, gw_op op, const char *at, const char *on, uint32_t count) {
    const gw_op_data o = *gw_op_at(e->f, op);
    const bool sends = o.attr == GW_DEVICE_SEND;
    const uint32_t first = sends ? GW_SEND_OPERANDS + count : 0;
    const gw_type cell = sends ? gw_typeof(e->f, gw_operand(e->f, op, first)) : gw_typeof(e->f, o.first_result);
    const char *name = declare(e, op, cell, sends ? "t_sent" : "t_fetched", first, count);
    const char *const wide = *cells_as(e, op) ? ", 2" : "";
    gw_emit_line(e, "gw_program_%s_along(%s, %s, %s, %s%s);", sends ? "send" : "fetch",
                 gw_cstr(e->session, e->program), at, name, on, wide);
    if (!sends) take(e, op, name, count, count);
}

/* How many cells a call moves that has the tangents of them too, if they are numbers. */
static uint32_t cells_of(const gw_emitter *e, gw_op op, bool *has_tangents) {
    const gw_op_data o = *gw_op_at(e->f, op);
    const bool sends = o.attr == GW_DEVICE_SEND;
    const uint32_t all = sends ? o.operands - GW_SEND_OPERANDS : o.results;
    if (!all || !gw_emit_call_is_along(e, op)) return all;
    const gw_value first = sends ? gw_operand(e->f, op, GW_SEND_OPERANDS) : o.first_result;
    *has_tangents = gw_type_is_float(gw_typeof(e->f, first));
    return *has_tangents ? all / 2 : all;
}

void gw_emit_program_host(gw_emitter *e, gw_op op) {
    const gw_op_data o = *gw_op_at(e->f, op);
    const bool back = o.flags & GW_OP_BACK, sends = o.attr == GW_DEVICE_SEND;
    const uint32_t values = o.operands - GW_SEND_OPERANDS;
    const char *const run = gw_cstr(e->session, e->program), *name = "", *call;
    char *at = address(e, op, 0, sends ? "void *" : "const void *"), *on = address(e, op, 3, "cudaStream_t");
    bool has_tangents = false;
    const uint32_t cells = cells_of(e, op, &has_tangents);
    if (back && sends) {
        call = o.results ? "gw_program_send_back" : "gw_program_unwrite";
        if (o.results) name = declare(e, op, gw_typeof(e->f, o.first_result), "d_sent", 0, o.results);
    } else if (back) {
        call = values ? "gw_program_fetch_back" : NULL;
        if (values)
            name = declare(e, op, gw_typeof(e->f, gw_operand(e->f, op, GW_SEND_OPERANDS)), "d_fetched",
                           GW_SEND_OPERANDS, values);
    } else {
        const gw_type cell =
            sends ? gw_typeof(e->f, gw_operand(e->f, op, GW_SEND_OPERANDS)) : gw_typeof(e->f, o.first_result);
        call = sends ? "gw_program_send" : "gw_program_fetch";
        name = declare(e, op, cell, sends ? "sent" : "fetched", sends ? GW_SEND_OPERANDS : 0, cells);
    }
    static const char *const waiting[] = {", false", ", true"};
    int64_t waits = 0;
    gw_const_int(e->f, gw_operand(e->f, op, 2), &waits);
    const char *const cells_are = cells_as(e, op);
    const char *const wide = back && *cells_are ? ", 2" : "";
    const char *const more = sends && !back ? waiting[waits != 0] : wide;
    if (call && *name)
        gw_emit_line(e, "%s%s(%s, %s, %s, %s%s);", call, back ? "" : cells_are, run, at, name, on, more);
    else if (call)
        gw_emit_line(e, "%s(%s, %s);", call, run, at);
    if (back == sends) take(e, op, name, 0, back ? o.results : cells);
    if (has_tangents) write_tangents(e, op, at, on, cells);
    free(at), free(on);
}
