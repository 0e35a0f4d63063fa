/*
 * frontend/place/dynamic.c - objects behind a pointer to a base class, whose class only a run knows.
 *
 * Memory that is declared as `shape` is seen as the class `circle` that derives from it by a step of the path
 * (GW_PATH_AS), behind which the members of that class are. Members of a base class are reached by the path of
 * the base, whichever class they are seen from: the memory's own class has no step, each class between has its
 * own. So one cell has one path, and distinct paths lead to distinct cells, or to cells of objects of distinct
 * classes, of which one is there. Another question asks whether the object is of exactly that class
 * (GW_PATH_OF); what is behind a step is touched only where it was answered so.
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include <stdlib.h>
#include <string.h>

static gw_str path_with(gw_lowering *L, gw_str path, const char *step, const char *name) {
    char *text = gw_format("%s%s%s", GW_FRONT_TEXT(L, path), step, name);
    const gw_str s = gw_intern(L->session, text);
    free(text);
    return s;
}

/* The path of the memory as it is declared. */
static gw_str declared_path(gw_lowering *L, gw_str path) {
    const char *text = GW_FRONT_TEXT(L, path), *last = strrchr(text, '.');
    if (!last || strncmp(last, GW_PATH_AS, strlen(GW_PATH_AS)) != 0) return path;
    return gw_intern_n(L->session, text, (size_t)(last - text));
}

static const char *name_of(gw_lowering *L, gw_shape shape) {
    return GW_FRONT_TEXT(L, L->session->types.at[gw_front_ir_type(L->u, shape)].name);
}

void gw_front_see_as(gw_lowering *L, gw_place *object, gw_shape shape) {
    if (object->kind != GW_PLACE_MEMORY || !object->root) return;
    const bool is_declared = gw_front_has_base(L->u, object->root, shape);
    if (!is_declared && !gw_front_has_base(L->u, shape, object->root)) return; /* another base of what it is */
    object->path = declared_path(L, object->path);
    if (!is_declared) object->path = path_with(L, object->path, GW_PATH_AS, name_of(L, shape));
}

/* Text can name the class, and the IR's type of that name is its own. */
static bool can_be_seen(gw_lowering *L, gw_shape shape) {
    const gw_shape_data d = *gw_front_shape_at(L->u, shape);
    if (d.kind != GW_SHAPE_STRUCT || gw_front_nameless(L->u, d.clang) || gw_front_is_closed_type(d.clang))
        return false;
    const gw_type ir = gw_front_ir_type(L->u, shape);
    if (ir < GW_T_SCALARS || L->session->types.at[ir].kind != GW_TYPE_STRUCT) return false;
    const char *name = name_of(L, shape);
    return !strpbrk(name, ".[") && gw_type_named(L->session, name, strlen(name)) == ir;
}

bool gw_front_is_dynamic(gw_lowering *L, const gw_place *object) {
    if (object->kind != GW_PLACE_MEMORY || object->is_exact || L->f->kind != GW_FUNC_HOST || L->is_program)
        return false;
    return gw_object_at(L->f, object->object)->kind == GW_OBJECT_POINTER && !object->view && !object->cell;
}

uint32_t gw_front_classes_of(gw_lowering *L, gw_place object, gw_seen_class *out, uint32_t most) {
    gw_cursors classes = {0};
    gw_shape whole = object.most ? object.most : object.shape;
    if (!object.root) object.root = whole;
    gw_front_deriving_classes(L->u, clang_getTypeDeclaration(gw_front_shape_at(L->u, object.root)->clang),
                              &classes);
    uint32_t count = 0;
    object.most = 0, object.is_exact = true;
    for (uint32_t i = 0; i < classes.count && count < most; i++) {
        gw_seen_class seen = {.object = object};
        const gw_shape shape = gw_front_shape(L->u, clang_getCursorType(classes.at[i]));
        if (!can_be_seen(L, shape) || !gw_front_has_base(L->u, shape, object.shape)) continue;
        seen.object.shape = shape;
        seen.question = path_with(L, declared_path(L, object.path), GW_PATH_OF, name_of(L, shape));
        gw_front_see_as(L, &seen.object, shape);
        out[count++] = seen;
    }
    gw_vec_free(&classes);
    return count;
}

bool gw_front_see_as_derived(gw_lowering *L, gw_place *object, gw_shape shape) {
    const bool derives = shape != object->shape && gw_front_has_base(L->u, shape, object->shape);
    if (!derives || !gw_front_is_dynamic(L, object) || !can_be_seen(L, shape)) return false;
    if (!object->root) object->root = object->shape;
    gw_front_see_as(L, object, shape);
    object->shape = shape;
    return true;
}

gw_value gw_front_is_of_class(gw_lowering *L, const gw_seen_class *seen) {
    return gw_load(&L->b, seen->object.object, seen->question, seen->object.index, seen->object.count);
}
