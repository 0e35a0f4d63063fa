/*
 * frontend/statement/function.c - lowering of a function definition.
 *
 * Parameters: a scalar is an argument of the entry region, a pointer or reference an object, a by-value struct
 * an object that is only read. A function that stores to such a struct is lowered again with a copy of it.
 */
#include "analysis/clean/clean.h"
#include "analysis/ir/diagnostics.h"
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/statement/statement.h"
#include "plugin/frontend/type/type.h"

#include <string.h>

static gw_str object_text(gw_unit *u, CXType pointee) {
    return gw_front_type_text(u, clang_getUnqualifiedType(clang_getCanonicalType(pointee)));
}

static bool has_self(CXCursor function) {
    return gw_front_is_method(function) && !clang_CXXMethod_isStatic(function);
}

typedef struct method {
    gw_unit *u;
    CXCursor function;
} method;

static bool names_argument(const void *of, gw_str name) {
    const method *m = of;
    for (int i = 0; i < clang_Cursor_getNumArguments(m->function); i++)
        if (gw_front_intern(
                m->u, clang_getCursorSpelling(clang_Cursor_getArgument(m->function, (unsigned)i))) == name)
            return true;
    return false;
}

gw_str gw_front_self_name(gw_unit *u, CXCursor function) {
    const method m = {u, function};
    return has_self(function) ? gw_free_name(u->session, "self", names_argument, &m) : 0;
}

/* A class's destructor has no part where the object stays the caller's. What members mean is not known of a
 * library's class. */
static const gw_refusal *refused_behind(gw_unit *u, gw_shape shape) {
    const gw_shape_data d = *gw_front_shape_at(u, shape);
    if (!d.destructs || d.kind == GW_SHAPE_OPAQUE) return gw_front_refusal(&d);
    if (d.kind == GW_SHAPE_ARRAY) return refused_behind(u, d.element);
    const CXCursor decl = clang_getTypeDeclaration(d.clang);
    const bool is_library = d.library || gw_front_is_thrust_vector(u, d.clang) ||
                            clang_Location_isInSystemHeader(clang_getCursorLocation(decl));
    const gw_refusal *refusal = is_library ? gw_front_refusal(&d) : NULL;
    for (uint32_t i = 0; i < d.count && !refusal; i++)
        refusal = refused_behind(u, u->fields.at[d.first + i].shape);
    return refusal;
}

/* The object of a member function: a reference parameter before the others. */
static void add_self(gw_lowering *L, CXCursor definition) {
    CXType type = clang_getCursorType(clang_getCursorSemanticParent(definition));
    gw_shape shape = gw_front_shape(L->u, type);
    const gw_refusal *refusal = refused_behind(L->u, shape);
    const bool has_cells = !gw_front_shape_at(L->u, shape)->no_cells;
    if (refusal || !has_cells)
        gw_front_refuse(L, definition, has_cells ? refusal->what : gw_front_unspeakable(L->u, shape),
                        "make it a plain function of scalars, structs, and pointers to them");
    if (L->failed) return;
    bool is_const = clang_CXXMethod_isConst(definition);
    gw_str text = object_text(L->u, type);
    char *full = gw_format("%s%s &", is_const ? "const " : "", GW_FRONT_TEXT(L, text));
    gw_param p = {.name = gw_front_self_name(L->u, definition), .type_text = gw_intern(L->session, full)};
    free(full);
    p.loc = L->f->loc;
    p.object = gw_object_new(L->f, GW_OBJECT_POINTER, p.name, gw_front_ir_type(L->u, shape));
    gw_object_data *o = gw_object_at(L->f, p.object);
    o->type_text = text;
    o->is_const = is_const;
    o->is_reference = true;
    o->loc = p.loc;
    gw_push(&L->f->params, p);
}

