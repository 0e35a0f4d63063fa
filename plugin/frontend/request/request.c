/*
 * frontend/request/request.c - requests: binding them to functions, checking their names.
 *
 * Requests come from annotations of the source and from the command line (they stand in the session already).
 * One on a template is bound to each instantiation that the unit uses. Two equal requests on one function are
 * one; two that would make functions of one name are an error.
 */
#include "plugin/frontend/request/request.h"
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/query.h"
#include "analysis/ir/requests.h"
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/parse/parse.h"
#include "plugin/frontend/statement/statement.h"
#include "plugin/frontend/type/type.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_AT_ONCE = 4 };

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* ---- functions ---- */
/* Whether the function has this request already; says so if it has another one that stands in its way. */
static bool repeated(gw_unit *u, const gw_cursors *bound, CXCursor decl, const gw_request *wanted) {
    const char *name = gw_cstr(u->session, wanted->function);
    for (uint32_t i = 0; i < bound->count; i++) {
        const gw_request *r = &u->session->requests.at[i];
        if (!clang_equalCursors(bound->at[i], decl)) continue;
        if (gw_request_equal(r, wanted)) return true;
        bool taken = r->name && r->name == wanted->name, unnamed = !r->name && !wanted->name;
        if (taken)
            gw_diag(u->session, GW_DIAG_REQUEST_NAME_TAKEN, wanted->loc, name, gw_cstr(u->session, r->name));
        else if (unnamed && r->kind == wanted->kind)
            gw_diag(u->session, GW_DIAG_CONFLICTING_REQUEST, wanted->loc, name, gw_request_rows[r->kind].made);
        else
            continue;
        return true;
    }
    return false;
}

static bool check_own_name(gw_unit *u, CXCursor decl, const gw_request *r) {
    gw_str stem = gw_front_stem(u, decl);
    const char *name = gw_cstr(u->session, stem);
    bool is_operator = name[strspn(name, NAME_CHARACTERS)] != 0;
    if (r->name == stem)
        gw_diag(u->session, GW_DIAG_BAD_REQUEST, r->loc, gw_cstr(u->session, r->text),
                "it has its function's own name");
    else if (is_operator && !r->name)
        gw_diag(u->session, GW_DIAG_UNSUPPORTED, r->loc, "an operator whose request has no name",
                "name the request: 'NAME = outputs wrt inputs'");
    else
        return true;
    return false;
}

/* The requests whose functions fill a matrix: of a Hessian the products with unit vectors, of a Jacobian its
 * columns forward, several at once, and its rows in reverse, of a sparse one its pattern, too; and that whose
 * function fills the terms of a rounding error. */
static void bind_parts(gw_unit *u, gw_cursors *bound, uint32_t whole, CXCursor decl) {
    gw_session *s = u->session;
    for (size_t i = 0; i < GW_FRONT_PARTS; i++) {
        const gw_part_row *part = &gw_front_parts[i];
        gw_request r = s->requests.at[whole];
        if (r.kind != part->of) continue;
        if (part->kind == GW_REQUEST_DERIVATIVE && !r.dependents.count) continue; /* one row */
        if (part->is_pattern && !r.is_sparse) continue;
        char *name = gw_format("%s%s", gw_cstr(s, r.name), part->suffix);
        r.kind = part->kind, r.part_of = whole + 1;
        r.dependents = r.independents = r.kept = r.fresh = (gw_names){0};
        r.dependent_extents = r.independent_extents = (gw_names){0};
        gw_request_read(s, &r);
        r.is_sparse = false, r.is_pattern = part->is_pattern;
        if (r.kind == GW_REQUEST_DERIVATIVE && !r.is_pattern)
            r.kind = GW_REQUEST_DERIVATIVES, r.directions = COLUMNS_AT_ONCE;
        r.name = gw_intern(s, name);
        free(name);
        gw_push(&s->requests, r);
        gw_push(bound, decl);
    }
}

static bool is_passed_over(gw_session *s, const gw_request *r) {
    bool is = false;
    for (uint32_t i = 0; i < s->passed_over.count; i++)
        is |= s->passed_over.at[i] == gw_request_key(s, r);
    return is;
}

