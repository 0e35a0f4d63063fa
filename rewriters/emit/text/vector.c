/*
 * emit/text/vector.c - atomic additions to neighbouring cells as one call, the one that the way names
 * (rungs.def): gw_atomic_add2, gw_atomic_add4 (device.cuh), gw_record_add (records.cuh).
 *
 * The IR as it is now tells which of them are one (gw_rung_run): from the first of a chain of neighbours
 * on, as many as one call takes. They stand side by side, so all their values are there where the first stands.
 */
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

static bool is_vector(const gw_func *f, gw_op op) {
    return op && gw_op_at(f, op)->code == GW_OP_ACCUM && gw_way(gw_op_at(f, op)->attr)->as == GW_AS_RUN;
}

/* Components that stand in front of it, neighbour by neighbour. */
static uint32_t count_before(const gw_func *f, gw_op op) {
    uint32_t n = 0;
    for (gw_op before = gw_prev(f, op); is_vector(f, before) && gw_rung_next_cell(f, before, op);
         op = before, before = gw_prev(f, op))
        n++;
    return n;
}

bool gw_emit_is_in_vector(const gw_func *f, gw_op op) {
    if (!is_vector(f, op)) return false;
    gw_op first = op;
    for (uint32_t before = count_before(f, op); before; before--) first = gw_prev(f, first);
    while (first != op) { /* over whole instructions */
        for (uint32_t length = gw_rung_run(f, first); length; length--, first = gw_next(f, first))
            if (first == op) return true;
    }
    return false;
}

static void put_name(gw_text *out, const char *call, uint32_t length) {
    const size_t n = strcspn(call, "#");
    gw_text_addf(out, "%.*s", (int)n, call);
    if (call[n]) gw_text_addf(out, "%u", length);
}

char *gw_emit_vector(gw_emitter *e, gw_op first) {
    const gw_func *f = e->f;
    gw_text text = {0};
    uint32_t length = gw_rung_run(f, first);
    char *address = gw_emit_address(e, first);
    put_name(&text, gw_way(length > 1 ? gw_op_at(f, first)->attr : GW_ACCUMULATE_ATOMIC)->call, length);
    gw_text_addf(&text, "(%s", address);
    for (gw_op op = first; length; length--, op = gw_next(f, op)) {
        char *value = gw_emit_text(e, gw_operand(f, op, gw_index_count(f, op)), GW_IN_EXACT, GW_PREC_SELECT);
        gw_text_addf(&text, ", %s", value);
        free(value);
    }
    gw_text_add(&text, ");");
    free(address);
    return text.at;
}
