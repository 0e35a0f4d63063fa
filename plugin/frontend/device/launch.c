/*
 * frontend/device/launch.c - launches of kernels, kernel<<<grid, block, shared, stream>>>(arguments), in a
 * program.
 *
 * The kernel becomes a function of the session; which gradient of it the reverse of the launch launches, the
 * pass `launched` says (analysis/programs).
 */
#include "analysis/ir/device.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/parse/parse.h"
#include "plugin/frontend/type/type.h"

#include <stdlib.h>
#include <string.h>

/* libclang shows the launch's configuration as a call beside the arguments. */
static bool is_configuration(gw_lowering *L, CXCursor c) {
    static const char *const names[] = {"__cudaPushCallConfiguration", "cudaConfigureCall", "cudaLaunchConfig"};
    if (clang_getCursorKind(c) != CXCursor_CallExpr) return false;
    CXCursor callee = clang_getCursorReferenced(c);
    const char *name = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static CXCursor configuration(gw_lowering *L, CXCursor call) {
    gw_cursors children = {0};
    CXCursor found = clang_getNullCursor();
    gw_front_children(call, &children);
    for (uint32_t i = 0; i < children.count && clang_Cursor_isNull(found); i++)
        if (is_configuration(L, children.at[i])) found = children.at[i];
    gw_vec_free(&children);
    return found;
}

void gw_front_launch_lengths(gw_lowering *L, CXCursor e, gw_value *operands) {
    const gw_value first = L->f->values.count;
    gw_place d = gw_front_temp(L, gw_front_shape_of(L, e), 0);
    if (!L->failed) gw_front_initialize(L, d, e);
    for (uint32_t i = 0; i < 3 && !L->failed; i++)
        operands[i] = gw_cast(&L->b, GW_T_U32, gw_front_load(L, gw_front_member(L, d, i)));
    for (gw_value v = first; v < L->f->values.count; v++)
        gw_value_at(L->f, v)->name = 0; /* dim3's parameters' */
}

static void add_shape(gw_lowering *L, CXCursor call, gw_value *operands) {
    CXCursor shape = configuration(L, call);
    const int count = clang_Cursor_isNull(shape) ? 0 : clang_Cursor_getNumArguments(shape);
    if (count < 2) {
        gw_front_refuse(L, call, "a launch without its shape", "write kernel<<<grid, block>>>(arguments)");
        return;
    }
    CXCursor part[4];
    for (int i = 0; i < 4; i++)
        part[i] = i < count ? clang_Cursor_getArgument(shape, (unsigned)i) : clang_getNullCursor();
    gw_front_launch_lengths(L, part[0], operands);
    if (!L->failed) gw_front_launch_lengths(L, part[1], operands + 3);
    if (L->failed) return;
    const bool shared = count > 2 && !gw_front_is_default_argument(part[2]);
    const bool stream = count > 3 && !gw_front_is_default_argument(part[3]);
    operands[6] = shared ? gw_cast(&L->b, GW_T_U64, gw_front_scalar(L, part[2])) : gw_int(&L->b, GW_T_U64, 0);
    if (L->failed) return;
    operands[7] =
        stream ? gw_front_address(L, gw_front_pointer(L, part[3]), part[3]) : gw_int(&L->b, GW_T_ADDRESS, 0);
}

gw_func *gw_front_kernel(gw_unit *u, CXCursor definition) {
    for (uint32_t i = 0; i < u->callees.count; i++)
        if (clang_equalCursors(u->callees.at[i].decl, definition)) return u->callees.at[i].func;
    gw_func *f = NULL;
    for (uint32_t i = 0; u->definitions && i < u->definitions->count && !f; i++)
        if (clang_equalCursors(u->definitions->at[i], definition)) f = u->session->requests.at[i].func;
    const bool unspoken = gw_front_make_launched_captures(u, definition);
    if (!f) f = gw_front_function(u, definition);
    const bool of_library = gw_front_is_stand_in(u, clang_getCursorLocation(definition));
    if (f) f->is_unspoken = unspoken || of_library;
    if (f) f->is_internal |= f->is_unspoken; /* other files launch the same */
    if (f) gw_push(&u->callees, ((gw_unit_callee){definition, f}));
    return f;
}

void gw_front_launch_emit(gw_lowering *L, CXCursor call, const gw_func *kernel, gw_operands *operands) {
    gw_front_launch_symbols(L, kernel, operands);
    gw_front_locate(L, call);
    gw_op op = gw_front_device_op(L, GW_DEVICE_LAUNCH, operands->at, operands->count);
    gw_op_at(L->f, op)->callee = kernel->symbol;
}

const gw_func *gw_front_kernel_named(gw_lowering *L, CXCursor e) {
    const gw_place p = gw_front_pointer_behind(L, e);
    return gw_front_kernel_at(L, p, e);
}

const gw_func *gw_front_kernel_at(gw_lowering *L, gw_place p, CXCursor e) {
    if (L->failed) return NULL;
    CXCursor definition = p.kind == GW_PLACE_FUNCTION ? clang_getCursorDefinition(L->u->functions.at[p.slot])
                                                      : clang_getNullCursor();
    if (clang_Cursor_isNull(definition)) {
        gw_front_refuse(L, e, "a kernel that is not named here, or is defined elsewhere",
                        "name a kernel of this translation unit");
        return NULL;
    }
    const gw_func *kernel = gw_front_kernel(L->u, definition);
    L->failed |= !kernel;
    return kernel;
}

void gw_front_launch_kernel(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments) {
    CXCursor definition = clang_getCursorDefinition(callee);
    if (clang_Cursor_isNull(definition)) {
        gw_front_refuse(L, call, "a launch of a kernel that is defined elsewhere",
                        "define it in this translation unit");
        return;
    }
    gw_func *kernel = gw_front_kernel(L->u, definition);
    L->failed |= !kernel;
    if (L->failed || !gw_front_may_launch(L, call, kernel)) return;
    gw_operands operands = {0};
    gw_value shape[GW_LAUNCH_OPERANDS] = {0};
    add_shape(L, call, shape);
    for (uint32_t i = 0; i < GW_LAUNCH_OPERANDS; i++)
        gw_push(&operands, shape[i]);
    for (uint32_t i = 0; i < arguments->count && !L->failed; i++)
        gw_front_launch_argument(L, kernel, &kernel->params.at[i], arguments->at[i], &operands);
    if (!L->failed) gw_front_launch_emit(L, call, kernel, &operands);
    gw_vec_free(&operands);
}
