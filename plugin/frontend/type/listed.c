/*
 * frontend/type/listed.c - classes that tables name: those that are passed over (passed_classes.def), those
 * that can be asked (asked_classes.def), and those of std that are taken as the user's own (open_classes.def).
 */
#include "plugin/frontend/type/type.h"

#include <string.h>

typedef enum passed_of { STD, HEADER } passed_of;
static const struct {
    const char *name;
    passed_of of;
} passed[] = {
#define GW_PASSED_CLASS(name, of) {name, of},
#include "plugin/frontend/type/passed_classes.def"
#undef GW_PASSED_CLASS
};

static bool is_in(CXCursor decl, passed_of of) {
    if (of == STD) return gw_front_in_namespace(decl, "std");
    return clang_getCursorKind(clang_getCursorSemanticParent(decl)) == CXCursor_TranslationUnit &&
           !clang_Location_isFromMainFile(clang_getCursorLocation(decl));
}

static bool is_passed(gw_unit *u, CXType type, passed_of first, passed_of last) {
    CXType t = clang_getCanonicalType(clang_getNonReferenceType(type));
    while (t.kind == CXType_Pointer)
        t = clang_getCanonicalType(clang_getPointeeType(t));
    CXCursor decl = clang_getTypeDeclaration(t);
    if (clang_Cursor_isNull(decl)) return false;
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        if (passed[i].of >= first && passed[i].of <= last && strcmp(passed[i].name, name) == 0)
            return is_in(decl, passed[i].of);
    return false;
}

bool gw_front_is_passed_type(gw_unit *u, CXType type) { return is_passed(u, type, STD, HEADER); }
bool gw_front_is_passed_of_header(gw_unit *u, CXType type) { return is_passed(u, type, HEADER, HEADER); }

static const char *const open_classes[] = {
#define GW_OPEN_CLASS(name) name,
#include "plugin/frontend/type/open_classes.def"
#undef GW_OPEN_CLASS
};

typedef enum asked_is { OWNER, PART } asked_is;
static const struct {
    const char *name;
    asked_is is;
} asked[] = {
#define GW_ASKED_CLASS(name, is) {name, is},
#include "plugin/frontend/type/asked_classes.def"
#undef GW_ASKED_CLASS
};

CXType gw_front_sequence_element(gw_unit *u, CXType type) {
    static const char *const sequences[] = {"vector", "deque", "array"};
    const CXType t = clang_getCanonicalType(clang_getNonReferenceType(type));
    const CXCursor decl = clang_getTypeDeclaration(t);
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        if (strcmp(sequences[i], name) == 0 && gw_front_is_in_std(decl))
            return clang_Type_getTemplateArgumentAsType(t, 0);
    return (CXType){.kind = CXType_Invalid};
}

static bool is_asked(gw_unit *u, CXType type, asked_is last) {
    if (type.kind == CXType_Invalid) return false;
    const CXCursor decl = clang_getTypeDeclaration(clang_getCanonicalType(clang_getNonReferenceType(type)));
    if (clang_Cursor_isNull(decl) || !gw_front_is_in_std(decl)) return false;
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (asked[i].is <= last && strcmp(asked[i].name, name) == 0) return true;
    const CXType element = gw_front_sequence_element(u, type);
    return element.kind != CXType_Invalid && is_asked(u, element, OWNER);
}

bool gw_front_is_asked_class(gw_unit *u, CXType type) { return is_asked(u, type, PART); }
bool gw_front_is_asked_owner(gw_unit *u, CXType type) { return is_asked(u, type, OWNER); }

bool gw_front_steps_aside(gw_unit *u, CXCursor callee) {
    static const char *const names[] = {"next", "prev", "distance"};
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl || !gw_front_is_in_std(callee)) return false;
    const CXType of = clang_getArgType(clang_getCursorType(callee), 0);
    const gw_str name = gw_front_intern(u, clang_getCursorSpelling(callee));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (gw_intern(u->session, names[i]) == name)
            return gw_front_is_asked_class(u, of) && !gw_front_is_asked_owner(u, of);
    return false;
}

bool gw_front_is_asked_by_index(gw_unit *u, CXType type) {
    const CXCursor decl = clang_getTypeDeclaration(clang_getCanonicalType(clang_getNonReferenceType(type)));
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
    return gw_front_sequence_element(u, type).kind != CXType_Invalid || strncmp(name, "basic_string", 12) == 0;
}

bool gw_front_is_open_class(gw_unit *u, CXCursor decl) {
    if (!gw_front_in_namespace(decl, "std")) return false;
    for (; clang_getCursorKind(decl) != CXCursor_Namespace; decl = clang_getCursorSemanticParent(decl)) {
        const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
        for (size_t i = 0; i < sizeof open_classes / sizeof *open_classes; i++)
            if (strcmp(open_classes[i], name) == 0) return true;
    }
    return false;
}
