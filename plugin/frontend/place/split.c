/*
 * frontend/place/split.c - local and shared objects of classes become one object for each number in them.
 *
 * Emitted text could not declare a variable of a class with constructors, of a lambda, of a class with bases,
 * or of one that has no name there. Every access names its fields and ends at a number, so the fields may move
 * from the path into the object's name: t[i].p.x[j] is t_p_x[i][j]. Nothing else can tell the difference, since
 * the address of such an object does not leave the function.
 */
#include "plugin/frontend/place/place.h"

#include <string.h>

enum { MOST_VALUES = 4 }; /* operands of an access behind its indices: those of an atomic operation are two */

/* Whether the shape with this IR type, or one inside of it, is a class that text cannot declare. */
static bool needs_split(const gw_unit *u, gw_type type) {
    const gw_type_data *t = &u->session->types.at[type];
    while (t->kind == GW_TYPE_ARRAY)
        t = &u->session->types.at[t->element];
    if (t->kind != GW_TYPE_STRUCT || t->name >= u->shape_by_name.count || !u->shape_by_name.at[t->name])
        return false;
    const gw_shape_data *d = gw_front_shape_at(u, u->shape_by_name.at[t->name]);
    return d->split || clang_Cursor_isAnonymous(clang_getTypeDeclaration(clang_getCanonicalType(d->clang)));
}

/* Structs of integers that are as wide as numbers. */
static bool is_of_integers(const gw_session *s, gw_type type, bool *has_struct) {
    const gw_type_data t = s->types.at[type];
    if (type < GW_T_SCALARS) return gw_type_is_integer(type) && gw_type_bytes(type) >= 4;
    if (t.kind == GW_TYPE_ARRAY) return is_of_integers(s, t.element, has_struct);
    bool good = t.kind == GW_TYPE_STRUCT;
    *has_struct |= good;
    for (uint32_t i = t.first; good && i < t.first + t.count; i++)
        good = is_of_integers(s, s->fields.at[i].type, has_struct);
    return good;
}

/* Each becomes a row of integers, or of the numbers whose bits these are (clean/bits.c). */
static bool may_hold_bits(const gw_func *f, gw_type type) {
    bool has_struct = false, makes = false;
    if (!is_of_integers(f->session, type, &has_struct) || !has_struct) return false;
    for (gw_op op = 1; op < f->ops.count && !makes; op++)
        makes = gw_op_at(f, op)->code == GW_OP_BITS && !gw_op_at(f, op)->dead;
    return makes;
}

/* "[].p.x[]": the fields joined by _ to *name, the brackets to *path. */
static void separate(gw_session *s, gw_str full, gw_str base, gw_str *name, gw_str *path) {
    gw_text fields = {0}, brackets = {0};
    gw_text_add(&fields, gw_cstr(s, base));
    for (const char *p = gw_cstr(s, full); *p;) {
        size_t n = *p == '[' ? 2 : 1 + strcspn(p + 1, ".[");
        if (*p == '[')
            gw_text_add(&brackets, "[]");
        else
            gw_text_addf(&fields, "_%.*s", (int)(n - 1), p + 1);
        p += n;
    }
    *name = gw_intern(s, fields.at);
    *path = gw_intern(s, brackets.at ? brackets.at : "");
    gw_text_free(&fields);
    gw_text_free(&brackets);
}

/* The type of the part: the arrays on the way of the path around the number at its end. */
static gw_type part_type(gw_session *s, gw_type whole, const char *path) {
    uint32_t counts[GW_PLACE_INDICES], n = 0;
    for (gw_type at = whole;;) {
        gw_type_data t = s->types.at[at];
        if (t.kind == GW_TYPE_ARRAY) {
            counts[n++] = t.count;
            at = t.element, path += 2;
        } else if (t.kind == GW_TYPE_STRUCT) {
            size_t length = 1 + strcspn(path + 1, ".[");
            gw_str field = gw_intern_n(s, path + 1, length - 1);
            uint32_t i = 0;
            while (s->fields.at[t.first + i].name != field)
                i++;
            at = s->fields.at[t.first + i].type, path += length;
        } else {
            while (n)
                at = gw_type_array(s, at, counts[--n]);
            return at;
        }
    }
}