/* Binds a copy of the request to the function. */
static void bind(gw_unit *u, gw_cursors *bound, gw_request r, CXCursor decl) {
    r.function = gw_front_display(u, decl);
    if (is_passed_over(u->session, &r)) return;
    r.dependents = r.independents = r.kept = r.fresh = (gw_names){0};
    r.dependent_extents = r.independent_extents = (gw_names){0};
    const char *wrong = gw_request_read(u->session, &r);
    bool good = !wrong && check_own_name(u, decl, &r);
    if (!good) gw_push(&u->session->refused, gw_request_key(u->session, &r));
    if (wrong) gw_diag(u->session, GW_DIAG_BAD_REQUEST, r.loc, gw_cstr(u->session, r.text), wrong);
    gw_request_name(u->session, &r, gw_front_stem(u, decl));
    if (good && !repeated(u, bound, decl, &r)) {
        gw_push(&u->session->requests, r);
        gw_push(bound, decl);
        bind_parts(u, bound, bound->count - 1, decl);
        gw_front_make_program_captures(u, clang_getCursorDefinition(decl));
        return;
    }
    gw_request_free(&r);
}

/* To the function, or to the instantiations of a template that the target names (NULL: all); false if there
 * is none. */
static bool bind_decl(gw_unit *u, gw_cursors *bound, const gw_request *r, CXCursor decl,
                      const gw_request_target *target) {
    if (!gw_front_is_pattern(decl)) {
        bind(u, bound, *r, decl);
        return true;
    }
    gw_cursors instances = {0};
    gw_front_make_captures(u, decl);
    gw_front_find_instances(u, target, decl, &instances);
    bool good = instances.count != 0;
    for (uint32_t i = 0; i < instances.count; i++) {
        bool spelled = clang_getCursorKind(decl) != CXCursor_FunctionTemplate ||
                       gw_front_template_arguments(u, instances.at[i]);
        if (spelled)
            bind(u, bound, *r, instances.at[i]);
        else
            gw_diag(u->session, GW_DIAG_UNSUPPORTED, r->loc,
                    clang_getCursorKind(instances.at[i]) == CXCursor_CXXMethod
                        ? "a member template"
                        : "a template whose arguments are not all types and integers",
                    "request a plain function that calls it");
    }
    gw_vec_free(&instances);
    return good;
}

static void bind_annotated(gw_unit *u, gw_cursors *bound) {
    gw_annotations found = {0};
    gw_front_find_annotated(u, &found);
    for (uint32_t i = 0; i < found.count; i++) {
        gw_annotation a = found.at[i];
        gw_request r = {.kind = a.kind, .text = a.text, .loc = a.loc, .from_source = true};
        if (bind_decl(u, bound, &r, a.decl, NULL)) continue;
        gw_str name = gw_front_qualified(u, a.decl);
        gw_diag(u->session, GW_DIAG_NO_INSTANCE, a.loc, gw_cstr(u->session, name));
    }
    gw_vec_free(&found);
}

/* ---- requests from outside of the source ---- */
static void bind_given(gw_unit *u, gw_cursors *bound, const gw_request *r) {
    gw_session *s = u->session;
    gw_request_target target;
    gw_cursors matches = {0};
    if (is_passed_over(s, r)) return;
    const char *wrong = gw_request_read_target(s, r->function, &target);
    if (wrong) {
        gw_push(&s->refused, gw_request_key(s, r));
        gw_diag(s, GW_DIAG_BAD_REQUEST, r->loc, gw_cstr(s, r->function), wrong);
        return;
    }
    bool known = gw_front_find_meant(u, &target, &matches);
    if (!known)
        gw_front_say_no_function(u, r->function, &target, r->loc);
    else if (!matches.count)
        gw_diag(s, GW_DIAG_NO_INSTANCE, r->loc, gw_cstr(s, r->function));
    else if (matches.count > 1)
        gw_diag(s, GW_DIAG_AMBIGUOUS_FUNCTION, r->loc, gw_cstr(s, r->function),
                gw_cstr(s, gw_front_signatures(u, &matches)));
    else
        bind_decl(u, bound, r, matches.at[0], &target);
    if (matches.count != 1) gw_push(&s->refused, gw_request_key(s, r));
    gw_vec_free(&matches);
}

/* Those from outside first. */
static void bind_all(gw_unit *u, gw_cursors *bound) {
    gw_session *s = u->session;
    GW_VEC(gw_request) given = {0};
    for (uint32_t i = 0; i < s->requests.count; i++)
        gw_push(&given, s->requests.at[i]);
    s->requests.count = 0;
    for (uint32_t i = 0; i < given.count; i++) {
        bind_given(u, bound, &given.at[i]);
        gw_request_free(&given.at[i]);
    }
    gw_vec_free(&given);
    bind_annotated(u, bound);
}

