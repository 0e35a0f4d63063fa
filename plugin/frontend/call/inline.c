/*
 * frontend/call/inline.c - inlining of a call.
 *
 * Reference parameters are bound to the caller's own places, so a callee's assignments are the caller's.
 * By-value parameters are new slots. A returned value is a slot that every return sets; a returned reference
 * that can be written through is the place itself, any other is its value.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"

#include <ctype.h>
#include <string.h>

/* A virtual call has those of the function that it names, whichever overrides that. */
static CXCursor default_of(CXCursor named, CXCursor definition, unsigned i) {
    const CXCursor seen = clang_getCursorDefinition(named);
    if (clang_CXXMethod_isVirtual(named)) definition = clang_Cursor_isNull(seen) ? named : seen;
    CXCursor e = clang_Cursor_getVarDeclInitializer(clang_Cursor_getArgument(definition, i));
    if (!clang_Cursor_isNull(e)) return e;
    return clang_Cursor_getVarDeclInitializer(
        clang_Cursor_getArgument(clang_getCanonicalCursor(definition), i));
}

/* A null argument: a constructor that nobody calls in so many words has its defaults only. */
static gw_place bound_argument(gw_lowering *L, CXCursor named, CXCursor definition, unsigned i,
                               CXCursor argument) {
    CXType type = clang_getArgType(clang_getCursorType(definition), i);
    CXCursor parameter = clang_Cursor_getArgument(definition, i);
    if (clang_Cursor_isNull(argument) || gw_front_is_default_argument(argument))
        argument = default_of(named, definition, i);
    if (clang_Cursor_isNull(argument)) return (gw_place){0};
    if (gw_front_is_held_function(L->u, type)) {
        if (gw_front_is_reference(type) && !gw_front_stays(parameter))
            gw_front_refuse(L, argument, "a std::function given by reference to a function that may change it",
                            "return it, or change it where it is declared");
        return L->failed ? (gw_place){0} : gw_front_hold_function(L, parameter, argument);
    }
    if (gw_front_is_reference(type)) return gw_front_referred(L, argument);
    gw_str name = gw_front_intern(L->u, clang_getCursorSpelling(parameter));
    gw_place p = gw_front_temp(L, gw_front_parameter_shape(L->u, type), name);
    if (!L->failed) gw_front_initialize(L, p, argument);
    return p;
}

/* std::sort, of whose code this call is a part; null: none. */
static CXCursor library_function(const gw_lowering *L, CXCursor call) {
    if (!clang_Location_isInSystemHeader(clang_getCursorLocation(call))) return clang_getNullCursor();
    for (uint32_t i = L->frames.count; i-- > 0;)
        if (!clang_Location_isInSystemHeader(clang_getCursorLocation(L->frames.at[i].call)))
            return L->frames.at[i].decl;
    return clang_getNullCursor();
}

/* cudaMalloc and its like, which no rewriting makes differentiable. */
static bool is_of_cuda_runtime(gw_lowering *L, CXCursor callee) {
    const char *name = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    return strncmp(name, "cuda", 4) == 0 && isupper((unsigned char)name[4]) &&
           clang_Location_isInSystemHeader(clang_getCursorLocation(callee));
}

/* grid_group::sync: a block's gradient would wait for blocks that have not started. */
static bool refuse_grid_barrier(gw_lowering *L, CXCursor call) {
    gw_front_refuse(L, call, "a barrier over the grid",
                    "cut the kernel in two at the barrier: the second launch waits for the first, and each "
                    "half has a gradient");
    return false;
}

static bool refuse_library(gw_lowering *L, CXCursor call, CXCursor function) {
    static const char grid[] = "cooperative_groups::grid_group::";
    const char *of = GW_FRONT_TEXT(L, gw_front_qualified(L->u, function));
    if (strncmp(of, grid, sizeof grid - 1) == 0) return refuse_grid_barrier(L, call);
    bool runtime = is_of_cuda_runtime(L, function);
    char *what = gw_format("%s of the library", GW_FRONT_TEXT(L, gw_front_qualified(L->u, function)));
    gw_front_refuse(L, call, what,
                    runtime ? "call it outside of the function: allocate, copy and launch there, and request "
                              "gradients of kernels"
                            : "write it with loops and assignments");
    free(what);
    return false;
}

