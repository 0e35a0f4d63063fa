/*
 * frontend/call/function.c - std::function: a variable or parameter of one is what it was made of, a lambda, an
 * object or a function, and a call of it is a call of that.
 *
 * What one holds that is given no other is found where the variable is bound, and stays. One that is given
 * others is a pointer to what it holds (is_held): a function, nothing, or an object of the variable's own, of
 * which there is one for each expression that the source assigns to it, made where the variable is declared, so
 * that branches and loops carry them. A call is one of each that may be meant (call/dispatch.c), and throws
 * where there is nothing. A copy has copies of the objects. Objects come from expressions that the function
 * shows: what an object comes out of another std::function cannot be assigned.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include <stdlib.h>
#include <string.h>

static bool is_spelled(gw_unit *u, CXCursor c, const char *name) {
    return strcmp(gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(c))), name) == 0;
}

bool gw_front_is_held_function(gw_unit *u, CXType type) {
    const CXCursor of = clang_getTypeDeclaration(clang_getCanonicalType(clang_getNonReferenceType(type)));
    return clang_getCursorKind(of) == CXCursor_ClassDecl && gw_front_is_in_std(of) &&
           is_spelled(u, of, "function");
}

/* The expression of which a std::function is made, behind its constructors. */
static CXCursor made_of(gw_lowering *L, CXCursor e) {
    for (;;) {
        e = gw_front_strip(e);
        const enum CXCursorKind kind = clang_getCursorKind(e);
        const bool constructs = kind == CXCursor_CallExpr && clang_Cursor_getNumArguments(e) >= 1 &&
                                clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor;
        const bool of_function = gw_front_is_held_function(L->u, clang_getCursorType(e));
        CXCursor inner = clang_getNullCursor();
        if (constructs && of_function) inner = clang_Cursor_getArgument(e, 0);
        else if (gw_front_is_cast(kind) && (of_function || kind == CXCursor_UnexposedExpr))
            inner = gw_front_expression(e);
        if (clang_Cursor_isNull(inner)) return e;
        e = inner;
    }
}

void gw_front_refuse_held(gw_lowering *L, CXCursor at) {
    gw_front_refuse(L, at, "a std::function of which nobody sees here what it holds",
                    "make it of lambdas, functions or objects, in the function that declares it");
}

/* ---- one that is given several ---- */
typedef struct giving {
    gw_lowering *L;
    CXCursor variable;
    gw_cursors given; /* the right sides of assignments to it */
} giving;

static enum CXChildVisitResult find_given(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    giving *g = data;
    const bool assigns = clang_getCursorKind(c) == CXCursor_CallExpr && clang_Cursor_getNumArguments(c) == 2 &&
                         gw_front_held_use(g->L, clang_getCursorReferenced(c)) == GW_HELD_GIVEN;
    if (assigns && clang_equalCursors(clang_getCursorReferenced(gw_front_strip(clang_Cursor_getArgument(c, 0))),
                                      g->variable))
        gw_push(&g->given, clang_Cursor_getArgument(c, 1));
    return CXChildVisit_Recurse;
}

static bool is_nothing(gw_lowering *L, CXCursor e) {
    const enum CXCursorKind kind = clang_getCursorKind(e);
    const bool constructs = kind == CXCursor_CallExpr && !clang_Cursor_getNumArguments(e) &&
                            clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor;
    const bool lists = kind == CXCursor_InitListExpr && clang_Cursor_isNull(gw_front_expression(e));
    return kind == CXCursor_CXXNullPtrLiteralExpr || lists ||
           (constructs && gw_front_is_held_function(L->u, clang_getCursorType(e)));
}

static bool is_pointer(gw_lowering *L, CXCursor e) {
    return gw_front_is_function(L, e) || gw_front_kind_of(L, e) == GW_SHAPE_POINTER;
}

static bool is_object(gw_lowering *L, CXCursor e) {
    return !is_nothing(L, e) && !gw_front_is_held_function(L->u, clang_getCursorType(e)) && !is_pointer(L, e);
}

static gw_place make_object(gw_lowering *L, gw_shape shape, CXCursor at) {
    const gw_shape_data *d = gw_front_shape_at(L->u, shape);
    if (d->kind == GW_SHAPE_STRUCT && !d->destructs) return gw_front_temp(L, shape, L->naming);
    gw_front_refuse_held(L, at);
    return (gw_place){0};
}

/* A pointer of its own that leads nowhere yet, and objects for what it is given, bound to the expressions. */
static gw_place begin_held(gw_lowering *L, CXCursor variable, const gw_cursors *given) {
    const gw_str name = gw_front_intern(L->u, clang_getCursorSpelling(variable));
    gw_place held = {.kind = GW_PLACE_SLOTS, .shape = GW_T_VOID, .is_held = true};
    held.slot = gw_front_slot(L, GW_SLOT_POINTER, GW_T_VOID, name);
    gw_front_slot_set(L, held.slot, gw_front_pointer_new(L, (gw_place){.kind = GW_PLACE_NULL}));
    for (uint32_t i = 0; i < given->count && !L->failed; i++) {
        const CXCursor e = made_of(L, given->at[i]);
        if (is_object(L, e)) gw_front_bind(L, e, make_object(L, gw_front_shape_of(L, e), e));
    }
    return held;
}

