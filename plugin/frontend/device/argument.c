/*
 * frontend/device/argument.c - what a program gives a kernel: numbers, addresses, and of a struct that is
 * passed by value each number and address in it, in order of declaration (analysis/ir/leaf.h).
 *
 * Only what a kernel reaches through one pointer is known to the program: the runtime knows buffers by their
 * addresses, and what lies in a buffer is no address to it. A kernel that follows pointers in memory is
 * refused.
 */
#include "analysis/ir/leaf.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/type/type.h"

static void push(gw_operands *out, gw_value v) { gw_push(out, v); }

static void add_parts(gw_lowering *L, gw_place p, CXCursor at, gw_operands *out) {
    const gw_shape_data d = *gw_front_shape_at(L->u, p.shape);
    if (L->failed) return;
    if (d.kind == GW_SHAPE_SCALAR) push(out, gw_cast(&L->b, d.type, gw_front_load(L, p)));
    if (d.kind == GW_SHAPE_POINTER) push(out, gw_front_address(L, gw_front_target(L, p), at));
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count && !L->failed; i++)
        add_parts(L, gw_front_member(L, p, i), at, out);
    for (uint32_t i = 0; d.kind == GW_SHAPE_ARRAY && i < d.count && !L->failed; i++)
        add_parts(L, gw_front_element(L, p, gw_int(&L->b, GW_T_I32, i)), at, out);
}

/* Whether text can set each of its members: it makes one without a constructor, of bytes that are 0. */
static bool is_plain(gw_unit *u, gw_shape s) {
    const gw_shape_data d = *gw_front_shape_at(u, s);
    if (d.kind == GW_SHAPE_ARRAY && !d.library) return is_plain(u, d.element);
    if (d.kind != GW_SHAPE_STRUCT) return d.kind == GW_SHAPE_SCALAR || d.kind == GW_SHAPE_POINTER;
    if (d.library || d.is_union || d.destructs || !gw_front_has_settable_members(u, s)) return false;
    for (uint32_t i = d.first; i < d.first + d.count; i++) {
        if (u->fields.at[i].bits) return false;
        if (!is_plain(u, u->fields.at[i].shape)) return false;
    }
    return true;
}

/* "whose member 'seed' is private"; the member is of the struct itself or of one in it. */
static char *why_not_plain(gw_unit *u, gw_shape s) {
    const gw_shape_data d = *gw_front_shape_at(u, s);
    if (d.kind == GW_SHAPE_ARRAY) return why_not_plain(u, d.element);
    if (d.kind != GW_SHAPE_STRUCT) return gw_strdup("which holds other things than numbers and pointers");
    if (d.library) return gw_strdup("which is a class of a library");
    if (d.is_union) return gw_strdup("which is a union");
    if (d.destructs) return gw_strdup("which has a destructor");
    for (uint32_t i = d.first; i < d.first + d.count; i++) {
        const gw_shape_field f = u->fields.at[i];
        const char *name = gw_cstr(u->session, f.name);
        if (f.bits) return gw_format("whose member '%s' is a bit-field", name);
        if (clang_isConstQualifiedType(clang_getCursorType(f.decl)))
            return gw_format("whose member '%s' is const", name);
        if (!is_plain(u, f.shape)) return why_not_plain(u, f.shape);
    }
    return gw_strdup("which is of another type than the kernel's");
}

static void refuse_struct(gw_lowering *L, gw_shape shape, uint32_t leaves, CXCursor e) {
    char *why = leaves > GW_MOST_STRUCT_LEAVES ? gw_format("which has %u numbers and pointers", leaves)
                                               : why_not_plain(L->u, shape);
    gw_str type = gw_front_intern(L->u, clang_getTypeSpelling(clang_getCursorType(e)));
    char *what = gw_format("'%s', passed to a kernel by value, %s,", GW_FRONT_TEXT(L, type), why);
    gw_front_refuse(L, e, what,
                    "pass a struct of at most 128 members of plain types, or a pointer to it");
    free(what), free(why);
}

static void add_struct(gw_lowering *L, gw_type type, CXCursor e, gw_operands *out) {
    const gw_shape shape = gw_front_shape_of(L, e);
    gw_leaves leaves = {0};
    gw_leaves_of(L->session, type, &leaves);
    const bool good = leaves.count <= GW_MOST_STRUCT_LEAVES && is_plain(L->u, shape) &&
                      gw_front_shape_at(L->u, shape)->type == type;
    const uint32_t count = leaves.count;
    gw_vec_free(&leaves);
    if (!good) {
        refuse_struct(L, shape, count, e);
        return;
    }
    const gw_value first = L->f->values.count;
    gw_place made = gw_front_temp(L, shape, 0);
    if (!L->failed) gw_front_initialize(L, made, e);
    add_parts(L, made, e, out);
    for (gw_value v = first; v < L->f->values.count; v++)
        gw_value_at(L->f, v)->name = 0; /* those of the struct's copies */
}

/* ---- what a kernel may not do ---- */
static bool leads_on(const gw_session *s, gw_type t) {
    const gw_type_data d = s->types.at[t];
    if (d.kind == GW_TYPE_POINTER) return true;
    if (d.kind == GW_TYPE_ARRAY) return leads_on(s, d.element);
    for (uint32_t i = 0; d.kind == GW_TYPE_STRUCT && i < d.count; i++)
        if (leads_on(s, s->fields.at[d.first + i].type)) return true;
    return false;
}

