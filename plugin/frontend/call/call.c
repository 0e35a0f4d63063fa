/*
 * frontend/call/call.c - calls: known functions, implicit members, functions of their own, and inlining.
 *
 * Almost everything is inlined. A function that is large and passes only scalars by value, or recursive, is
 * lowered once as a primal function of its own and called, so that its pullback is made once too. On the device
 * one with loops, whose pullback takes a tape of its caller, is called where its copies would be long, but by
 * those kernels that have no tape for it (session->inlining).
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/query.h"

#include <string.h>

enum {
    LARGE = 150,        /* operators and calls, those of callees included */
    MOST_COPIED = 1500, /* so many of them at most that inlining one function with loops writes on the device */
    DEEPEST = 8,        /* calls in calls that are looked at */
    MOST_STEPS = 100000
};

typedef struct weighing {
    gw_unit *u;
    uint32_t weight, most;
    uint32_t depth;
} weighing;

static uint32_t weight_of(gw_unit *u, CXCursor definition, uint32_t depth, uint32_t most);

static enum CXChildVisitResult weigh(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    weighing *w = data;
    enum CXCursorKind kind = clang_getCursorKind(c);
    if (w->weight > w->most) return CXChildVisit_Break;
    if (kind == CXCursor_BinaryOperator || kind == CXCursor_CompoundAssignOperator ||
        kind == CXCursor_UnaryOperator || kind == CXCursor_ArraySubscriptExpr ||
        kind == CXCursor_ConditionalOperator)
        w->weight++;
    if (kind == CXCursor_CallExpr) {
        CXCursor callee = clang_getCursorDefinition(clang_getCursorReferenced(c));
        bool own =
            !clang_Cursor_isNull(callee) && !clang_Location_isInSystemHeader(clang_getCursorLocation(callee));
        w->weight += own ? weight_of(w->u, callee, w->depth + 1, w->most) : 1;
    }
    return CXChildVisit_Recurse;
}

static uint32_t weight_of(gw_unit *u, CXCursor definition, uint32_t depth, uint32_t most) {
    if (depth > DEEPEST) return most;
    weighing w = {.u = u, .depth = depth, .most = most};
    clang_visitChildren(definition, weigh, &w);
    return w.weight;
}

static bool is_variadic(CXType function) { /* void f() in C takes what it takes */
    return function.kind == CXType_FunctionProto && clang_isFunctionTypeVariadic(function);
}

/* Scalars in, a scalar out, nothing else that the body could reach but its own locals and globals.
 * Floating-point parameters have the type of a floating-point result: a call's derivatives come back in one
 * array. */
bool gw_front_passes_scalars(gw_unit *u, CXCursor definition) {
    if (clang_getCursorKind(definition) != CXCursor_FunctionDecl) return false;
    if (!clang_Cursor_isNull(clang_getSpecializedCursorTemplate(definition))) return false;
    if (gw_front_is_of_joined(u, definition)) return false; /* no text of this source can name it */
    CXType type = clang_getCursorType(definition), result = clang_getResultType(type);
    if (is_variadic(type)) return false;
    gw_shape shape = gw_front_shape(u, result);
    if (gw_front_is_reference(result) || shape == GW_T_VOID || shape >= GW_T_SCALARS || gw_type_is_half(shape))
        return false;
    for (int i = 0; i < clang_getNumArgTypes(type); i++) {
        CXType t = clang_getArgType(type, (unsigned)i);
        gw_shape one = gw_front_shape(u, t);
        if (gw_front_is_reference(t) || one >= GW_T_SCALARS || gw_type_is_half(one)) return false;
        if (gw_front_is_texture(u, t)) return false; /* what is fetched from it has a shadow in its caller */
        if (gw_type_is_float(shape) && gw_type_is_float(one) && one != shape) return false;
    }
    return true;
}

