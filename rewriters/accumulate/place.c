/*
 * accumulate/place.c - where the cells of additions lie in memory, and which lie side by side (contract:
 * accumulate.h).
 *
 * A cell is so many bytes behind the last element on its path that no constant names: an element of a pointer,
 * d_s[k].v[1] is 4 * 1 + the offset of v behind d_s[k], or of an array, d_s[k].v[j]. The bytes are what Clang
 * says of the source's types, which the emitted text uses for adjoints too, so padding, bit-fields, packed
 * structs and base classes need no care here. Where a layout is not known, nothing is.
 *
 * Alignment: an element that a pointer leads to is aligned as its type is, by the language (a pointer that is
 * not may not be used as one); so a float * promises 4 bytes whatever it was made of, and floats at 4 * i and 4
 * * i + 1 are no pair. An element of an array in it is so many sizes further on, and aligned to what both are
 * multiples of. No cast in the kernel changes that: an access has the object of the parameter, and its path
 * goes through the parameter's type. What a typedef aligns less than its type is refused by the front end.
 */
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"

#include <stdlib.h>
#include <string.h>

int64_t gw_rung_offset(const gw_func *f, gw_value v, gw_value *base) {
    int64_t offset = 0, x;
    *base = v;
    for (gw_op op = gw_value_at(f, v)->op; op; op = gw_value_at(f, v)->op) {
        const gw_op_data *o = gw_op_at(f, op);
        gw_type type = gw_typeof(f, v);
        if (gw_const_int(f, v, &x)) {
            *base = 0;
            return offset + x;
        }
        bool widens = o->code == GW_OP_CAST && gw_type_is_integer(gw_typeof(f, gw_operand(f, op, 0))) &&
                      gw_type_bits(type) > gw_type_bits(gw_typeof(f, gw_operand(f, op, 0)));
        bool shifts = o->code == GW_OP_ADD && (gw_type_is_signed(type) || gw_type_bits(type) == 64) &&
                      gw_type_is_integer(type) && gw_const_int(f, gw_operand(f, op, 1), &x);
        if (!widens && !shifts) break;
        if (shifts) offset += x;
        *base = v = gw_operand(f, op, 0);
    }
    return offset;
}

static bool same_index(const gw_func *f, gw_value x, gw_value y, int64_t distance) {
    gw_value a, b;
    int64_t from = gw_rung_offset(f, x, &a), to = gw_rung_offset(f, y, &b);
    return (x == y && distance == 0) || (a == b && to - from == distance);
}

/* The part of the path in brackets, at index `number`, in an array of elements of this layout. */
static bool step(const gw_func *f, gw_op op, uint32_t number, gw_layout element, gw_rung_cell *c) {
    int64_t constant;
    if (!gw_const_int(f, gw_operand(f, op, number), &constant)) {
        /* the greatest power of two that divides it */
        uint32_t size_aligns = element.size & (0 - element.size);
        if (size_aligns < c->align) c->align = size_aligns;
        c->indices = number + 1, c->each = element.size;
        return false;
    }
    if (constant < 0 || constant > UINT32_MAX) c->align = 0;
    c->offset += (uint64_t)constant * element.size;
    return true;
}

bool gw_rung_place(const gw_func *f, gw_op op, gw_rung_cell *c) {
    const gw_session *s = f->session;
    const gw_op_data *o = gw_op_at(f, op);
    const gw_object_data *object = gw_object_at(f, o->object);
    const char *path = gw_cstr(s, o->path);
    bool leads = object->kind == GW_OBJECT_POINTER || object->sized;
    gw_type t = object->type;
    uint32_t number = 0;
    *c = (gw_rung_cell){.align = gw_type_layout(s, t).align};
    for (const char *at = path; *at && c->align;) {
        if (*at == '[') {
            bool pointer = leads || s->types.at[t].kind == GW_TYPE_POINTER;
            if (!leads) t = s->types.at[t].element;
            leads = false;
            at += 2;
            const gw_layout layout = gw_type_layout(s, t);
            if (pointer)
                *c = (gw_rung_cell){.align = layout.align,
                                    .indices = number + 1,
                                    .prefix = (uint32_t)(at - path),
                                    .each = layout.size};
            else if (!step(f, op, number, layout, c)) c->prefix = (uint32_t)(at - path);
            number++;
            continue;
        }
        size_t length = strcspn(at + 1, ".[");
        const gw_field *field = t < GW_T_SCALARS ? NULL : gw_type_field(s, t, at + 1, length);
        if (!field || !gw_type_layout(s, t).align) return false;
        c->offset += field->offset;
        t = field->type;
        at += 1 + length;
    }
    return c->align != 0;
}

