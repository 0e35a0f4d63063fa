/*
 * frontend/device/rule.c - functions that work on memory of the device and have a pullback of the user's
 * (libraries: cuBLAS, cuFFT), and calls of them in a program.
 *
 * Such a function names the stream that it works on: by a parameter of type cudaStream_t, or by its first
 * parameter, of which gw_stream_of gives the stream. Its pointers to numbers then lead to memory of the device,
 * or, as a call may have it, to a variable of the program's, which is passed by value; pointers to what nobody
 * looks into (handles), numbers and enumerators are passed as they stand.
 *
 * Such a function that is GW_NONDIFFERENTIABLE writes no floating-point number (it sorts, it counts): it has no
 * pullback, and the way back knows only that what it overwrote is there again.
 */
#include "analysis/ir/device.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/type/type.h"
#include "plugin/request/request.h"

#include <string.h>

enum { MOST_PARAMS = 32 };

/* ---- types ---- */
static CXType plain(CXType type) { return clang_getUnqualifiedType(clang_getCanonicalType(type)); }

static gw_str spelled(gw_unit *u, CXType type) { return gw_front_intern(u, clang_getTypeSpelling(type)); }

static bool is_stream(gw_unit *u, CXType type) {
    CXType t = plain(type);
    if (t.kind != CXType_Pointer) return false;
    CXCursor of = clang_getTypeDeclaration(clang_getPointeeType(t));
    return gw_front_intern(u, clang_getCursorSpelling(of)) == gw_intern(u->session, "CUstream_st");
}

/* cudaStream_t gw_stream_of(type) is declared. */
static bool tells_stream(gw_unit *u, CXType type) {
    gw_request_target target = {0};
    gw_cursors found = {0};
    bool tells = false;
    if (gw_request_read_target(u->session, gw_intern(u->session, "gw_stream_of"), &target)) return false;
    gw_front_find_everywhere(u, &target, &found);
    for (uint32_t i = 0; i < found.count; i++) {
        CXType of = clang_getCursorType(found.at[i]);
        tells |= clang_getNumArgTypes(of) == 1 && is_stream(u, clang_getResultType(of)) &&
                 spelled(u, clang_getArgType(of, 0)) == spelled(u, type);
    }
    gw_vec_free(&found);
    return tells;
}

/* Floating-point numbers and nothing else: float2, cuComplex. */
static bool is_of_floats(gw_unit *u, gw_shape s) {
    const gw_shape_data *d = gw_front_shape_at(u, s);
    if (d->kind == GW_SHAPE_SCALAR) return d->type == GW_T_F32 || d->type == GW_T_F64;
    bool all = d->kind == GW_SHAPE_STRUCT && d->count;
    for (uint32_t i = 0; i < d->count && all; i++)
        all = is_of_floats(u, u->fields.at[d->first + i].shape);
    return all;
}

/* What nobody looks into: a pointer to a type of which there is no definition. */
static bool is_handle(CXType type) {
    CXType t = plain(type);
    return t.kind == CXType_Pointer && clang_getPointeeType(t).kind == CXType_Record &&
           clang_Cursor_isNull(clang_getCursorDefinition(clang_getTypeDeclaration(clang_getPointeeType(t))));
}

CXType gw_front_device_number(gw_unit *u, CXType type) {
    CXType t = plain(type), none = {.kind = CXType_Invalid};
    if (t.kind == CXType_Pointer) t = plain(clang_getPointeeType(t));
    if (t.kind == CXType_Invalid || t.kind == CXType_Void || t.kind == CXType_Pointer) return none;
    return is_handle(type) || !is_of_floats(u, gw_front_shape(u, t)) ? none : t;
}

/* ---- rules ---- */
static uint32_t stream_of(gw_unit *u, CXCursor f, bool *told) {
    CXType type = clang_getCursorType(f);
    *told = false;
    for (int i = 0; i < clang_getNumArgTypes(type); i++)
        if (is_stream(u, clang_getArgType(type, (unsigned)i))) return (uint32_t)i + 1;
    *told = clang_getNumArgTypes(type) > 0 && tells_stream(u, clang_getArgType(type, 0));
    return *told;
}

bool gw_front_names_stream(gw_unit *u, CXCursor f) {
    bool told;
    return u->session->is_cuda && clang_getCursorKind(f) == CXCursor_FunctionDecl &&
           gw_front_function_kind(u, f) == GW_FUNC_HOST && stream_of(u, f, &told) > 0;
}

