/*
 * emit/text/math.c - how a mathematical function is spelled: the first row of intrin.def that fits on the
 * device, the C library's name on the host, and Gradwright's own helper (emitted/functions.h) where there is
 * neither.
 */
#include "rewriters/emit/text/text_private.h"

static const struct {
    const char *spelling;
    gw_opcode code;
    gw_type type;
    bool fast;
} rows[] = {
#define GW_INTRIN(spelling, OP, type, fast) {spelling, GW_OP_##OP, GW_T_##type, fast},
#include "analysis/ir/intrin.def"
};

/* In no C library: gw_rsqrt, gw_rsqrtf, gw_rsqrtl and so on. */
static bool in_library(gw_opcode code) {
    return gw_op_is_function(code) && gw_op_rows[code].spelling != GW_SPELLED_GW_CALL;
}

static const char *find_row(gw_opcode code, gw_type type, bool fast) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].code == code && rows[i].type == type && rows[i].fast == fast) return rows[i].spelling;
    return NULL;
}

static const char *device_name(gw_opcode code, gw_type type, bool fast) {
    const char *name = find_row(code, type, fast);
    return name ? name : find_row(code, type, !fast);
}

char *gw_emit_math_name(const gw_emitter *e, gw_opcode code, gw_type type, bool fast) {
    if (gw_op_rows[code].typing == GW_TYPING_FREE) return gw_strdup(gw_op_rows[code].text); /* isnan ... */
    if (code == GW_OP_IABS) return gw_strdup(type == GW_T_I64 ? "llabs" : "abs");
    const char *name = NULL, *suffix = type == GW_T_F32 ? "f" : "";
    if (e->device) name = device_name(code, type, fast);
    else if (in_library(code)) name = find_row(code, type, false);
    if (name) return gw_strdup(name);
    if (type == GW_T_F80) suffix = "l";
    if (gw_type_is_four(type)) suffix = type == GW_T_F32X4 ? "4f" : "4";
    return gw_format("%s%s%s", in_library(code) ? "" : "gw_", gw_op_rows[code].text, suffix);
}