const char *gw_front_why_no_call(gw_unit *u, CXCursor definition) {
    CXType type = clang_getCursorType(definition), result = clang_getResultType(type);
    bool pointers = false, numbers = true;
    if (clang_getCursorKind(definition) != CXCursor_FunctionDecl) return "is a member of a class";
    if (gw_front_is_of_joined(u, definition)) return "is declared in another source alone";
    if (is_variadic(type)) return "takes any number of arguments";
    for (int i = 0; i < clang_getNumArgTypes(type); i++) {
        CXType t = clang_getArgType(type, (unsigned)i);
        bool pointer = gw_front_passed_number(u, t) != GW_T_VOID;
        pointers |= pointer;
        numbers &= pointer || (!gw_front_is_reference(t) && gw_front_shape(u, t) < GW_T_SCALARS);
    }
    if (gw_front_is_reference(result) || gw_front_shape(u, result) >= GW_T_SCALARS) return "returns no number";
    if (!numbers) return "takes other things than numbers and pointers to numbers";
    if (pointers && gw_front_function_kind(u, definition) != GW_FUNC_HOST)
        return "takes pointers on the device";
    return NULL;
}

bool gw_front_stores_globals(const gw_func *f) {
    for (uint32_t i = 1; i < f->ops.count; i++) {
        const gw_op_data *o = &f->ops.at[i];
        if ((o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC || o->flags & GW_OP_WRITES) &&
            f->objects.at[o->object].kind == GW_OBJECT_GLOBAL)
            return true;
    }
    return false;
}

/* How often inlining all in `within` writes down the function. */
typedef struct copying {
    CXCursor of;
    uint32_t count, depth, steps;
} copying;

static enum CXChildVisitResult count_copies(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    copying *n = data;
    if (++n->steps > MOST_STEPS) return CXChildVisit_Break;
    CXCursor callee = clang_getNullCursor();
    if (clang_getCursorKind(c) == CXCursor_CallExpr)
        callee = clang_getCursorDefinition(clang_getCursorReferenced(c));
    if (clang_Cursor_isNull(callee) || clang_Location_isInSystemHeader(clang_getCursorLocation(callee)))
        return CXChildVisit_Recurse;
    if (clang_equalCursors(callee, n->of)) n->count++;
    else if (n->depth < DEEPEST) {
        n->depth++;
        clang_visitChildren(callee, count_copies, n);
        n->depth--;
    }
    return CXChildVisit_Recurse;
}

/* A function of the device whose pullback takes a tape of its caller: inlined where that writes little, since a
 * call runs the function's forward part once more; what waits for other threads is always inlined. */
static bool is_worth_tape(gw_lowering *L, CXCursor definition, const gw_func *f) {
    if (f->kind != GW_FUNC_DEVICE || !L->frames.count) return false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_effect effect = gw_op_rows[gw_op_at(f, op)->code].effect;
        if (!gw_op_at(f, op)->dead && (effect == GW_EFFECT_MEET || effect == GW_EFFECT_LANES)) return false;
    }
    copying n = {.of = definition};
    clang_visitChildren(L->frames.at[0].decl, count_copies, &n);
    return n.count * weight_of(L->u, definition, 0, MOST_COPIED) > MOST_COPIED;
}

/* Its pullback may need a tape. */
static bool may_need_tape(const gw_func *f) {
    int64_t bound;
    if (f->kind == GW_FUNC_HOST) return false;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || (o->code != GW_OP_FOR && o->code != GW_OP_WHILE)) continue;
        if (o->code == GW_OP_WHILE || o->flags & GW_OP_EXIT) return true;
        for (uint32_t i = 0; i < 3; i++)
            if (!gw_const_int(f, gw_operand(f, op, i), &bound)) return true;
    }
    return false;
}

/* A kernel that has no tape for what it calls, or, `whole`, what second derivatives are asked of. */
static bool inlines(const gw_lowering *L, bool whole) {
    for (uint32_t i = 0; i < L->session->inlining.count; i++) {
        const gw_inlining *x = &L->session->inlining.at[i];
        if (x->symbol == L->f->symbol && (x->whole || !whole)) return true;
    }
    return false;
}