/* Pointer or reference to what the IR has a type for; everything else is refused by name. */
static void add_object(gw_lowering *L, CXCursor decl, CXType type, gw_param *param) {
    gw_unit *u = L->u;
    CXType canonical = clang_getCanonicalType(type);
    bool array = gw_front_decays(type);
    bool pointer = array || canonical.kind == CXType_Pointer || gw_front_is_reference(type);
    CXType pointee = canonical;
    if (pointer) pointee = array ? gw_front_parameter_cell(type) : clang_getPointeeType(canonical);
    gw_shape shape = gw_front_shape(u, pointee);
    const gw_shape_data data = *gw_front_shape_at(u, shape), *d = &data;
    const char *way_out = "pass plain scalars, structs, and pointers to them";
    const gw_refusal *refusal = pointer ? refused_behind(u, shape) : gw_front_refusal(d);
    const char *unspeakable = pointer && L->f->kind == GW_FUNC_HOST && !L->is_program
                                  ? gw_front_unspeakable_behind(u, shape)
                                  : gw_front_unspeakable(u, shape);
    if (refusal)
        gw_front_refuse(L, decl, refusal->what, way_out);
    else if (d->library == GW_LIBRARY_OPTIONAL)
        gw_front_refuse(L, decl, "a std::optional as a parameter", "pass the value, and whether there is one");
    else if (d->library == GW_LIBRARY_SPAN)
        gw_front_refuse(L, decl, "a std::span as a parameter", "pass a pointer and a number");
    else if (d->library == GW_LIBRARY_ARRAY && !pointer)
        gw_front_refuse(L, decl, "a std::array that is passed by value", "pass it by const reference");
    else if (unspeakable)
        gw_front_refuse(L, decl, unspeakable, "pass a struct of plain members");
    else if (clang_isVolatileQualifiedType(pointee))
        gw_front_refuse(L, decl, "volatile memory", "use ordinary memory");
    else if (gw_front_ir_type(u, shape) == GW_T_VOID)
        gw_front_refuse(L, decl, "a pointer to void", way_out);
    if (L->failed) return;
    param->object = gw_object_new(L->f, pointer ? GW_OBJECT_POINTER : GW_OBJECT_STRUCT, param->name,
                                  gw_front_ir_type(u, shape));
    gw_object_data *o = gw_object_at(L->f, param->object);
    o->type_text = object_text(u, pointee);
    o->is_const = clang_isConstQualifiedType(pointee) || (array && clang_isConstQualifiedType(canonical));
    o->is_restrict = clang_isRestrictQualifiedType(canonical);
    o->is_reference = gw_front_is_reference(type);
    o->is_enumerated = pointer && gw_front_enumeration(u, pointee);
    o->loc = param->loc;
}

/* A returned struct is an object that the body stores to when it has run. */
static void add_result(gw_lowering *L, CXCursor definition) {
    gw_shape shape = gw_front_shape(L->u, clang_getCursorResultType(definition));
    if (L->failed || shape < GW_T_SCALARS) return;
    gw_param p = {.name = gw_intern(L->session, "return"), .type_text = L->f->return_text, .is_result = true};
    p.loc = L->f->loc;
    p.object = gw_object_new(L->f, GW_OBJECT_STRUCT, p.name, gw_front_ir_type(L->u, shape));
    gw_object_at(L->f, p.object)->type_text = p.type_text;
    gw_object_at(L->f, p.object)->loc = p.loc;
    gw_push(&L->f->params, p);
}

/* Text of derivatives has it in its parameters. */
static void refuse_nameless(gw_lowering *L, CXType type, CXCursor instance, CXCursor at, const char *what) {
    const char *why = gw_front_nameless(L->u, type);
    if (!why) return;
    CXType t = clang_getCanonicalType(clang_getNonReferenceType(type));
    const gw_loc loc = gw_front_loc(L->u, clang_getCursorLocation(clang_getTypeDeclaration(t)));
    char *text =
        loc.line ? gw_format("%s (line %u) as a %s", why, loc.line, what) : gw_format("%s as a %s", why, what);
    char *functor = gw_front_functor(L->u, t, L->f->kind != GW_FUNC_HOST);
    const char *struct_of =
        functor ? functor : "of a lambda, a struct with operator() and what it captures, by copy, as members";
    char *taken = gw_front_captures_taken(L->u, t, instance);
    char *way_out = gw_format("%sgive the type a name at file scope: %s", taken, struct_of);
    gw_front_refuse(L, at, text, way_out);
    free(taken);
    free(functor);
    free(way_out);
    free(text);
}

