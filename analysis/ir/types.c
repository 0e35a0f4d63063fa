/*
 * types.c - scalar, struct, array and pointer types of the IR; the scalar rows are types.def.
 */
#include "analysis/ir/ir.h"

#include <stdlib.h>
#include <string.h>

enum type_class { VOID, BOOL, SINT, UINT, FLOAT, HALF, FOUR };
static const struct {
    const char *text;
    uint32_t bytes;
    enum type_class cls;
} scalars[] = {
#define GW_TYPE(NAME, text, c, bytes, cls) {text, bytes, cls},
#include "analysis/ir/types.def"
#undef GW_TYPE
};

/* A row of intrin.def of a type on which its op is not defined does not compile: else the verifier would find
 * it, in the derivative of somebody's function. */
enum {
#define GW_OP(NAME, text, operands, typing, domain, effect, adjoint, spelling, c)                              \
    DOMAIN_OF_##NAME = GW_DOMAIN_##domain,
#include "analysis/ir/ops.def"
#undef GW_OP
#define GW_TYPE(NAME, text, c, bytes, cls) CLASS_OF_##NAME = cls,
#include "analysis/ir/types.def"
#undef GW_TYPE
};
#define IS_DEFINED_ON(domain, cls)                                                                             \
    ((int)(domain) == GW_DOMAIN_ANYTHING || (int)(domain) == GW_DOMAIN_NUMBERS ||                              \
     ((int)(cls) == FLOAT ? (int)(domain) == GW_DOMAIN_FLOATS                                                  \
                          : (int)(domain) == GW_DOMAIN_INTEGERS || (int)(domain) == GW_DOMAIN_BITS))