/* The function, or NULL where this one inlines it nevertheless, for its loops or those of what it calls. */
static gw_func *unless_inlined(const gw_lowering *L, gw_func *f, bool recursive) {
    if (f && !recursive && L->is_program && gw_may_stop(f, GW_STOP_ENDS)) return NULL; /* the program ends */
    if (!f || recursive || !inlines(L, false)) return f;
    if (inlines(L, true)) return NULL;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && (gw_is_loop(f, op) || gw_op_at(f, op)->code == GW_OP_CALL)) return NULL;
    return f;
}

static bool is_shared_variable(gw_unit *u, CXCursor c, const void *none) {
    (void)u, (void)none;
    return clang_getCursorKind(c) == CXCursor_VarDecl && gw_front_is_shared(c);
}

static bool is_ordered_call(gw_unit *u, CXCursor c, const void *none) {
    (void)none;
    const bool calls = clang_getCursorKind(c) == CXCursor_CallExpr;
    return calls && gw_front_is_ordered(u, clang_getCanonicalCursor(clang_getCursorReferenced(c)));
}

/* Enough to be a function of its own; shared memory is the kernel's, and effects are its caller's. */
static bool is_large(gw_unit *u, CXCursor definition) {
    return gw_front_passes_scalars(u, definition) && weight_of(u, definition, 0, LARGE) > LARGE &&
           !gw_front_reaches(u, definition, is_shared_variable, NULL) &&
           !gw_front_reaches(u, definition, is_ordered_call, NULL);
}

/* The function that is called instead of inlining it, or NULL. Decided once for each definition. */
static gw_func *own_function(gw_lowering *L, CXCursor definition) {
    gw_unit *u = L->u;
    for (uint32_t i = 0; i < u->callees.count; i++)
        if (clang_equalCursors(u->callees.at[i].decl, definition))
            return unless_inlined(L, u->callees.at[i].func, gw_front_is_recursive(u, definition));
    if (gw_front_is_recursive(u, definition) && !gw_front_why_no_call(u, definition)) {
        gw_func *recursive = gw_front_function(u, definition); /* which adds itself to the callees */
        L->failed |= !recursive;
        return recursive;
    }
    gw_func *f = NULL;
    gw_push(&u->callees, ((gw_unit_callee){definition, NULL}));
    uint32_t at = u->callees.count - 1;
    if (is_large(u, definition)) {
        f = gw_front_function(u, definition);
        if (!f) L->failed = true;
        bool inlined = f && may_need_tape(f) && !is_worth_tape(L, definition, f);
        if (f && (gw_front_stores_globals(f) || inlined)) f = NULL;
    }
    u->callees.at[at].func = f;
    return unless_inlined(L, f, false);
}

static bool has_default_arguments(const gw_cursors *arguments) {
    for (uint32_t i = 0; i < arguments->count; i++)
        if (clang_getCursorKind(arguments->at[i]) == CXCursor_UnexposedExpr &&
            clang_Cursor_isNull(gw_front_expression(arguments->at[i])))
            return true;
    return false;
}

/* Object of a member call: v.f(), p->f(), f() inside a member, or the first operand of an operator. */
gw_place gw_front_object_of(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments) {
    gw_cursors children = {0};
    gw_front_expressions(call, &children);
    CXCursor first = children.count ? gw_front_strip(children.at[0]) : clang_getNullCursor();
    gw_place self = {0};
    uint32_t params = (uint32_t)clang_Cursor_getNumArguments(callee);
    if (!clang_Cursor_isNull(first) && gw_front_is_member_name(first)) {
        CXCursor base = gw_front_expression(first);
        if (clang_Cursor_isNull(base))
            self = L->frames.at[L->frames.count - 1].self;
        else if (gw_front_shape_kind(L->u, gw_front_shape_of(L, base)) == GW_SHAPE_POINTER)
            self = gw_front_pointer(L, base);
        else
            self = gw_front_place(L, base);
    } else if (arguments->count == params + 1) {
        self = gw_front_place(L, arguments->at[0]);
        memmove(arguments->at, arguments->at + 1, (arguments->count - 1) * sizeof *arguments->at);
        arguments->count--;
    }
    gw_vec_free(&children);
    return self;
}

