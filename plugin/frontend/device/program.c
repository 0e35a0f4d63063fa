/*
 * frontend/device/program.c - whether a function of the host is a program: whether it, or what it calls,
 * launches a kernel or works on memory that kernels see. Its pointers are then addresses (place/address.c).
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

#include <string.h>

static const gw_device_call rows[] = {
#define GW_DEVICE_CALL(spelling, row, arguments) {spelling, GW_DEVICE_##row, arguments},
#include "plugin/frontend/device/device_calls.def"
#undef GW_DEVICE_CALL
};

const gw_device_call *gw_front_device_call_row(gw_unit *u, CXCursor callee) {
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl) return NULL;
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(callee)));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].spelling, name) == 0) return gw_front_is_known(u, callee) ? &rows[i] : NULL;
    return NULL;
}

static const gw_launch_way ways[] = {
    {"cudaLaunchKernel", false, true},
    {"cudaLaunchCooperativeKernel", false, true},
    {"cudaLaunchKernelExC", true, true},
    {"cudaLaunchKernelEx", true, false},
};

const gw_launch_way *gw_front_launch_way(gw_unit *u, CXCursor callee) {
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl) return NULL;
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(callee)));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, name) == 0) return gw_front_is_known(u, callee) ? &ways[i] : NULL;
    return NULL;
}

typedef struct search {
    gw_unit *u;
    GW_VEC(CXCursor) seen;
    bool found, all; /* all: kernels that are launched are made ready, to the last */
} search;

static void look_into(search *s, CXCursor definition);

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    search *s = data;
    (void)parent;
    if (s->found && !s->all) return CXChildVisit_Break;
    if (clang_getCursorKind(c) != CXCursor_CallExpr) return CXChildVisit_Recurse;
    CXCursor callee = clang_getCursorReferenced(c);
    if (s->all && gw_front_has_attribute(callee, CXCursor_CUDAGlobalAttr))
        gw_front_make_launched_captures(s->u, clang_getCursorDefinition(callee));
    const gw_device_call *row = gw_front_device_call_row(s->u, callee);
    const bool works = row && row->what != GW_DEVICE_STOP && !gw_device_rows[row->what].asks &&
                       !(row->what == GW_DEVICE_STATUS && *row->arguments == 'T'); /* a description */
    s->found = works || gw_front_has_attribute(callee, CXCursor_CUDAGlobalAttr) ||
               gw_front_launch_way(s->u, callee) || gw_front_device_rule_of(s->u, callee) != NULL;
    const bool on = s->all || !s->found;
    if (on && !clang_Cursor_isNull(callee)) look_into(s, clang_getCursorDefinition(callee));
    return s->found && !s->all ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static void look_into(search *s, CXCursor definition) {
    if (clang_Cursor_isNull(definition)) return;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(definition))) return;
    for (uint32_t i = 0; i < s->seen.count; i++)
        if (clang_equalCursors(s->seen.at[i], definition)) return;
    gw_push(&s->seen, definition);
    clang_visitChildren(definition, visit, s);
}

void gw_front_make_program_captures(gw_unit *u, CXCursor definition) {
    if (!u->session->is_cuda || gw_front_function_kind(u, definition) != GW_FUNC_HOST) return;
    search s = {.u = u, .all = true};
    look_into(&s, definition);
    gw_vec_free(&s.seen);
}

bool gw_front_is_program(gw_unit *u, CXCursor definition) {
    if (!u->session->is_cuda || gw_front_function_kind(u, definition) != GW_FUNC_HOST) return false;
    search s = {.u = u};
    look_into(&s, definition);
    gw_vec_free(&s.seen);
    return s.found;
}
