/*
 * frontend/unit/name.c - names of functions and types: for people, and for text that is emitted.
 *
 * Emitted text stands at namespace scope, below what it names. A type is spelled as what it is, not by a name
 * that the class or function around may have for it; an anonymous namespace, which has no spelling, is left
 * out.
 */
#include "plugin/frontend/unit/unit.h"

#include <ctype.h>
#include <string.h>

/* ---- functions ---- */
/* The namespace or class around; what has no name of its own in a qualified name is passed over. */
static CXCursor named_parent(CXCursor decl) {
    CXCursor c = clang_getCursorSemanticParent(decl);
    for (;; c = clang_getCursorSemanticParent(c)) {
        if (clang_getCursorKind(c) == CXCursor_LinkageSpec || clang_Cursor_isInlineNamespace(c)) continue;
        if (clang_getCursorKind(c) == CXCursor_Namespace && clang_Cursor_isAnonymous(c)) continue;
        return c;
    }
}

static bool is_class(CXCursor c) {
    enum CXCursorKind kind = clang_getCursorKind(c);
    return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl || kind == CXCursor_ClassTemplate ||
           kind == CXCursor_ClassTemplatePartialSpecialization || kind == CXCursor_UnionDecl;
}

static bool is_scope(CXCursor c) { return is_class(c) || clang_getCursorKind(c) == CXCursor_Namespace; }

static gw_str joined(gw_unit *u, gw_str outer, const char *between, gw_str name) {
    if (!outer) return name;
    char *text = gw_format("%s%s%s", gw_cstr(u->session, outer), between, gw_cstr(u->session, name));
    gw_str result = gw_intern(u->session, text);
    free(text);
    return result;
}

gw_str gw_front_qualified(gw_unit *u, CXCursor decl) {
    gw_str name = gw_front_intern(u, clang_getCursorSpelling(decl));
    CXCursor parent = named_parent(decl);
    return is_scope(parent) ? joined(u, gw_front_qualified(u, parent), "::", name) : name;
}

gw_str gw_front_symbol(gw_unit *u, CXCursor function) {
    CXCursor decl = clang_getCanonicalCursor(function);
    gw_str base = gw_front_qualified(u, decl);
    uint32_t number = 1;
    for (uint32_t i = 0; i < u->symbols.count; i++) {
        if (clang_equalCursors(u->symbols.at[i].decl, decl)) return u->symbols.at[i].symbol;
        number += u->symbols.at[i].base == base;
    }
    char *text = number == 1 ? gw_strdup(gw_cstr(u->session, base))
                             : gw_format("%s'%u", gw_cstr(u->session, base), number);
    gw_push(&u->symbols, ((gw_unit_symbol){decl, gw_intern(u->session, text), base}));
    free(text);
    return u->symbols.at[u->symbols.count - 1].symbol;
}

gw_str gw_front_space(gw_unit *u, CXCursor decl) {
    CXCursor parent = named_parent(decl);
    while (is_class(parent))
        parent = named_parent(parent);
    return is_scope(parent) ? gw_front_qualified(u, parent) : 0;
}

gw_str gw_front_stem(gw_unit *u, CXCursor decl) {
    gw_str name = gw_front_intern(u, clang_getCursorSpelling(decl));
    CXCursor parent = named_parent(decl);
    return is_class(parent) ? joined(u, gw_front_stem(u, parent), "_", name) : name;
}

gw_str gw_front_display(gw_unit *u, CXCursor decl) {
    CXCursor parent = named_parent(decl);
    gw_str name = gw_front_intern(u, clang_getCursorSpelling(decl));
    if (is_class(parent)) {
        gw_str outer = gw_front_type_text(u, clang_getCursorType(parent));
        name = joined(u, outer ? outer : gw_front_qualified(u, parent), "::", name);
    } else {
        name = gw_front_qualified(u, decl);
    }
    CXCursor pattern = gw_front_pattern(decl);
    const bool of_function =
        !clang_Cursor_isNull(pattern) && clang_getCursorKind(pattern) == CXCursor_FunctionTemplate;
    if (!of_function && !gw_front_is_of_variable_template(decl)) return name;
    char *text = gw_format("%s<%s>", gw_cstr(u->session, name),
                           gw_cstr(u->session, gw_front_template_arguments(u, decl)));
    name = gw_intern(u->session, text);
    free(text);
    return name;
}

const char *gw_front_builtin_name(const char *name) {
    static const char beginning[] = "__builtin_";
    const size_t n = sizeof beginning - 1;
    return strncmp(name, beginning, n) == 0 ? name + n : NULL;
}

