/*
 * frontend/statement/statement.c - statements: lists, if, return, declarations.
 *
 * An if of which one branch exits takes the rest of its list into the other branch, so that an early return is
 * an else. Where an exit depends on more, the rest of the list is guarded by the exit's slot.
 */
#include "plugin/frontend/statement/statement.h"
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

#include <string.h>

static const struct {
    enum CXCursorKind kind;
    const char *what, *way_out;
} refused[] = {
    {CXCursor_IndirectGotoStmt, "a goto to a computed label", "use loops, break and continue"},
    {CXCursor_GCCAsmStmt, "inline assembly", "use the function that it stands for"},
    {CXCursor_MSAsmStmt, "inline assembly", "use the function that it stands for"},
    {CXCursor_CaseStmt, "a case label inside another statement", "put case labels directly into the switch"},
    {CXCursor_DefaultStmt, "a case label inside another statement", "put case labels directly into the switch"},
};

/* The parts of an if: 0 declaration or init statements, condition, branches. */
typedef struct if_parts {
    gw_cursors all;
    uint32_t condition;
} if_parts;

/* Whether a semicolon stands between the first two parts, as in if (x = 1; x > y). */
static bool starts_with_expression(gw_lowering *L, CXCursor statement, const gw_cursors *parts) {
    CXFile file = NULL;
    unsigned from = 0, to = 0;
    size_t size = 0;
    if (parts->count < 3 || !clang_isExpression(clang_getCursorKind(parts->at[1]))) return false;
    if (gw_front_in_macro(statement)) return gw_front_semicolon_before(L->u, statement, parts->at[1]);
    clang_getExpansionLocation(clang_getRangeEnd(clang_getCursorExtent(parts->at[0])), &file, NULL, NULL,
                               &from);
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(parts->at[1])), NULL, NULL, NULL, &to);
    const char *text = file ? clang_getFileContents(L->u->clang, file, &size) : NULL;
    for (unsigned i = from; text && i < to && i < size; i++) {
        if (text[i] == ';') return true;
        if (text[i] == ')') return false;
    }
    return false;
}

static if_parts parts_of_if(gw_lowering *L, CXCursor statement) {
    if_parts p = {0};
    gw_front_children(statement, &p.all);
    if (p.all.count > 3 && clang_getCursorKind(p.all.at[0]) == CXCursor_VarDecl &&
        gw_front_semicolon_before(L->u, statement, p.all.at[0])) { /* shown in the wrong order */
        CXCursor variable = p.all.at[0];
        p.all.at[0] = p.all.at[1], p.all.at[1] = variable;
        p.condition = 2;
    } else if (starts_with_expression(L, statement, &p.all)) {
        p.condition = 1;
    }
    while (p.condition < p.all.count && (clang_getCursorKind(p.all.at[p.condition]) == CXCursor_DeclStmt ||
                                         clang_getCursorKind(p.all.at[p.condition]) == CXCursor_VarDecl))
        p.condition++;
    return p;
}

static gw_branch branch_of(gw_lowering *L, const if_parts *p, uint32_t i) {
    gw_branch b = gw_front_branch_begin(L);
    const uint32_t unthrown = L->unthrown.count;
    if (p->condition + i < p->all.count) gw_front_statement(L, p->all.at[p->condition + i]);
    gw_front_unthrown_end(L, unthrown);
    return b;
}

typedef struct way_out {
    bool found, own_break, own_continue, own_case; /* own: a loop or switch of the branch has it */
} way_out;

