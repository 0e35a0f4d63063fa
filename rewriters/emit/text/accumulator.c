/*
 * emit/text/accumulator.c - exact sums in the text: the accumulators that additions name, in the grid's memory
 * and in that of each block, and where threads round them (gradwright/emitted/exact.cuh). The launch makes them
 * (emit/kernel/exact.c).
 *
 *     gw_exact_add(d_s_exact, d_s, &d_s[id], v);
 *     __syncthreads();
 *     gw_exact_settle(d_s_exact, d_s, &d_s[t]);
 */
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>

/* ---- exact sums ---- */
char *gw_emit_exact_base(const gw_func *f, gw_op add) {
    const gw_session *s = f->session;
    const char *object = gw_cstr(s, gw_object_at(f, gw_op_at(f, add)->object)->name),
               *member = gw_cstr(s, gw_exact_member(f, add));
    return gw_format("%s%s", object, member);
}

gw_str gw_emit_exact_name_for(gw_emitter *e, const gw_func *f, gw_op add, const char *what) {
    char *base = gw_emit_exact_base(f, add);
    gw_text wish = {0};
    for (const char *c = base; *c; c++)
        if (*c != '[' && *c != ']') gw_text_addf(&wish, "%c", *c == '.' ? '_' : *c);
    gw_text_addf(&wish, "_%s", what);
    const gw_str name = gw_emit_unique(e, wish.at);
    gw_text_free(&wish);
    free(base);
    return name;
}

const char *gw_emit_exact_number(gw_emitter *e, const gw_func *f, gw_op add) {
    return gw_emit_type(e, gw_typeof(f, gw_operand(f, add, gw_index_count(f, add))));
}

char *gw_emit_exact_type(gw_emitter *e, const gw_func *f, gw_op add) {
    return gw_format("gw_exact_%s<%s>", gw_exact_is_pointed(f, add) ? "table" : "column",
                     gw_emit_exact_number(e, f, add));
}

static bool is_given(const gw_func *f) { return f->kind == GW_FUNC_DEVICE || f->kind == GW_FUNC_HOST_DEVICE; }

void gw_emit_exact_given(gw_emitter *e, const gw_func *f, gw_emit_params *list) {
    const uint32_t count = is_given(f) ? gw_exact_arrays(f) : 0;
    if (!count) return;
    gw_emit_reserve_used(e, f);
    for (uint32_t i = 0; i < list->names.count; i++) gw_emit_reserve(e, list->names.at[i]);
    e->parts[GW_TENANT_EXACT] = gw_alloc(count * sizeof *e->parts[GW_TENANT_EXACT]);
    for (uint32_t i = 0; i < count; i++) {
        const gw_op add = gw_exact_array(f, i);
        char *type = gw_emit_exact_type(e, f, add);
        e->parts[GW_TENANT_EXACT][i] = gw_emit_exact_name_for(e, f, add, "exact");
        gw_emit_params_add(list, e->session, type, gw_cstr(e->session, e->parts[GW_TENANT_EXACT][i]));
        free(type);
    }
}

gw_str gw_emit_exact_types(gw_emitter *e, const gw_func *f) {
    gw_text list = {0};
    for (uint32_t i = 0; is_given(f) && i < gw_exact_arrays(f); i++) {
        char *type = gw_emit_exact_type(e, f, gw_exact_array(f, i));
        gw_text_addf(&list, "%s%s", i ? ", " : "", type);
        free(type);
    }
    const gw_str types = gw_intern(e->session, list.at ? list.at : "");
    gw_text_free(&list);
    return types;
}

/* ---- exact sums to shared memory ---- */
/* "d_s_exact, d_s": the accumulators, and where the array begins; the caller frees it. */
static char *with_array(gw_emitter *e, uint32_t number) {
    const gw_object object = gw_op_at(e->f, gw_exact_shared_array(e->f, number))->object;
    const gw_object_data *o = gw_object_at(e->f, object);
    const bool decays = o->sized || e->session->types.at[o->type].kind == GW_TYPE_ARRAY;
    return gw_format("%s, %s%s", gw_cstr(e->session, e->parts[GW_TENANT_EXACT_SHARED][number]),
                     decays ? "" : "&", gw_cstr(e->session, gw_emit_object(e, object)));
}

char *gw_emit_exact_into(gw_emitter *e, gw_op add) {
    const uint32_t number = gw_exact_number(e->f, add);
    const bool shared = gw_object_at(e->f, gw_op_at(e->f, add)->object)->kind == GW_OBJECT_SHARED;
    return shared ? with_array(e, number) : gw_strdup(gw_cstr(e->session, e->parts[GW_TENANT_EXACT][number]));
}

void gw_emit_settle(gw_emitter *e, gw_op op) {
    char *into = gw_emit_exact_into(e, op), *address = gw_emit_address(e, op);
    gw_emit_line(e, "gw_exact_settle(%s, %s);", into, address);
    free(into), free(address);
}

void gw_emit_settle_all(gw_emitter *e, gw_op op) {
    for (uint32_t i = 0; i < gw_exact_shared_arrays(e->f); i++) {
        if (gw_op_at(e->f, gw_exact_shared_array(e->f, i))->object != gw_op_at(e->f, op)->object) continue;
        char *list = with_array(e, i);
        gw_emit_line(e, "gw_exact_settle_all(%s);", list);
        free(list);
    }
}
