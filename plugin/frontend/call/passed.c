/*
 * frontend/call/passed.c - calls that are passed over: clocks, what is printed, text, files (passed.def).
 *
 * The derivative does not run them, nor has what they give one. What they give, and what they write to, is
 * unknown (place/unknown.c): where the result needs it, the function is refused.
 *
 * Why that is sound: such a call cannot reach memory of the user's but by its arguments. An argument that it
 * may write through must lead to a variable of the function's own, all of which becomes unknown; others are
 * refused, as are functions that it would call. So whatever is left in the derivative depends on values that
 * the lowering knows.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"

#include <string.h>

typedef enum pointers { READS, FILLS, WRITES, ENDS, SEEDS, TIMERS, OUTSIDE } pointers;
typedef enum gives { UNKNOWN, SUCCESS, PART } gives;
static const struct {
    const char *name;
    pointers pointers;
    gives gives;
} functions[] = {
#define GW_PASSED(name, pointers, gives) {name, pointers, gives},
#include "plugin/frontend/call/passed.def"
#undef GW_PASSED
};
#define LENGTH(a) (sizeof(a) / sizeof *(a))

static bool is_function(CXType type) {
    CXType t = clang_getCanonicalType(clang_getNonReferenceType(type));
    if (t.kind == CXType_Pointer) t = clang_getCanonicalType(clang_getPointeeType(t));
    return t.kind == CXType_FunctionProto || t.kind == CXType_FunctionNoProto;
}

/* A class of the user's, or one of std's that is made of such or of a function's type: a lambda, or what holds
 * one, which the library may call. */
static bool is_users_class(CXType type) {
    CXType t = clang_getCanonicalType(clang_getNonReferenceType(type));
    if (t.kind != CXType_Record) return false;
    bool users = !gw_front_is_in_std(clang_getTypeDeclaration(t));
    for (int i = 0; i < clang_Type_getNumTemplateArguments(t) && !users; i++) {
        const CXType argument = clang_Type_getTemplateArgumentAsType(t, (unsigned)i);
        users = argument.kind != CXType_Invalid && (is_function(argument) || is_users_class(argument));
    }
    return users;
}

static bool takes_listed(gw_lowering *L, CXCursor callee) {
    const CXType type = clang_getCursorType(callee);
    const enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(callee));
    bool listed = gw_front_is_passed_type(L->u, clang_getResultType(type));
    if (parent == CXCursor_ClassDecl || parent == CXCursor_StructDecl) {
        const CXType of = clang_getCursorType(clang_getCursorSemanticParent(callee));
        if (is_users_class(of) && !gw_front_is_passed_of_header(L->u, of)) return false;
        listed |= gw_front_is_passed_type(L->u, of);
    }
    for (int i = 0; i < clang_getNumArgTypes(type) && !listed; i++)
        listed = gw_front_is_passed_type(L->u, clang_getArgType(type, (unsigned)i));
    return listed;
}

/* ---- text that changes ---- */
/* The function's own, by its own name. */
static bool is_own(CXCursor e) {
    while (gw_front_is_cast(clang_getCursorKind(e)) || clang_getCursorKind(e) == CXCursor_ParenExpr ||
           clang_getCursorKind(e) == CXCursor_MemberRefExpr) {
        e = gw_front_expression(e);
        if (clang_Cursor_isNull(e)) return false;
    }
    const CXCursor decl = clang_getCursorReferenced(e);
    if (clang_getCursorKind(e) != CXCursor_DeclRefExpr) return clang_getCursorKind(e) == CXCursor_CallExpr;
    const CXType type = clang_getCanonicalType(clang_getCursorType(decl));
    return clang_Cursor_hasVarDeclGlobalStorage(decl) != 1 && type.kind != CXType_Pointer &&
           !gw_front_is_reference(type);
}

static void note_change(gw_lowering *L, CXCursor e) {
    const CXType type = clang_getCursorType(e);
    if (L->changes_text || !gw_front_is_asked_owner(L->u, type) || is_own(e)) return;
    L->changes_text = true, L->text_changed = gw_front_users_place(L, e);
}