static const char *read_param(gw_unit *u, CXType type, gw_rule_param *p) {
    CXType t = plain(type), cell = gw_front_device_number(u, type);
    p->type = gw_front_type_text(u, clang_getUnqualifiedType(type));
    p->is_active = cell.kind != CXType_Invalid;
    if (gw_front_is_reference(type)) return "it takes a reference: take a pointer";
    if (is_handle(type) || is_stream(u, type)) {
        p->type = gw_front_intern(u, clang_getTypeSpelling(clang_getUnqualifiedType(type)));
        p->cell = p->type;
        return NULL;
    }
    p->is_memory = t.kind == CXType_Pointer;
    if (p->is_memory) {
        CXType pointee = clang_getPointeeType(t);
        p->writes = !clang_isConstQualifiedType(pointee);
        if (!p->is_active) cell = plain(pointee);
        if (!p->is_active && (cell.kind == CXType_Void || gw_front_shape(u, cell) >= GW_T_SCALARS))
            return "it takes a pointer to other things than numbers";
    } else {
        if (!p->is_active) cell = t;
        if (gw_front_shape(u, t) >= GW_T_SCALARS || gw_type_is_half(gw_front_shape(u, t)))
            return "it takes other things than numbers, pointers to numbers and handles";
    }
    p->cell = gw_front_type_text(u, cell);
    return NULL;
}

bool gw_front_device_rule(gw_unit *u, CXCursor f, gw_rule *out, const char **why) {
    CXType type = clang_getCursorType(f), result = clang_getResultType(type);
    const gw_shape status = gw_front_shape(u, result);
    const int count = clang_getNumArgTypes(type);
    bool writes = false;
    *why = count > MOST_PARAMS ? "it has more than 32 parameters" : NULL;
    if (status != GW_T_VOID && (status >= GW_T_SCALARS || gw_type_is_float(status) || gw_type_is_half(status)))
        *why = "it works on memory of the device and returns something else than a status";
    if (status != GW_T_VOID) out->status = gw_front_type_text(u, clang_getUnqualifiedType(result));
    out->stream = stream_of(u, f, &out->stream_told);
    out->draws = gw_front_draws(u, f);
    for (int i = 0; i < count && !*why; i++) {
        CXCursor decl = clang_Cursor_getArgument(f, (unsigned)i);
        gw_rule_param p = {.name = gw_front_intern(u, clang_getCursorSpelling(decl)), .taken = true};
        if (!*gw_cstr(u->session, p.name)) {
            char name[32];
            snprintf(name, sizeof name, "x%d", i);
            p.name = gw_intern(u->session, name);
        }
        *why = read_param(u, clang_getArgType(type, (unsigned)i), &p);
        writes |= p.writes && p.is_active;
        if (out->is_nondifferentiable) p.is_active = p.taken = false;
        gw_push(&out->params, p);
    }
    if (!*why && !writes && !out->is_nondifferentiable)
        *why = "it writes no floating-point number through a pointer";
    if (!*why && writes && out->is_nondifferentiable)
        *why = "it writes floating-point numbers through a pointer, whose derivatives would be lost";
    return !*why;
}

/* ---- what the pullback takes ---- */
typedef struct pullback_marks {
    gw_unit *u;
    char only_for[128];
    bool is_scratch;
} pullback_marks;

static enum CXChildVisitResult visit_attribute(CXCursor c, CXCursor parent, CXClientData data) {
    static const char prefix[] = "gradwright:only_for:";
    (void)parent;
    pullback_marks *out = data;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr) return CXChildVisit_Continue;
    CXString text = clang_getCursorSpelling(c);
    const char *t = clang_getCString(text);
    if (strncmp(t, prefix, sizeof prefix - 1) == 0)
        snprintf(out->only_for, sizeof out->only_for, "%s", t + sizeof prefix - 1);
    out->is_scratch |= gw_intern(out->u->session, t) == gw_intern(out->u->session, "gradwright:scratch");
    clang_disposeString(text);
    return CXChildVisit_Continue;
}

static const gw_rule_fault
    two_scratch = {"two of its parameters are GW_SCRATCH",
                   "mark the one that the pullback works in, and leave the other without a name"},
    no_scratch = {"GW_SCRATCH is said of what is no pointer to integers to which the call writes",
                  "take the mark away"},
    no_adjoint = {"GW_ONLY_FOR names no adjoint, or is said of no pointer",
                  "write it before a pointer, with the name that the adjoint has here: GW_ONLY_FOR(d_x)"};

/* A pointer without a name is not taken; one that is GW_ONLY_FOR(d_x) is taken where d_x is asked. For one
 * that is GW_SCRATCH the pullback takes memory as large, in which nothing lies; a stream has one such block. */
