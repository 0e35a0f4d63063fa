/*
 * frontend/statement/clause.c - the clauses of a loop.
 *
 * libclang leaves out an absent clause of a for, so with fewer than four children it is told from the
 * semicolons of the header which ones are there; only then is the header tokenized. A header that a macro has
 * is read where it is spelled; one that is put together from several places has no such text, and is refused.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/statement/statement.h"
#include "plugin/frontend/type/type.h"

#include <ctype.h>
#include <string.h>

static unsigned offset_of(CXSourceLocation location) {
    unsigned offset = 0;
    clang_getExpansionLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

typedef struct variables {
    unsigned from, to;
    gw_cursors found;
} variables;

static enum CXChildVisitResult find_variable(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    variables *v = data;
    CXCursor decl = clang_getCursorReferenced(c);
    if (clang_getCursorKind(c) != CXCursor_DeclRefExpr || clang_getCursorKind(decl) != CXCursor_VarDecl)
        return CXChildVisit_Recurse;
    unsigned at = offset_of(clang_getCursorLocation(decl));
    if (at < v->from || at >= v->to) return CXChildVisit_Recurse;
    uint32_t i = 0;
    while (i < v->found.count && offset_of(clang_getCursorLocation(v->found.at[i])) < at)
        i++;
    if (i < v->found.count && clang_equalCursors(v->found.at[i], decl)) return CXChildVisit_Recurse;
    gw_push(&v->found, decl);
    for (uint32_t k = v->found.count; --k > i;)
        v->found.at[k] = v->found.at[k - 1];
    v->found.at[i] = decl;
    return CXChildVisit_Recurse;
}

/* Whether nothing but blanks (and, between declarations, a comma) stands in the text. */
static bool blank(const char *text, unsigned from, unsigned to, bool comma) {
    for (; from < to; from++) {
        if (comma && text[from] == ',')
            comma = false;
        else if (!isspace((unsigned char)text[from]))
            return false;
    }
    return !comma;
}

/* The variables must be all that stands before the semicolon, or something would be lost. */
void gw_front_hidden_init(gw_lowering *L, CXCursor statement, CXCursor next) {
    CXFile file = NULL;
    size_t size = 0;
    variables v = {0};
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(statement)), &file, NULL, NULL,
                               &v.from);
    const char *text = file ? clang_getFileContents(L->u->clang, file, &size) : NULL;
    unsigned limit = offset_of(clang_getRangeStart(clang_getCursorExtent(next)));
    for (v.to = limit; text && v.to > v.from && text[v.to] != ';';)
        v.to--;
    while (text && v.from < v.to && text[v.from] != '(')
        v.from++;
    clang_visitChildren(statement, find_variable, &v);
    unsigned at = v.from + 1;
    bool whole = text && v.found.count;
    for (uint32_t i = 0; i < v.found.count && whole; i++) {
        CXSourceRange extent = clang_getCursorExtent(v.found.at[i]);
        unsigned start = offset_of(i ? clang_getCursorLocation(v.found.at[i]) : clang_getRangeStart(extent));
        whole = blank(text, at, start, i > 0);
        at = offset_of(clang_getRangeEnd(extent));
    }
    if (!whole || !blank(text, at, v.to, false))
        gw_front_refuse(L, statement, "this init statement", "write it before the statement");
    for (uint32_t i = 0; i < v.found.count && !L->failed; i++)
        gw_front_declare(L, v.found.at[i]);
    gw_vec_free(&v.found);
}

/* The header of a for as its text has it: offsets of "for", the two semicolons and the closing parenthesis. In
 * a macro that is the text of the macro, or of the argument that the for stands in. */
typedef struct header {
    CXFile file;
    bool in_macro;
    unsigned from, semicolon[2], end;
} header;

enum { LONGEST_HEADER = 65536 };

static unsigned place_of(const header *h, CXCursor c, CXFile *file) {
    unsigned offset = 0;
    CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(c));
    (h->in_macro ? clang_getSpellingLocation : clang_getExpansionLocation)(start, file, NULL, NULL, &offset);
    return offset;
}