/* A way that leads out of a branch before its end, or into it. */
static enum CXChildVisitResult find_way_out(CXCursor c, CXCursor parent, CXClientData data) {
    way_out *way = data, inner = {.own_break = true, .own_continue = true, .own_case = way->own_case};
    (void)parent;
    switch (clang_getCursorKind(c)) {
    case CXCursor_ReturnStmt:
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_LabelStmt:
        way->found = true;
        break;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        way->found |= !way->own_case;
        break;
    case CXCursor_BreakStmt:
        way->found |= !way->own_break;
        break;
    case CXCursor_ContinueStmt:
        way->found |= !way->own_continue;
        break;
    case CXCursor_SwitchStmt:
        inner.own_continue = way->own_continue, inner.own_case = true;
        /* fallthrough */
    case CXCursor_ForStmt:
    case CXCursor_CXXForRangeStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
        clang_visitChildren(c, find_way_out, &inner);
        way->found |= inner.found;
        return way->found ? CXChildVisit_Break : CXChildVisit_Continue;
    case CXCursor_LambdaExpr:
        return CXChildVisit_Continue;
    default:
        break;
    }
    return way->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool ends_program(gw_lowering *L, CXCursor statement) {
    way_out way = {0};
    clang_visitChildren(statement, find_way_out, &way);
    if (way.found) return false;
    gw_cursors list = {0};
    if (clang_getCursorKind(statement) == CXCursor_CompoundStmt) gw_front_children(statement, &list);
    CXCursor last = list.count ? list.at[list.count - 1] : statement;
    gw_vec_free(&list);
    while (clang_getCursorKind(last) == CXCursor_UnexposedExpr &&
           !clang_Cursor_isNull(gw_front_expression(last)))
        last = gw_front_expression(last);
    if (clang_getCursorKind(last) != CXCursor_CallExpr)
        return clang_getCursorKind(last) == CXCursor_CXXThrowExpr;
    const gw_device_call *row = gw_front_device_call_row(L->u, clang_getCursorReferenced(last));
    return row && row->what == GW_DEVICE_STOP;
}

/* A program that ends the process where something unknown is so, as where no file can be opened: the derivative
 * is of the runs that go on. 1, 2: the branch that ends it; 0: none does. */
static uint32_t end_that_is_unknown(gw_lowering *L, gw_value condition, const if_parts *p) {
    if (L->failed || !L->is_program || !gw_front_depends_on_unknown(L, condition)) return 0;
    for (uint32_t i = 1; i <= 2 && p->condition + i < p->all.count; i++)
        if (ends_program(L, p->all.at[p->condition + i])) return i;
    return 0;
}

/* Lowers an if; true if it took the rest of the list into one of its branches. */
static bool lower_if(gw_lowering *L, CXCursor statement, const gw_cursors *list, uint32_t next) {
    if_parts p = parts_of_if(L, statement);
    gw_scope scope = gw_front_scope(L);
    bool rest = list && next < list->count, taken = false;
    for (uint32_t i = 0; i < p.condition; i++)
        gw_front_statement(L, p.all.at[i]);
    const uint32_t owned = L->owned.count;
    gw_value condition = gw_front_condition(L, p.all.at[p.condition]);
    gw_front_destroy_nameless(L, owned);
    int64_t known;
    if (!L->failed && gw_const_int(L->f, condition, &known)) { /* one side is never reached */
        uint32_t side = p.condition + (known ? 1 : 2);
        if (side < p.all.count) gw_front_statement(L, p.all.at[side]);
        gw_front_scope_end(L, scope);
        gw_vec_free(&p.all);
        return false;
    }
    const uint32_t ends = end_that_is_unknown(L, condition, &p);
    if (ends) {
        const uint32_t side = p.condition + 3 - ends;
        if (side < p.all.count) gw_front_statement(L, p.all.at[side]);
        gw_front_scope_end(L, scope);
        gw_vec_free(&p.all);
        return false;
    }
    gw_branch yes = branch_of(L, &p, 1);
    gw_front_branch_end(L, &yes);
    gw_branch no = branch_of(L, &p, 2);
    const bool yes_left = yes.dead && !yes.stopped, no_left = L->dead && !L->stopped;
    if (rest && yes_left != no_left) {
        taken = true;
        no.rest = yes_left && gw_front_exit_ends_thread(L, &yes);
        L->lists.at[L->lists.count - 1] = false;
        if (yes_left) gw_front_list(L, list, next);
    }
    gw_front_branch_end(L, &no);
    if (taken && !yes_left) {
        yes.rest = gw_front_exit_ends_thread(L, &no);
        gw_front_branch_resume(L, &yes);
        gw_front_list(L, list, next);
        gw_front_branch_end(L, &yes);
    }
    gw_front_locate(L, statement);
    gw_front_branch_join(L, condition, &yes, &no);
    gw_front_scope_end(L, scope);
    gw_vec_free(&p.all);
    return taken;
}

static bool if_in_list(gw_lowering *L, const gw_cursors *list, uint32_t at) {
    const gw_statement_start start = gw_front_statement_start(L);
    gw_front_locate(L, list->at[at]);
    const bool taken = lower_if(L, list->at[at], list, at + 1);
    if (L->failed) gw_front_statement_lost(L, &start, list->at[at]);
    return taken;
}

/* What the statements own lives on. */
static void run_list(gw_lowering *L, const gw_cursors *list, uint32_t from) {
    gw_push(&L->lists, false);
    const uint32_t own = L->lists.count - 1, unthrown = L->unthrown.count;
    for (uint32_t i = from; i < list->count && !L->failed && !L->dead; i++) {
        gw_value taken = gw_front_exit_taken(L);
        if (taken) {
            gw_branch rest = gw_front_guard_begin(L);
            gw_front_list(L, list, i);
            L->lists.at[own] = false;
            gw_front_guard_end(L, taken, &rest);
            break;
        }
        const uint32_t end = gw_front_jumped_back(L, list, i);
        if (end > i) { /* a loop */
            const gw_cursors repeated = {.at = list->at + i, .count = end - i};
            L->lists.at[own] = end < list->count;
            gw_front_repeat(L, &repeated);
            i = end - 1;
            continue;
        }
        L->lists.at[own] = i + 1 < list->count;
        L->listed = clang_getCursorKind(list->at[i]) == CXCursor_DeclStmt;
        if (gw_front_entered(L, list->at[i])) continue;
        if (clang_getCursorKind(list->at[i]) != CXCursor_IfStmt)
            gw_front_statement(L, list->at[i]);
        else if (if_in_list(L, list, i))
            break;
    }
    gw_front_unthrown_end(L, unthrown);
    L->lists.count--;
}

void gw_front_list(gw_lowering *L, const gw_cursors *list, uint32_t from) {
    const uint32_t owned = L->owned.count;
    run_list(L, list, from);
    gw_front_destroy_from(L, owned);
}

/* What stands before the last label that is jumped to, and then the rest. */
static void run_to_labels(gw_lowering *L, const gw_cursors *list) {
    const uint32_t label = gw_front_jumped_to(L, list);
    if (label == list->count) {
        run_list(L, list, 0);
        return;
    }
    const gw_cursors before = {.at = list->at, .count = label};
    const gw_cursors rest = {.at = list->at + label, .count = list->count - label};
    L->exits.at[gw_front_exit_open(L, GW_EXIT_JUMP)].label = clang_getCursorLocation(list->at[label]);
    gw_push(&L->lists, true);
    run_to_labels(L, &before);
    L->lists.count--;
    gw_front_exit_close(L);
    run_to_labels(L, &rest);
}

void gw_front_block(gw_lowering *L, const gw_cursors *list) {
    gw_scope scope = gw_front_scope(L);
    const uint32_t owned = L->owned.count;
    run_to_labels(L, list);
    gw_front_destroy_from(L, owned);
    gw_front_scope_end(L, scope);
}

static void compound(gw_lowering *L, CXCursor statement) {
    gw_cursors list = {0};
    gw_front_children(statement, &list);
    gw_front_block(L, &list);
    gw_vec_free(&list);
}

static void lower_return(gw_lowering *L, CXCursor statement) {
    gw_frame *frame = &L->frames.at[L->frames.count - 1];
    gw_place result = frame->result;
    gw_place copy = frame->copy;
    bool by_place = frame->by_place;
    CXCursor e = gw_front_expression(statement);
    if (!clang_Cursor_isNull(e)) {
        if (by_place) {
            gw_place target = gw_front_place(L, e);
            if (copy.kind) gw_front_copy(L, copy, target);
            target = gw_front_lvalues(L, target);
            const bool is_copy = target.read_only && !gw_front_can_be_asked(L, &target);
            if (is_copy) target = (gw_place){.kind = GW_PLACE_TORN};
            if (!L->failed) gw_front_slot_set(L, result.slot, gw_front_pointer_new(L, target));
        } else if (result.kind) {
            gw_front_return_value(L, result, e);
        } else {
            gw_front_effect(L, e);
        }
    }
    if (!L->failed) gw_front_exit_take(L, GW_EXIT_RETURN);
}

/* Numbers, and structs of such and of text. */
static bool may_be_unknown(const gw_unit *u, gw_shape shape) {
    const gw_shape_data *d = gw_front_shape_at(u, shape);
    bool may = d->kind == GW_SHAPE_SCALAR || (d->kind == GW_SHAPE_STRUCT && !d->is_union && !d->library);
    for (uint32_t i = 0; d->kind == GW_SHAPE_STRUCT && i < d->count && may; i++)
        may = u->fields.at[d->first + i].is_text || may_be_unknown(u, u->fields.at[d->first + i].shape);
    return may && shape != GW_T_VOID;
}

/* What earlier calls left there. */
static void forget_static(gw_lowering *L, gw_place p) {
    const gw_shape_data d = *gw_front_shape_at(L->u, p.shape);
    if (d.kind == GW_SHAPE_SCALAR) gw_front_store(L, p, gw_front_unknown_static(L, d.type));
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count; i++)
        forget_static(L, gw_front_member(L, p, i));
}

