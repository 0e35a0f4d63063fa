/*
 * frontend/place/special.c - threadIdx, blockIdx, blockDim and gridDim.
 *
 * Clang's own headers make their members properties, which libclang shows without a name: it is read from
 * the text behind the variable, where the variable was written (in a macro: in the macro's definition).
 * The CPU device's headers have plain structs.
 */
#include "plugin/frontend/place/place.h"

#include <ctype.h>
#include <string.h>

static const char *const names[] = {[GW_THREAD_IDX] = "threadIdx",
                                    [GW_BLOCK_IDX] = "blockIdx",
                                    [GW_BLOCK_DIM] = "blockDim",
                                    [GW_GRID_DIM] = "gridDim"};

bool gw_front_is_special(gw_lowering *L, CXCursor decl, uint32_t *kind) {
    if (!L->session->is_cuda || clang_getCursorKind(decl) != CXCursor_VarDecl) return false;
    if (clang_Cursor_hasVarDeclGlobalStorage(decl) != 1 || !gw_front_in_namespace(decl, "")) return false;
    CXString text = clang_getCursorSpelling(decl);
    bool found = false;
    for (uint32_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        if (strcmp(clang_getCString(text), names[i]) == 0) *kind = i, found = true;
    clang_disposeString(text);
    return found;
}

static bool skip_word(const char **p, const char *end, const char *word) {
    size_t n = strlen(word);
    while (*p < end && (isspace((unsigned char)**p) || **p == '('))
        ++*p;
    if ((size_t)(end - *p) < n || strncmp(*p, word, n) != 0) return false;
    *p += n;
    return true;
}

/* Axis of the member in "threadIdx . x"; 3 if the text is not of that form. */
static unsigned axis_in(const char *p, const char *end, const char *variable) {
    if (!skip_word(&p, end, variable)) return 3;
    while (p < end && (isspace((unsigned char)*p) || *p == ')'))
        p++;
    if (!skip_word(&p, end, ".")) return 3;
    while (p < end && isspace((unsigned char)*p))
        p++;
    bool whole = p + 1 >= end || !(isalnum((unsigned char)p[1]) || p[1] == '_');
    return p < end && whole && *p >= 'x' && *p <= 'z' ? (unsigned)(*p - 'x') : 3;
}

/* The text of the file around a place, and where in it that is; NULL: there is none. `of_use`: that the place
 * is one at which a macro is used, and the text what is given to it. */
static const char *text_at(gw_lowering *L, CXSourceLocation place, bool of_use, size_t *offset, size_t *size) {
    CXFile file = NULL;
    unsigned at = 0, used_at = 0;
    clang_getExpansionLocation(place, NULL, NULL, NULL, &used_at);
    clang_getSpellingLocation(place, &file, NULL, NULL, &at);
    if (of_use && at == used_at) return NULL;
    const char *text = file ? clang_getFileContents(L->u->clang, file, size) : NULL;
    *offset = at;
    return text && at < *size ? text : NULL;
}

/* The axis stands where the macro is used if the definition of the macro has a parameter for it: there the
 * expression ends. */
static unsigned axis_of_text(gw_lowering *L, CXCursor e, uint32_t kind) {
    const CXSourceRange range = clang_getCursorExtent(e);
    size_t offset, size;
    const char *text = text_at(L, clang_getRangeStart(range), false, &offset, &size);
    const unsigned axis = text ? axis_in(text + offset, text + size, names[kind]) : 3;
    if (axis < 3) return axis;
    text = text_at(L, clang_getRangeEnd(range), true, &offset, &size);
    if (!text || offset < 2) return 3;
    const char *last = text + offset - 1;
    const bool whole = !isalnum((unsigned char)last[-1]) && last[-1] != '_';
    return whole && *last >= 'x' && *last <= 'z' ? (unsigned)(*last - 'x') : 3;
}

gw_value gw_front_special(gw_lowering *L, CXCursor e) {
    CXCursor base = gw_front_expression(e);
    while (!clang_Cursor_isNull(base) && clang_getCursorKind(base) != CXCursor_DeclRefExpr) {
        enum CXCursorKind k = clang_getCursorKind(base);
        if (k != CXCursor_ParenExpr && k != CXCursor_UnexposedExpr) return 0;
        base = gw_front_expression(base);
    }
    uint32_t kind;
    if (clang_Cursor_isNull(base) || !gw_front_is_special(L, clang_getCursorReferenced(base), &kind)) return 0;
    gw_front_locate(L, base); /* the same with either kind of header */
    CXString member = clang_getCursorSpelling(e);
    const char *m = clang_getCString(member);
    unsigned axis =
        m && m[0] >= 'x' && m[0] <= 'z' && !m[1] ? (unsigned)(m[0] - 'x') : axis_of_text(L, e, kind);
    clang_disposeString(member);
    if (axis < 3) return gw_special_value(&L->b, (gw_special)kind, axis);
    gw_front_refuse(L, e, "this use of a launch variable", "write threadIdx.x and its like in full");
    return gw_int(&L->b, GW_T_U32, 0);
}