gw_place gw_front_held_now(gw_lowering *L, gw_place held) {
    const uint32_t number = held.is_held ? L->slots.at[held.slot].value : 0;
    if (!held.is_held) return held;
    return number ? L->pointers.at[number] : (gw_place){.kind = GW_PLACE_NULL};
}

static void lead(gw_lowering *L, gw_place held, gw_place target) {
    if (!L->failed) gw_front_slot_set(L, held.slot, gw_front_pointer_new(L, target));
}

static bool is_of_functions(const gw_lowering *L, const gw_place *p) {
    bool all = p->kind == GW_PLACE_FUNCTION || p->kind == GW_PLACE_NULL || p->kind == GW_PLACE_CHOICE;
    for (uint32_t i = 0; p->kind == GW_PLACE_CHOICE && i < p->count; i++)
        all &= is_of_functions(L, &L->candidates.at[p->slot + i]);
    return all;
}

/* The object that was made for the expression. */
static gw_place object_for(gw_lowering *L, CXCursor e) {
    for (uint32_t i = L->bindings.count; i-- > 0;) {
        const gw_binding *b = &L->bindings.at[i];
        if (clang_getCursorKind(b->decl) == clang_getCursorKind(e) &&
            clang_equalLocations(clang_getCursorLocation(b->decl), clang_getCursorLocation(e)))
            return b->place;
    }
    return (gw_place){0};
}

void gw_front_give(gw_lowering *L, gw_place held, CXCursor e) {
    e = made_of(L, e);
    gw_place target = {.kind = GW_PLACE_NULL};
    if (!held.is_held) {
        gw_front_refuse_held(L, e);
    } else if (is_object(L, e)) {
        target = object_for(L, e);
        if (!target.kind) gw_front_refuse_held(L, e);
        if (!L->failed) gw_front_initialize(L, target, e);
    } else if (!is_nothing(L, e)) {
        const bool another = !is_pointer(L, e);
        target = another ? gw_front_held_now(L, gw_front_place(L, e)) : gw_front_pointer(L, e);
        if (!L->failed && !is_of_functions(L, &target)) gw_front_refuse_held(L, e);
    }
    lead(L, held, target);
}

/* ---- copies ---- */
typedef struct copying {
    gw_place held, objects; /* a choice of copies, in the order of what they are copies of */
    const gw_place *from;   /* a choice, or one */
    CXCursor at;
} copying;

static gw_place candidate(const gw_lowering *L, const gw_place *p, uint32_t i) {
    return p->kind == GW_PLACE_CHOICE ? L->candidates.at[p->slot + i] : *p;
}

static void copy_one(gw_lowering *L, gw_place from, void *context) {
    const copying *c = context;
    gw_place to = from;
    const uint32_t count = c->from->kind == GW_PLACE_CHOICE ? c->from->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const gw_place one = candidate(L, c->from, i);
        if (gw_front_same_target(&one, &from)) to = L->candidates.at[c->objects.slot + i];
    }
    if (from.kind != GW_PLACE_FUNCTION) gw_front_copy_object(L, to, from, GW_COPIED, c->at);
    lead(L, c->held, to);
}

/* Objects are made before it is asked which one is meant. */
static void copy_held(gw_lowering *L, gw_place held, gw_place from, CXCursor at) {
    const uint32_t count = from.kind == GW_PLACE_CHOICE ? from.count : 1;
    copying c = {held, {.slot = 0}, &from, at};
    gw_place *made = gw_alloc((count + 1) * sizeof *made);
    for (uint32_t i = 0; i < count && !L->failed; i++) {
        made[i] = candidate(L, &from, i);
        if (!is_of_functions(L, &made[i])) made[i] = make_object(L, made[i].shape, at);
    }
    c.objects.slot = L->candidates.count;
    for (uint32_t i = 0; i < count && !L->failed; i++)
        gw_push(&L->candidates, made[i]);
    free(made);
    const gw_value none = L->failed ? 0 : gw_front_is_null(L, from, at);
    if (L->failed) return;
    gw_branch yes = gw_front_branch_begin(L);
    gw_front_branch_end(L, &yes);
    gw_branch no = gw_front_branch_begin(L);
    if (from.kind == GW_PLACE_CHOICE)
        gw_front_choice_each(L, from, copy_one, &c);
    else if (from.kind != GW_PLACE_NULL)
        copy_one(L, from, &c);
    gw_front_branch_end(L, &no);
    gw_front_branch_join(L, none, &yes, &no);
}

/* ---- where one is bound ---- */
static bool is_given_others(gw_lowering *L, CXCursor variable, gw_cursors *given) {
    giving g = {.L = L, .variable = variable};
    const CXCursor body = clang_getCursorSemanticParent(variable);
    if (!clang_Cursor_isNull(body)) clang_visitChildren(body, find_given, &g);
    *given = g.given;
    return g.given.count;
}