/* static const char *name = "...": which characters nobody asks of text. */
static bool declare_static_text(gw_lowering *L, CXCursor variable, gw_shape shape) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    const CXType to = clang_getCanonicalType(clang_getPointeeType(type));
    const bool is_text = to.kind == CXType_Char_S || to.kind == CXType_Char_U;
    if (!is_text || !clang_isConstQualifiedType(to) || gw_front_shape_kind(L->u, shape) != GW_SHAPE_POINTER)
        return false;
    const gw_place p = gw_front_temp(L, shape, gw_front_intern(L->u, clang_getCursorSpelling(variable)));
    gw_front_point(L, p, gw_front_text_place(L, GW_T_I8, "a static string"));
    gw_front_bind(L, variable, p);
    return true;
}

/* static int calls = 0: what it holds is unknown, and whether this call initialises it. */
static bool declare_static(gw_lowering *L, CXCursor variable) {
    const CXType type = clang_getCursorType(variable);
    const gw_shape shape = gw_front_shape(L->u, type);
    const bool is_static = clang_Cursor_getStorageClass(variable) == CX_SC_Static ||
                           clang_getCursorTLSKind(variable) != CXTLS_None;
    CXCursor e = clang_Cursor_getVarDeclInitializer(variable);
    if (is_static && L->f->kind == GW_FUNC_HOST && declare_static_text(L, variable, shape)) return true;
    if (!is_static || gw_front_is_constant(variable)) return false;
    const bool is_known_class = gw_front_is_passed_class(L, shape) || may_be_unknown(L->u, shape);
    if (gw_front_is_reference(type) || !is_known_class || L->f->kind != GW_FUNC_HOST) {
        gw_front_refuse(L, variable, "a static local variable", "pass it as a parameter");
        return true;
    }
    const gw_place p = gw_front_temp(L, shape, gw_front_intern(L->u, clang_getCursorSpelling(variable)));
    forget_static(L, p);
    const gw_value first = gw_front_unknown_static(L, GW_T_BOOL);
    gw_branch yes = gw_front_branch_begin(L);
    if (!clang_Cursor_isNull(e)) gw_front_initialize(L, p, e);
    gw_front_branch_end(L, &yes);
    gw_branch no = gw_front_branch_begin(L);
    gw_front_branch_end(L, &no);
    gw_front_branch_join(L, first, &yes, &no);
    gw_front_bind(L, variable, p);
    return true;
}

