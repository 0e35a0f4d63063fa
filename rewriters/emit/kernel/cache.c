/*
 * emit/kernel/cache.c - where a kernel's caches of cells begin and end in its text: one of floats, one of
 * doubles (gradwright/emitted/cache.cuh; what is added to them: accumulate/cache.c).
 */
#include "analysis/ir/rungs.h"
#include "analysis/ir/words.h"
#include "rewriters/emit/kernel/kernel_private.h"

static bool has_cache(const gw_func *f, gw_type of) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_ACCUM && o->attr == GW_ACCUMULATE_CACHE &&
            gw_typeof(f, gw_operand(f, op, gw_index_count(f, op))) == of)
            return true;
    }
    return false;
}

static void around(gw_emitter *e, const char *what) {
    static const gw_type types[] = {GW_T_F32, GW_T_F64};
    for (size_t i = 0; i < GW_COUNT_OF(types); i++)
        if (has_cache(e->f, types[i])) gw_emit_line(e, "gw_cache_%s<%s>();", what, gw_emit_type(e, types[i]));
}

const gw_emit_tenant gw_emit_tenant_cache = {.around = around};