bool gw_front_request_bind(gw_unit *u, gw_cursors *definitions) {
    gw_session *s = u->session;
    gw_cursors bound = {0};
    bind_all(u, &bound);
    for (uint32_t i = 0; i < bound.count; i++) {
        CXCursor definition = clang_getCursorDefinition(bound.at[i]);
        const gw_request *r = &s->requests.at[i];
        if (clang_Cursor_isNull(definition)) gw_diag(s, GW_DIAG_NO_BODY, r->loc, gw_cstr(s, r->function));
        gw_push(definitions, definition);
    }
    if (!bound.count && !s->failed && !s->passed_over.count)
        gw_diag(s, GW_DIAG_NO_REQUEST, (gw_loc){0}, u->run->source);
    gw_vec_free(&bound);
    return !s->failed;
}

/* ---- names ---- */
/* What a name stands for: the cells of arrays and behind pointers. */
static gw_shape cell_shape(gw_unit *u, gw_shape s) {
    enum { DEEPEST = 16 };
    for (int depth = 0; depth < DEEPEST; depth++) {
        gw_shape_kind kind = gw_front_shape_kind(u, s);
        if (kind != GW_SHAPE_POINTER && kind != GW_SHAPE_ARRAY) break;
        s = kind == GW_SHAPE_POINTER ? gw_front_pointee(u, s) : gw_front_shape_at(u, s)->element;
    }
    return s;
}

/* A floating-point cell in it or behind its pointers. */
static bool reaches_float(gw_unit *u, gw_shape s, int depth) {
    gw_shape_data d = *gw_front_shape_at(u, s = cell_shape(u, s));
    if (d.kind == GW_SHAPE_SCALAR) return gw_type_is_float(gw_type_of_value(d.type));
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && depth && i < d.count; i++)
        if (reaches_float(u, u->fields.at[d.first + i].shape, depth - 1)) return true;
    return false;
}

/* The shape of the member; those of base classes and anonymous members are its own. A second name of a union's
 * cells is none. */
static bool find_member(gw_unit *u, gw_shape in, gw_str name, gw_shape *out) {
    gw_shape_data d = *gw_front_shape_at(u, in);
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count; i++) {
        gw_shape_field f = u->fields.at[d.first + i];
        if (!gw_front_holds(&d, i)) continue;
        if (f.is_base ? find_member(u, f.shape, name, out) : f.name == name) {
            if (!f.is_base) *out = f.shape;
            return true;
        }
    }
    return false;
}

/* NULL, or the first name in the path ".a.b" that is none of *shape's members. */
static const char *missing_member(gw_unit *u, gw_shape *shape, const char *path) {
    while (*path == '.') {
        size_t n = strcspn(path + 1, ".");
        gw_str name = gw_intern_n(u->session, path + 1, n);
        if (!find_member(u, cell_shape(u, *shape), name, shape)) return path + 1;
        path += 1 + n;
    }
    return NULL;
}

/* The type of what the name's first part names: a parameter, or the object of a member function. */
static bool base_type(gw_unit *u, CXCursor definition, gw_str base, CXType *type) {
    CXType function = clang_getCursorType(definition);
    for (int i = 0; i < clang_Cursor_getNumArguments(definition); i++) {
        CXCursor p = clang_Cursor_getArgument(definition, (unsigned)i);
        if (gw_front_intern(u, clang_getCursorSpelling(p)) != base) continue;
        *type = clang_getArgType(function, (unsigned)i);
        return true;
    }
    if (!base || base != gw_front_self_name(u, definition)) return false;
    *type = clang_getCursorType(clang_getCursorSemanticParent(definition));
    return true;
}

/* A member of its own class that a member function names as it would in its body: k is self.k. */
static gw_str as_member(gw_unit *u, CXCursor definition, gw_str name) {
    gw_session *s = u->session;
    const char *text = gw_cstr(s, name);
    gw_str base = gw_intern_n(s, text, strcspn(text, ".")), self = gw_front_self_name(u, definition);
    CXType type;
    if (!self || base_type(u, definition, base, &type)) return name;
    gw_shape shape = gw_front_shape(u, clang_getCursorType(clang_getCursorSemanticParent(definition)));
    char *full = gw_format(".%s", gw_cstr(s, base)), *member = gw_format("%s.%s", gw_cstr(s, self), text);
    if (strcmp(text, "this") == 0)
        name = self;
    else if (!missing_member(u, &shape, full))
        name = gw_intern(s, member);
    free(full);
    free(member);
    return name;
}