/* A member of an aggregate is a reference, which a list in braces binds. */
static bool refers_by_list(gw_lowering *L, gw_shape shape) {
    const gw_shape_data d = *gw_front_shape_at(L->u, shape);
    if (d.kind != GW_SHAPE_STRUCT || d.library || gw_front_has_constructor(d.clang)) return false;
    for (uint32_t i = 0; i < d.count; i++)
        if (gw_front_shape_at(L->u, L->u->fields.at[d.first + i].shape)->is_reference) return true;
    return false;
}

/* To one of several, or to one that is changed by it. */
static bool refuse_function_reference(gw_lowering *L, CXCursor variable, CXCursor e) {
    const CXType type = clang_getCursorType(variable);
    if (!gw_front_is_reference(type)) return false;
    if (!gw_front_is_held_function(L->u, clang_getNonReferenceType(type))) return false;
    const bool names = clang_getCursorKind(gw_front_behind_casts(L, e)) == CXCursor_DeclRefExpr;
    if (names && gw_front_stays(variable)) return false;
    gw_front_refuse(L, variable, "a reference to a std::function", "name the std::function itself");
    return true;
}

/* A copy of text or a part of a table that nobody changes stands for what it copies. */
static bool declare_asked(gw_lowering *L, CXCursor variable, CXCursor e, gw_shape shape) {
    gw_place asked;
    if (clang_Cursor_isNull(e) || L->f->kind != GW_FUNC_HOST) return false;
    if (!gw_front_is_asked_class(L->u, clang_getCursorType(variable))) return false;
    if (!gw_front_stays(variable)) return gw_front_declare_walk(L, variable, e);
    if (!gw_front_asked_copy(L, e, shape, &asked)) return false;
    gw_front_bind(L, variable, asked);
    return true;
}

