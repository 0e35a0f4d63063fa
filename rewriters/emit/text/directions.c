/*
 * emit/text/directions.c - blocks of tangents in several directions (GW_DERIVATIVES), which the device loads
 * and stores by vector instructions.
 *
 * A number's tangents are written out one by one, side by side; that they are one access, nvcc finds where it
 * knows their alignment. A kernel assumes it of the caller's memory, and the launch looks first; shared and
 * local blocks are declared so.
 */
#include "rewriters/emit/text/text_private.h"

enum { WIDEST_ACCESS = 16 };

/* Bytes that blocks of the type are aligned to for one access; 0: they are read number by number. */
static uint32_t alignment(const gw_func *f, gw_type type) {
    const gw_session *s = f->session;
    const uint32_t directions = gw_directions(f);
    if (s->types.at[type].kind != GW_TYPE_ARRAY) return 0;
    while (s->types.at[s->types.at[type].element].kind == GW_TYPE_ARRAY) type = s->types.at[type].element;
    const gw_type number = s->types.at[type].element;
    if (s->types.at[type].count != directions || (number != GW_T_F32 && number != GW_T_F64)) return 0;
    const uint32_t size = number == GW_T_F32 ? 4 : 8;
    uint32_t bytes = WIDEST_ACCESS;
    while (bytes > size && directions * size % bytes) bytes /= 2;
    return bytes > size ? bytes : 0;
}

uint32_t gw_emit_alignment_of(const gw_func *f, const gw_param *p) {
    const bool is_blocks = gw_directions(f) && p->is_adjoint && p->object && !gw_param_is_hidden(p);
    return is_blocks ? alignment(f, gw_object_at(f, p->object)->type) : 0;
}

void gw_emit_assume_aligned(gw_emitter *e) {
    for (uint32_t i = 0; i < e->f->params.count; i++) {
        const gw_param *p = &e->f->params.at[i];
        const uint32_t bytes = gw_emit_alignment_of(e->f, p);
        if (bytes && gw_emit_uses_param(e, p))
            gw_emit_line(e, "__builtin_assume((size_t)%s %% %u == 0);",
                         gw_cstr(e->session, e->object_name[p->object]), bytes);
    }
}

const char *gw_emit_alignment(const gw_emitter *e, gw_object object) {
    const gw_object_data *o = gw_object_at(e->f, object);
    const bool is_blocks = gw_directions(e->f) && o->shadow_of && e->f->kind != GW_FUNC_HOST;
    switch (is_blocks && e->language == GW_EMIT_CUDA ? alignment(e->f, o->type) : 0) {
    case 8: return "__align__(8) ";
    case 16: return "__align__(16) ";
    default: return "";
    }
}