static void refuse_nameless_arguments(gw_lowering *L, CXCursor definition) {
    for (int i = 0; i < clang_Cursor_getNumTemplateArguments(definition); i++)
        if (clang_Cursor_getTemplateArgumentKind(definition, (unsigned)i) == CXTemplateArgumentKind_Type)
            refuse_nameless(L, clang_Cursor_getTemplateArgumentType(definition, (unsigned)i), definition,
                            definition, "template argument");
}

/* In a program. */
static bool is_address(gw_lowering *L, CXType type, gw_shape shape) {
    if (gw_front_is_reference(type) || gw_front_shape_kind(L->u, shape) != GW_SHAPE_POINTER) return false;
    return gw_front_shape_kind(L->u, gw_front_pointee(L->u, shape)) != GW_SHAPE_POINTER;
}

/* A stream keeps the name of its type. */
static void add_address(gw_lowering *L, CXType type, gw_shape shape, gw_param *p) {
    const gw_shape_data *d = gw_front_shape_at(L->u, gw_front_pointee(L->u, shape));
    p->value = gw_region_arg(L->f, L->f->entry, GW_T_ADDRESS, p->name);
    if (d->kind == GW_SHAPE_STRUCT || d->kind == GW_SHAPE_ARRAY) p->leads_to = d->type;
    p->is_handle = d->kind == GW_SHAPE_OPAQUE || (d->kind == GW_SHAPE_STRUCT && !d->count);
    if (p->is_handle)
        p->type_text = gw_front_intern(L->u, clang_getTypeSpelling(clang_getUnqualifiedType(type)));
}

/* A pointer to a function: an object that is asked which one it is. */
static bool is_callee(gw_lowering *L, CXType type, gw_shape shape) {
    return L->f->kind == GW_FUNC_HOST && !gw_front_is_reference(type) && gw_front_is_callee(L, shape);
}

static void add_callee(gw_lowering *L, gw_shape shape, gw_param *p) {
    p->object = gw_object_new(L->f, GW_OBJECT_STRUCT, p->name, gw_front_ir_type(L->u, shape));
    gw_object_at(L->f, p->object)->type_text = p->type_text;
    gw_object_at(L->f, p->object)->is_const = true;
    gw_object_at(L->f, p->object)->loc = p->loc;
}

/* The parameter with this number, the object of a member function counted. */
static gw_shape param_shape(gw_lowering *L, CXCursor definition, uint32_t i) {
    const uint32_t first = has_self(definition), count = (uint32_t)clang_Cursor_getNumArguments(definition);
    if (i < first)
        return gw_front_shape(L->u, clang_getCursorType(clang_getCursorSemanticParent(definition)));
    return i < first + count
               ? gw_front_parameter_shape(L->u, clang_getArgType(clang_getCursorType(definition), i - first))
               : GW_T_VOID;
}

/* Text or a table: an object that is asked (call/asked.c). */
static bool is_asked(gw_lowering *L, CXType type) {
    return L->f->kind == GW_FUNC_HOST && !L->is_program && gw_front_is_asked_owner(L->u, type);
}

static void add_asked(gw_lowering *L, CXCursor decl, CXType type, gw_param *p) {
    const CXType of = clang_getCanonicalType(clang_getNonReferenceType(type));
    const bool is_reference = gw_front_is_reference(type);
    const bool stays = is_reference ? clang_isConstQualifiedType(of) : gw_front_stays(decl);
    if (!stays && (is_reference || !gw_front_is_passed_type(L->u, of))) {
        const gw_refusal *refusal = gw_front_shape_at(L->u, gw_front_shape(L->u, of))->refusal;
        gw_front_refuse(L, decl, refusal->what, "pass it by reference to const");
        return;
    }
    p->object = gw_object_new(L->f, GW_OBJECT_POINTER, p->name, GW_T_I8);
    gw_object_data *o = gw_object_at(L->f, p->object);
    o->type_text = object_text(L->u, of);
    o->is_const = o->is_reference = true;
    o->loc = p->loc;
}

