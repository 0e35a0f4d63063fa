/*
 * frontend/call/parallel.c - algorithms of a library that run in parallel or on the device, refused by name
 * (contract: call.h).
 *
 * Their bodies are never looked at: on the host, many end in a plain loop, which would be differentiated as if
 * the host could read what the device's pointers lead to. Told by what is passed, as the libraries tell it: an
 * execution policy, or something that leads to the device's memory. A sequential policy says that the loop is a
 * plain one.
 *
 * Where headers of ours are read in the place of Thrust's and CUB's (parse/flags.c), what has a body there is a
 * program like any other, and what has none is an algorithm without a gradient.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/parse/parse.h"
#include "plugin/frontend/type/type.h"

#include <string.h>

/* The namespace of all, "thrust" of thrust::cuda_cub::par_t. */
static gw_str outermost(gw_unit *u, CXCursor decl) {
    gw_str name = 0;
    for (CXCursor c = clang_getCursorSemanticParent(decl); !clang_Cursor_isNull(c);
         c = clang_getCursorSemanticParent(c)) {
        enum CXCursorKind kind = clang_getCursorKind(c);
        if (clang_isTranslationUnit(kind) || clang_isInvalid(kind)) break;
        if (kind == CXCursor_Namespace) name = gw_front_intern(u, clang_getCursorSpelling(c));
    }
    return name;
}

static bool is_in(gw_unit *u, CXCursor decl, const char *const *spaces, size_t count) {
    const char *name = gw_cstr(u->session, outermost(u, decl));
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, spaces[i]) == 0) return true;
    return false;
}
#define IS_IN(u, decl, spaces) is_in((u), (decl), (spaces), sizeof(spaces) / sizeof *(spaces))

static const char *const standard[] = {"std", "__pstl"}, *const thrust[] = {"thrust"}, *const cub[] = {"cub"};

static bool is_called(gw_unit *u, CXCursor decl, const char *name) {
    return strcmp(gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl))), name) == 0;
}

static CXCursor class_of(CXType type) {
    if (type.kind == CXType_LValueReference || type.kind == CXType_RValueReference)
        type = clang_getPointeeType(type);
    return clang_getTypeDeclaration(clang_getCanonicalType(type));
}

/* std::execution::par, but for std::execution::seq. */
static bool is_standard_policy(gw_unit *u, CXCursor decl) {
    static const char *const names[] = {"parallel_policy", "parallel_unsequenced_policy", "unsequenced_policy"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found |= is_called(u, decl, names[i]);
    return found && IS_IN(u, decl, standard);
}

/* thrust::device and thrust::cuda::par.on(stream), but not thrust::host and thrust::seq: classes with a base of
 * Thrust's, which has the class as its argument. */
static bool is_thrust_policy(gw_unit *u, CXCursor decl, uint32_t depth, bool *sequential) {
    bool policy = is_called(u, decl, "execution_policy_base");
    gw_cursors bases = {0};
    *sequential |= is_called(u, clang_getCursorSemanticParent(decl), "sequential");
    if (policy && !depth)
        is_thrust_policy(u, class_of(clang_Type_getTemplateArgumentAsType(clang_getCursorType(decl), 0)), 1,
                         sequential);
    gw_front_bases(clang_getCursorType(decl), &bases);
    for (uint32_t i = 0; i < bases.count && depth < 16; i++)
        policy |= is_thrust_policy(u, class_of(clang_getCursorType(bases.at[i])), depth + 1, sequential);
    gw_vec_free(&bases);
    return policy;
}

/* thrust::device_ptr, and iterators over such. */
static bool leads_to_device(gw_unit *u, CXType type, uint32_t depth) {
    static const char *const names[] = {"device_ptr", "device_vector", "device_reference"};
    CXCursor decl = class_of(type);
    type = clang_getCursorType(decl);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_called(u, decl, names[i]) && IS_IN(u, decl, thrust)) return true;
    for (int i = 0; i < clang_Type_getNumTemplateArguments(type) && depth < 8; i++) {
        CXType argument = clang_Type_getTemplateArgumentAsType(type, (unsigned)i);
        if (argument.kind == CXType_Record || argument.kind == CXType_Elaborated)
            if (leads_to_device(u, argument, depth + 1)) return true;
    }
    return false;
}

static bool is_parallel(gw_unit *u, CXType argument, const char **way_out) {
    CXCursor decl = class_of(argument);
    bool sequential = false;
    *way_out = "leave out the policy: then the loop that the algorithm is can be differentiated";
    if (clang_Cursor_isNull(decl)) return false;
    if (is_standard_policy(u, decl)) return true;
    *way_out = "write a kernel that does the same, and ask for the kernel's gradient";
    if (!IS_IN(u, decl, thrust)) return false;
    return leads_to_device(u, argument, 0) || (is_thrust_policy(u, decl, 0, &sequential) && !sequential);
}

static bool is_operator(CXCursor callee) {
    CXString name = clang_getCursorSpelling(callee);
    const bool is = strncmp(clang_getCString(name), "operator", strlen("operator")) == 0;
    clang_disposeString(name);
    return is;
}

