/*
 * frontend/statement/switch.c - switch as a chain of ifs.
 *
 * The body is cut at its labels into segments. A segment that surely leaves (its last statement is break,
 * continue or return) ends a group; groups exclude each other and become if / else if / else. Inside a group
 * the segments follow one another: a segment runs if the value is one of the labels of its group up to its own,
 * which is what falling through means.
 *
 * A case label inside of a do loop or block (Duff's device) is one of its segment. The segment is entered with
 * a slot that says whether the switch jumps to such a label; what stands before the label is left out, and the
 * label clears the slot, so that the loop's later iterations run all.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/statement/statement.h"

typedef struct label {
    int64_t first, last; /* case first ... last */
} label;
typedef struct segment {
    uint32_t first_label, labels; /* in `labels` */
    bool is_default;
    uint32_t first, count; /* in `statements` */
    bool leaves;
    uint32_t inner; /* labels inside of its statements: the last of `labels` */
    CXCursor last_inner;
} segment;
typedef struct switch_body {
    GW_VEC(segment) segments;
    GW_VEC(label) labels;
    gw_cursors statements;
    gw_value value;
    CXCursor statement;
} switch_body;

static bool is_label(CXCursor c) {
    return clang_getCursorKind(c) == CXCursor_CaseStmt || clang_getCursorKind(c) == CXCursor_DefaultStmt;
}

static void start_segment(switch_body *b) {
    uint32_t n = b->segments.count;
    if (n && b->segments.at[n - 1].count == 0) return; /* several labels for one segment */
    gw_push(&b->segments, ((segment){.first_label = b->labels.count, .first = b->statements.count}));
}

/* The children of a case are its first value, its last one if it is a range, and the statement. */
static label read_label(gw_lowering *L, CXCursor statement, const gw_cursors *parts) {
    int64_t value[2] = {0, 0};
    uint32_t values = parts->count > 2 ? 2 : 1;
    bool known = parts->count > 0;
    for (uint32_t i = 0; i < values && known; i++) {
        double real = 0;
        bool is_real = false;
        known = gw_front_evaluate(parts->at[i], &value[i], &real, &is_real) && !is_real;
    }
    if (!known) gw_front_refuse(L, statement, "this case label", "use one constant for each case");
    return (label){value[0], values == 2 ? value[1] : value[0]};
}

/* A label of this switch inside of a statement; other switches and functions have their own. */
static enum CXChildVisitResult find_label(CXCursor c, CXCursor parent, CXClientData found) {
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(c);
    if (is_label(c)) {
        *(CXCursor *)found = c;
        return CXChildVisit_Break;
    }
    return kind == CXCursor_SwitchStmt || kind == CXCursor_LambdaExpr ? CXChildVisit_Continue
                                                                      : CXChildVisit_Recurse;
}

typedef struct inner_labels {
    gw_lowering *L;
    switch_body *body;
} inner_labels;