static gw_place asked_place(gw_lowering *L, CXCursor decl, CXType type, gw_object object) {
    gw_place p = {.kind = GW_PLACE_MEMORY, .object = object, .path = gw_intern(L->session, "[]"), .count = 1};
    p.index[0] = gw_int(&L->b, GW_T_I32, 0);
    const gw_shape shape = gw_front_shape(L->u, clang_getNonReferenceType(type));
    return gw_front_is_reference(type) || gw_front_stays(decl)
               ? gw_front_asked_object(L, p, shape)
               : gw_front_unknown_place(L, shape, "a parameter that the function changes");
}

static void add_memory(gw_lowering *L, CXCursor decl, CXType type, gw_param *p) {
    const gw_shape shape = gw_front_parameter_shape(L->u, type);
    if (is_asked(L, type))
        add_asked(L, decl, type, p);
    else if (gw_front_is_thrust_vector(L->u, type))
        gw_front_thrust_vector_param(L, decl, type, p);
    else if (L->is_program && is_address(L, type, shape))
        add_address(L, type, shape, p);
    else if (is_callee(L, type, shape))
        add_callee(L, shape, p);
    else if (gw_front_shape_at(L->u, shape)->library == GW_LIBRARY_VECTOR)
        gw_front_vector_param(L, decl, type, p);
    else
        add_object(L, decl, type, p);
}

static void add_params(gw_lowering *L, CXCursor definition) {
    CXType function = clang_getCursorType(definition);
    int count = clang_Cursor_getNumArguments(definition);
    if (clang_isFunctionTypeVariadic(function))
        gw_front_refuse(L, definition, "a function with variable arguments", "give it fixed parameters");
    refuse_nameless(L, clang_getCursorResultType(definition), definition, definition, "result");
    if (has_self(definition)) add_self(L, definition);
    for (int i = 0; i < count && !L->failed; i++) {
        CXCursor decl = clang_Cursor_getArgument(definition, (unsigned)i);
        CXType type = clang_getArgType(function, (unsigned)i);
        gw_shape shape = gw_front_parameter_shape(L->u, type);
        gw_param p = {.name = gw_front_intern(L->u, clang_getCursorSpelling(decl))};
        if (!p.name) {
            char *name = gw_format("unnamed%d", i);
            p.name = gw_intern(L->session, name);
            free(name);
        }
        /* const of a copy says nothing to the caller, and its adjoint is written. A pointer keeps
         * __restrict__. */
        CXType canonical = clang_getCanonicalType(type);
        bool copy = canonical.kind != CXType_Pointer && !gw_front_is_reference(type);
        const CXType named = gw_front_named_type(L->u, type);
        p.type_text = gw_front_type_text(L->u, copy ? clang_getUnqualifiedType(named) : type);
        if (L->f->template_head) p.pattern = gw_front_pattern_type(L->u, definition, (uint32_t)i, copy);
        if (gw_front_decays(type)) { /* double a[n][m]: flat */
            char *text = gw_front_decayed_text(L->u, type);
            p.type_text = gw_intern(L->session, text);
            free(text);
        }
        p.loc = gw_front_loc(L->u, clang_getCursorLocation(decl));
        bool value = gw_front_shape_kind(L->u, shape) == GW_SHAPE_SCALAR && !gw_front_is_reference(type);
        if (value && gw_type_is_half(shape))
            gw_front_refuse(L, decl, "a number of half precision that is passed by value", "pass a float");
        refuse_nameless(L, type, definition, decl, "parameter");
        if (L->failed) return;
        p.is_texture = value && gw_front_is_texture(L->u, type);
        if (p.is_texture)
            p.type_text = gw_front_intern(L->u, clang_getTypeSpelling(clang_getUnqualifiedType(type)));
        p.is_enumerated = value && gw_front_enumeration(L->u, type);
        if (value)
            p.value = gw_region_arg(L->f, L->f->entry, shape, p.name);
        else
            add_memory(L, decl, type, &p);
        gw_push(&L->f->params, p);
    }
    for (uint32_t i = 0, n = L->f->params.count; i < n && !L->failed; i++)
        gw_front_vector_size(L, i), gw_front_thrust_vector_count(L, i);
    for (uint32_t i = 0, n = L->f->params.count; i < n && !L->failed; i++)
        gw_front_vector_member_sizes(L, i, param_shape(L, definition, i));
    for (int i = 0; i < count && !L->failed; i++)
        gw_front_struct_add_parts(L, clang_getArgType(function, (unsigned)i),
                                  (uint32_t)i + has_self(definition));
    if (!L->failed) refuse_nameless_arguments(L, definition);
    add_result(L, definition);
}