/* Whether the file lies in the folder of cuda_runtime.h, or in one below: a toolkit that is given by -I. */
static bool is_of_toolkit(const gw_unit *u, const char *file) {
    static const char header[] = "/cuda_runtime.h";
    for (uint32_t i = 0; i < u->session->included.count; i++) {
        const char *path = gw_cstr(u->session, u->session->included.at[i]), *slash = strrchr(path, '/');
        if (!slash || strcmp(slash, header) != 0) continue;
        const size_t folder = (size_t)(slash + 1 - path);
        if (strncmp(path, u->run->source, folder) != 0 && strncmp(path, file, folder) == 0) return true;
    }
    return false;
}

/* Declared by nobody: a builtin; or in a header of the system's, of a toolkit or of ours. */
static bool is_foreign(gw_unit *u, CXCursor decl) {
    static const char own[] = "include/gradwright/";
    const CXSourceLocation at = clang_getCursorLocation(decl);
    const gw_loc loc = gw_front_loc(u, at);
    if (!loc.line || clang_Location_isInSystemHeader(at)) return true;
    const char *file = gw_cstr(u->session, loc.file);
    return strstr(file, own) || is_of_toolkit(u, file);
}

static bool is_named(CXCursor callee) {
    return gw_front_in_namespace(callee, "") || gw_front_in_namespace(callee, "std") ||
           gw_front_in_namespace(callee, "__gnu_cxx");
}

bool gw_front_is_known(gw_unit *u, CXCursor callee) {
    const CXCursor definition = clang_getCursorDefinition(callee);
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(callee)));
    if (gw_front_builtin_name(name)) return true;
    if (!is_named(callee) || !clang_Cursor_isNull(definition))
        return is_named(callee) && is_foreign(u, definition);
    return is_foreign(u, callee) || is_foreign(u, clang_getCanonicalCursor(callee)) ||
           strncmp(name, "cuda", 4) == 0;
}

bool gw_front_is_library(gw_unit *u, CXCursor callee) {
    CXSourceLocation at = clang_getCursorLocation(callee); /* of a builtin it may be where it is used */
    const CXCursor definition = clang_getCursorDefinition(callee);
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(callee)));
    if (gw_front_builtin_name(name)) return true;
    if (clang_Location_isFromMainFile(at)) return false;
    const bool is_defined = !clang_Cursor_isNull(definition) && !is_foreign(u, definition);
    return !gw_front_loc(u, at).line || (is_named(callee) && !is_defined);
}

/* ---- types ---- */
bool gw_front_is_lambda(gw_unit *u, CXType type) {
    CXType t = gw_front_bare(type);
    if (t.kind != CXType_Record) return false;
    return strncmp(gw_cstr(u->session, gw_front_intern(u, clang_getTypeSpelling(t))), "(lambda at ", 11) == 0;
}

const gw_captures *gw_front_captures_of(const gw_unit *u, CXType type) {
    const CXType lambda = gw_front_bare(type);
    for (uint32_t i = 0; i < u->captures.count; i++)
        if (clang_equalTypes(u->captures.at[i].lambda, lambda)) return &u->captures.at[i];
    return NULL;
}

/* In place of a lambda's type, the struct that stands for it. */
static bool skip_lambda(const gw_unit *u, const char **p, gw_text *out) {
    for (uint32_t i = 0; i < u->captures.count; i++) {
        const char *text = gw_cstr(u->session, u->captures.at[i].spelled);
        if (strncmp(*p, text, strlen(text)) != 0) continue;
        gw_text_add(out, gw_cstr(u->session, u->captures.at[i].name));
        *p += strlen(text);
        return true;
    }
    return false;
}

/* As emitted text may have it: no anonymous namespaces, __restrict__ as every compiler knows it. */
static gw_str portable(gw_unit *u, gw_str spelled) {
    static const char anonymous[] = "(anonymous namespace)::", restricted[] = "__restrict";
    const char *p = gw_cstr(u->session, spelled);
    if (!strstr(p, anonymous) && !strstr(p, restricted) && !u->captures.count) return spelled;
    gw_text out = {0};
    while (*p) {
        if (skip_lambda(u, &p, &out)) continue;
        if (strncmp(p, anonymous, sizeof anonymous - 1) == 0) {
            p += sizeof anonymous - 1;
            continue;
        }
        gw_text_add_char(&out, *p);
        bool ends = out.count >= sizeof restricted - 1 && !isalnum((unsigned char)p[1]) && p[1] != '_' &&
                    strcmp(out.at + out.count - (sizeof restricted - 1), restricted) == 0;
        if (ends) gw_text_add(&out, "__");
        p++;
    }
    gw_str result = gw_intern(u->session, out.at ? out.at : "");
    gw_text_free(&out);
    return result;
}

gw_str gw_front_spelled_type(gw_unit *u, CXType type) {
    return portable(u, gw_front_intern(u, clang_getTypeSpelling(type)));
}

/* What a header that is read in another one's place calls a type is another type there. */
bool gw_front_keeps_name(gw_unit *u, CXType type) {
    const CXCursor decl = clang_getTypeDeclaration(type);
    return clang_getCursorKind(decl) == CXCursor_TypedefDecl &&
           gw_front_is_annotated(u, decl, "gradwright:for_another");
}