/* What the call may change of text and tables. */
static void note_changes(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments) {
    const CXType type = clang_getCursorType(callee);
    const bool with_object = gw_front_is_operator_call(call, callee);
    const bool changes = clang_getCursorKind(callee) == CXCursor_CXXMethod && !clang_CXXMethod_isConst(callee);
    const CXCursor called = gw_front_called_expression(call);
    if (changes && with_object && arguments->count) note_change(L, arguments->at[0]);
    if (changes && !with_object && clang_getCursorKind(called) == CXCursor_MemberRefExpr &&
        gw_front_is_asked_owner(L->u, clang_getCursorType(clang_getCursorSemanticParent(callee)))) {
        const CXCursor object = gw_front_expression(called);
        if (!clang_Cursor_isNull(object)) note_change(L, object);
        else L->changes_text = true, L->text_changed = gw_front_users_place(L, call);
    }
    for (uint32_t i = with_object; i < arguments->count; i++) {
        const CXType t = clang_getArgType(type, i - with_object);
        const CXType to = clang_getNonReferenceType(clang_getCanonicalType(t));
        if (gw_front_is_reference(t) && !clang_isConstQualifiedType(to)) note_change(L, arguments->at[i]);
    }
}

bool gw_front_check_asked(gw_lowering *L) {
    static const char what[] = "a change of text in a function whose result depends on text";
    gw_loc at = L->text_changed;
    bool changes = L->changes_text;
    const gw_func *f = L->f;
    for (gw_op asks = 1; L->asks && asks < f->ops.count && !changes; asks++) {
        const gw_op_data *q = gw_op_at(f, asks);
        if (q->dead || q->code != GW_OP_LOAD || !gw_question_in(GW_FRONT_TEXT(L, q->path))) continue;
        for (gw_op op = 1; op < f->ops.count && !changes; op++) {
            const gw_op_data *o = gw_op_at(f, op);
            changes = !o->dead && o->object == q->object && gw_op_rows[o->code].effect == GW_EFFECT_WRITE;
            if (changes) at = o->loc;
        }
    }
    if (!L->asks || !changes) return true;
    gw_diag(L->session, GW_DIAG_UNSUPPORTED, at, what, "change a local copy, or do it outside of the function");
    return false;
}

/* sdkStartTimer(&timer), timer->start(): of the class's header, and known to do nothing else. */
static bool is_of_passed_header(gw_lowering *L, CXCursor callee) {
    if (clang_Location_isFromMainFile(clang_getCursorLocation(callee))) return false;
    if (gw_front_is_method(callee))
        return clang_CXXMethod_isPureVirtual(callee) &&
               gw_front_is_passed_of_header(L->u, clang_getCursorType(clang_getCursorSemanticParent(callee)));
    const CXType type = clang_getCursorType(callee);
    const char *name = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    bool listed = false;
    for (size_t i = 0; i < LENGTH(functions) && !listed; i++)
        listed = functions[i].pointers == TIMERS && strcmp(functions[i].name, name) == 0;
    for (int i = 0; i < clang_getNumArgTypes(type) && listed; i++)
        listed = gw_front_is_passed_of_header(L->u, clang_getArgType(type, (unsigned)i));
    return listed;
}

/* ---- arguments ---- */
static void pass(gw_lowering *L, CXCursor callee, const gw_cursors *arguments, CXCursor call, pointers how);

static void pass_call(gw_lowering *L, CXCursor call, CXCursor callee) {
    gw_cursors arguments = {0};
    for (int i = 0; i < clang_Cursor_getNumArguments(call); i++)
        gw_push(&arguments, clang_Cursor_getArgument(call, (unsigned)i));
    pass(L, callee, &arguments, call, WRITES);
    gw_vec_free(&arguments);
}

static void pass_choice(gw_lowering *L, CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    gw_front_branch_either(L, gw_front_condition(L, parts.at[0]), parts.at + 1, gw_front_passed_effects);
    gw_front_unthrown_begin(L);
    gw_vec_free(&parts);
}