/* Labels in blocks and do loops; what else holds one refuses it. */
static enum CXChildVisitResult add_inner(CXCursor c, CXCursor parent, CXClientData data) {
    const inner_labels *in = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    (void)parent;
    if (kind == CXCursor_CaseStmt) {
        gw_cursors parts = {0};
        gw_front_children(c, &parts);
        segment *s = &in->body->segments.at[in->body->segments.count - 1];
        gw_push(&in->body->labels, read_label(in->L, c, &parts));
        s->labels++, s->inner++, s->last_inner = c;
        gw_vec_free(&parts);
    }
    const bool holds = kind == CXCursor_CaseStmt || kind == CXCursor_CompoundStmt || kind == CXCursor_DoStmt;
    return holds ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

static void add_statement(gw_lowering *L, switch_body *b, CXCursor statement) {
    while (is_label(statement)) {
        gw_cursors parts = {0};
        gw_front_children(statement, &parts);
        bool is_case = clang_getCursorKind(statement) == CXCursor_CaseStmt;
        start_segment(b);
        segment *s = &b->segments.at[b->segments.count - 1];
        if (is_case) {
            gw_push(&b->labels, read_label(L, statement, &parts));
            s->labels++;
        } else {
            s->is_default = true;
        }
        CXCursor inner = parts.count > (uint32_t)is_case ? parts.at[parts.count - 1] : clang_getNullCursor();
        gw_vec_free(&parts);
        if (clang_Cursor_isNull(inner)) return;
        statement = inner;
    }
    if (!b->segments.count) { /* never reached, but by a label in it, which is refused */
        CXCursor inside = clang_getNullCursor();
        if (clang_getCursorKind(statement) != CXCursor_SwitchStmt)
            clang_visitChildren(statement, find_label, &inside);
        if (!clang_Cursor_isNull(inside)) statement = inside;
        if (clang_getCursorKind(statement) == CXCursor_DeclStmt || is_label(statement))
            gw_front_statement(L, statement);
        return;
    }
    gw_push(&b->statements, statement);
    b->segments.at[b->segments.count - 1].count++;
    inner_labels in = {L, b};
    const enum CXCursorKind kind = clang_getCursorKind(statement);
    if (kind == CXCursor_DoStmt || kind == CXCursor_CompoundStmt)
        clang_visitChildren(statement, add_inner, &in);
}

static bool surely_leaves(CXCursor statement) {
    switch (clang_getCursorKind(statement)) {
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_ReturnStmt:
        return true;
    case CXCursor_CompoundStmt: {
        gw_cursors list = {0};
        gw_front_children(statement, &list);
        bool leaves = list.count && surely_leaves(list.at[list.count - 1]);
        gw_vec_free(&list);
        return leaves;
    }
    default:
        return false;
    }
}

static gw_value has_label(gw_lowering *L, gw_value value, label l) {
    gw_type type = gw_typeof(L->f, value);
    gw_value first = gw_front_constant(L, type, l.first, 0, false);
    if (l.first == l.last) return gw_binary(&L->b, GW_OP_EQ, value, first);
    gw_value last = gw_front_constant(L, type, l.last, 0, false);
    gw_value above = gw_binary(&L->b, GW_OP_GE, value, first), below = gw_binary(&L->b, GW_OP_LE, value, last);
    return gw_binary(&L->b, GW_OP_AND, above, below);
}

/* value is one of the labels of the segments first..last; the default's are all that no segment has. */
static gw_value chosen(gw_lowering *L, const switch_body *b, uint32_t first, uint32_t last) {
    bool with_default = false;
    gw_front_locate(L, b->statement);
    for (uint32_t i = first; i <= last; i++)
        with_default |= b->segments.at[i].is_default;
    gw_value any = 0;
    for (uint32_t i = 0; i < b->segments.count; i++) {
        const segment *s = &b->segments.at[i];
        bool inside = i >= first && i <= last;
        for (uint32_t k = 0; k < s->labels && inside != with_default; k++) {
            gw_value is = has_label(L, b->value, b->labels.at[s->first_label + k]);
            any = any ? gw_binary(&L->b, GW_OP_OR, any, is) : is;
        }
    }
    if (!any) return gw_int(&L->b, GW_T_BOOL, with_default);
    return with_default ? gw_unary(&L->b, GW_OP_NOT, any) : any;
}

static void run_segment(gw_lowering *L, const switch_body *b, uint32_t i) {
    const segment *s = &b->segments.at[i];
    gw_cursors list = {b->statements.at + s->first, s->count, s->count};
    gw_entry entry = {.value = b->value, .frames = L->frames.count, .last = s->last_inner};
    gw_entry *const outer = L->entry;
    L->entry = NULL;
    if (s->inner) {
        gw_value jumps = 0;
        gw_front_locate(L, b->statement);
        for (uint32_t k = s->labels - s->inner; k < s->labels; k++) {
            const gw_value is = has_label(L, b->value, b->labels.at[s->first_label + k]);
            jumps = jumps ? gw_binary(&L->b, GW_OP_OR, jumps, is) : is;
        }
        entry.slot = gw_front_slot(L, GW_SLOT_SCALAR, GW_T_BOOL, gw_intern(L->session, "jumps"));
        gw_front_slot_set(L, entry.slot, jumps);
        L->entry = &entry;
    }
    gw_front_list(L, &list, 0);
    L->entry = outer;
}

static bool has_inner(CXCursor statement) {
    CXCursor inside = clang_getNullCursor();
    if (clang_getCursorKind(statement) == CXCursor_SwitchStmt) return false;
    clang_visitChildren(statement, find_label, &inside);
    return !clang_Cursor_isNull(inside);
}

/* The labels of a statement clear the slot where the switch jumps to them. */
static CXCursor behind_labels(gw_lowering *L, const gw_entry *entry, CXCursor statement) {
    while (clang_getCursorKind(statement) == CXCursor_CaseStmt) {
        gw_cursors parts = {0};
        gw_front_children(statement, &parts);
        const gw_value is = has_label(L, entry->value, read_label(L, statement, &parts));
        const gw_value still = gw_binary(&L->b, GW_OP_AND, gw_front_slot_value(L, entry->slot),
                                         gw_unary(&L->b, GW_OP_NOT, is));
        const bool is_last = clang_equalCursors(statement, entry->last);
        gw_front_slot_set(L, entry->slot, is_last ? gw_int(&L->b, GW_T_BOOL, 0) : still);
        statement = parts.at[parts.count - 1];
        gw_vec_free(&parts);
    }
    return statement;
}

bool gw_front_entered(gw_lowering *L, CXCursor statement) {
    gw_entry *entry = L->entry;
    if (!entry || entry->frames != L->frames.count) return false;
    if (clang_getCursorKind(statement) == CXCursor_DefaultStmt) return false;
    gw_front_locate(L, statement);
    statement = behind_labels(L, entry, statement);
    const enum CXCursorKind kind = clang_getCursorKind(statement);
    int64_t known;
    const gw_value jumps = gw_front_slot_value(L, entry->slot);
    if ((kind == CXCursor_DoStmt || kind == CXCursor_CompoundStmt) && has_inner(statement)) {
        gw_front_statement(L, statement);
        return true;
    }
    L->entry = NULL;
    if (gw_const_int(L->f, jumps, &known) && !known) {
        gw_front_statement(L, statement);
    } else if (kind == CXCursor_DeclStmt) {
        gw_front_refuse(L, statement, "a declaration that a case label jumps over",
                        "declare it in front of the switch");
    } else {
        gw_branch yes = gw_front_branch_begin(L);
        gw_front_branch_end(L, &yes);
        gw_branch no = gw_front_branch_begin(L);
        gw_front_statement(L, statement);
        gw_front_branch_end(L, &no);
        gw_front_locate(L, statement);
        gw_front_branch_join(L, jumps, &yes, &no);
    }
    L->entry = entry;
    return true;
}

static void enter_segment(gw_lowering *L, const switch_body *b, uint32_t first, uint32_t i) {
    gw_value enters = chosen(L, b, first, i);
    int64_t known;
    if (gw_const_int(L->f, enters, &known)) {
        if (known) run_segment(L, b, i);
        return;
    }
    gw_branch yes = gw_front_branch_begin(L);
    run_segment(L, b, i);
    gw_front_branch_end(L, &yes);
    gw_branch no = gw_front_branch_begin(L);
    gw_front_branch_end(L, &no);
    gw_front_locate(L, b->statement);
    gw_front_branch_join(L, enters, &yes, &no);
}

/* Segment i and those that it may fall into, up to last. */
static void run_group(gw_lowering *L, const switch_body *b, uint32_t first, uint32_t last, uint32_t i) {
    if (i > last || L->failed || L->dead) return;
    gw_value taken = gw_front_exit_taken(L);
    if (taken) {
        gw_branch rest = gw_front_guard_begin(L);
        run_group(L, b, first, last, i);
        gw_front_guard_end(L, taken, &rest);
        return;
    }
    gw_push(&L->lists, i < last);
    uint32_t own = L->lists.count - 1;
    if (i == last) {
        run_segment(L, b, i);
    } else {
        enter_segment(L, b, first, i);
        L->lists.at[own] = false;
        run_group(L, b, first, last, i + 1);
    }
    L->lists.count--;
}

static uint32_t group_end(const switch_body *b, uint32_t first) {
    uint32_t last = first;
    while (last + 1 < b->segments.count && !b->segments.at[last].leaves)
        last++;
    return last;
}

static bool has_default(const switch_body *b, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i <= last; i++)
        if (b->segments.at[i].is_default) return true;
    return false;
}