static bool enter(gw_lowering *L, CXCursor call, CXCursor callee, CXCursor definition, gw_call_result *r) {
    CXCursor library = library_function(L, call);
    bool missing = clang_Cursor_isNull(definition) || clang_Cursor_isNull(gw_front_body(definition));
    if (gw_front_refuse_collective(L, call, callee)) return false;
    if (missing && !clang_Cursor_isNull(library)) return refuse_library(L, call, library);
    if (missing && is_of_cuda_runtime(L, callee)) return refuse_library(L, call, callee);
    if (missing) {
        gw_str name = gw_front_qualified(L->u, callee);
        char *way_out = gw_front_way_to_rule(L->u, callee);
        gw_diag(L->session, GW_DIAG_NO_RULE, gw_front_at(L, call), GW_FRONT_TEXT(L, name), way_out);
        free(way_out);
        L->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < L->frames.count; i++) {
        if (!clang_equalCursors(L->frames.at[i].decl, definition)) continue;
        if (gw_front_end_recursion(L, call, definition, r)) return false;
        if (!clang_Cursor_isNull(library)) return refuse_library(L, call, library);
        gw_str name = gw_front_qualified(L->u, definition);
        const char *why = gw_front_why_no_call(L->u, definition);
        gw_diag(L->session, GW_DIAG_RECURSION, gw_front_at(L, call), GW_FRONT_TEXT(L, name),
                why ? why : "is called with default arguments");
        L->failed = true;
        return false;
    }
    return true;
}

void gw_front_frame_result(gw_lowering *L, gw_frame *frame, CXCursor definition) {
    CXType type = clang_getCursorResultType(definition);
    if (clang_getCursorKind(definition) == CXCursor_Constructor) return;
    gw_shape shape = gw_front_shape(L->u, type);
    frame->by_place = gw_front_is_reference(type);
    if (frame->by_place) {
        bool copied = gw_front_is_const_reference(type) && gw_front_shape_at(L->u, shape)->leaves;
        if (copied) frame->copy = gw_front_temp(L, shape, 0);
        if (copied) gw_front_disown(L, frame->copy);
        frame->result = (gw_place){.kind = GW_PLACE_SLOTS, .shape = shape, .slot = L->slots.count};
        gw_front_slot(L, GW_SLOT_POINTER, GW_T_VOID, 0);
    } else if (shape != GW_T_VOID) {
        gw_str name = gw_front_own_name(L->u, gw_front_intern(L->u, clang_getCursorSpelling(definition)));
        bool is_operator = strncmp(GW_FRONT_TEXT(L, name), "operator", 8) == 0;
        frame->result = gw_front_temp(L, shape, is_operator ? 0 : name);
    }
}

static gw_call_result result_of(gw_lowering *L, const gw_frame *frame) {
    gw_call_result r = {0};
    if (L->failed || !frame->result.kind) return r;
    gw_shape_kind kind = gw_front_shape_kind(L->u, frame->result.shape);
    if (frame->by_place)
        r.place = gw_front_settle(L, frame->result.slot, frame->copy);
    else if (kind == GW_SHAPE_POINTER)
        r.place = gw_front_target(L, frame->result);
    else if (kind == GW_SHAPE_SCALAR)
        r.value = gw_front_load(L, frame->result);
    else
        r.place = frame->result;
    return r;
}

/* A copy that stands for one of several lvalues is as good as a reference as long as nothing is changed. */
typedef struct stale_check {
    bool wanted;
    uint32_t limit, mark, stores;
} stale_check;

static void check_stale(gw_lowering *L, const stale_check *s, CXCursor call) {
    gw_slot_changes changes = {0};
    if (!s->wanted || L->failed) return;
    gw_front_slot_changes(L, s->mark, s->limit, &changes);
    if (changes.count || L->stores.count != s->stores)
        gw_front_refuse(L, call, "a reference that may lead to two objects", "pass a copy, or use an if");
    gw_vec_free(&changes);
}

/* `using base::base`: Clang makes a constructor at the place of the name, whose call of the base's is not in
 * the tree. */
static bool is_inherited(CXCursor constructor) {
    gw_cursors members = {0};
    bool found = false;
    gw_front_children(clang_getCursorSemanticParent(constructor), &members);
    for (uint32_t i = 0; i < members.count; i++)
        found |=
            clang_getCursorKind(members.at[i]) == CXCursor_UsingDeclaration &&
            clang_equalLocations(clang_getCursorLocation(members.at[i]), clang_getCursorLocation(constructor));
    gw_vec_free(&members);
    return found;
}

/* The first arguments, of which there is no expression. */
typedef struct copied_from {
    const gw_place *at;
    uint32_t count;
    bool moved;
} copied_from;

