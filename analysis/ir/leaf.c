/* leaf.c - the parts of structs (contract: leaf.h). */
#include "analysis/ir/leaf.h"

#include <stdlib.h>
#include <string.h>

static void collect(gw_session *s, gw_type t, gw_leaf so_far, gw_leaves *out) {
    const gw_type_data d = s->types.at[t];
    const char *path = gw_cstr(s, so_far.path), *name = gw_cstr(s, so_far.name),
               *memory = gw_cstr(s, so_far.memory);
    for (uint32_t i = 0; d.kind == GW_TYPE_STRUCT && i < d.count; i++) {
        const gw_field field = s->fields.at[d.first + i];
        const char *const member = gw_cstr(s, field.name);
        char *texts[] = {gw_format("%s.%s", path, member), gw_format("%s.%s", name, member),
                         gw_format("%s.%s", memory, member)};
        collect(s, field.type,
                (gw_leaf){gw_intern(s, texts[0]), gw_intern(s, texts[1]), gw_intern(s, texts[2]), 0}, out);
        for (uint32_t k = 0; k < 3; k++)
            free(texts[k]);
    }
    for (uint32_t i = 0; d.kind == GW_TYPE_ARRAY && i < d.count; i++) {
        if (out->count > GW_MOST_STRUCT_LEAVES) return;
        char *texts[] = {gw_format("%s[%u]", path, i), gw_format("%s[]", memory)};
        collect(s, d.element, (gw_leaf){gw_intern(s, texts[0]), so_far.name, gw_intern(s, texts[1]), 0}, out);
        free(texts[0]), free(texts[1]);
    }
    if (d.kind == GW_TYPE_STRUCT || d.kind == GW_TYPE_ARRAY) return;
    so_far.type = t;
    if (d.kind == GW_TYPE_POINTER) {
        char *text = gw_format("%s[]", memory);
        so_far.memory = gw_intern(s, text);
        free(text);
    }
    gw_push(out, so_far);
}

void gw_leaves_of(gw_session *s, gw_type t, gw_leaves *out) {
    const gw_str none = gw_intern(s, "");
    collect(s, t, (gw_leaf){none, none, none, 0}, out);
}

bool gw_leaf_is_number(const gw_session *s, const gw_leaf *leaf) {
    return s->types.at[leaf->type].kind == GW_TYPE_SCALAR && gw_type_is_float(gw_type_of_value(leaf->type));
}

bool gw_leaf_has(const gw_func *f, gw_op op, gw_object o, const gw_leaf *leaf) {
    const gw_op_data *d = gw_op_at(f, op);
    if (d->dead || d->object != o || !d->path) return false;
    const char *path = gw_cstr(f->session, d->path), *memory = gw_cstr(f->session, leaf->memory);
    if (!gw_leaf_is_pointer(f->session, leaf)) return gw_path_in_member(path, gw_cstr(f->session, leaf->name));
    return strncmp(path, memory, strlen(memory)) == 0;
}

bool gw_leaf_touched(const gw_func *f, gw_object o, const gw_leaf *leaf, unsigned how) {
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_leaf_has(f, op, o, leaf) && gw_touches(f, op, o, how)) return true;
    return false;
}

bool gw_type_reaches_float(const gw_session *s, gw_type t) {
    const gw_type_data *d = &s->types.at[t];
    if (d->kind == GW_TYPE_SCALAR) return gw_type_is_float(gw_type_of_value(t));
    if (d->kind == GW_TYPE_ARRAY) return gw_type_reaches_float(s, d->element);
    for (uint32_t i = 0; d->kind == GW_TYPE_STRUCT && i < d->count; i++)
        if (gw_type_reaches_float(s, s->fields.at[d->first + i].type)) return true;
    return false;
}