static bool read_header(gw_lowering *L, CXCursor statement, header *h) {
    CXToken *tokens = NULL;
    CXFile expanded = NULL;
    size_t size = 0;
    unsigned count = 0, found = 0, at = 0;
    int depth = 0;
    h->in_macro = true;
    h->from = place_of(h, statement, &h->file);
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(statement)), &expanded, NULL, NULL,
                               &at);
    h->in_macro = at != h->from || !clang_File_isEqual(expanded, h->file);
    if (!h->file || !clang_getFileContents(L->u->clang, h->file, &size)) return false;
    if (size > h->from + LONGEST_HEADER) size = h->from + LONGEST_HEADER;
    CXSourceLocation from = clang_getLocationForOffset(L->u->clang, h->file, h->from);
    clang_tokenize(L->u->clang,
                   clang_getRange(from, clang_getLocationForOffset(L->u->clang, h->file, (unsigned)size)),
                   &tokens, &count);
    for (unsigned i = 0; i < count && !h->end; i++) {
        CXString text = clang_getTokenSpelling(L->u->clang, tokens[i]);
        char c = clang_getCString(text)[0];
        bool punctuation = clang_getTokenKind(tokens[i]) == CXToken_Punctuation;
        clang_disposeString(text);
        if (!punctuation) continue;
        at = offset_of(clang_getTokenLocation(L->u->clang, tokens[i]));
        if (c == '(' || c == '{') depth++;
        if (c == ';' && depth == 1 && found < 2) h->semicolon[found++] = at;
        if ((c == ')' || c == '}') && --depth == 0) h->end = at;
    }
    clang_disposeTokens(L->u->clang, tokens, count);
    return h->end && found == 2;
}

static void for_clauses(gw_lowering *L, const gw_cursors *parts, gw_loop *loop) {
    uint32_t n = parts->count - 1;
    loop->body = parts->at[n];
    if (n == 3) {
        loop->init = parts->at[0], loop->condition = parts->at[1], loop->increment = parts->at[2];
        return;
    }
    header h = {0};
    bool readable = !n || read_header(L, loop->statement, &h);
    for (uint32_t i = 0; i < n && readable; i++) {
        CXFile file = NULL;
        unsigned at = place_of(&h, parts->at[i], &file);
        bool variable = clang_getCursorKind(parts->at[i]) == CXCursor_VarDecl;
        readable = clang_File_isEqual(file, h.file) && at > h.from && at < h.end;
        if (at < h.semicolon[0])
            loop->init = parts->at[i];
        else if (variable)
            loop->variable = parts->at[i];
        else if (at < h.semicolon[1])
            loop->condition = parts->at[i];
        else
            loop->increment = parts->at[i];
    }
    if (!readable)
        gw_front_refuse(L, loop->statement, "a for that a macro puts together, without all of its clauses",
                        "write out the clause that is missing");
}

/* The place that the class's begin() or end() points to; nowhere, if that is no pointer. */
static gw_place bound_of(gw_lowering *L, const gw_place *range, CXCursor e, const char *name) {
    const gw_shape_data d = *gw_front_shape_at(L->u, range->shape);
    gw_cursors methods = {0}, none = {0};
    CXCursor found = clang_getNullCursor();
    bool constant = clang_isConstQualifiedType(clang_getNonReferenceType(clang_getCursorType(e)));
    if (d.kind == GW_SHAPE_STRUCT && !d.library) gw_front_methods(d.clang, &methods);
    for (uint32_t i = 0; i < methods.count; i++) {
        const char *text = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(methods.at[i])));
        bool other = clang_CXXMethod_isConst(methods.at[i]) != constant;
        if (strcmp(text, name) != 0 || (other && (constant || !clang_Cursor_isNull(found)))) continue;
        if (clang_getCanonicalType(clang_getCursorResultType(methods.at[i])).kind == CXType_Pointer)
            found = methods.at[i];
    }
    gw_vec_free(&methods);
    gw_place place = {0};
    if (!clang_Cursor_isNull(found))
        place = gw_front_inline(L, e, clang_getCursorDefinition(found), range, &none).place;
    return place;
}

/* Over a class whose begin() and end() are pointers: elements as those of an array, how many is known at the
 * start. */
static bool over_pointers(gw_lowering *L, CXCursor e, gw_loop *loop) {
    gw_place first = bound_of(L, &loop->range, e, "begin"), end = {0};
    if (first.kind && !L->failed) end = bound_of(L, &loop->range, e, "end");
    gw_value count = end.kind && !L->failed ? gw_front_compare(L, &end, &first, GW_OP_SUB) : 0;
    if (!count) return false;
    loop->range = first;
    loop->count = gw_cast(&L->b, GW_T_I64, count);
    return true;
}

/* Over a table or text that nobody changes. */
static void begin_walk(gw_lowering *L, gw_loop *loop) {
    loop->is_walk = gw_front_can_be_walked(L, &loop->range);
    if (!loop->is_walk) return;
    loop->count = gw_cast(&L->b, GW_T_I64, gw_front_walk_count(L, loop->range));
    const gw_value first = gw_front_walk_begin(L, loop->range);
    if (!first) return;
    loop->mark_slot = gw_front_slot(L, GW_SLOT_SCALAR, GW_T_U64, gw_intern(L->session, "at"));
    gw_front_slot_set(L, loop->mark_slot, first);
    loop->has_mark = true;
}