const gw_rule_fault *gw_front_device_pullback(gw_unit *u, CXCursor pullback, gw_rule *rule) {
    CXCursor definition = clang_getCursorDefinition(pullback);
    if (clang_Cursor_isNull(definition)) definition = pullback;
    const uint32_t count = rule->params.count;
    bool scratch = false;
    rule->tells = clang_getCursorResultType(definition).kind != CXType_Void;
    const gw_rule_fault *fault = NULL;
    for (uint32_t i = 0; i < count; i++) {
        gw_rule_param *p = &rule->params.at[i];
        CXCursor decl = clang_Cursor_getArgument(definition, i);
        pullback_marks marks = {.u = u};
        clang_visitChildren(decl, visit_attribute, &marks);
        p->is_scratch = marks.is_scratch;
        p->taken = p->is_memory && !p->is_scratch &&
                   *gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
        if (p->is_scratch && (!p->is_memory || !p->writes || p->is_active || scratch))
            fault = scratch ? &two_scratch : &no_scratch;
        scratch |= p->is_scratch;
        if (!*marks.only_for) continue;
        const gw_str wanted = gw_intern(u->session, marks.only_for);
        uint32_t at = count; /* adjoints follow the parameters */
        for (uint32_t k = 0; k < count; k++) {
            if (!rule->params.at[k].is_active) continue;
            CXCursor adjoint = clang_Cursor_getArgument(definition, at++);
            if (gw_front_intern(u, clang_getCursorSpelling(adjoint)) == wanted) p->only_for = k + 1;
        }
        if (!p->only_for || !p->is_memory) fault = &no_adjoint;
    }
    return fault;
}

/* ---- calls ---- */
typedef struct passed {
    gw_value value;
    gw_place variable; /* of the program's, that is written */
} passed;

static gw_value pass_memory(gw_lowering *L, CXCursor e, CXType type, const gw_rule_param *p, passed *out) {
    gw_place at = gw_front_pointer(L, e);
    if (L->failed) return 0;
    if (at.kind != GW_PLACE_SLOTS || at.shape != gw_front_shape(L->u, clang_getPointeeType(plain(type))) ||
        at.shape >= GW_T_SCALARS)
        return gw_front_address(L, at, e);
    gw_value v = gw_front_slot_value(L, at.slot);
    if (at.detached && p->is_active) v = gw_unary(&L->b, GW_OP_DETACH, v);
    if (at.detached && p->is_active && p->writes)
        gw_front_refuse(L, e, "a pointer to what is GW_NONDIFFERENTIABLE, to which the call writes,",
                        "pass another variable");
    if (p->writes) out->variable = at;
    return v;
}

static void pass(gw_lowering *L, CXCursor e, CXType type, const gw_rule_param *p, passed *out) {
    if (gw_front_is_default_argument(e)) {
        gw_front_refuse(L, e, "a default argument of a function which stays a call", "write the argument");
    } else if (p->is_memory) {
        out->value = pass_memory(L, e, type, p, out);
    } else if (plain(type).kind == CXType_Pointer) {
        gw_place at = gw_front_pointer(L, e);
        out->value = L->failed ? 0 : gw_front_address(L, at, e);
    } else {
        gw_value v = gw_front_scalar(L, e);
        out->value = L->failed ? 0 : gw_cast(&L->b, gw_front_shape(L->u, type), v);
    }
}

static bool is_twice(const passed *all, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (all[i].variable.kind && all[k].variable.kind && all[i].variable.slot == all[k].variable.slot)
                return true;
    return false;
}

bool gw_front_call_device_rule(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                               gw_value *result) {
    const gw_rule *found = gw_front_device_rule_of(L->u, callee);
    if (!found) return false;
    const gw_rule rule = *found;
    CXType type = clang_getCursorType(callee);
    passed all[MOST_PARAMS] = {0};
    gw_value operands[GW_RULE_OPERANDS + MOST_PARAMS];
    const uint32_t count = rule.params.count;
    if (!L->is_program || arguments->count != count)
        gw_front_refuse(L, call, "this call of a function that works on memory of the device",
                        "call it in a function of the host");
    for (uint32_t i = 0; i < count && !L->failed; i++) {
        pass(L, arguments->at[i], clang_getArgType(type, i), &rule.params.at[i], &all[i]);
        const gw_value v = all[i].value;
        if (!L->failed && rule.is_nondifferentiable && gw_type_is_float(gw_typeof(L->f, v)))
            all[i].value = gw_unary(&L->b, GW_OP_DETACH, v);
    }
    if (!L->failed && is_twice(all, count))
        gw_front_refuse(L, call, "a variable that is passed by two pointers", "pass a copy of it");
    if (L->failed) return true;
    gw_front_locate(L, call);
    operands[0] = gw_int(&L->b, GW_T_U32, UINT32_MAX);
    for (uint32_t i = 0; i < count; i++)
        operands[GW_RULE_OPERANDS + i] = all[i].value;
    gw_op op = gw_front_device_op(L, GW_DEVICE_RULE, operands, GW_RULE_OPERANDS + count);
    gw_op_at(L->f, op)->callee = rule.function;
    for (uint32_t i = 0; i < count; i++)
        if (all[i].variable.kind)
            gw_front_slot_set(L, all[i].variable.slot,
                              gw_op_add_result(L->f, op, gw_typeof(L->f, all[i].value), 0));
    if (rule.status)
        *result = gw_cast(&L->b, gw_front_shape(L->u, clang_getResultType(type)),
                          gw_op_add_result(L->f, op, GW_T_I32, 0));
    return true;
}
