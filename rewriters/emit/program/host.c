/*
 * emit/program/host.c - copies between memory that kernels see and values of a program (SEND and FETCH): the
 * values stand in an array of as many cells.
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

static void take(gw_emitter *e, gw_op op, const char *name) {
    for (uint32_t i = 0; i < gw_op_at(e->f, op)->results; i++) {
        const gw_value v = gw_result(e->f, op, i);
        if (!e->plan.values[v].needed) continue;
        char *text = gw_format("%s[%u]", name, i);
        gw_emit_assign(e, gw_emit_variable(&e->plan, v), text);
        free(text);
    }
}

void gw_emit_program_host(gw_emitter *e, gw_op op) {
    const gw_op_data o = *gw_op_at(e->f, op);
    const bool back = o.flags & GW_OP_BACK, sends = o.attr == GW_DEVICE_SEND;
    const uint32_t values = o.operands - GW_SEND_OPERANDS;
    const char *const run = gw_cstr(e->session, e->program), *name = "", *call;
    char *at = address(e, op, 0, sends ? "void *" : "const void *"), *on = address(e, op, 3, "cudaStream_t");
    const uint32_t cells = sends ? values : o.results;
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
    if (call && *name)
        gw_emit_line(e, "%s(%s, %s, %s, %s%s);", call, run, at, name, on,
                     sends && !back ? waiting[waits != 0] : "");
    else if (call)
        gw_emit_line(e, "%s(%s, %s);", call, run, at);
    if (back == sends) take(e, op, name);
    free(at), free(on);
}