/* std::string{...} */
static void pass_items(gw_lowering *L, CXCursor list) {
    gw_cursors items = {0};
    gw_front_expressions(list, &items);
    for (uint32_t i = 0; i < items.count; i++) gw_front_passed_effects(L, items.at[i]);
    gw_vec_free(&items);
}

/* An object of a class that is passed over has no place but what it is made from, which may be itself. */
static void pass_place(gw_lowering *L, CXCursor e) {
    enum { DEEPEST = 64 };
    if (L->passing == DEEPEST) {
        gw_front_refuse(L, e, "an expression of this kind, whose value is only printed,",
                        "print it outside of the function");
        return;
    }
    L->passing++;
    gw_front_place(L, e);
    L->passing--;
}

void gw_front_passed_effects(gw_lowering *L, CXCursor e) {
    if (L->failed || clang_Cursor_isNull(e) || !gw_front_acts(e)) return;
    e = gw_front_strip(e);
    const gw_shape shape = gw_front_shape_of(L, e);
    const gw_shape_kind kind = gw_front_shape_kind(L->u, shape);
    CXCursor inner = gw_front_is_cast(clang_getCursorKind(e)) ? gw_front_operand(L, e) : clang_getNullCursor();
    CXCursor callee = clang_getCursorReferenced(e);
    const bool is_call = clang_getCursorKind(e) == CXCursor_CallExpr;
    if (kind == GW_SHAPE_OPAQUE && clang_getCursorKind(e) == CXCursor_ConditionalOperator)
        pass_choice(L, e);
    else if (gw_front_is_passed_class(L, shape) && clang_getCursorKind(e) == CXCursor_InitListExpr)
        pass_items(L, e);
    else if (kind == GW_SHAPE_OPAQUE && !clang_Cursor_isNull(inner))
        gw_front_passed_effects(L, inner);
    else if (kind == GW_SHAPE_OPAQUE && is_call && gw_front_is_in_std(callee) && !takes_listed(L, callee))
        pass_call(L, e, callee); /* what it makes is printed: std::put_time */
    else if (kind == GW_SHAPE_SCALAR)
        gw_front_effect(L, e);
    else if (kind == GW_SHAPE_POINTER)
        gw_front_pointer(L, e);
    else
        pass_place(L, e);
}

/* How far a call may write through what it is given: a reference, or an argument of scanf, leads to one object
 * of its type; through a pointer that it has a parameter for it writes as many bytes as it likes. */
typedef enum reach { ONE_OBJECT, WHOLE_VARIABLE } reach;
static void forget(gw_lowering *L, gw_place p, reach far, const char *by, CXCursor at);

static void refuse_memory(gw_lowering *L, CXCursor at, const char *what) {
    gw_front_refuse(L, at, what, "call it outside of the function");
}

/* All that the place holds is unknown from here on. */
static void forget_value(gw_lowering *L, gw_place p, const char *by, CXCursor at) {
    const gw_shape_data d = *gw_front_shape_at(L->u, p.shape);
    if (L->failed || gw_front_is_unknown(L, &p)) return;
    if (d.kind == GW_SHAPE_SCALAR && p.shape != GW_T_VOID) {
        gw_front_store(L, p, gw_front_unknown(L, d.type, by));
    } else if (d.kind == GW_SHAPE_ARRAY) {
        forget_value(L, gw_front_element(L, p, gw_front_unknown(L, GW_T_I64, by)), by, at);
    } else if (d.kind == GW_SHAPE_STRUCT && !d.has_pointer) {
        for (uint32_t i = 0; i < d.count && !L->failed; i++)
            if (gw_front_holds(&d, i)) forget_value(L, gw_front_member(L, p, i), by, at);
    } else {
        refuse_memory(L, at, "a pointer to this, which the call may write to,");
    }
}