/* Groups from `first` on as if / else; the group with the default comes last of all. */
static void run_groups(gw_lowering *L, const switch_body *b, uint32_t first) {
    if (L->failed) return;
    while (first < b->segments.count && has_default(b, first, group_end(b, first)))
        first = group_end(b, first) + 1;
    if (first < b->segments.count) {
        uint32_t last = group_end(b, first);
        gw_value enters = chosen(L, b, first, last);
        int64_t known;
        if (gw_const_int(L->f, enters, &known)) {
            if (known)
                run_group(L, b, first, last, first);
            else
                run_groups(L, b, last + 1);
            return;
        }
        gw_branch yes = gw_front_branch_begin(L);
        run_group(L, b, first, last, first);
        gw_front_branch_end(L, &yes);
        gw_branch no = gw_front_branch_begin(L);
        run_groups(L, b, last + 1);
        gw_front_branch_end(L, &no);
        gw_front_locate(L, b->statement);
        gw_front_branch_join(L, enters, &yes, &no);
        return;
    }
    for (uint32_t i = 0; i < b->segments.count; i = group_end(b, i) + 1)
        if (has_default(b, i, group_end(b, i))) run_group(L, b, i, group_end(b, i), i);
}

static void split(gw_lowering *L, CXCursor body, switch_body *out) {
    gw_cursors list = {0};
    if (clang_getCursorKind(body) == CXCursor_CompoundStmt)
        gw_front_children(body, &list);
    else
        gw_push(&list, body);
    for (uint32_t i = 0; i < list.count; i++)
        add_statement(L, out, list.at[i]);
    for (uint32_t i = 0; i < out->segments.count; i++) {
        segment *s = &out->segments.at[i];
        s->leaves = s->count && surely_leaves(out->statements.at[s->first + s->count - 1]);
    }
    gw_vec_free(&list);
}

void gw_front_switch(gw_lowering *L, CXCursor statement) {
    gw_cursors parts = {0};
    gw_front_children(statement, &parts);
    gw_scope scope = gw_front_scope(L);
    uint32_t i = 0;
    if (parts.count > 1 && gw_front_semicolon_before(L->u, statement, parts.at[0]))
        gw_front_hidden_init(L, statement, parts.at[0]);
    while (i + 2 < parts.count)
        gw_front_statement(L, parts.at[i++]); /* declared condition */
    switch_body b = {.statement = statement};
    if (i + 1 < parts.count) {
        b.value = gw_front_scalar(L, parts.at[i]);
        gw_front_exit_open(L, GW_EXIT_BREAK);
        split(L, parts.at[parts.count - 1], &b);
        run_groups(L, &b, 0);
        gw_front_exit_close(L);
    }
    gw_front_scope_end(L, scope);
    gw_vec_free(&b.segments);
    gw_vec_free(&b.labels);
    gw_vec_free(&b.statements);
    gw_vec_free(&parts);
}