static enum CXChildVisitResult visit_algorithm(CXCursor c, CXCursor parent, CXClientData data) {
    CXCursor *found = data, callee = clang_getCursorReferenced(c);
    (void)parent;
    const bool function =
        clang_getCursorKind(callee) == CXCursor_FunctionDecl || clang_CXXMethod_isStatic(callee);
    if (clang_getCursorKind(c) != CXCursor_CallExpr || !function || is_operator(callee))
        return CXChildVisit_Recurse;
    *found = callee;
    return CXChildVisit_Break;
}

/* What an algorithm without a gradient gives is converted, or computed with. */
static CXCursor behind_operators(CXCursor call, CXCursor callee) {
    if (is_operator(callee)) clang_visitChildren(call, visit_algorithm, &callee);
    return callee;
}

static const struct {
    const char *name, *way_out;
} refused[] = {
#define GW_ALGORITHM(name, header, adjoint, stores, costs)
#define GW_NO_ALGORITHM(name, header, way_out) {name, way_out},
#define GW_CUB(name, header, as, adjoint, costs)
#define GW_NO_CUB(name, header)
#include "plugin/frontend/call/algorithms.def"
#undef GW_ALGORITHM
#undef GW_NO_ALGORITHM
#undef GW_CUB
#undef GW_NO_CUB
};

/* One that is declared for its name only, with or without a body. */
static bool is_stub(gw_unit *u, CXCursor callee) {
    const CXCursor result = class_of(clang_getResultType(clang_getCursorType(callee)));
    return !clang_Cursor_isNull(result) && is_called(u, result, "gw_whatever");
}

static bool refuse_mpi(gw_lowering *L, CXCursor call, CXCursor callee) {
    const gw_str name = gw_front_qualified(L->u, callee);
    const bool is_type = name == gw_intern(L->session, "MPI_buffer_of_another_type");
    gw_front_refuse(L, call,
                    is_type ? "a message of anything but double, float and int" : GW_FRONT_TEXT(L, name),
                    is_type ? "pass a pointer to one of these, cast where the buffer is one of void"
                            : "do it outside of the function, or by what docs/guide/ranks.md lists");
    return true;
}

static bool refuse(gw_lowering *L, CXCursor call, CXCursor callee, const char *way_out) {
    if (gw_front_is_of_mpi(clang_getCursorLocation(callee))) return refuse_mpi(L, call, callee);
    callee = behind_operators(call, callee);
    if (gw_front_refuse_collective(L, call, callee)) return true;
    for (size_t i = 0; i < sizeof refused / sizeof *refused && IS_IN(L->u, callee, thrust); i++)
        if (refused[i].way_out && is_called(L->u, callee, refused[i].name)) way_out = refused[i].way_out;
    const bool of_standard = is_stub(L->u, callee) && IS_IN(L->u, callee, standard);
    if (of_standard) way_out = "write it as a loop, or by an algorithm of docs/guide/parallel-host.md";
    char *what = gw_format(of_standard ? "%s with a policy" : "%s, which runs in parallel,",
                           GW_FRONT_TEXT(L, gw_front_qualified(L->u, callee)));
    gw_front_refuse(L, call, what, way_out);
    free(what);
    return true;
}

bool gw_front_refuse_parallel(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments) {
    gw_unit *u = L->u;
    const char *way_out = "write a kernel that does the same, and ask for the kernel's gradient";
    enum CXCursorKind kind = clang_getCursorKind(callee);
    if (gw_front_is_stand_in(u, clang_getCursorLocation(clang_getCursorDefinition(callee))) &&
        !is_stub(u, callee))
        return false;
    if (gw_front_has_rule(u, callee)) {
        u->session->primitives |= gw_front_is_primitive(u, clang_getCursorLocation(callee));
        return false;
    }
    const bool standing_in = gw_front_is_stand_in(u, clang_getCursorLocation(callee)),
               made_of_policy = kind == CXCursor_Constructor && IS_IN(u, callee, standard);
    if (standing_in && !made_of_policy) return refuse(L, call, callee, way_out);
    if (kind != CXCursor_FunctionDecl && kind != CXCursor_CXXMethod) return false;
    CXCursor caller = L->frames.count ? L->frames.at[L->frames.count - 1].decl : clang_getNullCursor();
    bool inside =
        !clang_Cursor_isNull(caller) &&
        (IS_IN(u, caller, standard) || IS_IN(u, caller, thrust)); /* what they hand on was looked at */
    bool ours = !inside && (IS_IN(u, callee, standard) || IS_IN(u, callee, thrust));
    bool found = L->f->kind == GW_FUNC_HOST && IS_IN(u, callee, cub);
    for (uint32_t i = 0; i < arguments->count && ours && !found && kind == CXCursor_FunctionDecl; i++)
        found = is_parallel(u, clang_getCursorType(arguments->at[i]), &way_out);
    return found && refuse(L, call, callee, way_out);
}
