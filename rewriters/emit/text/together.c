/*
 * emit/text/together.c - shared arrays of which a warp reads one element each, as one array of records.
 *
 *     __shared__ float4 s_conic[256];              __shared__ struct {
 *     __shared__ int s_id[256];                        float4 s_conic;
 *                                                      int s_id;
 *     ... s_conic[j].x ... s_id[j]                 } staged[256];          ... staged[j].s_conic.x ...
 * staged[j].s_id
 *
 * What all lanes read at one number is then at one address, which an inner loop that warps run over and pass
 * over (layout.c) advances once, not once for each array. Where lanes read elements of their own, records would
 * put neighbours into one bank, so those arrays stay.
 *
 * Sound because nothing but loads and stores of elements knows where an array lies: none is passed on, cleared
 * as bytes, or as long as the launch says.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/warp.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 8 };

typedef struct staging {
    gw_emitter *e;
    gw_uniform uniform;
    gw_value *index; /* by object: at which all lanes read it; 0: at none, or it is not for this */
    bool *never;     /* by object */
} staging;

static bool is_array(const gw_func *f, gw_object object) {
    const gw_object_data *o = gw_object_at(f, object);
    const gw_type_data *d = &f->session->types.at[o->type];
    if (o->kind != GW_OBJECT_SHARED || o->sized || o->zeroed || o->shadow_of || d->kind != GW_TYPE_ARRAY)
        return false;
    return f->session->types.at[d->element].kind != GW_TYPE_ARRAY;
}

static bool is_member_access(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return (o->code == GW_OP_LOAD || o->code == GW_OP_STORE) &&
           strncmp(gw_cstr(f->session, o->path), "[]", 2) == 0;
}

/* Made of the lane's number: read once for the 32 iterations that lanes ask about (candidates.c). */
static bool is_asked_by_lanes(const gw_func *f, gw_value index) {
    gw_op op = gw_value_at(f, index)->op;
    if (!op) return false;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_WARP) return o->attr == GW_WARP_LANE;
    if (o->code != GW_OP_CAST && o->code != GW_OP_IMIN && o->code != GW_OP_ADD && o->code != GW_OP_SUB &&
        o->code != GW_OP_SELECT)
        return false;
    for (uint32_t i = 0; i < o->operands; i++)
        if (is_asked_by_lanes(f, gw_operand(f, op, i))) return true;
    return false;
}

static void look(staging *s, gw_op op) {
    const gw_func *f = s->e->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->dead || !o->object) return;
    bool declares = o->code == GW_OP_DECLARE && o->parent == f->entry;
    s->never[o->object] |= !is_array(f, o->object) || (!declares && !is_member_access(f, op));
    if (s->never[o->object] || o->code != GW_OP_LOAD) return;
    gw_value at = gw_operand(f, op, 0);
    if (is_asked_by_lanes(f, at)) return;
    s->never[o->object] |= s->uniform.value[at] == GW_DIVERGENT;
    s->index[o->object] = at;
}

static bool fits(const staging *s, gw_object first, gw_object o) {
    const gw_func *f = s->e->f;
    const gw_type_data *types = f->session->types.at;
    if (s->never[o] || !s->index[o]) return false;
    for (uint32_t i = 0; i < s->e->together.count; i++)
        if (gw_object_at(f, s->e->together.at[i])->name == gw_object_at(f, o)->name) return false;
    return !first || (s->index[o] == s->index[first] &&
                      types[gw_object_at(f, o)->type].count == types[gw_object_at(f, first)->type].count);
}

void gw_emit_find_together(gw_emitter *e) {
    const gw_func *f = e->f;
    staging s = {.e = e,
                 .index = gw_alloc(f->objects.count * sizeof *s.index),
                 .never = gw_alloc(f->objects.count * sizeof *s.never)};
    gw_uniform_new(&s.uniform, f);
    for (gw_op op = 1; op < f->ops.count; op++) look(&s, op);
    for (gw_object o = 1; o < f->objects.count && e->together.count < MOST_MEMBERS; o++)
        if (fits(&s, e->together.count ? e->together.at[0] : 0, o)) gw_push(&e->together, o);
    if (e->together.count < 2) e->together.count = 0;
    gw_uniform_free(&s.uniform);
    free(s.index);
    free(s.never);
}

bool gw_emit_is_together(const gw_emitter *e, gw_object o) {
    for (uint32_t i = 0; i < e->together.count; i++)
        if (e->together.at[i] == o) return true;
    return false;
}

static uint32_t cells(const gw_session *s, gw_type type) {
    const gw_type_data *d = &s->types.at[type];
    uint32_t sum = 0;
    if (d->kind != GW_TYPE_STRUCT) return 1;
    for (uint32_t i = 0; i < d->count; i++) sum += cells(s, s->fields.at[d->first + i].type);
    return sum;
}

/* Records of numbers of 4 bytes, three or more in each 16, are loaded by fewer instructions where they are
 * aligned to as many; larger members are aligned as they are. */
static const char *alignment_of_records(const gw_emitter *e) {
    const gw_session *s = e->session;
    const uint32_t n = e->together.count;
    for (uint32_t i = 0; i < n; i++) {
        const gw_type element = s->types.at[gw_object_at(e->f, e->together.at[i])->type].element;
        if (s->types.at[element].kind == GW_TYPE_STRUCT || gw_type_bytes(element) != 4) return "";
    }
    return n > 2 && 4 * n >= 3 * ((n + 3) / 4 * 4) ? " alignas(16)" : "";
}

/* Those of more cells first, as they are aligned. */
void gw_emit_declare_together(gw_emitter *e) {
    const gw_session *s = e->session;
    uint32_t n = e->together.count;
    e->records = gw_emit_unique(e, "staged");
    gw_emit_line(e, "__shared__ struct%s {", alignment_of_records(e));
    for (uint32_t left = n, most = UINT32_MAX; left;) {
        uint32_t next = 0;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t here = cells(s, s->types.at[gw_object_at(e->f, e->together.at[i])->type].element);
            if (here < most && here > next) next = here;
        }
        most = next;
        for (uint32_t i = 0; i < n; i++) {
            const gw_object_data *o = gw_object_at(e->f, e->together.at[i]);
            if (cells(s, s->types.at[o->type].element) != most) continue;
            gw_emit_line(e, "    %s %s;", gw_emit_type(e, s->types.at[o->type].element), gw_cstr(s, o->name));
            e->object_name[e->together.at[i]] = o->name;
            e->object_declared[e->together.at[i]] = true;
            left--;
        }
    }
    gw_emit_line(e, "} %s[%u];", gw_cstr(s, e->records),
                 s->types.at[gw_object_at(e->f, e->together.at[0])->type].count);
}