static bool is_struct(const gw_lowering *L, const gw_param *p) {
    return p->object && gw_object_at(L->f, p->object)->kind == GW_OBJECT_STRUCT;
}

static void bind_params(gw_lowering *L, CXCursor definition, const bool *copied) {
    CXType function = clang_getCursorType(definition);
    uint32_t first = has_self(definition);
    for (uint32_t i = first; i < L->f->params.count && !L->failed; i++) {
        const gw_param p = L->f->params.at[i];
        if (gw_param_is_hidden(&p)) continue;
        CXType type = clang_getArgType(function, i - first);
        gw_shape shape = gw_front_parameter_shape(L->u, type);
        gw_place place = {.kind = GW_PLACE_MEMORY, .shape = shape, .object = p.object};
        if (is_asked(L, type)) {
            place = asked_place(L, clang_Cursor_getArgument(definition, i - first), type, p.object);
        } else if (p.is_vector) {
            place = gw_front_thrust_vector_place(L, type, i);
        } else if (p.value && gw_typeof(L->f, p.value) == GW_T_ADDRESS) {
            place = gw_front_temp(L, shape, p.name);
            gw_front_point(L, place, gw_front_device_place(L, gw_front_pointee(L->u, shape), p.value));
        } else if (p.value) {
            place = gw_front_temp(L, shape, p.name);
            gw_front_slot_set(L, place.slot, p.value);
        } else if (is_callee(L, type, shape)) {
            const gw_place target = gw_front_target(L, place);
            place = gw_front_temp(L, shape, p.name);
            gw_front_point(L, place, target);
        } else if (gw_front_struct_bind_parts(L, type, i, &place)) {
        } else if (is_struct(L, &p) && copied[i]) {
            gw_place copy = gw_front_temp(L, shape, p.name);
            gw_front_copy(L, copy, place);
            place = copy;
        } else if (gw_object_at(L->f, p.object)->is_container) {
            place = gw_front_vector_place(L, shape, &p);
        } else if (!is_struct(L, &p)) {
            place.path = gw_intern(L->session, "[]");
            place.index[place.count++] = gw_int(&L->b, GW_T_I32, 0);
            if (!gw_front_is_reference(type)) {
                gw_place target = place;
                target.shape = gw_front_pointee(L->u, shape);
                place = gw_front_temp(L, shape, p.name);
                gw_front_point(L, place, target);
            }
        }
        gw_front_bind(L, clang_Cursor_getArgument(definition, i - first), place);
    }
    for (uint32_t i = 0; i < L->f->params.count && !L->failed; i++)
        gw_front_note_extents(L, clang_Cursor_getArgument(definition, i));
}