/* Elements of one array: all indices are the same but the last, by which b's is *elements further on. */
static bool same_array(const gw_func *f, gw_op a, const gw_rung_cell *in, gw_op b, const gw_rung_cell *of,
                       int64_t *elements) {
    const gw_op_data *o = gw_op_at(f, a), *p = gw_op_at(f, b);
    gw_value from, to;
    *elements = 0;
    if (o->object != p->object || in->prefix != of->prefix || in->indices != of->indices) return false;
    if (strncmp(gw_cstr(f->session, o->path), gw_cstr(f->session, p->path), in->prefix) != 0) return false;
    for (uint32_t i = 0; i + 1 < in->indices; i++)
        if (!same_index(f, gw_operand(f, a, i), gw_operand(f, b, i), 0)) return false;
    if (!in->indices || gw_operand(f, a, in->indices - 1) == gw_operand(f, b, in->indices - 1)) return true;
    *elements -= gw_rung_offset(f, gw_operand(f, a, in->indices - 1), &from);
    *elements += gw_rung_offset(f, gw_operand(f, b, in->indices - 1), &to);
    return from == to;
}

bool gw_rung_same_element(const gw_func *f, gw_op a, const gw_rung_cell *in, gw_op b, const gw_rung_cell *of) {
    int64_t elements;
    return same_array(f, a, in, b, of, &elements) && elements == 0;
}

bool gw_rung_distance(const gw_func *f, gw_op a, gw_op b, int64_t *bytes) {
    gw_rung_cell in, of;
    int64_t elements;
    if (!gw_rung_place(f, a, &in) || !gw_rung_place(f, b, &of) || !same_array(f, a, &in, b, &of, &elements) ||
        elements > INT32_MAX || elements < INT32_MIN)
        return false;
    *bytes = elements * (int64_t)in.each + (int64_t)of.offset - (int64_t)in.offset;
    return true;
}

/* Elements of one array, whose indices need be no constants. */
static bool next_element(const gw_func *f, gw_op before, gw_op op) {
    uint32_t n = gw_index_count(f, op);
    const gw_str path = gw_op_at(f, op)->path;
    const char *text = gw_cstr(f->session, path);
    if (path != gw_op_at(f, before)->path || !n || strlen(text) < 2 ||
        strcmp(text + strlen(text) - 2, "[]") != 0)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!same_index(f, gw_operand(f, before, i), gw_operand(f, op, i), i + 1 == n)) return false;
    return true;
}

bool gw_rung_next_cell(const gw_func *f, gw_op before, gw_op op) {
    const gw_op_data *a = gw_op_at(f, before), *b = gw_op_at(f, op);
    int64_t bytes;
    if (a->object != b->object) return false;
    if (next_element(f, before, op)) return true;
    gw_type type = gw_stored_type(f, b->object, b->path);
    return type == gw_stored_type(f, a->object, a->path) && gw_rung_distance(f, before, op, &bytes) &&
           bytes == (int64_t)gw_type_bytes(type);
}

/* ---- what several rungs ask of an array ---- */
bool gw_rung_host_knows(const gw_func *f, gw_op add) {
    const gw_session *s = f->session;
    const gw_op_data *o = gw_op_at(f, add);
    const gw_object_data *object = gw_object_at(f, o->object);
    const char *path = gw_cstr(s, o->path), *first = strstr(path, "[]");
    if (object->kind == GW_OBJECT_POINTER)
        return !object->is_container && !gw_cell_behind_pointer(f, o->object, o->path);
    if (object->kind != GW_OBJECT_STRUCT || !first) return false;
    char *member = gw_format("%.*s", (int)(first - path), path);
    const gw_type_data *d = &s->types.at[gw_type_at_path(s, object->type, member)];
    free(member);
    return d->kind == GW_TYPE_POINTER && !gw_path_through_pointer(s, d->element, first + 2);
}

bool gw_rung_only_added_to(const gw_func *f, gw_op add) {
    const gw_op_data *a = gw_op_at(f, add);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool other = (o->code == GW_OP_LOAD || o->code == GW_OP_STORE) && o->path != a->path;
        if (!o->dead && o->object == a->object && o->code != GW_OP_ACCUM && !other) return false;
    }
    return true;
}

bool gw_rung_adds_only(const gw_func *f, gw_object object) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->object == object && o->code != GW_OP_ACCUM) return false;
    }
    return true;
}

bool gw_rung_adds_atomically(const gw_func *f, gw_op add) {
    const gw_op_data *a = gw_op_at(f, add);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || (o->code == GW_OP_ACCUM && o->object != a->object)) continue;
        if (o->code == GW_OP_CALL && gw_touches(f, op, a->object, GW_TOUCH_READ | GW_TOUCH_WRITE)) return false;
        if (o->object != a->object || !gw_paths_meet(f->session, o->path, a->path)) continue;
        const bool plainly = gw_way(o->attr)->ordered && !gw_accumulates_in_rows(o->attr);
        if (o->code != GW_OP_ACCUM || plainly) return false;
    }
    return true;
}