/* All leaves of the variable that the place is in. */
static void forget_variable(gw_lowering *L, uint32_t slot, const char *by, CXCursor at) {
    const gw_slot_data s = L->slots.at[slot];
    for (uint32_t i = s.first; i < s.first + s.leaves && !L->failed; i++) {
        const gw_slot_data leaf = L->slots.at[i];
        if (leaf.kind != GW_SLOT_SCALAR)
            refuse_memory(L, at, "a pointer to this, which the call may write to,");
        else
            gw_front_store(L, (gw_place){.kind = GW_PLACE_SLOTS, .shape = leaf.type, .slot = i},
                           gw_front_unknown(L, leaf.type, by));
    }
}

/* What a pointer leads to: in an array, any element. */
static void forget(gw_lowering *L, gw_place p, reach far, const char *by, CXCursor at) {
    if (L->failed || p.kind == GW_PLACE_NULL || p.kind == GW_PLACE_NONE || gw_front_is_unknown(L, &p)) return;
    if (p.kind == GW_PLACE_CHOICE) {
        for (uint32_t i = 0; i < p.count; i++)
            forget(L, L->candidates.at[p.slot + i], far, by, at);
        return;
    }
    const bool local = p.kind == GW_PLACE_MEMORY && !gw_front_is_device(L, &p) &&
                       gw_object_at(L->f, p.object)->kind == GW_OBJECT_LOCAL;
    if (p.kind != GW_PLACE_SLOTS && !local) {
        refuse_memory(L, at, "memory that is not the function's own, which the call may write to,");
        return;
    }
    if (far == WHOLE_VARIABLE && local && strchr(GW_FRONT_TEXT(L, p.path), '.')) {
        refuse_memory(L, at, "a pointer to a member, behind which the call may write,");
        return;
    }
    if (far == WHOLE_VARIABLE && !local && L->slots.at[p.slot].leaves > 1) {
        forget_variable(L, p.slot, by, at);
        return;
    }
    for (uint32_t i = 0; local && i < p.count; i++)
        p.index[i] = gw_front_unknown(L, GW_T_I64, by);
    forget_value(L, p, by, at);
}

static bool is_const_behind(CXType type) {
    CXType t = clang_getCanonicalType(type);
    CXType to = clang_getPointeeType(t);
    return clang_isConstQualifiedType(to);
}

/* A type of which nobody here sees more than its name, so that it is none of the program's numbers. */
static bool is_closed(CXType type) {
    const CXType t = clang_getCanonicalType(type);
    const CXCursor definition = clang_getCursorDefinition(clang_getTypeDeclaration(t));
    return t.kind == CXType_Record && clang_isInvalid(clang_getCursorKind(definition));
}

/* A variable that leads to an object of a listed class leads to any such behind the call. */
static void forget_pointer(gw_lowering *L, CXType argument, CXCursor e, const char *by) {
    const CXType variable = clang_getCanonicalType(clang_getPointeeType(clang_getCanonicalType(argument)));
    if (L->failed || variable.kind != CXType_Pointer) return;
    const gw_place p = gw_front_pointer_behind(L, e);
    if (L->failed || p.kind != GW_PLACE_SLOTS) return;
    gw_front_point(L, p, gw_front_unknown_place(L, gw_front_pointee(L->u, p.shape), by));
}

static void pass_argument(gw_lowering *L, CXCursor callee, unsigned i, CXCursor e, pointers how,
                          const char *by) {
    const CXType function = clang_getCursorType(callee);
    const bool named = (int)i < clang_getNumArgTypes(function);
    CXType type = clang_getCanonicalType(named ? clang_getArgType(function, i) : clang_getCursorType(e));
    const bool reference = gw_front_is_reference(type);
    const gw_shape shape = gw_front_shape(L->u, clang_getNonReferenceType(type));
    const gw_shape_kind kind = gw_front_shape_kind(L->u, shape);
    const bool calls_back = how != READS && how != OUTSIDE;
    const bool is_users = calls_back && (is_users_class(type) || is_users_class(clang_getCursorType(e)));
    if (is_function(type) || is_users) {
        if (is_users || !gw_front_is_in_std(clang_getCursorReferenced(gw_front_behind_casts(L, e))))
            gw_front_refuse(L, e, "a function that is given to a function of the library", "call it directly");
        return;
    }
    const bool leads = reference || kind == GW_SHAPE_POINTER;
    const bool listed = gw_front_is_passed_type(L->u, type) ||
                        gw_front_is_file(L->u, clang_getNonReferenceType(type)) ||
                        (how == OUTSIDE && is_closed(clang_getPointeeType(type)));
    const bool writes = how == WRITES || how == OUTSIDE || (how == FILLS && named);
    if (!leads || listed || !writes || is_const_behind(type)) {
        gw_front_passed_effects(L, e);
        if (listed && leads && kind == GW_SHAPE_POINTER) forget_pointer(L, type, e, by);
        return;
    }
    forget(L, reference ? gw_front_place(L, e) : gw_front_pointer_behind(L, e),
           reference || !named ? ONE_OBJECT : WHOLE_VARIABLE, by, e);
}