static bool declare_shared(gw_lowering *L, CXCursor variable) {
    if (!gw_front_is_shared(variable)) return false;
    gw_front_bind(L, variable, gw_front_shared(L, variable, variable));
    return true;
}

void gw_front_declare(gw_lowering *L, CXCursor variable) {
    gw_front_locate(L, variable);
    if (declare_shared(L, variable)) return;
    if (declare_static(L, variable) || clang_Cursor_getStorageClass(variable) == CX_SC_Extern) return;
    CXType type = clang_getCursorType(variable);
    CXCursor e = clang_Cursor_getVarDeclInitializer(variable);
    const uint32_t owned = L->owned.count;
    if (refuse_function_reference(L, variable, e)) return;
    if (gw_front_is_reference(type)) {
        const bool in_list = L->listed;
        gw_place to = gw_front_lvalues(L, gw_front_referred(L, e));
        gw_front_extend(L, owned, variable, &to, in_list);
        if (to.stale)
            gw_front_refuse(L, variable, "a reference that may lead to two objects", "use a copy, or an if");
        gw_front_bind(L, variable, to);
        return;
    }
    if (gw_front_is_row(type)) {
        gw_front_declare_rows(L, variable);
        return;
    }
    if (gw_front_is_held_function(L->u, type)) {
        gw_front_bind(L, variable, gw_front_hold_function(L, variable, e));
        return;
    }
    gw_front_note_extents(L, variable);
    gw_shape shape = gw_front_shape(L->u, type), refused_shape = shape;
    if (gw_front_shape_kind(L->u, shape) == GW_SHAPE_POINTER) refused_shape = gw_front_pointee(L->u, shape);
    if (gw_front_shape_at(L->u, refused_shape)->clang.kind == CXType_FunctionProto) refused_shape = shape;
    if (declare_asked(L, variable, e, shape)) return;
    if (gw_front_shape_kind(L->u, refused_shape) == GW_SHAPE_OPAQUE &&
        !gw_front_is_passed_class(L, refused_shape)) {
        const gw_refusal *refusal = gw_front_shape_at(L->u, refused_shape)->refusal;
        gw_front_refuse(L, variable, refusal->what, refusal->way_out);
        return;
    }
    gw_str outer = L->naming;
    const bool listed = L->listed;
    L->listed = false;
    L->naming = gw_front_intern(L->u, clang_getCursorSpelling(variable));
    gw_place p;
    if (!gw_front_staged_variable(L, variable, &p)) {
        p = gw_front_temp(L, shape, L->naming);
        gw_front_note_handles(L, shape);
        const gw_site site = {.object = p.object, .shape = shape, .at = variable, .is_variable = true};
        gw_front_stage_note_variable(L, site, &p);
    }
    gw_front_disown(L, p);
    if (!clang_Cursor_isNull(e)) gw_front_initialize(L, p, e);
    if (refers_by_list(L, shape)) gw_front_extend(L, owned, variable, NULL, listed);
    L->naming = outer;
    gw_front_bind(L, variable, p);
    L->listed = listed;
    if (!listed && gw_front_shape_at(L->u, shape)->destructs)
        gw_front_refuse(L, variable, "a class with a destructor in the head of a statement",
                        "declare the variable in a block around the statement");
    gw_front_own(L, variable, p);
}