static bool follows(const gw_func *kernel, gw_object o) {
    gw_session *s = kernel->session;
    const gw_object_data *d = gw_object_at(kernel, o);
    bool found = false;
    if (d->kind != GW_OBJECT_STRUCT) {
        for (gw_op op = 1; op < kernel->ops.count && leads_on(s, d->type); op++) {
            const gw_op_data *x = gw_op_at(kernel, op);
            found |= !x->dead && x->object == o && x->path && gw_cell_behind_pointer(kernel, o, x->path);
        }
        return found;
    }
    gw_leaves leaves = {0};
    gw_leaves_of(s, d->type, &leaves);
    for (uint32_t i = 0; i < leaves.count; i++)
        found |= gw_leaf_is_pointer(s, &leaves.at[i]) && leads_on(s, s->types.at[leaves.at[i].type].element) &&
                 gw_leaf_touched(kernel, o, &leaves.at[i], GW_TOUCH_READ | GW_TOUCH_WRITE);
    gw_vec_free(&leaves);
    return found;
}

/* The kernel writes globals, which are no parameters of it (device/symbol.c). */
static bool writes_globals(const gw_func *kernel) {
    for (gw_op op = 1; op < kernel->ops.count; op++) {
        const gw_op_data *o = gw_op_at(kernel, op);
        const bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC || o->flags & GW_OP_WRITES;
        bool bound = !o->object || gw_object_at(kernel, o->object)->kind != GW_OBJECT_GLOBAL;
        for (uint32_t i = 0; i < kernel->params.count && !bound; i++)
            bound = kernel->params.at[i].object == o->object;
        if (!o->dead && writes && !bound) return true;
    }
    return false;
}

bool gw_front_may_launch(gw_lowering *L, CXCursor call, const gw_func *kernel) {
    if (writes_globals(kernel))
        gw_front_refuse(L, call, "a launch of a kernel that writes a variable of the device's",
                        "pass a pointer to memory");
    for (uint32_t i = 0; i < kernel->params.count && !L->failed; i++)
        if (kernel->params.at[i].object && follows(kernel, kernel->params.at[i].object))
            gw_front_refuse(L, call, "a launch of a kernel that follows pointers which lie in memory",
                            "pass the pointers, or a struct of them by value");
    return !L->failed;
}

/* (char *)u, and the kernel takes its numbers for bytes. */
static bool is_taken_for_bytes(gw_lowering *L, gw_type cell, CXCursor e) {
    if (cell != GW_T_I8 && cell != GW_T_U8) return false;
    for (e = gw_front_strip(e); gw_front_is_cast(clang_getCursorKind(e));) {
        CXCursor inner = gw_front_operand(L, e);
        if (clang_Cursor_isNull(inner)) break;
        e = gw_front_strip(inner);
    }
    const gw_shape s = gw_front_shape_of(L, e);
    return gw_front_shape_kind(L->u, s) == GW_SHAPE_POINTER &&
           gw_front_has_numbers(L, gw_front_pointee(L->u, s));
}

void gw_front_launch_argument(gw_lowering *L, const gw_func *kernel, const gw_param *p, CXCursor e,
                              gw_operands *out) {
    if (p->object && gw_object_at(kernel, p->object)->kind == GW_OBJECT_STRUCT) {
        add_struct(L, gw_object_at(kernel, p->object)->type, e, out);
    } else if (p->object) {
        if (is_taken_for_bytes(L, gw_object_at(kernel, p->object)->type, e))
            gw_front_refuse(L, e, "a pointer to floating-point numbers that a kernel takes for bytes",
                            "copy or fill them by cudaMemcpyAsync or cudaMemsetAsync");
        if (!L->failed) push(out, gw_front_address(L, gw_front_pointer(L, e), e));
    } else {
        gw_value v = gw_front_scalar(L, e);
        if (!L->failed) push(out, gw_cast(&L->b, gw_typeof(kernel, p->value), v));
    }
}

void gw_front_launch_variable(gw_lowering *L, const gw_func *kernel, const gw_param *p, gw_place from,
                              CXCursor at, gw_operands *out) {
    const gw_shape_data d = *gw_front_shape_at(L->u, from.shape);
    const gw_object_data *o = p->object ? gw_object_at(kernel, p->object) : NULL;
    const bool is_struct = o && o->kind == GW_OBJECT_STRUCT;
    bool fits = d.kind == GW_SHAPE_SCALAR && !o && d.type == gw_typeof(kernel, p->value);
    if (is_struct) fits = d.kind == GW_SHAPE_STRUCT && d.type == o->type && is_plain(L->u, from.shape);
    if (o && !is_struct) fits = d.kind == GW_SHAPE_POINTER;
    if (L->failed) return;
    if (fits)
        add_parts(L, from, at, out);
    else
        gw_front_refuse(L, at, "a launch with an argument of another type than the parameter's",
                        "launch it by kernel<<<grid, block>>>(arguments)");
}

/* &p of (void **)&p, or an expression of that type. */
gw_place gw_front_pointer_behind(gw_lowering *L, CXCursor e) {
    return gw_front_pointer(L, gw_front_behind_casts(L, e));
}

gw_place gw_front_member_named(gw_lowering *L, gw_place p, const char *name) {
    const gw_shape_data d = *gw_front_shape_at(L->u, p.shape);
    const gw_str wanted = gw_intern(L->session, name);
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count; i++)
        if (L->u->fields.at[d.first + i].name == wanted) return gw_front_member(L, p, i);
    L->failed = true;
    return (gw_place){0};
}