/* ---- results ---- */
static void result(gw_lowering *L, CXType type, const char *by, gw_call_result *r) {
    const gw_shape shape = gw_front_shape(L->u, type);
    const gw_shape_data d = *gw_front_shape_at(L->u, shape);
    if (L->failed || shape == GW_T_VOID) return;
    if (gw_front_is_reference(type) || d.kind == GW_SHAPE_OPAQUE) {
        r->place = gw_front_unknown_place(L, shape, by);
    } else if (d.kind == GW_SHAPE_SCALAR) {
        r->value = gw_front_unknown(L, d.type, by);
    } else if (d.kind == GW_SHAPE_POINTER) {
        r->place = gw_front_unknown_place(L, gw_front_pointee(L->u, shape), by);
    } else {
        r->place = gw_front_temp(L, shape, 0);
        forget_value(L, r->place, by, clang_getNullCursor());
    }
}

/* ---- pointers into text ---- */
static gw_place part_step(gw_lowering *L, gw_place p, const void *by) {
    const bool leads = p.kind == GW_PLACE_MEMORY && !gw_front_is_unknown(L, &p);
    return leads ? gw_front_advance(L, p, gw_front_unknown(L, GW_T_I64, by), false)
                 : gw_front_unknown_place(L, p.shape, by);
}

/* Somewhere in the text that p leads to, so that a store by it is one to that. */
static gw_place part_of(gw_lowering *L, CXCursor text, const char *by) {
    const gw_place p = gw_front_pointer(L, text);
    if (!L->failed && p.kind == GW_PLACE_SLOTS)
        refuse_memory(L, text, "a pointer to this, which the call takes for text,");
    if (L->failed) return p;
    return p.kind == GW_PLACE_CHOICE ? gw_front_choice_map(L, p, part_step, by) : part_step(L, p, by);
}

/* strchr(text, 'c') leads into the text, or nowhere: where that is const, nobody writes by it. */
static gw_place part_or_null(gw_lowering *L, CXCursor text, const char *by) {
    const gw_place p = part_of(L, text, by);
    if (L->failed || gw_front_is_unknown(L, &p)) return p;
    const uint32_t slot = gw_front_slot(L, GW_SLOT_POINTER, GW_T_VOID, 0);
    gw_branch yes = gw_front_branch_begin(L);
    gw_front_slot_set(L, slot, gw_front_pointer_new(L, p));
    gw_front_branch_end(L, &yes);
    gw_branch no = gw_front_branch_begin(L);
    gw_front_slot_set(L, slot, gw_front_pointer_new(L, (gw_place){.kind = GW_PLACE_NULL}));
    gw_front_branch_end(L, &no);
    gw_front_branch_join(L, gw_front_unknown(L, GW_T_BOOL, by), &yes, &no);
    const uint32_t number = L->slots.at[slot].value;
    return number && !L->failed ? L->pointers.at[number] : (gw_place){0};
}

