/*
 * frontend/type/default.c - what the declaration of a member gives it.
 *
 * libclang shows the initialiser among all expressions of the declaration: sizes of arrays, widths of
 * bit-fields and arguments of templates are others. It is the one that the declaration ends with. That of a
 * bit-field is not shown at all, but the declaration then goes on behind the width: a literal is read off its
 * tokens.
 */
#include "plugin/frontend/type/type.h"

#include <string.h>

static unsigned offset_of(CXCursor c) {
    unsigned offset = 0;
    clang_getFileLocation(clang_getCursorLocation(c), NULL, NULL, NULL, &offset);
    return offset;
}

static CXSourceLocation end_of(CXCursor c) { return clang_getRangeEnd(clang_getCursorExtent(c)); }

/* By type, where a macro gives all of the declaration one place: a size is a number, and initialises neither of
 * these. */
static bool may_initialize(CXType member, CXCursor e) {
    enum CXCursorKind kind = clang_getCursorKind(e);
    CXType type = clang_getCanonicalType(member), of = clang_getCanonicalType(clang_getCursorType(e));
    bool number = of.kind >= CXType_Bool && of.kind <= CXType_Int128;
    if (type.kind == CXType_ConstantArray || type.kind == CXType_DependentSizedArray)
        return kind == CXCursor_InitListExpr || kind == CXCursor_StringLiteral;
    return type.kind != CXType_Pointer || !number;
}

/* ---- bit-fields ---- */
/* = 3, = -3, {3}, {}, = true: the value, or false where more stands there. */
static bool read_literal(gw_unit *u, const CXToken *tokens, unsigned count, int64_t *value) {
    bool minus = false, known = true, given = false;
    *value = 0;
    for (unsigned i = 0; i < count && known; i++) {
        CXString spelled = clang_getTokenSpelling(u->clang, tokens[i]);
        const char *text = clang_getCString(spelled);
        bool is_true = strcmp(text, "true") == 0, word = is_true || strcmp(text, "false") == 0;
        char *end = NULL;
        if (word) {
            *value = is_true;
        } else if (clang_getTokenKind(tokens[i]) == CXToken_Literal) {
            *value = (int64_t)strtoull(text, &end, 0);
            known = !end[strspn(end, "uUlL")];
        } else if (strcmp(text, "-") == 0) {
            known = !minus && !given;
            minus = true;
        } else {
            known = strcmp(text, "=") == 0 || strcmp(text, "{") == 0 || strcmp(text, "}") == 0;
        }
        bool literal = word || end;
        known &= !(literal && given);
        given |= literal;
        clang_disposeString(spelled);
    }
    if (minus) *value = (int64_t)(0 - (uint64_t)*value);
    return known && (given || !minus);
}

/* In a macro's text all ends are that of its use: what stands behind the width, up to the end of the
 * declaration or line. */
static bool goes_on_in_macro(gw_unit *u, CXCursor width) {
    CXFile file = NULL;
    unsigned at = 0, used = 0;
    size_t size = 0;
    clang_getSpellingLocation(clang_getCursorLocation(width), &file, NULL, NULL, &at);
    clang_getExpansionLocation(clang_getCursorLocation(width), NULL, NULL, NULL, &used);
    const char *text = file && at != used ? clang_getFileContents(u->clang, file, &size) : NULL;
    while (text && at < size && !strchr(";,\n={", text[at])) at += text[at] == '\\' ? 2 : 1;
    return text && at < size && (text[at] == '=' || text[at] == '{');
}

/* Behind the width, which is the first expression behind the name. */
static gw_default default_of_bits(gw_unit *u, CXCursor field) {
    gw_default d = {.expression = clang_getNullCursor()};
    gw_cursors parts = {0};
    CXCursor width = d.expression;
    gw_front_expressions(field, &parts);
    for (uint32_t i = parts.count; i-- > 0;)
        if (offset_of(parts.at[i]) >= offset_of(field)) width = parts.at[i];
    gw_vec_free(&parts);
    if (clang_Cursor_isNull(width)) return d;
    d.is_given = !clang_equalLocations(end_of(width), end_of(field)) || goes_on_in_macro(u, width);
    if (!d.is_given) return d;
    CXToken *tokens = NULL;
    unsigned count = 0;
    clang_tokenize(u->clang, clang_getRange(end_of(width), end_of(field)), &tokens, &count);
    d.is_known = count && read_literal(u, tokens, count, &d.value);
    clang_disposeTokens(u->clang, tokens, count);
    return d;
}

static gw_default default_in(gw_unit *u, CXCursor field) {
    if (clang_Cursor_isBitField(field)) return default_of_bits(u, field);
    CXCursor e = gw_front_expression(field);
    gw_default d = {.expression = e};
    d.is_given = !clang_Cursor_isNull(e) && offset_of(e) >= offset_of(field) &&
                 clang_equalLocations(end_of(e), end_of(field)) &&
                 may_initialize(clang_getCursorType(field), e);
    return d;
}

/* An instance of a template does not show what its pattern does. */
gw_default gw_front_default(gw_unit *u, CXCursor field) {
    gw_default found = default_in(u, field);
    CXCursor pattern = clang_getSpecializedCursorTemplate(clang_getCursorSemanticParent(field));
    if (found.is_given || clang_Cursor_isNull(pattern)) return found;
    gw_cursors members = {0};
    gw_front_children(pattern, &members);
    for (uint32_t i = 0; i < members.count; i++)
        if (clang_equalLocations(clang_getCursorLocation(members.at[i]), clang_getCursorLocation(field)))
            found = default_in(u, members.at[i]);
    gw_vec_free(&members);
    return found;
}