static void set_result(gw_lowering *L, CXCursor definition) {
    static const char way_out[] = "return a scalar or a struct of such, or write through a pointer parameter";
    CXType type = clang_getCursorResultType(definition);
    gw_shape shape = gw_front_shape(L->u, type);
    const gw_shape_data *d = gw_front_shape_at(L->u, shape);
    bool is_struct = d->kind == GW_SHAPE_STRUCT || (d->kind == GW_SHAPE_ARRAY && d->library);
    const gw_refusal *refusal = gw_front_refusal(d);
    if (refusal)
        gw_front_refuse(L, definition, refusal->what, way_out);
    else if (gw_front_holds_half(L->u, shape))
        gw_front_refuse(L, definition, "a result of half precision",
                        "return a float, or write through a pointer parameter");
    else if (gw_front_is_reference(type) || (shape >= GW_T_SCALARS && !is_struct))
        gw_front_refuse(L, definition, "a returned pointer or reference", way_out);
    else if (is_struct && gw_front_unspeakable(L->u, shape))
        gw_front_refuse(L, definition,
                        d->no_cells ? "a returned std::optional or std::span"
                                    : "a returned std::tuple or std::vector",
                        way_out);
    else if (is_struct && d->has_pointer)
        gw_front_refuse(L, definition, "a returned struct that holds pointers", way_out);
    if (L->failed) return;
    L->f->return_type = is_struct ? GW_T_VOID : shape;
    L->f->return_text = gw_front_type_text(L->u, clang_getUnqualifiedType(clang_getCanonicalType(type)));
}

static void return_struct(gw_lowering *L, gw_place value) {
    gw_place result = {.kind = GW_PLACE_MEMORY, .shape = value.shape};
    for (uint32_t i = 0; i < L->f->params.count; i++)
        if (L->f->params.at[i].is_result) result.object = L->f->params.at[i].object;
    gw_front_copy(L, result, value);
}

static void lower_body(gw_lowering *L, CXCursor definition, const bool *copied) {
    gw_front_held_start(L);
    gw_front_made_start(L);
    bind_params(L, definition, copied);
    gw_frame frame = {.decl = definition, .call = clang_getNullCursor()};
    if (has_self(definition)) {
        frame.self = (gw_place){.kind = GW_PLACE_MEMORY, .object = L->f->params.at[0].object, .count = 1};
        frame.self.shape = gw_front_shape(L->u, clang_getCursorType(clang_getCursorSemanticParent(definition)));
        frame.self.path = gw_intern(L->session, "[]");
        frame.self.index[0] = gw_int(&L->b, GW_T_I32, 0);
    }
    gw_front_frame_result(L, &frame, definition);
    frame.exit = gw_front_exit_open(L, GW_EXIT_RETURN);
    gw_push(&L->frames, frame);
    gw_front_openmp(L, definition);
    const CXCursor body = gw_front_body(definition);
    if (clang_Cursor_isNull(body))
        gw_front_refuse(L, definition, "a function try block", "write the block inside of the body");
    gw_front_statement(L, body);
    if (L->failed || L->refused) return;
    gw_front_exit_close(L);
    gw_front_locate(L, definition);
    gw_front_thrust_vectors_end(L, definition);
    gw_front_held_end(L);
    bool is_struct = frame.result.kind && frame.result.shape >= GW_T_SCALARS;
    if (is_struct) return_struct(L, frame.result);
    gw_value v = frame.result.kind && !is_struct ? gw_front_load(L, frame.result) : 0;
    gw_emit(&L->b, GW_OP_RET, GW_T_VOID, 0, &v, v ? 1 : 0);
}