/* strtol(text, &end, 10) sets a pointer into the text. */
static void pass_end(gw_lowering *L, CXCursor text, CXCursor end, const char *by) {
    const gw_place p = part_of(L, text, by), to = L->failed ? p : gw_front_pointer_behind(L, end);
    if (L->failed || to.kind == GW_PLACE_NULL || gw_front_is_unknown(L, &to)) return;
    if (to.kind != GW_PLACE_SLOTS)
        refuse_memory(L, end, "a pointer to this, which the call may write to,");
    else
        gw_front_point(L, to, p);
}

/* ---- which calls ---- */
static void pass(gw_lowering *L, CXCursor callee, const gw_cursors *arguments, CXCursor call, pointers how) {
    const char *by = GW_FRONT_TEXT(L, gw_front_qualified(L->u, callee));
    const bool with_object = gw_front_is_operator_call(call, callee);
    for (uint32_t i = 0; i < arguments->count && !L->failed; i++) {
        if (gw_front_is_default_argument(arguments->at[i])) continue;
        if (with_object && i == 0)
            gw_front_passed_effects(L, arguments->at[0]);
        else
            pass_argument(L, callee, with_object ? i - 1 : i, arguments->at[i], how, by);
    }
}

static void give(gw_lowering *L, CXCursor call, CXCursor callee, gw_call_result *r) {
    const char *by = GW_FRONT_TEXT(L, gw_front_qualified(L->u, callee));
    if (L->failed) return;
    if (clang_getCursorKind(callee) == CXCursor_Constructor)
        r->place = gw_front_unknown_place(L, gw_front_shape_of(L, call), by);
    else
        result(L, clang_getCursorResultType(callee), by, r);
}

/* The object of a.b(x), which may be an expression that acts. */
static void pass_object(gw_lowering *L, CXCursor call) {
    CXCursor first = gw_front_expression(call);
    if (!clang_Cursor_isNull(first)) first = gw_front_strip(first);
    if (clang_getCursorKind(first) == CXCursor_MemberRefExpr &&
        !clang_Cursor_isNull(gw_front_expression(first)))
        gw_front_passed_effects(L, gw_front_expression(first));
}

static bool has_count(const char *format) {
    for (const char *at = format; (at = strchr(at, '%')) != NULL; at++) {
        if (at[1] == '%') {
            at++;
            continue;
        }
        at += 1 + strspn(at + 1, "0123456789$ #+-'*.hlLqjzt");
        if (*at == 'n') return true;
        if (!*at) break;
    }
    return false;
}

/* printf("%n", &count), or a format, the last parameter before the dots, that nobody can read here. */
static bool counts_characters(gw_lowering *L, CXCursor callee, const gw_cursors *arguments) {
    const CXType type = clang_getCursorType(callee);
    const int named = clang_getNumArgTypes(type);
    if (!clang_isFunctionTypeVariadic(type) || named < 1 || arguments->count <= (uint32_t)named) return false;
    if (!is_const_behind(clang_getArgType(type, (unsigned)named - 1))) return false; /* va_start */
    CXCursor format = gw_front_behind_casts(L, arguments->at[named - 1]);
    if (clang_getCursorKind(format) != CXCursor_StringLiteral) return true;
    return has_count(GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(format))));
}

/* A function of passed.def; r: NULL where nobody wants what it gives. */
static void pass_listed(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                        pointers how, gives what, gw_call_result *r) {
    const char *by = GW_FRONT_TEXT(L, gw_front_qualified(L->u, callee));
    const bool leads = what == PART && r && !is_const_behind(clang_getCursorResultType(callee));
    if (leads) r->place = part_or_null(L, arguments->at[0], by);
    if (how == ENDS) pass_end(L, arguments->at[0], arguments->at[1], by);
    if (!leads && how != ENDS) pass(L, callee, arguments, call, how);
    for (uint32_t i = 1 + (how == ENDS); (leads || how == ENDS) && i < arguments->count && !L->failed; i++)
        pass_argument(L, callee, i, arguments->at[i], READS, by);
    if (what == SUCCESS && r)
        r->value = gw_int(&L->b, GW_T_I32, 0);
    else if (r && !leads)
        give(L, call, callee, r);
}

