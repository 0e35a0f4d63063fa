/*
 * frontend/type/row.c - types of arrays whose size is known when the program runs, and of parameters that are
 * written as arrays.
 *
 * The rows of a variable-length array of several dimensions lie behind each other in one object, so that all
 * types `T *`, `T [m]` and `T (*)[m]` are pointers to T here (frontend/object/extent.c).
 */
#include "plugin/frontend/type/type.h"

#include <string.h>

/* libclang shows a parameter that was written as an array as that array. */
static bool is_array(CXType t) {
    return t.kind == CXType_VariableArray || t.kind == CXType_IncompleteArray || t.kind == CXType_ConstantArray;
}

/* A canonical array has its elements' const itself, and libclang does not hand it on to them: better as it was
 * written. */
static CXType element_of(CXType array) {
    return clang_getArrayElementType(is_array(array) ? array : clang_getCanonicalType(array));
}

CXType gw_front_row_element(CXType type) {
    while (gw_front_is_row(type)) type = element_of(type);
    return type;
}

bool gw_front_is_row(CXType type) { return clang_getCanonicalType(type).kind == CXType_VariableArray; }

bool gw_front_decays(CXType parameter) {
    CXType t = clang_getCanonicalType(parameter);
    return is_array(t) || (t.kind == CXType_Pointer && gw_front_is_row(clang_getPointeeType(t)));
}

CXType gw_front_parameter_cell(CXType type) {
    CXType t = clang_getCanonicalType(type);
    return gw_front_row_element(is_array(t) ? element_of(type) : clang_getPointeeType(t));
}

char *gw_front_decayed_text(gw_unit *u, CXType type) {
    CXType t = clang_getCanonicalType(type), cell = gw_front_parameter_cell(type);
    const char *text = gw_cstr(u->session, gw_front_type_text(u, cell)), *row = strchr(text, '[');
    /* of a typedef */
    const char *lead = is_array(t) && clang_isConstQualifiedType(t) && !strstr(text, "const") ? "const " : "";
    const size_t n = strlen(text);
    if (row) return gw_format("%s%.*s (*)%s", lead, (int)(row - text), text, row);
    return gw_format("%s%s%s*", lead, text, n && text[n - 1] == '*' ? "" : " ");
}