static void end_lowering(gw_lowering *L) {
    for (uint32_t i = 0; i < L->loops.count; i++)
        gw_front_discovery_free(L->loops.at[i]);
    gw_vec_free(&L->loops);
    gw_vec_free(&L->openmp);
    gw_vec_free(&L->slots);
    gw_vec_free(&L->journal);
    gw_vec_free(&L->pointers);
    gw_vec_free(&L->candidates);
    gw_vec_free(&L->bindings);
    gw_vec_free(&L->counted);
    gw_vec_free(&L->exits);
    gw_vec_free(&L->owned);
    gw_vec_free(&L->tries);
    gw_vec_free(&L->unthrown);
    gw_vec_free(&L->lists);
    gw_vec_free(&L->lost);
    gw_vec_free(&L->frames);
    gw_vec_free(&L->stores);
    gw_vec_free(&L->rows);
    gw_vec_free(&L->globals);
    gw_vec_free(&L->extents);
    gw_vec_free(&L->devices);
    gw_vec_free(&L->symbols);
    gw_vec_free(&L->given_vectors);
    gw_vec_free(&L->sites);
    gw_vec_free(&L->staged_variables);
    gw_vec_free(&L->handles);
}

static gw_lowering start_lowering(gw_unit *u, gw_func *f, bool is_program) {
    gw_lowering L = {.u = u, .session = u->session, .f = f, .is_program = is_program};
    L.given_number = clang_getNullCursor();
    L.b = (gw_builder){.f = f, .region = f->entry, .loc = f->loc};
    return L;
}

/* Constants that folding and exits left unused. */
static void sweep_constants(gw_func *f) {
    bool *used = gw_alloc(f->values.count);
    for (gw_op op = 1; op < f->ops.count; op++)
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands && !gw_op_at(f, op)->dead; i++)
            used[gw_operand(f, op, i)] = true;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == GW_OP_CONST && !used[gw_result(f, op, 0)])
            gw_op_remove(f, op);
    free(used);
}

/* Lowers the body, again with a copy of each by-value struct that it turns out to store to, with dynamic shared
 * memory for cells of several types, or with arrays of its own where copies reach them. */
static bool lower(gw_unit *u, gw_func *f, CXCursor definition, bool is_program) {
    bool *copied = gw_alloc(f->params.count + 1);
    gw_sites staged = {0};
    gw_held_pointers held = {0};
    gw_made_structs made = {0};
    uint32_t objects = f->objects.count, values = f->values.count, regions = f->regions.count;
    for (bool carves = false;;) {
        gw_lowering L = start_lowering(u, f, is_program);
        L.carves = carves, L.staged = &staged, L.held = &held, L.made = &made;
        gw_front_symbols_start(&L);
        gw_front_stage_start(&L);
        gw_front_handles_start(&L);
        lower_body(&L, definition, copied);
        gw_object stored = L.stored_param;
        bool good = !L.failed && !L.refused && gw_front_settle_unknown(&L) && gw_front_check_blocks(f) &&
                    gw_front_check_carved(&L) && gw_front_stage_check(&L) && gw_front_handles_check(&L) &&
                    gw_front_graphs(f) && gw_front_check_passed(&L) && gw_front_check_asked(&L);
        bool again = stored || L.must_carve || L.must_stage || (L.must_hold && !L.refused);
        carves |= L.must_carve;
        end_lowering(&L);
        if (!again || good) {
            if (good) gw_front_split(u, f), gw_numbers_for_bits(f), sweep_constants(f);
            good = good && gw_barriers_leave_rests(f);
            free(copied);
            gw_vec_free(&staged);
            gw_vec_free(&held);
            gw_vec_free(&made);
            return good;
        }
        for (uint32_t i = 0; i < f->params.count; i++)
            copied[i] |= f->params.at[i].object == stored;
        f->objects.count = objects, f->values.count = values, f->regions.count = regions;
        f->ops.count = 1, f->operands.count = 0;
        gw_region_at(f, f->entry)->first = gw_region_at(f, f->entry)->last = 0;
    }
}