/* dim3 d = blockDim: the conversion of a launch variable. */
static gw_call_result launch_struct(gw_lowering *L, CXCursor callee, gw_place self) {
    gw_call_result r = {0};
    r.place = gw_front_temp(L, gw_front_shape(L->u, clang_getCursorResultType(callee)), 0);
    for (uint32_t i = 0; i < 3 && !L->failed; i++) {
        gw_value v = gw_special_value(&L->b, (gw_special)(self.slot / 4), i);
        gw_front_store(L, gw_front_member(L, r.place, i), v);
    }
    return r;
}

typedef struct member_call {
    CXCursor call, callee;
    const gw_cursors *arguments;
} member_call;

static gw_call_result call_member_of(gw_lowering *L, CXCursor call, CXCursor callee, gw_place self,
                                     const gw_cursors *arguments);

static gw_call_result call_member_of_class(gw_lowering *L, gw_place self, void *context) {
    const member_call *c = context;
    return call_member_of(L, c->call, c->callee, self, c->arguments);
}

static gw_call_result call_member_of_one(gw_lowering *L, gw_place self, void *context) {
    const member_call *c = context;
    const bool is_open = gw_front_is_open_call(L, c->call, c->callee, &self);
    return is_open ? gw_front_call_virtual(L, c->call, self, call_member_of_class, context)
                   : call_member_of_class(L, self, context);
}

static gw_call_result call_member(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments) {
    const gw_place self = gw_front_object_of(L, call, callee, arguments);
    member_call c = {call, callee, arguments};
    if (L->failed) return (gw_call_result){0};
    const bool is_one_of = self.kind == GW_PLACE_CHOICE && clang_CXXMethod_isVirtual(callee);
    return is_one_of ? gw_front_call_one_of(L, call, self, call_member_of_one, &c)
                     : call_member_of_one(L, self, &c);
}

static gw_call_result call_member_of(gw_lowering *L, CXCursor call, CXCursor callee, gw_place self,
                                     const gw_cursors *arguments) {
    gw_call_result r = {0};
    callee = gw_front_dispatch(L, call, callee, &self);
    if (L->failed) return r;
    CXType owner = clang_getCursorType(clang_getCursorSemanticParent(callee));
    if (self.kind == GW_PLACE_SLOTS || self.kind == GW_PLACE_MEMORY)
        gw_front_recast(L, &self, gw_front_shape(L->u, owner));
    if (self.kind == GW_PLACE_SPECIAL) return launch_struct(L, callee, self);
    bool assigns =
        clang_CXXMethod_isCopyAssignmentOperator(callee) || clang_CXXMethod_isMoveAssignmentOperator(callee);
    if (assigns && clang_CXXMethod_isDefaulted(callee)) {
        gw_copying how = clang_CXXMethod_isMoveAssignmentOperator(callee) ? GW_ASSIGNED_MOVED : GW_ASSIGNED;
        gw_front_copy_object(L, self, gw_front_place(L, arguments->at[0]), how, call);
        r.place = self;
        return r;
    }
    r = gw_front_inline(L, call, clang_getCursorDefinition(callee), &self, arguments);
    r.value = gw_front_detach_result(L, callee, r.value);
    return r;
}

