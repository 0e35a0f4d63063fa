/*
 * frontend/place/variable.c - the place of a declaration: of one that is bound, of a launch's variables, of
 * shared memory; everything else is a variable at file scope and becomes a GLOBAL object of the function.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include <string.h>

static gw_object global_object(gw_lowering *L, CXCursor decl, gw_shape shape) {
    CXType type = clang_getCursorType(decl);
    gw_type ir = gw_front_shape_at(L->u, shape)->type;
    gw_object o = gw_object_new(L->f, GW_OBJECT_GLOBAL, gw_front_display(L->u, decl), ir);
    gw_object_data *d = gw_object_at(L->f, o);
    d->hidden = gw_front_hidden_variable(L->u, decl);
    d->is_const = clang_isConstQualifiedType(clang_getCanonicalType(type));
    gw_str enumeration = gw_front_enumeration(L->u, type);
    d->is_enumerated = enumeration != 0;
    if (enumeration) d->type_text = enumeration;
    d->is_constant_memory = gw_front_has_attribute(decl, CXCursor_CUDAConstantAttr);
    d->loc = gw_front_loc(L->u, clang_getCursorLocation(decl));
    gw_push(&L->globals, ((gw_global){decl, o}));
    return o;
}

/* Pointers to functions, or structs with such, of which the source says for good what they are: what the
 * initialiser says, made where it is used. */
static bool is_constant_table(gw_lowering *L, CXCursor decl, gw_shape shape, gw_place *p) {
    CXType type = clang_getCanonicalType(clang_getCursorType(decl));
    bool is_const = clang_isConstQualifiedType(type) != 0; /* of an array, with its elements */
    while (!is_const && clang_getArrayElementType(type).kind != CXType_Invalid) {
        type = clang_getCanonicalType(clang_getArrayElementType(type));
        is_const = clang_isConstQualifiedType(type) != 0;
    }
    const CXCursor initializer = clang_Cursor_getVarDeclInitializer(decl);
    const gw_shape_data *d = gw_front_shape_at(L->u, shape);
    if (!is_const || clang_Cursor_isNull(initializer) || L->is_program) return false;
    if (!d->has_pointer || !d->leaves || d->destructs || d->split || d->is_reference) return false;
    *p = gw_front_temp(L, shape, gw_front_intern(L->u, clang_getCursorSpelling(decl)));
    if (!L->failed) gw_front_initialize(L, *p, initializer);
    p->read_only = true;
    return true;
}

/* What a variable of pointers to functions is called; NULL: it is another one. */
static const gw_refusal *functions_in(CXType type) {
    bool table = false;
    for (type = clang_getCanonicalType(type); clang_getArrayElementType(type).kind != CXType_Invalid;
         table = true)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    enum CXTypeKind kind = clang_getCanonicalType(clang_getPointeeType(type)).kind;
    if (kind != CXType_FunctionProto && kind != CXType_FunctionNoProto) return NULL;
    return table ? GW_REFUSED(FUNCTION_TABLE) : GW_REFUSED(FUNCTION);
}

static bool is_of_host(CXCursor decl) {
    return !gw_front_has_attribute(decl, CXCursor_CUDADeviceAttr) &&
           !gw_front_has_attribute(decl, CXCursor_CUDAConstantAttr);
}

/* std::cout, stderr: nothing that anybody looks into. */
static bool is_passed(gw_lowering *L, CXCursor decl, gw_shape shape, gw_place *p) {
    if (gw_front_is_passed_class(L, shape)) {
        *p = gw_front_unknown_place(L, shape, "a stream");
        return true;
    }
    if (gw_front_shape_kind(L->u, shape) != GW_SHAPE_POINTER ||
        !gw_front_is_file(L->u, clang_getCursorType(decl)))
        return false;
    *p = gw_front_temp(L, shape, 0);
    gw_front_point(L, *p, gw_front_text_place(L, gw_front_pointee(L->u, shape), "a file"));
    p->read_only = true;
    return true;
}

/* Text or a table that is const, which is asked (call/asked.c). */
static bool is_asked(gw_lowering *L, CXCursor decl, gw_shape shape, gw_place *p) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(decl));
    if (!clang_isConstQualifiedType(type) || !gw_front_is_asked_owner(L->u, type)) return false;
    if (L->f->kind != GW_FUNC_HOST || L->is_program) return false;
    if (!p->object) p->object = global_object(L, decl, shape);
    gw_object_at(L->f, p->object)->type = GW_T_I8;
    *p = gw_front_asked_object(L, *p, shape);
    return true;
}