CXType gw_front_named_type(gw_unit *u, CXType type) {
    return gw_front_keeps_name(u, type) ? type : clang_getCanonicalType(type);
}

gw_str gw_front_type_text(gw_unit *u, CXType type) {
    return gw_front_spelled_type(u, gw_front_named_type(u, type));
}

gw_str gw_front_enumeration(gw_unit *u, CXType type) {
    CXType t = clang_getCanonicalType(clang_getNonReferenceType(type));
    for (CXType inner = t; inner.kind != CXType_Invalid;) {
        t = clang_getCanonicalType(inner);
        inner = clang_getArrayElementType(t);
        if (inner.kind == CXType_Invalid) inner = clang_getPointeeType(t);
    }
    if (t.kind != CXType_Enum || u->session->is_c) return 0;
    return gw_front_type_text(u, clang_getUnqualifiedType(t));
}

/* Clang calls what has no name "(unnamed struct at x.cpp:1:1)", "(lambda at ...)". */
bool gw_front_is_spelled(gw_unit *u, gw_str type) {
    const char *text = gw_cstr(u->session, type);
    return !strstr(text, "(unnamed ") && !strstr(text, "(lambda at ") && !strstr(text, "(anonymous ");
}

bool gw_front_is_of_function(CXCursor decl) {
    CXCursor c = clang_getCursorSemanticParent(decl);
    while (is_scope(c))
        c = clang_getCursorSemanticParent(c);
    return !clang_Cursor_isNull(c) && !clang_isInvalid(clang_getCursorKind(c)) &&
           clang_getCursorKind(c) != CXCursor_TranslationUnit && clang_getCursorKind(c) != CXCursor_LinkageSpec;
}

bool gw_front_is_closed(CXCursor decl) {
    const enum CX_CXXAccessSpecifier access = clang_getCXXAccessSpecifier(decl);
    return access == CX_CXXPrivate || access == CX_CXXProtected;
}

bool gw_front_is_closed_type(CXType type) {
    CXCursor c = clang_getTypeDeclaration(type);
    bool closed = false;
    for (; !closed && (is_class(c) || clang_getCursorKind(c) == CXCursor_EnumDecl);
         c = clang_getCursorSemanticParent(c))
        closed = gw_front_is_closed(c);
    return closed;
}

const char *gw_front_nameless(gw_unit *u, CXType type) {
    CXType t = clang_getCanonicalType(clang_getNonReferenceType(type));
    for (CXType inner = t; inner.kind != CXType_Invalid;) {
        t = clang_getCanonicalType(inner);
        inner = clang_getArrayElementType(t);
        if (inner.kind == CXType_Invalid) inner = clang_getPointeeType(t);
    }
    if (t.kind != CXType_Record && t.kind != CXType_Enum) return NULL;
    if (gw_front_captures_of(u, t)) return NULL;
    const char *why = NULL;
    for (int i = 0; i < clang_Type_getNumTemplateArguments(t) && !why; i++) {
        CXType argument = clang_Type_getTemplateArgumentAsType(t, (unsigned)i);
        if (argument.kind != CXType_Invalid) why = gw_front_nameless(u, argument);
    }
    if (gw_front_is_lambda(u, t)) return "a lambda";
    if (!why && gw_front_is_of_function(clang_getTypeDeclaration(t))) why = "a type that a function declares";
    if (!why && gw_front_is_closed_type(t)) why = "a type that is not public";
    if (!why && !gw_front_is_spelled(u, gw_front_type_text(u, t))) why = "a type without a name";
    return why;
}

gw_str gw_front_type_key(gw_unit *u, CXType type) {
    if (gw_front_captures_of(u, type)) return gw_front_captures_of(u, type)->name;
    gw_str key = gw_front_intern(u, clang_getTypeSpelling(type));
    CXType t = clang_getCanonicalType(type);
    for (;;) {
        CXType inner = clang_getArrayElementType(t);
        if (inner.kind == CXType_Invalid) inner = clang_getPointeeType(t);
        if (inner.kind == CXType_Invalid) break;
        t = clang_getCanonicalType(inner);
    }
    CXCursor decl = clang_getTypeDeclaration(t);
    if (is_class(decl) && gw_front_is_of_function(decl))
        key = joined(u, key, " ", gw_front_intern(u, clang_getCursorUSR(decl)));
    for (int i = 0; i < clang_Type_getNumTemplateArguments(t); i++) {
        CXType argument = clang_Type_getTemplateArgumentAsType(t, (unsigned)i);
        if (argument.kind == CXType_Invalid) continue;
        gw_str spelled = gw_front_intern(u, clang_getTypeSpelling(argument)),
               own = gw_front_type_key(u, argument);
        if (own != spelled) key = joined(u, key, " ", own);
    }
    return key;
}
