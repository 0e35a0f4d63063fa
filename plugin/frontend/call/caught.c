/*
 * frontend/call/caught.c - what is thrown to a handler of the same function.
 *
 * The handler is found by the types, from the innermost try block outward; behind what is noexcept nobody
 * catches. It is an exit (state/exit.c): all that was assigned until then stays, what is left of the block is
 * done where nothing was thrown. A function that is no part of this one may not throw in a try block.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include <string.h>

/* ---- which handler ---- */
typedef enum match { NO, YES, UNCLEAR } match;

static CXType plain(CXType type) {
    return clang_getUnqualifiedType(clang_getCanonicalType(clang_getNonReferenceType(type)));
}

/* By how many ways the class has the base, and whether all of them are public. */
static uint32_t count_ways(CXType class, CXType base, bool *open) {
    gw_cursors bases = {0};
    uint32_t ways = 0;
    gw_front_bases(class, &bases);
    for (uint32_t i = 0; i < bases.count; i++) {
        const CXType of = plain(clang_getCursorType(bases.at[i]));
        const uint32_t here = (clang_equalTypes(of, base) != 0) + count_ways(of, base, open);
        if (here && clang_getCXXAccessSpecifier(bases.at[i]) != CX_CXXPublic) *open = false;
        ways += here;
    }
    gw_vec_free(&bases);
    return ways;
}

static match matches(CXType thrown, CXType caught) {
    bool open = true;
    if (clang_equalTypes(thrown, caught)) return YES;
    if (thrown.kind == CXType_NullPtr) return caught.kind == CXType_Pointer ? UNCLEAR : NO;
    if (thrown.kind == CXType_Pointer) return caught.kind == CXType_Pointer ? UNCLEAR : NO;
    if (thrown.kind != CXType_Record || caught.kind != CXType_Record) return NO;
    const uint32_t ways = count_ways(thrown, caught, &open);
    if (!ways) return NO;
    return ways == 1 && open ? YES : UNCLEAR;
}

/* std::out_of_range and its bases. */
static match matches_outside(gw_unit *u, CXType caught) {
    static const char *const names[] = {"out_of_range", "logic_error", "exception"};
    const CXCursor decl = clang_getTypeDeclaration(caught);
    if (caught.kind != CXType_Record || !gw_front_is_in_std(decl)) return NO;
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return YES;
    return NO;
}

/* ---- what is thrown ---- */
bool gw_front_is_given_whole(gw_lowering *L, CXType type) {
    const gw_shape_data *d = gw_front_shape_at(L->u, gw_front_shape(L->u, type));
    return d->kind == GW_SHAPE_STRUCT && !d->library && !d->destructs && !gw_front_refusal(d);
}

static bool is_std_exception(gw_lowering *L, CXType type) {
    return gw_front_is_in_std(clang_getTypeDeclaration(type)) && gw_front_is_passed_type(L->u, type);
}

typedef struct action {
    gw_unit *u;
    bool found;
} action;

/* A function of std that makes a text of a literal, a number or two texts, or an exception of a text. Others
 * may throw. */
static bool makes_text(gw_unit *u, CXCursor callee) {
    const CXType type = clang_getCursorType(callee);
    const bool constructs = clang_getCursorKind(callee) == CXCursor_Constructor;
    const CXType made =
        constructs ? clang_getCursorType(clang_getCursorSemanticParent(callee)) : clang_getResultType(type);
    if (!gw_front_is_in_std(callee) || !gw_front_is_passed_type(u, made)) return false;
    const CXType first = clang_getCanonicalType(clang_getNonReferenceType(clang_getArgType(type, 0)));
    if (constructs)
        return !clang_getNumArgTypes(type) || first.kind == CXType_Pointer || gw_front_is_passed_type(u, first);
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(callee)));
    return strcmp(name, "to_string") == 0 || strcmp(name, "operator+") == 0;
}