/* An object of a class that derives from the one that is named. */
static bool deriving_reaches_float(gw_unit *u, gw_shape shape) {
    const gw_shape_data d = *gw_front_shape_at(u, shape);
    gw_cursors classes = {0};
    if (d.kind == GW_SHAPE_STRUCT && !d.library)
        gw_front_deriving_classes(u, clang_getTypeDeclaration(d.clang), &classes);
    bool does = false;
    for (uint32_t i = 0; i < classes.count && !does; i++)
        does = reaches_float(u, gw_front_shape(u, clang_getCursorType(classes.at[i])), 8);
    gw_vec_free(&classes);
    return does;
}

static bool check_name(gw_unit *u, const gw_request *r, CXCursor definition, gw_str name) {
    gw_session *s = u->session;
    const char *text = gw_cstr(s, name);
    size_t n = strcspn(text, ".");
    CXType type;
    if (base_type(u, definition, gw_intern_n(s, text, n), &type)) {
        gw_shape shape = gw_front_parameter_shape(u, type);
        if (gw_front_shape_kind(u, shape) == GW_SHAPE_POINTER) shape = gw_front_pointee(u, shape);
        const char *missing = missing_member(u, &shape, text + n);
        const gw_refusal *refusal = gw_front_shape_at(u, cell_shape(u, shape))->refusal;
        if (!missing && (reaches_float(u, shape, 8) || deriving_reaches_float(u, shape))) return true;
        if (!text[n] && gw_front_is_texture(u, type)) return true;
        gw_str spelled = gw_front_intern(u, clang_getTypeSpelling(type));
        if (gw_front_shape_kind(u, cell_shape(u, shape)) == GW_SHAPE_OPAQUE && refusal)
            gw_diag(s, GW_DIAG_UNSUPPORTED, r->loc, refusal->what, refusal->way_out);
        else if (missing)
            gw_front_say_no_member(u, r, name, (size_t)(missing - text), cell_shape(u, shape));
        else
            gw_diag(s, GW_DIAG_NOT_ACTIVE, r->loc, text, gw_cstr(s, r->function), gw_cstr(s, spelled));
        return false;
    }
    return true; /* of a variable at file scope, or of nothing: frontend/unit/global.c */
}

bool gw_front_request_check(gw_unit *u, gw_request *r, CXCursor definition) {
    bool good = true;
    for (uint32_t i = 0; i < r->dependents.count; i++) {
        r->dependents.at[i] = as_member(u, definition, r->dependents.at[i]);
        good &= check_name(u, r, definition, r->dependents.at[i]);
    }
    for (uint32_t i = 0; i < r->independents.count; i++) {
        r->independents.at[i] = as_member(u, definition, r->independents.at[i]);
        good &= check_name(u, r, definition, r->independents.at[i]);
    }
    gw_shape result = gw_front_shape(u, clang_getCursorResultType(definition));
    if (gw_request_is_forward(r) && !gw_front_is_settable(u, result)) {
        gw_diag(u->session, GW_DIAG_UNSUPPORTED, r->loc,
                "a returned struct without a default constructor or with const members, in forward mode,",
                "give it a default constructor, and members that are not const");
        good = false;
    }
    gw_shape_kind kind = gw_front_shape_kind(u, result);
    if (gw_request_has_tangents(r) && !r->dependents.count && kind == GW_SHAPE_STRUCT) {
        gw_diag(u->session, GW_DIAG_UNSUPPORTED, r->loc, "a returned struct, in second derivatives,",
                "write the result through a pointer parameter, and name that: 'y wrt x'");
        good = false;
    }
    bool is_value = kind == GW_SHAPE_OPAQUE || (kind != GW_SHAPE_POINTER && reaches_float(u, result, 8));
    if (!r->dependents.count && !is_value) {
        gw_diag(u->session, GW_DIAG_BAD_REQUEST, r->loc, gw_cstr(u->session, r->text),
                "the function returns no floating-point number");
        good = false;
    }
    return good;
}