bool gw_front_pass_over(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                        gw_call_result *r) {
    const bool discards = L->discards;
    L->discards = false;
    if (clang_Cursor_isNull(callee) || clang_isInvalid(clang_getCursorKind(callee))) return false;
    if ((gw_front_is_in_std(callee) && takes_listed(L, callee)) || is_of_passed_header(L, callee)) {
        note_changes(L, call, callee, arguments);
        pass_object(L, call);
        pass(L, callee, arguments, call, WRITES);
        if (!discards) give(L, call, callee, r);
        return true;
    }
    const bool is_library = gw_front_is_library(L->u, callee) && gw_front_is_known(L->u, callee);
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl || !is_library) return false;
    const char *spelled = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    const char *builtin = gw_front_builtin_name(spelled), *name = builtin ? builtin : spelled;
    for (size_t i = 0; i < LENGTH(functions); i++) {
        if (strcmp(functions[i].name, name) != 0 || functions[i].pointers == TIMERS) continue;
        if (functions[i].pointers == SEEDS && L->u->rules.count) return false;
        const bool counts = counts_characters(L, callee, arguments);
        pass_listed(L, call, callee, arguments, counts ? WRITES : functions[i].pointers, functions[i].gives,
                    discards ? NULL : r);
        return true;
    }
    return false;
}

void gw_front_pass_unnamed(gw_lowering *L, CXCursor definition, const gw_cursors *arguments) {
    const char *by = GW_FRONT_TEXT(L, gw_front_qualified(L->u, definition));
    const uint32_t named = (uint32_t)clang_Cursor_getNumArguments(definition);
    for (uint32_t i = named; i < arguments->count && !L->failed; i++)
        pass_argument(L, definition, i, arguments->at[i], WRITES, by);
}

/* ---- functions of the user's that have no body here: a timer's, a logger's ---- */
/* Such a function may not reach numbers of the program's by what it is given or gives. */
static bool is_apart(gw_lowering *L, CXType type, bool is_result) {
    CXType t = clang_getCanonicalType(clang_getNonReferenceType(type));
    bool leads = gw_front_is_reference(type), is_const = clang_isConstQualifiedType(t);
    if (gw_front_is_passed_type(L->u, type) || gw_front_is_file(L->u, t)) return true;
    if (t.kind == CXType_Pointer) {
        t = clang_getCanonicalType(clang_getPointeeType(t));
        is_const = clang_isConstQualifiedType(t);
        leads = true;
    }
    while (clang_getArraySize(t) >= 0) t = clang_getCanonicalType(clang_getArrayElementType(t));
    if (is_function(t) || t.kind == CXType_Pointer || gw_front_is_reference(t)) return false;
    if (t.kind == CXType_Void && leads) return is_const; /* memory of any type */
    if (t.kind >= CXType_Float && t.kind <= CXType_LongDouble) return is_result ? !leads : !leads || is_const;
    if (t.kind != CXType_Record) return t.kind != CXType_Invalid;
    if (is_closed(t)) return leads;
    const gw_shape_data *d = gw_front_shape_at(L->u, gw_front_shape(L->u, t));
    return d->kind == GW_SHAPE_STRUCT && !d->has_pointer && !is_result;
}

/* Or leads to one. */
static bool is_number(CXType type) {
    CXType t = clang_getCanonicalType(clang_getNonReferenceType(type));
    if (t.kind == CXType_Pointer) t = clang_getCanonicalType(clang_getPointeeType(t));
    return t.kind >= CXType_Float && t.kind <= CXType_LongDouble;
}