gw_place gw_front_global(gw_lowering *L, CXCursor decl) {
    decl = clang_getCanonicalCursor(decl);
    gw_shape shape = gw_front_shape(L->u, clang_getCursorType(decl));
    const gw_shape_data *d = gw_front_shape_at(L->u, shape);
    gw_place p = {
        .kind = GW_PLACE_MEMORY, .shape = shape, .detached = gw_front_is_nondifferentiable(L->u, decl)};
    for (uint32_t i = 0; i < L->globals.count; i++)
        if (clang_equalCursors(L->globals.at[i].decl, decl)) p.object = L->globals.at[i].object;
    const gw_refusal *functions = functions_in(clang_getCursorType(decl));
    if (is_asked(L, decl, shape, &p)) return p;
    if (p.object || gw_front_staged_variable(L, decl, &p) || is_passed(L, decl, shape, &p) ||
        gw_front_handle(L, decl, shape, &p) || is_constant_table(L, decl, shape, &p))
        return p;
    if (d->kind == GW_SHAPE_OPAQUE) {
        gw_front_refuse(L, decl, d->refusal->what, d->refusal->way_out);
    } else if (gw_front_is_of_variable_template(decl) && !gw_front_template_arguments(L->u, decl)) {
        gw_front_refuse(L, decl, "a variable template with arguments of types that have names",
                        "use a static member of a class template");
    } else if (functions) {
        gw_front_refuse(L, decl, functions->what, functions->way_out);
    } else if (d->no_cells && !d->holds_span) {
        gw_front_refuse(L, decl, "a std::optional at file scope",
                        "hold the value, and a bool that says whether there is one");
    } else if (d->has_pointer || gw_front_is_reference(clang_getCursorType(decl))) {
        gw_front_refuse(L, decl, "a pointer at file scope", "pass the pointer as a parameter");
    } else {
        p.object = global_object(L, decl, shape);
        const gw_site site = {.object = p.object, .shape = shape, .at = decl, .is_variable = true};
        if (is_of_host(decl) && !p.detached) gw_front_stage_note(L, site);
    }
    return p;
}

/* No text outside of the function can name it. */
static bool is_declared_in_function(CXCursor decl) {
    switch (clang_getCursorKind(clang_getCursorLexicalParent(clang_getCanonicalCursor(decl)))) {
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_ConversionFunction:
        return true;
    default:
        return false;
    }
}

gw_place gw_front_variable(gw_lowering *L, CXCursor decl, CXCursor use) {
    if (gw_front_use_lost(L, decl)) return (gw_place){0};
    for (uint32_t i = L->bindings.count; i-- > 0;)
        if (clang_equalCursors(L->bindings.at[i].decl, decl)) {
            const gw_place p = L->bindings.at[i].place;
            return p.walk ? gw_front_walked(L, p) : p;
        }
    uint32_t kind;
    if (gw_front_is_special(L, decl, &kind)) {
        const char *type =
            GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getTypeSpelling(clang_getCursorType(decl))));
        bool plain = strstr(type, "__cuda_builtin_") == NULL; /* a struct with members */
        gw_shape shape = plain ? gw_front_shape(L->u, clang_getCursorType(decl)) : GW_T_VOID;
        return (gw_place){.kind = GW_PLACE_SPECIAL, .shape = shape, .slot = 4 * kind};
    }
    if (gw_front_is_shared(decl)) {
        return gw_front_shared(L, decl, use);
    } else if (clang_Cursor_hasVarDeclGlobalStorage(decl) == 1 && is_declared_in_function(decl)) {
        gw_front_refuse(L, use, "a variable that is declared extern in a function",
                        "declare it at file scope, before its first use");
    } else if (clang_Cursor_hasVarDeclGlobalStorage(decl) == 1) {
        gw_place p = {0};
        return gw_front_joined_variable(L, decl, use, &p) ? p : gw_front_global(L, decl);
    } else {
        gw_front_refuse(L, use, "this name", "use variables of the function, parameters and globals");
    }
    return (gw_place){0};
}