/* Whether a store to the object reaches the member ("" = any). */
static bool written(const gw_func *f, gw_object object, const char *member) {
    for (uint32_t i = 1; i < f->ops.count; i++) {
        const gw_op_data *o = &f->ops.at[i];
        if ((o->code != GW_OP_STORE && o->code != GW_OP_ATOMIC && !(o->flags & GW_OP_WRITES)) || o->dead ||
            o->object != object)
            continue;
        if (gw_path_in_member(gw_cstr(f->session, o->path), member)) return true;
    }
    return false;
}

/* What runs behind the primal draws other numbers from a state that the primal has moved. */
static bool check_states(gw_unit *u, const gw_request *r) {
    const bool is_behind = r->kind != GW_REQUEST_SPLIT && !gw_request_is_forward(r) && !gw_is_program(r->func);
    if (!is_behind || !gw_front_moves_states(u, r->func)) return true;
    gw_diag(u->session, GW_DIAG_UNSUPPORTED, r->loc,
            "a random state that is left where it was read, in one run,",
            "ask for GW_SPLIT_GRADIENT, whose first half draws, or for the gradient of a function that "
            "launches the kernel: drawn again, numbers are others");
    return false;
}

bool gw_front_request_check_written(gw_unit *u, gw_request *r) {
    gw_session *s = u->session;
    const gw_func *f = r->func;
    bool good = true, sized = false, is_result = false;
    for (gw_object o = 1; o < f->objects.count; o++) sized |= gw_object_at(f, o)->sized;
    for (uint32_t i = 0; i < f->params.count; i++) is_result |= f->params.at[i].is_result;
    if (r->kind == GW_REQUEST_SPLIT && f->kind != GW_FUNC_KERNEL && f->kind != GW_FUNC_HOST) {
        gw_diag(s, GW_DIAG_UNSUPPORTED, r->loc, "a device function, in two halves,",
                "ask for GW_GRADIENT, which runs both in one call");
        good = false;
    } else if (r->kind == GW_REQUEST_SPLIT && is_result) {
        gw_diag(s, GW_DIAG_UNSUPPORTED, r->loc, "a function that returns a struct, in two halves,",
                "write the result through a pointer parameter");
        good = false;
    }
    good &= check_states(u, r);
    if (r->kind == GW_REQUEST_SCREEN && f->kind == GW_FUNC_KERNEL) {
        gw_diag(s, GW_DIAG_UNSUPPORTED, r->loc, "a kernel, along the axes of a screen,",
                "ask for it of the device function that the kernel calls for a pixel, or for GW_DERIVATIVES");
        good = false;
    }
    if (gw_request_is_matrix(r))
        good &= gw_front_check_matrix(u, r);
    else
        good &= gw_front_check_fresh(u, r);
    if (r->kind == GW_REQUEST_ERROR && !r->part_of) good &= gw_front_check_rounding(u, r);
    if (is_result && f->kind == GW_FUNC_HOST && gw_is_program(f)) {
        gw_diag(s, GW_DIAG_UNSUPPORTED, r->loc, "the struct that a function which launches kernels returns",
                "return one number, or write through a pointer parameter, and name that: 'loss wrt x'");
        good = false;
    }
    if (gw_request_is_forward(r) && sized && is_result) { /* no value would say that memory was out */
        gw_diag(s, GW_DIAG_UNSUPPORTED, r->loc,
                "a returned struct beside arrays of run-time size, in forward mode,",
                "write the result through a pointer parameter");
        good = false;
    }
    for (uint32_t i = 0; i < r->dependents.count; i++) {
        const char *text = gw_cstr(s, r->dependents.at[i]);
        size_t n = strcspn(text, ".");
        gw_str base = gw_intern_n(s, text, n);
        bool is_written = false;
        for (uint32_t k = 0; k < f->params.count; k++)
            if (f->params.at[k].name == base && f->params.at[k].object)
                is_written |= written(f, f->params.at[k].object, text + n);
        for (uint32_t k = 0; k < f->params.count; k++) { /* a kernel may write there */
            const gw_param *p = &f->params.at[k];
            is_written |= p->value && gw_typeof(f, p->value) == GW_T_ADDRESS &&
                          (p->name == base || gw_roles_names_part(s, r->dependents.at[i], p));
        }
        if (!is_written) gw_diag(s, GW_DIAG_OUTPUT_NOT_WRITTEN, r->loc, text, gw_cstr(s, r->function));
        good &= is_written;
    }
    return good;
}