static enum CXChildVisitResult find_action(CXCursor c, CXCursor parent, CXClientData data) {
    action *a = data;
    (void)parent;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    const CXCursor callee = clang_getCursorReferenced(c);
    a->found |= kind == CXCursor_CallExpr && (clang_Cursor_isNull(callee) || !makes_text(a->u, callee));
    a->found |= (clang_isStatement(kind) && kind != CXCursor_CompoundStmt) || kind == CXCursor_UnaryOperator ||
                kind == CXCursor_CompoundAssignOperator || kind == CXCursor_LambdaExpr ||
                kind == CXCursor_CXXNewExpr || kind == CXCursor_CXXThrowExpr || kind == CXCursor_InitListExpr ||
                clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign;
    return a->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* Nothing is done in it but that text is made. */
static bool only_makes_text(gw_lowering *L, CXCursor c) {
    action a = {.u = L->u};
    clang_visitChildren(c, find_action, &a);
    return !a.found;
}

static bool is_number_or_text(gw_lowering *L, CXType type) {
    return gw_front_is_passed_type(L->u, type) ||
           gw_front_shape_kind(L->u, gw_front_shape(L->u, type)) == GW_SHAPE_SCALAR;
}

/* A class of the user's over one of std's, with numbers and text beside it that its constructors set, and with
 * nothing that is done where it is copied or ends. */
static bool is_open_exception(gw_lowering *L, CXType type) {
    gw_cursors members = {0}, bases = {0};
    const CXCursor class = clang_getTypeDeclaration(type);
    bool open = type.kind == CXType_Record && !gw_front_is_in_std(class);
    gw_front_children(class, &members);
    for (uint32_t i = 0; i < members.count && open; i++) {
        const CXCursor m = members.at[i];
        const enum CXCursorKind kind = clang_getCursorKind(m);
        if (kind == CXCursor_FieldDecl)
            open = is_number_or_text(L, clang_getCursorType(m)) && only_makes_text(L, m);
        if (kind == CXCursor_Destructor) open = clang_CXXMethod_isDefaulted(m);
        if (kind == CXCursor_Constructor && gw_front_is_written_constructor(m))
            open = !clang_CXXConstructor_isCopyConstructor(m) && !clang_CXXConstructor_isMoveConstructor(m);
    }
    gw_front_bases(type, &bases);
    open &= bases.count > 0;
    for (uint32_t i = 0; i < bases.count && open; i++) {
        const CXType of = plain(clang_getCursorType(bases.at[i]));
        open = is_std_exception(L, of) || is_open_exception(L, of);
    }
    gw_vec_free(&members);
    gw_vec_free(&bases);
    return open;
}

/* All that its construction does is text for people. */
static bool only_makes(gw_lowering *L, CXCursor constructor) {
    const CXCursor definition = clang_getCursorDefinition(constructor);
    if (gw_front_is_in_std(constructor) || !gw_front_is_written_constructor(constructor)) return true;
    return !clang_Cursor_isNull(definition) && only_makes_text(L, definition);
}

bool gw_front_is_thrown_text(gw_lowering *L, CXCursor thrown) {
    const CXType type = plain(clang_getCursorType(thrown));
    const CXCursor made = gw_front_construction(thrown);
    if (type.kind != CXType_Record || !(is_std_exception(L, type) || is_open_exception(L, type))) return false;
    if (gw_front_is_given_whole(L, type)) return false;
    return clang_getCursorKind(made) == CXCursor_CallExpr && only_makes(L, clang_getCursorReferenced(made)) &&
           only_makes_text(L, made);
}

/* The construction of what is thrown, of a class whose objects nobody makes here. */
static void pass_construction(gw_lowering *L, CXCursor thrown) {
    const CXCursor made = gw_front_construction(thrown);
    if (!gw_front_is_thrown_text(L, thrown)) {
        gw_front_refuse(L, thrown, "an exception of this class, caught in the same function,",
                        "throw an object of a class with plain members, or of std, made where it is thrown");
        return;
    }
    for (int i = 0; i < clang_Cursor_getNumArguments(made); i++) {
        const CXCursor argument = clang_Cursor_getArgument(made, (unsigned)i);
        if (!gw_front_is_default_argument(argument)) gw_front_passed_effects(L, argument);
    }
}

/* Gives the handler's variable, if anybody asks for it, what is thrown. */
static void give(gw_lowering *L, gw_handler *h, CXCursor thrown) {
    const CXType type = plain(clang_getCursorType(thrown));
    const gw_shape shape = gw_front_shape(L->u, type);
    const bool is_plain = gw_front_is_given_whole(L, type);
    const bool is_wanted = !clang_Cursor_isNull(h->variable);
    if (type.kind != CXType_Record) {
        if (gw_front_shape_kind(L->u, shape) != GW_SHAPE_SCALAR) return;
        const gw_value v = gw_front_scalar(L, thrown);
        if (is_wanted && !L->failed) gw_front_store(L, h->value, v);
    } else if (is_plain && (!is_wanted || clang_equalTypes(type, h->type))) {
        gw_front_initialize(L, is_wanted ? h->value : gw_front_temp(L, shape, 0), thrown);
    } else if (is_plain) {
        gw_front_refuse(L, thrown, "an exception that is caught as a base of it and asked for its members",
                        "catch it by its own class");
    } else {
        pass_construction(L, thrown);
    }
}

/* ---- to a handler ---- */
static void leave_for(gw_lowering *L, uint32_t number, uint32_t handler, CXCursor thrown) {
    const gw_try t = L->tries.at[number];
    t.handlers[handler].is_reached = true;
    if (!clang_Cursor_isNull(thrown)) give(L, &t.handlers[handler], thrown);
    if (L->failed) return;
    gw_front_slot_set(L, t.chosen, gw_int(&L->b, GW_T_I32, handler));
    gw_front_slot_set(L, t.exit, gw_int(&L->b, GW_T_BOOL, 1));
    L->dead = true;
}

bool gw_front_catch(gw_lowering *L, CXCursor at, CXCursor thrown) {
    const bool is_outside = clang_Cursor_isNull(thrown);
    const CXType type = is_outside ? (CXType){.kind = CXType_Invalid} : plain(clang_getCursorType(thrown));
    for (uint32_t i = L->tries.count; i-- > 0 && !L->failed;) {
        const gw_try *t = &L->tries.at[i];
        if (gw_front_leaves(L, t->frames) != GW_LEAVES) return false;
        for (uint32_t k = 0; k < t->count; k++) {
            const CXType caught = t->handlers[k].type;
            match how = YES;
            if (caught.kind != CXType_Invalid)
                how = is_outside ? matches_outside(L->u, caught) : matches(type, caught);
            if (how == UNCLEAR)
                gw_front_refuse(L, at, "an exception of which it is not clear who catches it",
                                "catch it by its own type");
            if (how == YES) leave_for(L, i, k, thrown);
            if (how != NO) return true;
        }
    }
    return L->failed;
}