/* What the function is called, and what tells it from others of its name. */
static void identify(gw_unit *u, gw_func *f, CXCursor definition) {
    gw_session *s = u->session;
    gw_str space = gw_front_space(u, definition);
    char *qualified = gw_format("%s%s%s", gw_cstr(s, space), space ? "::" : "", gw_cstr(s, f->name));
    f->qualified = gw_intern(s, qualified);
    f->symbol = gw_front_symbol(u, definition);
    free(qualified);
    enum CXLinkageKind linkage = clang_getCursorLinkage(definition);
    f->is_internal = linkage == CXLinkage_Internal || linkage == CXLinkage_UniqueExternal;
    f->is_internal |= gw_front_is_joined(u, clang_getCursorLocation(definition)); /* its source makes its own */
    CXCursor pattern = gw_front_pattern(definition);
    if (!clang_Cursor_isNull(pattern) && clang_getCursorKind(pattern) == CXCursor_FunctionTemplate &&
        !has_self(definition)) { /* overloads, by their objects */
        f->template_head = gw_front_template_head(u, pattern);
        f->template_arguments = gw_front_template_arguments(u, definition);
        f->return_pattern = gw_front_pattern_result(u, pattern);
    }
    uint32_t number = 1; /* in whichever namespace: calls look for names in those of their arguments, too */
    for (uint32_t i = 0; i < s->funcs.count; i++)
        number += s->funcs.at[i] != f && s->funcs.at[i]->name == f->name;
    char *tag = gw_format("_%u", number);
    if (number > 1) f->tag = gw_intern(s, tag);
    free(tag);
}

/* The first two arguments of its __launch_bounds__ (launch_bounds.h). */
static enum CXChildVisitResult visit_bound(CXCursor c, CXCursor parent, CXClientData data) {
    gw_func *f = data;
    int64_t number = 0;
    double unused;
    bool is_real;
    if (clang_getCursorKind(parent) != CXCursor_AnnotateAttr) {
        CXString text = clang_getCursorSpelling(c);
        bool is = clang_getCursorKind(c) == CXCursor_AnnotateAttr &&
                  strcmp(clang_getCString(text), "gradwright:launch_bounds") == 0;
        clang_disposeString(text);
        return is ? CXChildVisit_Recurse : CXChildVisit_Continue;
    }
    bool known =
        gw_front_evaluate(c, &number, &unused, &is_real) && !is_real && number > 0 && number <= GW_MOST_THREADS;
    const bool first = !f->bound;
    if (known) *(first ? &f->bound : &f->bound_blocks) = (uint32_t)number;
    return known && first ? CXChildVisit_Continue : CXChildVisit_Break;
}

gw_func *gw_front_function(gw_unit *u, CXCursor definition) {
    const bool is_program = gw_front_is_program(u, definition);
    if (is_program && !gw_front_symbols(u)) return NULL;
    gw_str name = gw_front_stem(u, definition);
    bool recursive = gw_front_is_recursive(u, definition) && !gw_front_why_no_call(u, definition);
    gw_func *f = gw_func_new(u->session, gw_cstr(u->session, name), gw_front_function_kind(u, definition));
    f->loc = gw_front_loc(u, clang_getCursorLocation(definition));
    identify(u, f, definition);
    if (f->kind == GW_FUNC_KERNEL) clang_visitChildren(definition, visit_bound, f);
    if (recursive && is_program) { /* its calls of itself would be refused as calls that name no stream */
        gw_diag(u->session, GW_DIAG_UNSUPPORTED, f->loc, "a recursive function that launches kernels",
                "rewrite the recursion as a loop");
        return NULL;
    }
    gw_lowering L = start_lowering(u, f, is_program);
    set_result(&L, definition);
    add_params(&L, definition);
    end_lowering(&L);
    if (L.failed) return NULL;
    if (recursive) gw_push(&u->callees, ((gw_unit_callee){definition, f})); /* before its body calls it */
    if (!lower(u, f, definition, is_program) || !gw_front_promises(u, definition, f)) return NULL;
    if (!gw_front_launch(u, definition, f) || !gw_front_asked(u, definition, f)) return NULL;
    if (!gw_front_check_starts(u, f)) return NULL;
    if (!recursive || !gw_front_stores_globals(f)) return f;
    gw_diag(u->session, GW_DIAG_UNSUPPORTED, f->loc, "a recursive function that writes global variables",
            "return the values, or rewrite the recursion as a loop");
    return NULL;
}
