/*
 * frontend/device/symbol.c - variables of the device that programs write: by cudaMemcpyToSymbol, through their
 * addresses, or in a kernel.
 *
 * To a program such a variable is memory like another: it has an address (a SYMBOL for each, first of all), and
 * each kernel that touches it has a parameter for it that its text lacks, so that a launch tells of its
 * contents and its adjoint. What no program writes stays a constant. Which these are is known before the first
 * program is lowered: a kernel may be launched long before the variable is written.
 *
 * One that is `__managed__` is the host's too: where a program names it, it is such memory, and what the host
 * does to it is a copy (place/stage.c).
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    gw_unit *u;
    gw_cursors kernels; /* that name variables */
} search;

static bool is_variable(CXCursor c) {
    return gw_front_is_global_variable(c) && (gw_front_has_attribute(c, CXCursor_CUDADeviceAttr) ||
                                              gw_front_has_attribute(c, CXCursor_CUDAConstantAttr));
}

static bool names_variable(gw_unit *u, CXCursor c, const void *what) {
    (void)u, (void)what;
    return clang_getCursorKind(c) == CXCursor_DeclRefExpr && is_variable(clang_getCursorReferenced(c));
}

static void add_symbol(gw_unit *u, gw_str name) {
    for (uint32_t i = 0; i < u->written_symbols.count; i++)
        if (u->written_symbols.at[i] == name) return;
    gw_push(&u->written_symbols, name);
}

static enum CXChildVisitResult visit_argument(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    gw_unit *u = data;
    CXCursor of = clang_getCursorReferenced(c);
    if (clang_getCursorKind(c) == CXCursor_DeclRefExpr && is_variable(of))
        add_symbol(u, gw_front_display(u, clang_getCanonicalCursor(of)));
    return CXChildVisit_Recurse;
}

/* The host may write to one wherever it is named. */
static void add_managed(gw_unit *u, CXCursor variable) {
    variable = clang_getCanonicalCursor(variable);
    add_symbol(u, gw_front_display(u, variable));
    for (uint32_t i = 0; i < u->managed.count; i++)
        if (clang_equalCursors(u->managed.at[i], variable)) return;
    gw_push(&u->managed, variable);
}

/* Finds nothing, so that all is looked at. */
static bool collect(gw_unit *u, CXCursor c, const void *what) {
    search *s = (search *)(uintptr_t)what;
    CXCursor of = clang_getCursorReferenced(c);
    if (names_variable(u, c, NULL) && gw_front_is_managed(u, of)) add_managed(u, of);
    if (clang_getCursorKind(c) == CXCursor_CallExpr) {
        const gw_device_call *row = gw_front_device_call_row(u, of);
        if (row && strchr(row->arguments, 'Y')) clang_visitChildren(c, visit_argument, u);
    }
    if (clang_getCursorKind(c) != CXCursor_DeclRefExpr || !gw_front_has_attribute(of, CXCursor_CUDAGlobalAttr))
        return false;
    CXCursor definition = clang_getCursorDefinition(of);
    if (clang_Cursor_isNull(definition) || !gw_front_reaches(u, definition, names_variable, NULL)) return false;
    for (uint32_t i = 0; i < s->kernels.count; i++)
        if (clang_equalCursors(s->kernels.at[i], definition)) return false;
    gw_push(&s->kernels, definition);
    return false;
}

static void add_written(gw_unit *u, const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC || o->flags & GW_OP_WRITES;
        if (!o->dead && writes && gw_object_at(f, o->object)->kind == GW_OBJECT_GLOBAL)
            add_symbol(u, gw_object_at(f, o->object)->name);
    }
}

bool gw_front_symbols(gw_unit *u) {
    if (u->symbols_known) return true;
    u->symbols_known = true;
    search s = {.u = u};
    GW_VEC(gw_func *) lowered = {0};
    for (uint32_t i = 0; u->definitions && i < u->definitions->count; i++)
        if (gw_front_is_program(u, u->definitions->at[i]))
            gw_front_reaches(u, u->definitions->at[i], collect, &s);
    bool good = true;
    for (uint32_t i = 0; i < s.kernels.count && good; i++) {
        gw_func *f = gw_front_kernel(u, s.kernels.at[i]);
        good = f != NULL;
        if (f) gw_push(&lowered, f), add_written(u, f);
    }
    for (uint32_t i = 0; i < lowered.count && good; i++)
        for (uint32_t k = 0; k < u->written_symbols.count && good; k++)
            good = gw_front_bind_symbol(u, lowered.at[i], u->written_symbols.at[k]);
    gw_vec_free(&s.kernels);
    gw_vec_free(&lowered);
    return good;
}

/* ---- in a program ---- */

static gw_value address_of(const gw_lowering *L, gw_str name) {
    for (uint32_t i = 0; i < L->symbols.count; i++)
        if (L->u->written_symbols.at[i] == name) return L->symbols.at[i];
    return 0;
}

void gw_front_symbols_start(gw_lowering *L) {
    for (uint32_t i = 0; L->is_program && i < L->u->written_symbols.count; i++) {
        const gw_str name = L->u->written_symbols.at[i];
        gw_op op = gw_front_device_op(L, GW_DEVICE_SYMBOL, NULL, 0);
        gw_op_at(L->f, op)->callee = name;
        char *given = gw_format("%s_at", GW_FRONT_TEXT(L, gw_front_variable_base(L->session, name)));
        gw_value_at(L->f, gw_result(L->f, op, 0))->name = gw_intern(L->session, given);
        free(given);
        gw_push(&L->symbols, gw_result(L->f, op, 0));
    }
    for (uint32_t i = 0; L->is_program && i < L->u->managed.count; i++) {
        const CXCursor decl = L->u->managed.at[i];
        const gw_value address = address_of(L, gw_front_display(L->u, decl));
        if (gw_front_is_nondifferentiable(L->u, decl))
            gw_front_refuse(L, decl, "a managed variable without a derivative, which a program names,",
                            "leave out GW_NONDIFFERENTIABLE");
        gw_push(&L->staged_variables, ((gw_staged_variable){decl, address}));
    }
}

gw_place gw_front_symbol_place(gw_lowering *L, CXCursor e) {
    e = gw_front_strip(e);
    while (gw_front_is_cast(clang_getCursorKind(e)) && !clang_Cursor_isNull(gw_front_operand(L, e)))
        e = gw_front_strip(gw_front_operand(L, e));
    CXCursor decl = clang_getCanonicalCursor(clang_getCursorReferenced(e));
    const bool named = clang_getCursorKind(e) == CXCursor_DeclRefExpr && is_variable(decl);
    const gw_value address = named ? address_of(L, gw_front_display(L->u, decl)) : 0;
    if (!address) {
        gw_front_refuse(L, e, "a variable of the device's that is not named here", "name the variable itself");
        return (gw_place){0};
    }
    gw_shape shape = gw_front_shape(L->u, clang_getCursorType(decl));
    while (gw_front_shape_kind(L->u, shape) == GW_SHAPE_ARRAY)
        shape = gw_front_shape_at(L->u, shape)->element;
    return gw_front_device_place(L, shape, address);
}

void gw_front_launch_symbols(gw_lowering *L, const gw_func *kernel, gw_operands *out) {
    for (uint32_t i = 0; i < kernel->params.count; i++)
        if (kernel->params.at[i].is_global)
            gw_push(out, address_of(L, gw_object_at(kernel, kernel->params.at[i].object)->name));
}
