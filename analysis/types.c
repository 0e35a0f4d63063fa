/*
 * types.c - scalar, struct and array types of the IR; the scalar rows are types.def.
 */
#include "gradwright/ir/ir.h"

#include <stdlib.h>
#include <string.h>

enum type_class { VOID, BOOL, SINT, UINT, FLOAT };
static const struct {
    const char *text;
    uint32_t bytes;
    enum type_class cls;
} scalars[] = {
#define GW_TYPE(NAME, text, c, bytes, cls) {text, bytes, cls},
#include "gradwright/ir/types.def"
#undef GW_TYPE
};

static bool same_struct(const gw_session *s, const gw_type_data *t, gw_str name, const gw_field *fields, uint32_t n) {
    if (t->kind != GW_TYPE_STRUCT || t->name != name || t->count != n) return false;
    for (uint32_t i = 0; i < n; i++) {
        const gw_field *f = &s->fields.at[t->first + i];
        if (f->name != fields[i].name || f->type != fields[i].type) return false;
    }
    return true;
}

gw_type gw_type_struct(gw_session *s, gw_str name, const gw_field *fields, uint32_t count) {
    for (uint32_t i = GW_T_SCALARS; i < s->types.count; i++)
        if (same_struct(s, &s->types.at[i], name, fields, count)) return i;
    uint32_t first = s->fields.count;
    for (uint32_t i = 0; i < count; i++) gw_push(&s->fields, fields[i]);
    gw_push(&s->types, ((gw_type_data){.kind = GW_TYPE_STRUCT, .name = name, .first = first, .count = count}));
    return s->types.count - 1;
}

gw_type gw_type_array(gw_session *s, gw_type element, uint32_t count) {
    for (uint32_t i = GW_T_SCALARS; i < s->types.count; i++) {
        const gw_type_data *t = &s->types.at[i];
        if (t->kind == GW_TYPE_ARRAY && t->element == element && t->count == count) return i;
    }
    char *text = gw_format("%s[%u]", gw_cstr(s, s->types.at[element].name), count);
    gw_type_data t = {.kind = GW_TYPE_ARRAY, .name = gw_intern(s, text), .count = count, .element = element};
    free(text);
    gw_push(&s->types, t);
    return s->types.count - 1;
}

const char *gw_type_text(const gw_session *s, gw_type t) {
    return t < GW_T_SCALARS ? scalars[t].text : gw_cstr(s, s->types.at[t].name);
}
const char *gw_type_c(const gw_session *s, gw_type t) { return gw_cstr(s, s->types.at[t].name); }
uint32_t gw_type_bytes(gw_type t) { return t < GW_T_SCALARS ? scalars[t].bytes : 0; }
bool gw_type_is_signed(gw_type t) { return t < GW_T_SCALARS && (scalars[t].cls == SINT || scalars[t].cls == FLOAT); }
uint32_t gw_type_bits(gw_type t) { return t == GW_T_BOOL ? 1 : gw_type_bytes(t) * 8; }

static gw_type field_type(const gw_session *s, gw_type t, const char *name, size_t n) {
    if (s->types.at[t].kind != GW_TYPE_STRUCT) return GW_T_VOID;
    for (uint32_t i = 0; i < s->types.at[t].count; i++) {
        const gw_field *f = &s->fields.at[s->types.at[t].first + i];
        const char *have = gw_cstr(s, f->name);
        if (strlen(have) == n && memcmp(have, name, n) == 0) return f->type;
    }
    return GW_T_VOID;
}

gw_type gw_type_at_path(const gw_session *s, gw_type t, const char *path) {
    while (*path && t != GW_T_VOID) {
        if (path[0] == '[' && path[1] == ']') {
            t = s->types.at[t].kind == GW_TYPE_ARRAY ? s->types.at[t].element : GW_T_VOID;
            path += 2;
        } else if (path[0] == '.') {
            size_t n = strcspn(path + 1, ".[");
            t = field_type(s, t, path + 1, n);
            path += 1 + n;
        } else {
            return GW_T_VOID;
        }
    }
    return t;
}

gw_type gw_cell_type(const gw_func *f, gw_object object, gw_str path) {
    const gw_object_data *o = gw_object_at(f, object);
    const char *p = gw_cstr(f->session, path);
    if (o->kind == GW_OBJECT_POINTER) {
        if (strncmp(p, "[]", 2) != 0) return GW_T_VOID;
        p += 2;
    }
    return gw_type_at_path(f->session, o->type, p);
}