static enum CXChildVisitResult visit_address(CXCursor c, CXCursor parent, CXClientData found) {
    const CXType to = clang_getCanonicalType(clang_getCursorType(c));
    const CXType from = clang_getCanonicalType(clang_getCursorType(gw_front_expression(c)));
    (void)parent;
    const bool is_number = to.kind > CXType_Bool && to.kind <= CXType_Int128;
    const bool is_address = from.kind == CXType_Pointer || clang_getArraySize(from) >= 0;
    *(bool *)found |= gw_front_is_cast(clang_getCursorKind(c)) && is_number && is_address;
    return *(bool *)found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* (uintptr_t)p, or what a default argument leads to. */
static bool hides_memory(CXCursor callee, uint32_t i, CXCursor argument) {
    bool found = false;
    if (gw_front_is_default_argument(argument)) {
        const CXType t = clang_getCanonicalType(clang_getArgType(clang_getCursorType(callee), i));
        return clang_getPointeeType(t).kind != CXType_Invalid && !is_const_behind(t);
    }
    visit_address(argument, callee, &found);
    if (!found) clang_visitChildren(argument, visit_address, &found);
    return found;
}

/* It may reach memory of the program's by variables at file scope only, so the user is told, once. */
static void tell(gw_lowering *L, CXCursor call, gw_str name) {
    for (uint32_t i = 0; i < L->u->passed_over.count; i++)
        if (L->u->passed_over.at[i] == name) return;
    gw_push(&L->u->passed_over, name);
    gw_diag(L->session, GW_DIAG_PASSED_OVER, gw_front_at(L, call), GW_FRONT_TEXT(L, name));
}

/* It may be an address, of which only the end of the function says whether there are any. */
static void note_number(gw_lowering *L, CXCursor argument) {
    const CXType t = clang_getCanonicalType(clang_getCursorType(argument));
    const bool is_wide = t.kind == CXType_Long || t.kind == CXType_ULong || t.kind == CXType_LongLong ||
                         t.kind == CXType_ULongLong;
    int64_t n;
    double real;
    bool is_real;
    if (is_wide && clang_Cursor_isNull(L->given_number) && !gw_front_evaluate(argument, &n, &real, &is_real))
        L->given_number = argument;
}

bool gw_front_check_passed(gw_lowering *L) {
    if (!L->numbers_addresses || clang_Cursor_isNull(L->given_number)) return true;
    gw_front_refuse(L, L->given_number, "a number that may be an address, given to a function without a body",
                    "give it the pointer, or define the function in this translation unit");
    return false;
}

bool gw_front_pass_bodiless(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                            gw_call_result *r) {
    const CXType type = clang_getCursorType(callee), result_type = clang_getResultType(type);
    const gw_str qualified = gw_front_qualified(L->u, callee);
    const char *name = GW_FRONT_TEXT(L, qualified);
    const bool runtime = strncmp(name, "cu", 2) == 0 || strncmp(name, "nccl", 4) == 0;
    if (L->f->kind != GW_FUNC_HOST || runtime || clang_isFunctionTypeVariadic(type)) return false;
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(callee)))
        return false;
    if (!is_apart(L, result_type, true)) return false;
    for (int i = 0; i < clang_getNumArgTypes(type); i++) {
        const CXType argument = clang_getArgType(type, (unsigned)i);
        if (!is_apart(L, argument, false) || (is_number(result_type) && is_number(argument))) return false;
    }
    for (uint32_t i = 0; i < arguments->count; i++)
        if (hides_memory(callee, i, arguments->at[i])) return false;
    for (uint32_t i = 0; i < arguments->count; i++)
        note_number(L, arguments->at[i]);
    tell(L, call, qualified);
    pass(L, callee, arguments, call, OUTSIDE);
    give(L, call, callee, r);
    return true;
}

/* A function of std without a body does nothing but to its object and its arguments. */
bool gw_front_pass_unseen(gw_lowering *L, CXCursor call, CXCursor callee, const gw_place *self,
                          const gw_cursors *arguments, gw_call_result *r) {
    const char *name = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    if (!gw_front_is_in_std(callee) || strncmp(name, "__throw", 7) == 0) return false;
    if (L->f->kind != GW_FUNC_HOST || clang_getCursorKind(callee) == CXCursor_Constructor) return false;
    if (self && !clang_CXXMethod_isConst(callee)) forget(L, *self, ONE_OBJECT, name, call);
    if (!L->failed) pass(L, callee, arguments, call, WRITES);
    give(L, call, callee, r);
    return true;
}