typedef struct part {
    gw_object whole, object;
    gw_str path;
} part;
typedef struct splitting {
    gw_unit *u;
    gw_func *f;
    GW_VEC(part) parts;
} splitting;

static bool names_object(const void *of, gw_str name) {
    const gw_func *f = of;
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->name == name) return true;
    return false;
}

static gw_object part_of(splitting *x, gw_object whole, gw_str path, gw_str *rest) {
    gw_session *s = x->f->session;
    gw_object_data d = *gw_object_at(x->f, whole);
    gw_str name;
    separate(s, path, d.name, &name, rest);
    for (uint32_t i = 0; i < x->parts.count; i++)
        if (x->parts.at[i].whole == whole && x->parts.at[i].path == path) return x->parts.at[i].object;
    gw_type type = part_type(s, d.type, gw_cstr(s, path) + (d.sized ? strlen("[]") : 0));
    bool number = type < GW_T_SCALARS && !d.sized; /* text has arrays as local objects: of one element then */
    if (number) type = gw_type_array(s, type, 1);
    gw_object o = gw_object_new(x->f, d.kind, gw_free_name(s, gw_cstr(s, name), names_object, x->f), type);
    gw_object_at(x->f, o)->zeroed = d.zeroed;
    gw_object_at(x->f, o)->sized = d.sized;
    gw_object_at(x->f, o)->loc = d.loc;
    gw_push(&x->parts, ((part){whole, o, path}));
    return o;
}

static bool is_whole(const splitting *x, gw_object o, uint32_t objects) {
    const gw_object_data *d = gw_object_at(x->f, o);
    return o && o < objects && gw_object_is_inner(d->kind) &&
           (needs_split(x->u, d->type) || (!d->sized && may_hold_bits(x->f, d->type)));
}

static void redirect(splitting *x, gw_op op) {
    gw_op_data o = *gw_op_at(x->f, op);
    gw_str rest;
    gw_object object = part_of(x, o.object, o.path, &rest);
    if (!gw_cstr(x->f->session, rest)[0]) { /* a number: element 0 of its array */
        gw_builder b = {.f = x->f, .region = o.parent, .before = op, .loc = o.loc};
        gw_value operands[MOST_VALUES + 1] = {gw_int(&b, GW_T_I32, 0)};
        for (uint32_t i = 0; i < o.operands; i++) operands[i + 1] = gw_operand(x->f, op, i);
        gw_op_set_operands(x->f, op, operands, 1 + o.operands);
        rest = gw_intern(x->f->session, "[]");
    }
    gw_op_at(x->f, op)->object = object;
    gw_op_at(x->f, op)->path = rest;
}

/* A declaration of the whole is one of each part. */
static void declare_parts(splitting *x, gw_op op) {
    gw_op_data o = *gw_op_at(x->f, op);
    gw_builder b = {.f = x->f, .region = o.parent, .before = op, .loc = o.loc};
    for (uint32_t i = 0; i < x->parts.count; i++) {
        if (x->parts.at[i].whole != o.object) continue;
        gw_value extent = o.operands ? gw_operand(x->f, op, 0) : 0;
        gw_op declare = gw_emit(&b, GW_OP_DECLARE, GW_T_VOID, 0, &extent, o.operands);
        gw_op_at(x->f, declare)->object = x->parts.at[i].object;
    }
    gw_op_remove(x->f, op);
}

void gw_front_split(gw_unit *u, gw_func *f) {
    splitting x = {.u = u, .f = f};
    uint32_t objects = f->objects.count, ops = f->ops.count;
    for (gw_op op = 1; op < ops; op++) {
        gw_opcode code = (gw_opcode)gw_op_at(f, op)->code;
        bool access =
            code == GW_OP_LOAD || code == GW_OP_STORE || code == GW_OP_ADDRESS || code == GW_OP_ATOMIC;
        if (access && !gw_op_at(f, op)->dead && is_whole(&x, gw_op_at(f, op)->object, objects))
            redirect(&x, op);
    }
    for (gw_op op = 1; op < ops; op++)
        if (gw_op_at(f, op)->code == GW_OP_DECLARE && !gw_op_at(f, op)->dead &&
            is_whole(&x, gw_op_at(f, op)->object, objects))
            declare_parts(&x, op);
    gw_vec_free(&x.parts);
}