static gw_place walked_element(gw_lowering *L, const gw_loop *loop) {
    if (!loop->has_mark)
        return gw_front_walk_element(L, loop->range, loop->variable, gw_front_slot_value(L, loop->index_slot));
    const gw_value at = gw_front_slot_value(L, loop->mark_slot);
    const gw_place element = gw_front_walk_element(L, loop->range, loop->variable, at);
    if (!L->failed) gw_front_slot_set(L, loop->mark_slot, gw_front_walk_on(L, loop->range, at));
    return element;
}

static void range_clauses(gw_lowering *L, const gw_cursors *parts, gw_loop *loop) {
    if (parts->count < 3) {
        gw_front_refuse(L, loop->statement, "this range-for", "loop over an index");
        return;
    }
    if (gw_front_semicolon_before(L->u, loop->statement, parts->at[0]))
        gw_front_hidden_init(L, loop->statement, parts->at[0]);
    loop->over_range = true;
    loop->variable = parts->at[0];
    loop->body = parts->at[parts->count - 1];
    loop->range = gw_front_place(L, parts->at[1]);
    if (!L->failed) begin_walk(L, loop);
    bool vector = !L->failed && !loop->is_walk && gw_front_is_sequence(L->u, loop->range.shape);
    bool array = !L->failed && gw_front_shape_kind(L->u, loop->range.shape) == GW_SHAPE_ARRAY;
    if (!L->failed && !loop->is_walk && !vector && !array && !over_pointers(L, parts->at[1], loop))
        gw_front_refuse(
            L, loop->statement,
            "a range-for over anything but an array or a class whose begin() and end() are pointers",
            "loop over an index");
    gw_type type = vector || loop->count ? GW_T_I64 : GW_T_I32;
    loop->index_slot = gw_front_slot(L, GW_SLOT_SCALAR, type, gw_intern(L->session, "index"));
    gw_front_slot_set(L, loop->index_slot, gw_int(&L->b, type, 0));
}

gw_loop gw_front_loop_clauses(gw_lowering *L, CXCursor statement) {
    CXCursor none = clang_getNullCursor();
    gw_loop loop = {.statement = statement,
                    .init = none,
                    .variable = none,
                    .condition = none,
                    .increment = none,
                    .body = none};
    gw_cursors parts = {0};
    gw_front_children(statement, &parts);
    loop.first_slot = L->slots.count;
    switch (clang_getCursorKind(statement)) {
    case CXCursor_ForStmt:
        for_clauses(L, &parts, &loop);
        break;
    case CXCursor_CXXForRangeStmt:
        range_clauses(L, &parts, &loop);
        break;
    case CXCursor_DoStmt:
        loop.body = parts.at[0], loop.condition = parts.at[parts.count - 1];
        loop.test_last = true;
        break;
    default:
        loop.body = parts.at[parts.count - 1], loop.condition = parts.at[parts.count - 2];
        if (parts.count > 2) loop.variable = parts.at[0];
        break;
    }
    gw_vec_free(&parts);
    return loop;
}

gw_value gw_front_loop_condition(gw_lowering *L, const gw_loop *loop) {
    if (loop->over_range) {
        gw_value index = gw_front_slot_value(L, loop->index_slot), count;
        if (loop->count)
            count = loop->count;
        else if (gw_front_is_sequence(L->u, loop->range.shape))
            count = gw_cast(&L->b, GW_T_I64, gw_front_vector_count(L, loop->range));
        else
            count = gw_int(&L->b, GW_T_I32, gw_front_shape_at(L->u, loop->range.shape)->count);
        return gw_binary(&L->b, GW_OP_LT, index, count);
    }
    bool declares = !clang_Cursor_isNull(loop->variable);
    if (declares) gw_front_declare(L, loop->variable);
    if (clang_Cursor_isNull(loop->condition)) return gw_int(&L->b, GW_T_BOOL, 1);
    gw_scope scope = gw_front_scope(L); /* its temporaries end here, wherever it is lowered */
    const uint32_t unthrown = L->unthrown.count;
    gw_value v = gw_front_condition(L, loop->condition);
    if (L->unthrown.count > unthrown) gw_front_refuse_unthrown(L);
    gw_front_scope_end(L, scope);
    return v;
}