#define GW_INTRIN(spelling, OP, type, fast)                                                                    \
    _Static_assert(IS_DEFINED_ON(DOMAIN_OF_##OP, CLASS_OF_##type), spelling ": see the op's domain in ops.def");
#include "analysis/ir/intrin.def"
#undef IS_DEFINED_ON

static bool same_struct(const gw_session *s, const gw_type_data *t, gw_str name, const gw_field *fields,
                        uint32_t n, gw_layout layout) {
    if (t->kind != GW_TYPE_STRUCT || t->name != name || t->count != n) return false;
    if (t->layout.size != layout.size || t->layout.align != layout.align) return false;
    for (uint32_t i = 0; i < n; i++) {
        const gw_field *f = &s->fields.at[t->first + i];
        if (f->name != fields[i].name || f->type != fields[i].type || f->offset != fields[i].offset ||
            f->enumeration != fields[i].enumeration)
            return false;
    }
    return true;
}

gw_type gw_type_struct(gw_session *s, gw_str name, const gw_field *fields, uint32_t count, gw_layout layout) {
    for (uint32_t i = GW_T_SCALARS; i < s->types.count; i++)
        if (same_struct(s, &s->types.at[i], name, fields, count, layout)) return i;
    uint32_t first = s->fields.count;
    for (uint32_t i = 0; i < count; i++) gw_push(&s->fields, fields[i]);
    gw_push(&s->types,
            ((gw_type_data){
                .kind = GW_TYPE_STRUCT, .name = name, .first = first, .count = count, .layout = layout}));
    return s->types.count - 1;
}

void gw_capture_structs_text(const gw_session *s, gw_text *out) {
    for (uint32_t i = 0; i < s->captures.count; i++) {
        const gw_capture_struct *c = &s->captures.at[i];
        if (!i) gw_text_add(out, "\nnamespace {\n");
        gw_text_addf(out, "struct %s { // the captures of the lambda in line %u\n", gw_cstr(s, c->name),
                     c->line);
        for (uint32_t k = 0; k < c->members.count; k++)
            gw_text_addf(out, "    %s;\n", gw_cstr(s, c->members.at[k]));
        gw_text_add(out, i + 1 == s->captures.count ? "};\n}\n" : "};\n");
    }
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

gw_type gw_type_pointer(gw_session *s, gw_type element, bool is_const) {
    for (uint32_t i = GW_T_SCALARS; i < s->types.count; i++) {
        const gw_type_data *t = &s->types.at[i];
        if (t->kind == GW_TYPE_POINTER && t->element == element && t->is_const == is_const) return i;
    }
    char *text = gw_format("%s%s *", is_const ? "const " : "", gw_cstr(s, s->types.at[element].name));
    gw_type_data t = {
        .kind = GW_TYPE_POINTER, .name = gw_intern(s, text), .element = element, .is_const = is_const};
    free(text);
    gw_push(&s->types, t);
    return s->types.count - 1;
}

const char *gw_type_text(const gw_session *s, gw_type t) {
    return t < GW_T_SCALARS ? scalars[t].text : gw_cstr(s, s->types.at[t].name);
}
const char *gw_type_c(const gw_session *s, gw_type t) { return gw_cstr(s, s->types.at[t].name); }
uint32_t gw_type_bytes(gw_type t) { return t < GW_T_SCALARS ? scalars[t].bytes : 0; }
bool gw_type_is_signed(gw_type t) {
    return t < GW_T_SCALARS && (scalars[t].cls == SINT || scalars[t].cls == FLOAT);
}
uint32_t gw_type_bits(gw_type t) { return t == GW_T_BOOL ? 1 : gw_type_bytes(t) * 8; }

void gw_type_range(gw_type t, int64_t *low, int64_t *high) {
    uint32_t bits = gw_type_bits(t);
    bool sign = gw_type_is_signed(t);
    *low = 0;
    *high = INT64_MAX;
    if (!gw_type_is_integer(t) && t != GW_T_BOOL)
        *low = INT64_MIN;
    else if (bits == 64)
        *low = sign ? INT64_MIN : 0;
    else {
        *high = ((int64_t)1 << (sign ? bits - 1 : bits)) - 1;
        *low = sign ? -*high - 1 : 0;
    }
}

gw_layout gw_type_layout(const gw_session *s, gw_type t) {
    const gw_type_data *d = &s->types.at[t];
    if (t < GW_T_SCALARS) return (gw_layout){scalars[t].bytes, scalars[t].bytes};
    if (d->kind == GW_TYPE_POINTER) return (gw_layout){8, 8};
    if (d->kind == GW_TYPE_STRUCT) return d->layout;
    gw_layout of = gw_type_layout(s, d->element);
    bool fits = (uint64_t)of.size * d->count <= UINT32_MAX;
    return fits ? (gw_layout){of.size * d->count, of.align} : (gw_layout){0};
}

const gw_field *gw_type_field(const gw_session *s, gw_type t, const char *name, size_t n) {
    if (s->types.at[t].kind != GW_TYPE_STRUCT) return NULL;
    for (uint32_t i = 0; i < s->types.at[t].count; i++) {
        const gw_field *f = &s->fields.at[s->types.at[t].first + i];
        const char *have = gw_cstr(s, f->name);
        if (strlen(have) == n && memcmp(have, name, n) == 0) return f;
    }
    return NULL;
}

gw_type gw_type_named(const gw_session *s, const char *name, size_t n) {
    for (gw_type t = GW_T_SCALARS; t < s->types.count; t++) {
        const char *have = s->types.at[t].kind == GW_TYPE_STRUCT ? gw_cstr(s, s->types.at[t].name) : "";
        if (strlen(have) == n && memcmp(have, name, n) == 0) return t;
    }
    return GW_T_VOID;
}

bool gw_type_has_pointer(const gw_session *s, gw_type t) {
    const gw_type_data *d = &s->types.at[t];
    if (t < GW_T_SCALARS || d->kind == GW_TYPE_POINTER) return t >= GW_T_SCALARS;
    if (d->kind == GW_TYPE_ARRAY) return gw_type_has_pointer(s, d->element);
    for (uint32_t i = 0; i < d->count; i++)
        if (gw_type_has_pointer(s, s->fields.at[d->first + i].type)) return true;
    return false;
}

const char *gw_question_in(const char *path) { return strstr(path, GW_PATH_ASKED); }

gw_type gw_question_type(const gw_session *s, const char *step) {
    const char *name = step + strlen(GW_PATH_ASKED);
    const size_t n = strcspn(name, "_");
    for (gw_type t = 0; t < GW_T_SCALARS; t++) {
        const char *text = gw_type_text(s, t);
        if (strlen(text) == n && memcmp(text, name, n) == 0) return t;
    }
    return GW_T_VOID;
}

/* What a path leads to: the type there, the pointers on the way, and whether the last one is to const. */
typedef struct path_walk {
    gw_type type;
    uint32_t pointers;
    bool is_const;
    gw_str enumeration; /* of the last member on the way */
} path_walk;

static path_walk walk_path(const gw_session *s, gw_type t, const char *path) {
    path_walk w = {.type = t};
    while (*path && w.type != GW_T_VOID) {
        const gw_type_data *d = &s->types.at[w.type];
        if (gw_question_in(path) == path) {
            w.type = gw_question_type(s, path), w.enumeration = 0;
            return w;
        }
        if (path[0] == '[' && path[1] == ']') {
            bool pointer = d->kind == GW_TYPE_POINTER;
            if (pointer) w.pointers++, w.is_const = d->is_const;
            w.type = pointer || d->kind == GW_TYPE_ARRAY ? d->element : GW_T_VOID;
            path += 2;
        } else if (path[0] == '.') {
            size_t n = strcspn(path + 1, ".[");
            const bool of_class = path[1] == GW_PATH_OF[1];
            const bool asks =
                d->kind == (of_class ? GW_TYPE_STRUCT : GW_TYPE_POINTER) && gw_path_asks(path);
            const gw_field *field = gw_type_field(s, w.type, path + 1, n);
            w.type = field ? field->type : GW_T_VOID;
            if (path[1] == GW_PATH_AS[1]) w.type = gw_type_named(s, path + 2, n - 1);
            if (asks) w.type = path[1] == GW_PATH_SIZE[1] ? GW_T_U64 : GW_T_BOOL;
            w.enumeration = field && !asks ? field->enumeration : 0;
            path += 1 + n;
        } else {
            w.type = GW_T_VOID;
        }
    }
    return w;
}

gw_type gw_type_at_path(const gw_session *s, gw_type t, const char *path) { return walk_path(s, t, path).type; }

bool gw_path_through_pointer(const gw_session *s, gw_type t, const char *path) {
    return walk_path(s, t, path).pointers != 0;
}

static path_walk walk_cell(const gw_func *f, gw_object object, gw_str path) {
    const gw_object_data *o = gw_object_at(f, object);
    const char *p = gw_cstr(f->session, path);
    if (o->kind == GW_OBJECT_POINTER || o->sized) {
        if (strcmp(p, GW_PATH_PRESENT) == 0)
            return (path_walk){.type = o->is_reference ? GW_T_VOID : GW_T_BOOL};
        if (strncmp(p, "[]", 2) != 0) return (path_walk){.type = GW_T_VOID};
        p += 2;
    }
    return walk_path(f->session, o->type, p);
}

gw_type gw_stored_type(const gw_func *f, gw_object object, gw_str path) {
    return walk_cell(f, object, path).type;
}

bool gw_cell_has_index(const gw_func *f, gw_object object, gw_str path, uint32_t index, int64_t at) {
    const char *text = gw_cstr(f->session, path), *end = strchr(text, '[');
    while (end && index--) end = strchr(end + 1, '[');
    if (!end) return false;
    char *before = gw_format("%.*s", (int)(end - text), text);
    const gw_type array = walk_cell(f, object, gw_intern(f->session, before)).type;
    free(before);
    const gw_type_data *d = &f->session->types.at[array];
    return d->kind != GW_TYPE_ARRAY || (at >= 0 && at < d->count);
}

gw_str gw_cell_enumeration(const gw_func *f, gw_object object, gw_str path) {
    const gw_object_data *o = gw_object_at(f, object);
    const char *p = gw_cstr(f->session, path);
    if (o->is_enumerated) return strcmp(p, GW_PATH_PRESENT) == 0 ? 0 : o->type_text;
    return walk_cell(f, object, path).enumeration;
}

gw_type gw_cell_type(const gw_func *f, gw_object object, gw_str path) {
    return gw_type_of_value(walk_cell(f, object, path).type);
}

bool gw_type_holds_half(const gw_session *s, gw_type t) {
    const gw_type_data *d = &s->types.at[t];
    if (t < GW_T_SCALARS) return gw_type_is_half(t);
    if (d->kind != GW_TYPE_STRUCT) return gw_type_holds_half(s, d->element);
    for (uint32_t i = 0; i < d->count; i++)
        if (gw_type_holds_half(s, s->fields.at[d->first + i].type)) return true;
    return false;
}

bool gw_cell_behind_pointer(const gw_func *f, gw_object object, gw_str path) {
    return walk_cell(f, object, path).pointers != 0;
}

bool gw_cell_is_const(const gw_func *f, gw_object object, gw_str path) {
    path_walk w = walk_cell(f, object, path);
    return w.pointers ? w.is_const : gw_object_at(f, object)->is_const;
}

bool gw_path_sees_class(const char *path) { return strstr(path, GW_PATH_AS) || strstr(path, GW_PATH_OF); }

bool gw_path_asks_null(const char *path) {
    const char *last = strrchr(path, '.');
    return last && strcmp(last, GW_PATH_PRESENT) == 0;
}

bool gw_path_asks(const char *path) {
    const char *last = strrchr(path, '.');
    return last && (gw_path_asks_null(path) || strcmp(last, GW_PATH_SIZE) == 0 || last[1] == GW_PATH_IS[1] ||
                    last[1] == GW_PATH_OF[1] || last[1] == GW_PATH_ASKED[1]);
}

const gw_field *gw_path_const_member(const gw_session *s, gw_type t, const char *path) {
    const gw_field *found = NULL;
    while (*path && t != GW_T_VOID) {
        const size_t n = *path == '.' ? strcspn(path + 1, ".[") : 1;
        const gw_field *field = *path == '.' ? gw_type_field(s, t, path + 1, n) : NULL;
        if (s->types.at[t].kind == GW_TYPE_POINTER) found = NULL;
        if (field && field->is_const) found = field;
        t = field ? field->type : s->types.at[t].element;
        path += n + 1;
    }
    return found;
}

bool gw_path_in_member(const char *path, const char *member) {
    while (*member) {
        while (strncmp(path, "[]", 2) == 0) path += 2;
        size_t n = 1 + strcspn(member + 1, "."), m = *path == '.' ? 1 + strcspn(path + 1, ".[") : 0;
        if (n != m || memcmp(path, member, n) != 0) return false;
        path += n;
        member += n;
    }
    return true;
}