/* It is given others, or may be one of several from the start. */
static gw_place hold_several(gw_lowering *L, CXCursor variable, CXCursor e, gw_cursors *given) {
    const bool another = !clang_Cursor_isNull(e) && gw_front_is_held_function(L->u, clang_getCursorType(e));
    if (!clang_Cursor_isNull(e)) gw_push(given, e);
    const gw_place held = begin_held(L, variable, given);
    const gw_place from = another && !is_nothing(L, e) && !L->failed ? gw_front_place(L, e) : (gw_place){0};
    if (L->failed) return held;
    if (from.kind)
        copy_held(L, held, gw_front_held_now(L, from), e);
    else if (!clang_Cursor_isNull(e))
        gw_front_give(L, held, e);
    return held;
}

/* A function, an object, or another std::function, of which there is no other in it. */
static gw_place hold_one(gw_lowering *L, CXCursor variable, CXCursor e, gw_place from) {
    const bool another = from.kind != GW_PLACE_NONE;
    const gw_shape shape = another ? from.shape : gw_front_shape_of(L, e);
    if (gw_front_shape_kind(L->u, shape) != GW_SHAPE_STRUCT) {
        gw_front_refuse_held(L, e);
        return (gw_place){0};
    }
    const gw_place p = gw_front_temp(L, shape, gw_front_intern(L->u, clang_getCursorSpelling(variable)));
    if (L->failed) return p;
    if (another)
        gw_front_copy_object(L, p, from, GW_COPIED, variable);
    else
        gw_front_initialize(L, p, e);
    return p;
}

gw_place gw_front_hold_function(gw_lowering *L, CXCursor variable, CXCursor e) {
    gw_cursors given = {0};
    gw_place from = {0}, held;
    bool several = is_given_others(L, variable, &given) || clang_Cursor_isNull(e);
    if (!clang_Cursor_isNull(e)) e = made_of(L, e);
    several |= !clang_Cursor_isNull(e) && is_nothing(L, e);
    const bool another = !several && gw_front_is_held_function(L->u, clang_getCursorType(e));
    if (another || (!several && is_pointer(L, e)))
        from = another ? gw_front_place(L, e) : gw_front_pointer(L, e);
    const bool is_same = another && gw_front_is_reference(clang_getCursorType(variable));
    if (is_same || from.kind == GW_PLACE_FUNCTION || L->failed)
        held = from;
    else if (several || from.is_held || (from.kind && !another))
        held = hold_several(L, variable, e, &given);
    else
        held = hold_one(L, variable, e, from);
    gw_vec_free(&given);
    return held;
}

static CXCursor operator_of(gw_lowering *L, CXType type) {
    CXCursor found = clang_getNullCursor();
    gw_cursors methods = {0};
    if (gw_front_is_lambda(L->u, type)) return gw_front_call_operator(clang_getTypeDeclaration(type));
    gw_front_methods(type, &methods);
    uint32_t several = 0;
    for (uint32_t i = 0; i < methods.count; i++) {
        if (!is_spelled(L->u, methods.at[i], "operator()")) continue;
        found = methods.at[i], several++;
    }
    gw_vec_free(&methods);
    return several == 1 ? found : clang_getNullCursor();
}

static bool is_compared(gw_unit *u, CXCursor callee) {
    const CXType type = clang_getCursorType(callee);
    bool held = false;
    for (int i = 0; i < clang_getNumArgTypes(type); i++)
        held |= gw_front_is_held_function(u, clang_getArgType(type, (unsigned)i));
    return held && gw_front_is_in_std(callee);
}

gw_held_use gw_front_held_use(gw_lowering *L, CXCursor callee) {
    const enum CXCursorKind kind = clang_getCursorKind(callee);
    if (kind == CXCursor_FunctionDecl && is_compared(L->u, callee)) {
        if (is_spelled(L->u, callee, "operator==")) return GW_HELD_EMPTY;
        return is_spelled(L->u, callee, "operator!=") ? GW_HELD_ASKED : GW_HELD_NOT;
    }
    const bool asks = kind == CXCursor_ConversionFunction;
    if (kind != CXCursor_CXXMethod && !asks) return GW_HELD_NOT;
    if (!gw_front_is_held_function(L->u, clang_getCursorType(clang_getCursorSemanticParent(callee))))
        return GW_HELD_NOT;
    if (asks) return GW_HELD_ASKED;
    if (is_spelled(L->u, callee, "operator=")) return GW_HELD_GIVEN;
    return is_spelled(L->u, callee, "operator()") ? GW_HELD_CALLED : GW_HELD_CHANGED;
}

CXCursor gw_front_held_callee(gw_lowering *L, gw_place object, CXCursor call) {
    CXCursor found = object.kind == GW_PLACE_FUNCTION
                         ? L->u->functions.at[object.slot]
                         : operator_of(L, gw_front_shape_at(L->u, object.shape)->clang);
    const enum CXCursorKind kind = clang_getCursorKind(found);
    if (kind != CXCursor_CXXMethod && kind != CXCursor_FunctionDecl) gw_front_refuse_held(L, call);
    return found;
}