/* ({ ...; value; }): the value is made while the variables are in scope. */
void gw_front_statement_value(gw_lowering *L, gw_place to, CXCursor e) {
    gw_cursors list = {0};
    gw_front_children(gw_front_body(e), &list);
    gw_scope scope = gw_front_scope(L);
    CXCursor last = list.count ? list.at[list.count - 1] : clang_getNullCursor();
    gw_value before = gw_front_exit_taken(L);
    const uint32_t before_them = L->refused;
    if (list.count) list.count--;
    gw_push(&L->lists, true); /* the value follows: exits are asked for */
    gw_front_list(L, &list, 0);
    L->lists.count--;
    gw_front_refused_since(L, before_them);
    if (L->dead || gw_front_exit_taken(L) != before)
        gw_front_refuse(L, e, "a jump out of a statement expression", "write the statements out");
    else if (clang_Cursor_isNull(last) || !clang_isExpression(clang_getCursorKind(last)))
        gw_front_refuse(L, e, "this statement expression", "write the statements out");
    else
        gw_front_initialize(L, to, last);
    gw_front_scope_end(L, scope);
    gw_vec_free(&list);
}

/* Member or element i; where all members come from a base class, those of the base. */
static gw_place bound_part(gw_lowering *L, gw_place of, uint32_t i) {
    const gw_shape_data d = *gw_front_shape_at(L->u, of.shape);
    if (d.kind == GW_SHAPE_ARRAY) return gw_front_element(L, of, gw_int(&L->b, GW_T_I32, i));
    if (d.kind == GW_SHAPE_OPAQUE) return gw_front_asked_half(L, of, i);
    uint32_t own = 0, base = 0;
    for (; own < d.count && L->u->fields.at[d.first + own].is_base; own++)
        if (gw_front_shape_at(L->u, L->u->fields.at[d.first + own].shape)->count) base = own;
    if (own == d.count && own) return bound_part(L, gw_front_member(L, of, base), i);
    return gw_front_member(L, of, own + i);
}

/* An array is shown as a loop over its elements; the first part is the array. */
static void copy_array(gw_lowering *L, gw_place to, CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    bool loop = clang_getCursorKind(e) == CXCursor_UnexposedExpr && parts.count;
    gw_front_copy_object(L, to, gw_front_place(L, loop ? parts.at[0] : e), GW_COPIED, e);
    gw_vec_free(&parts);
}

void gw_front_bind_parts(gw_lowering *L, CXCursor declaration, gw_place of) {
    gw_cursors parts = {0};
    uint32_t member = 0;
    gw_front_children(declaration, &parts);
    if (gw_front_shape_kind(L->u, of.shape) == GW_SHAPE_OPAQUE && !gw_front_can_be_asked(L, &of))
        gw_front_refuse(L, declaration, "this structured binding", "name the members");
    for (uint32_t i = 0; i < parts.count && !L->failed; i++)
        if (clang_getCursorKind(parts.at[i]) == CXCursor_UnexposedDecl)
            gw_front_bind(L, parts.at[i], bound_part(L, of, member++));
    gw_vec_free(&parts);
}