static gw_place bound_copy(gw_lowering *L, CXCursor definition, uint32_t i, const copied_from *from,
                           CXCursor at) {
    CXType type = clang_getArgType(clang_getCursorType(definition), i);
    if (gw_front_is_reference(type)) return from->at[i];
    gw_place p =
        gw_front_temp(L, gw_front_shape(L->u, type),
                      gw_front_intern(L->u, clang_getCursorSpelling(clang_Cursor_getArgument(definition, i))));
    gw_front_copy_object(L, p, from->at[i], from->moved ? GW_MOVED : GW_COPIED, at);
    return p;
}

static gw_call_result run(gw_lowering *L, CXCursor call, CXCursor callee, CXCursor definition,
                          const gw_place *self, const gw_cursors *arguments, const copied_from *from) {
    gw_call_result none = {0};
    const bool seen = !clang_Cursor_isNull(definition) && !clang_Cursor_isNull(gw_front_body(definition));
    if (L->failed) return none;
    if (!seen && !from && gw_front_pass_unseen(L, call, callee, self, arguments, &none)) return none;
    if (!seen && !from && !self && gw_front_pass_bodiless(L, call, callee, arguments, &none)) return none;
    if (!enter(L, call, callee, definition, &none)) return none;
    if (clang_getCursorKind(definition) == CXCursor_Constructor && is_inherited(definition)) {
        if (!self || !gw_front_construct_inherited(L, *self, definition, call, arguments))
            gw_front_refuse(L, call, "an inherited constructor", "write a constructor that calls the base's");
        return none;
    }
    gw_loc outer = L->b.loc;
    gw_frame frame = {.decl = definition, .call = call};
    stale_check stale = {.limit = L->slots.count, .wanted = self && self->stale};
    if (self) frame.self = *self;
    gw_front_frame_result(L, &frame, definition);
    gw_scope scope = gw_front_scope(L);
    uint32_t params = (uint32_t)clang_Cursor_getNumArguments(definition);
    gw_place *places = gw_alloc((params + 1) * sizeof *places);
    uint32_t first = 0;
    for (; from && first < from->count && !L->failed; first++)
        places[first] = bound_copy(L, definition, first, from, call);
    for (uint32_t i = first; i < params && !L->failed; i++)
        places[i] = bound_argument(L, callee, definition, i,
                                   i < arguments->count ? arguments->at[i] : clang_getNullCursor());
    gw_front_pass_unnamed(L, definition, arguments);
    for (uint32_t i = 0; i < params; i++) {
        gw_front_bind(L, clang_Cursor_getArgument(definition, i), places[i]);
        stale.wanted |= places[i].stale;
    }
    for (uint32_t i = 0; i < params && !L->failed; i++)
        gw_front_note_extents(L, clang_Cursor_getArgument(definition, i));
    free(places);
    if (self && !L->failed) gw_front_closure_bind(L, definition, &frame, *self);
    stale.mark = L->journal.count, stale.stores = L->stores.count;
    const uint32_t refused = L->refused;
    frame.exit = gw_front_exit_open(L, GW_EXIT_RETURN);
    gw_push(&L->frames, frame);
    if (clang_getCursorKind(definition) == CXCursor_Constructor && !L->failed)
        gw_front_construct_members(L, frame.self, definition);
    gw_front_openmp(L, definition);
    gw_front_statement(L, gw_front_body(definition));
    gw_front_refused_since(L, refused);
    gw_front_exit_close(L);
    L->frames.count--;
    check_stale(L, &stale, call);
    gw_call_result r = result_of(L, &frame);
    gw_front_unthrown_begin(L);
    gw_front_scope_end(L, scope);
    L->b.loc = outer;
    return r;
}

gw_call_result gw_front_inline(gw_lowering *L, CXCursor call, CXCursor definition, const gw_place *self,
                               const gw_cursors *arguments) {
    const CXCursor named = gw_front_named_function(call);
    const bool by_pointer = clang_getCursorResultType(named).kind == CXType_Invalid && !self;
    return run(L, call, by_pointer ? definition : named, definition, self, arguments, NULL);
}

void gw_front_inline_with(gw_lowering *L, CXCursor at, CXCursor function, const gw_place *self,
                          const gw_place *arguments, uint32_t count, bool moved) {
    gw_cursors none = {0};
    run(L, at, function, clang_getCursorDefinition(function), self, &none,
        &(copied_from){arguments, count, moved});
}