/* std::move and its like: what they are given. */
static bool passes_through(gw_lowering *L, CXCursor callee, const gw_cursors *arguments) {
    static const char *const names[] = {"move", "forward", "as_const", "move_if_noexcept"};
    if (arguments->count != 1 || !gw_front_in_namespace(callee, "std")) return false;
    const char *name = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static gw_call_result call_plain(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments) {
    gw_call_result r = {0};
    if (passes_through(L, callee, arguments)) {
        r.place = gw_front_place(L, arguments->at[0]);
        return r;
    }
    if (gw_front_memory(L, call, callee, arguments, &r.place)) return r;
    if (gw_front_call_device_rule(L, call, callee, arguments, &r.value)) return r;
    if (gw_front_call_rule(L, call, callee, arguments, &r.value)) return r;
    if (gw_front_device_call(L, call, callee, arguments, &r)) return r;
    if (gw_front_texture(L, call, callee, arguments, &r)) return r;
    if (gw_front_ask_text(L, call, callee, arguments, &r)) return r;
    if (gw_front_intrinsic(L, call, callee, &r.value)) return r;
    CXCursor definition = clang_getCursorDefinition(callee);
    if (gw_front_has_attribute(callee, CXCursor_CUDAGlobalAttr)) {
        if (L->is_program)
            gw_front_launch_kernel(L, call, callee, arguments);
        else
            gw_front_refuse(L, call, "a kernel launch on the device", "launch it from the host");
        return r;
    }
    if (!clang_Cursor_isNull(definition) && !has_default_arguments(arguments)) {
        gw_func *f = own_function(L, definition);
        if (f && !L->failed) {
            L->openmp_meetings++; /* its pragmas are not looked at here */
            r.value = gw_front_emit_call(L, call, callee, arguments);
            return r;
        }
    }
    return gw_front_inline(L, call, clang_Cursor_isNull(definition) ? callee : definition, NULL, arguments);
}

/* What a std::function holds is called. */
static gw_call_result call_target(gw_lowering *L, gw_place object, void *context) {
    const member_call *c = context;
    const CXCursor held = gw_front_held_callee(L, object, c->call);
    gw_cursors arguments = {0}; /* a call may take some of them off */
    gw_call_result r = {0};
    for (uint32_t i = 0; i < c->arguments->count; i++) gw_push(&arguments, c->arguments->at[i]);
    if (!L->failed)
        r = object.kind == GW_PLACE_FUNCTION
                ? call_plain(L, c->call, held, &arguments)
                : gw_front_inline(L, c->call, clang_getCursorDefinition(held), &object, &arguments);
    gw_vec_free(&arguments);
    return r;
}

/* A std::function is called, given another, or asked whether it holds one; false: the call is another. */
static bool call_held(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments,
                      gw_call_result *r) {
    const gw_held_use use = gw_front_held_use(L, callee);
    if (use == GW_HELD_NOT) return false;
    if (use == GW_HELD_CHANGED) gw_front_refuse_held(L, call);
    const bool compares = clang_getCursorKind(callee) == CXCursor_FunctionDecl;
    gw_place held = {0};
    if (compares) {
        const bool first = gw_front_is_held_function(L->u, clang_getCursorType(arguments->at[0]));
        held = gw_front_place(L, arguments->at[!first]);
    } else if (!L->failed) {
        held = gw_front_object_of(L, call, callee, arguments);
    }
    if (L->failed) return true;
    r->place = held;
    if (use == GW_HELD_GIVEN) {
        gw_front_give(L, held, arguments->at[0]);
        return true;
    }
    const gw_place object = gw_front_held_now(L, held);
    const gw_value none = held.is_held ? gw_front_is_null(L, object, call) : gw_int(&L->b, GW_T_BOOL, 0),
                   has = gw_unary(&L->b, GW_OP_NOT, none);
    if (use == GW_HELD_ASKED) r->value = has;
    if (use == GW_HELD_EMPTY) r->value = none;
    if (L->failed || r->value) return true;
    gw_front_throw_uncallable(L, call, has);
    member_call c = {call, callee, arguments};
    const gw_shape shape = gw_front_shape_of(L, call);
    if (object.kind == GW_PLACE_NULL && shape >= GW_T_SCALARS) gw_front_refuse_held(L, call);
    if (object.kind == GW_PLACE_NULL && shape && !L->failed) r->value = gw_front_zero(L, shape); /* it throws */
    if (L->failed || L->dead || object.kind == GW_PLACE_NULL) return true;
    *r = object.kind == GW_PLACE_CHOICE ? gw_front_call_one_of(L, call, object, call_target, &c)
                                        : call_target(L, object, &c);
    return true;
}

/* What libclang names no function for: a copy by a constructor that nobody wrote, and the destructor of a class
 * or number. */
static bool call_unnamed(gw_lowering *L, CXCursor call, const gw_cursors *arguments, gw_call_result *r) {
    CXCursor callee = gw_front_named_function(call), first = gw_front_expression(call);
    bool none = clang_Cursor_isNull(callee) || clang_isInvalid(clang_getCursorKind(callee));
    bool copies = none && arguments->count == 1 && gw_front_kind_of(L, call) == GW_SHAPE_STRUCT &&
                  gw_front_shape_of(L, call) == gw_front_shape_of(L, arguments->at[0]) &&
                  !gw_front_copies_by_code(L->u, gw_front_shape_of(L, call), GW_COPIED);
    if (copies) r->place = gw_front_place(L, arguments->at[0]);
    if (copies) return true;
    bool destroys = clang_getCursorKind(callee) == CXCursor_Destructor;
    bool number = none && !arguments->count && clang_getCursorKind(first) == CXCursor_MemberRefExpr &&
                  clang_getCursorType(call).kind == CXType_Void;
    if (!destroys && !number) return false;
    CXType of = clang_getCursorType(clang_getCursorSemanticParent(callee));
    const gw_refusal *refusal =
        number ? NULL : gw_front_refusal(gw_front_shape_at(L->u, gw_front_shape(L->u, of)));
    if (refusal) gw_front_refuse(L, call, refusal->what, refusal->way_out); /* others do nothing */
    return true;
}

typedef struct pointed_call {
    CXCursor call;
    gw_cursors *arguments;
} pointed_call;

static gw_call_result call_function(gw_lowering *L, gw_place function, void *context) {
    const pointed_call *c = context;
    const CXCursor target = L->u->functions.at[function.slot];
    gw_cursors arguments = {0}; /* a call may take some of them off */
    for (uint32_t i = 0; i < c->arguments->count; i++) gw_push(&arguments, c->arguments->at[i]);
    const bool may = gw_front_may_call(L, c->call, target);
    const gw_call_result r = may ? call_plain(L, c->call, target, &arguments) : (gw_call_result){0};
    gw_vec_free(&arguments);
    return r;
}

/* Through a pointer to a function, or to one of several. */
static gw_call_result call_pointed(gw_lowering *L, CXCursor call, gw_cursors *arguments) {
    const gw_place function = gw_front_called(L, call);
    pointed_call c = {call, arguments};
    if (L->failed) return (gw_call_result){0};
    if (function.kind == GW_PLACE_FUNCTION) return call_function(L, function, &c);
    return gw_front_call_one_of(L, call, function, call_function, &c);
}

gw_call_result gw_front_call(gw_lowering *L, CXCursor call) {
    gw_call_result r = {0};
    if (L->failed) return r;
    CXCursor callee = gw_front_named_function(call);
    enum CXCursorKind kind = clang_getCursorKind(callee);
    gw_cursors arguments = {0};
    int count = clang_Cursor_getNumArguments(call);
    for (int i = 0; i < count; i++)
        gw_push(&arguments, clang_Cursor_getArgument(call, (unsigned)i));
    bool known = !L->failed && (call_held(L, call, callee, &arguments, &r) ||
                                gw_front_end(L, callee, &arguments) ||
                                gw_front_walk(L, call, callee, &arguments, &r) ||
                                (!L->discards && gw_front_ask(L, call, &arguments, &r)) ||
                                gw_front_pass_over(L, call, callee, &arguments, &r) ||
                                gw_front_refuse_parallel(L, call, callee, &arguments) ||
                                gw_front_drop_call(L, callee, &arguments) ||
                                gw_front_library(L, call, callee, &arguments, &r) ||
                                gw_front_complex_call(L, call, callee, &arguments, &r) ||
                                gw_front_half_call(L, call, callee, &arguments, &r));
    if (known) {
        /* done */
    } else if (kind == CXCursor_Constructor) {
        r.place = gw_front_temp(L, gw_front_shape_of(L, call), 0);
        if (!L->failed) gw_front_construct(L, r.place, call);
    } else if ((kind == CXCursor_CXXMethod && !clang_CXXMethod_isStatic(callee)) ||
               kind == CXCursor_ConversionFunction) {
        r = call_member(L, call, callee, &arguments);
    } else if (kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod) {
        r = call_plain(L, call, callee, &arguments);
    } else if (!call_unnamed(L, call, &arguments, &r)) {
        r = call_pointed(L, call, &arguments);
    }
    gw_vec_free(&arguments);
    return r;
}