/* auto [a, b] = s: the names stand for the members of a copy. */
static void declare_bindings(gw_lowering *L, CXCursor declaration) {
    CXCursor e = gw_front_expression(declaration);
    gw_shape shape = gw_front_shape(L->u, clang_getCursorType(declaration));
    bool copy = !gw_front_is_reference(clang_getCursorType(declaration));
    const uint32_t owned = L->owned.count;
    const bool listed = L->listed;
    gw_place p = {0};
    gw_shape_kind kind = gw_front_shape_kind(L->u, shape);
    if (clang_Cursor_isNull(e) || (kind != GW_SHAPE_STRUCT && kind != GW_SHAPE_ARRAY)) {
        gw_front_refuse(L, declaration, "this structured binding", "name the members");
    } else if (copy) {
        p = gw_front_temp(L, shape, 0);
        gw_front_extend(L, owned, declaration, &p, listed);
        if (kind == GW_SHAPE_ARRAY)
            copy_array(L, p, e);
        else
            gw_front_initialize(L, p, e);
    } else {
        p = gw_front_place(L, e);
        gw_front_extend(L, owned, declaration, &p, listed);
    }
    if (!L->failed) gw_front_bind_parts(L, declaration, p);
}

static void declarations(gw_lowering *L, CXCursor statement) {
    gw_cursors list = {0};
    gw_front_children(statement, &list);
    for (uint32_t i = 0; i < list.count && !L->failed; i++) {
        enum CXCursorKind kind = clang_getCursorKind(list.at[i]);
        if (kind == CXCursor_VarDecl) gw_front_declare(L, list.at[i]);
        if (kind == CXCursor_UnexposedDecl) declare_bindings(L, list.at[i]);
    }
    gw_vec_free(&list);
}

/* [[likely]], #pragma unroll: the statement is the last child. */
static void attributed(gw_lowering *L, CXCursor statement) {
    gw_cursors parts = {0};
    gw_front_children(statement, &parts);
    if (parts.count && !clang_isAttribute(clang_getCursorKind(parts.at[parts.count - 1])))
        gw_front_statement(L, parts.at[parts.count - 1]);
    else
        gw_front_refuse(L, statement, "this statement", "use plain C++ statements");
    gw_vec_free(&parts);
}

static void other(gw_lowering *L, CXCursor statement) {
    enum CXCursorKind kind = clang_getCursorKind(statement);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].kind == kind) gw_front_refuse(L, statement, refused[i].what, refused[i].way_out);
    if (clang_isExpression(kind))
        gw_front_effect(L, statement);
    else
        gw_front_refuse(L, statement, "this statement", "use plain C++ statements");
}

static void lower(gw_lowering *L, CXCursor statement) {
    switch (clang_getCursorKind(statement)) {
    case CXCursor_CompoundStmt:
        compound(L, statement);
        break;
    case CXCursor_DeclStmt:
        declarations(L, statement);
        break;
    case CXCursor_VarDecl:
        gw_front_declare(L, statement);
        break;
    case CXCursor_IfStmt:
        lower_if(L, statement, NULL, 0);
        break;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_CXXForRangeStmt:
        if (!gw_front_swap_loop(L, statement)) gw_front_loop(L, statement);
        break;
    case CXCursor_SwitchStmt:
        gw_front_switch(L, statement);
        break;
    case CXCursor_CXXTryStmt:
        gw_front_try(L, statement);
        break;
    case CXCursor_ReturnStmt:
        lower_return(L, statement);
        break;
    case CXCursor_BreakStmt:
        gw_front_exit_take(L, GW_EXIT_BREAK);
        break;
    case CXCursor_ContinueStmt:
        gw_front_exit_take(L, GW_EXIT_CONTINUE);
        break;
    case CXCursor_GotoStmt:
        gw_front_jump(L, statement);
        break;
    case CXCursor_NullStmt:
        break;
    case CXCursor_UnexposedStmt:
        attributed(L, statement);
        break;
    case CXCursor_LabelStmt:
        attributed(L, statement);
        break;
    default:
        other(L, statement);
        break;
    }
}

void gw_front_statement(gw_lowering *L, CXCursor statement) {
    const uint32_t owned = L->owned.count;
    if (L->failed) return;
    const gw_statement_start start = gw_front_statement_start(L);
    gw_front_locate(L, statement);
    lower(L, statement);
    L->listed = false;
    gw_front_destroy_nameless(L, owned);
    if (L->failed) gw_front_statement_lost(L, &start, statement);
}