void gw_front_loop_increment(gw_lowering *L, const gw_loop *loop) {
    if (loop->over_range) {
        gw_value i = gw_front_slot_value(L, loop->index_slot);
        gw_front_slot_set(L, loop->index_slot,
                          gw_binary(&L->b, GW_OP_ADD, i, gw_int(&L->b, gw_typeof(L->f, i), 1)));
    } else if (!clang_Cursor_isNull(loop->increment)) {
        const uint32_t unthrown = L->unthrown.count;
        gw_front_effect(L, loop->increment);
        if (L->unthrown.count > unthrown) gw_front_refuse_unthrown(L);
    }
}

/* Nothing changes the copy of an element, nor one of the names for its parts. */
static bool keeps_copy(CXCursor variable) {
    if (clang_getCursorKind(variable) != CXCursor_UnexposedDecl) return gw_front_stays(variable);
    gw_cursors parts = {0};
    bool stays = true;
    gw_front_children(variable, &parts);
    for (uint32_t i = 0; i < parts.count; i++)
        stays &= clang_getCursorKind(parts.at[i]) != CXCursor_UnexposedDecl || gw_front_stays(parts.at[i]);
    gw_vec_free(&parts);
    return stays;
}

/* The element itself, or a copy; a variable of another type is a number that is made of it. */
static gw_place element_for(gw_lowering *L, const gw_loop *loop, gw_place element) {
    CXType type = clang_getCursorType(loop->variable);
    gw_shape shape = gw_front_shape(L->u, clang_getNonReferenceType(type));
    bool same = shape == element.shape;
    const bool is_asked = same && gw_front_shape_kind(L->u, shape) == GW_SHAPE_OPAQUE && loop->is_walk;
    const bool stays = is_asked && keeps_copy(loop->variable);
    if (L->failed || (same && gw_front_is_reference(type)) || (is_asked && stays)) return element;
    bool numbers = gw_front_shape_kind(L->u, shape) == GW_SHAPE_SCALAR &&
                   gw_front_shape_kind(L->u, element.shape) == GW_SHAPE_SCALAR;
    if (!same && !numbers) {
        gw_front_refuse(L, loop->variable, "a range-for whose variable is made of the elements",
                        "make it in the body");
        return element;
    }
    gw_place copy = gw_front_temp(L, shape, gw_front_intern(L->u, clang_getCursorSpelling(loop->variable)));
    if (same)
        gw_front_copy_object(L, copy, element, GW_COPIED, loop->variable);
    else
        gw_front_store(L, copy, gw_cast(&L->b, shape, gw_front_load(L, element)));
    return copy;
}

static void bind_element(gw_lowering *L, const gw_loop *loop) {
    gw_value index = gw_front_slot_value(L, loop->index_slot);
    bool vector = !loop->count && gw_front_is_sequence(L->u, loop->range.shape);
    gw_place at = {0};
    if (loop->is_walk) at = walked_element(L, loop);
    else if (vector) at = gw_front_vector_element(L, loop->range, index);
    else at = loop->count ? gw_front_advance(L, loop->range, index, false)
                          : gw_front_element(L, loop->range, index);
    gw_place element = element_for(L, loop, at);
    if (L->failed) return;
    if (clang_getCursorKind(loop->variable) == CXCursor_UnexposedDecl)
        gw_front_bind_parts(L, loop->variable, element);
    else
        gw_front_bind(L, loop->variable, element);
}

/* for (;;) { the list; break; }, where a jump back continues. */
static void repeated_body(gw_lowering *L, const gw_loop *loop) {
    const uint32_t done = L->exits.at[L->exits.count - 1].slot;
    L->exits.at[gw_front_exit_open(L, GW_EXIT_JUMP)].label = clang_getCursorLocation(loop->list->at[0]);
    gw_push(&L->lists, true);
    gw_front_block(L, loop->list);
    L->lists.count--;
    const gw_value taken = L->dead || L->failed ? 0 : gw_front_exit_taken(L);
    gw_branch rest = {0};
    if (taken) rest = gw_front_guard_begin(L);
    if (!L->dead && !L->failed) gw_front_slot_set(L, done, gw_int(&L->b, GW_T_BOOL, 1));
    if (taken) gw_front_guard_end(L, taken, &rest);
    gw_front_exit_close(L);
}

void gw_front_loop_body(gw_lowering *L, const gw_loop *loop) {
    if (loop->list) {
        repeated_body(L, loop);
        return;
    }
    gw_scope scope = gw_front_scope(L);
    gw_front_exit_open(L, GW_EXIT_CONTINUE);
    if (loop->over_range) bind_element(L, loop);
    const uint32_t unthrown = L->unthrown.count;
    gw_front_statement(L, loop->body);
    gw_front_unthrown_end(L, unthrown);
    gw_front_exit_close(L);
    gw_front_scope_end(L, scope);
}
