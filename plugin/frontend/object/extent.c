/*
 * frontend/object/extent.c - arrays whose size is known when the program runs: variable-length arrays, malloc,
 * calloc and new, and their end.
 *
 * Each becomes a LOCAL object with an extent, and the variable a pointer to its first element. The rows of a
 * variable-length array of several dimensions lie behind each other in one object, so that all types `T *`,
 * `T [m]` and `T (*)[m]` are pointers to T here and an index is multiplied by the elements of what it counts.
 * Memory ends with the function that the gradient belongs to; free() and delete say where the source must not
 * use it any more (place/block.c).
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

#include <string.h>

/* ---- variable-length arrays ---- */
static uint32_t levels_of(CXType type, uint32_t *rows) {
    CXType t = clang_getCanonicalType(type);
    if (t.kind == CXType_Pointer) t = clang_getCanonicalType(clang_getPointeeType(t));
    uint32_t levels = 0;
    for (*rows = 0;; levels++) {
        bool row = t.kind == CXType_VariableArray;
        if (!row && t.kind != CXType_ConstantArray) return levels;
        *rows += row;
        t = clang_getCanonicalType(clang_getArrayElementType(t));
    }
}

void gw_front_note_extents(gw_lowering *L, CXCursor variable) {
    gw_extents x = {.decl = variable};
    uint32_t levels = levels_of(clang_getCursorType(variable), &x.count);
    gw_cursors sizes = {0};
    if (!x.count) return;
    gw_front_expressions(variable, &sizes);
    const CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
    if (sizes.count && clang_equalCursors(sizes.at[sizes.count - 1], value)) sizes.count--;
    const uint32_t before = sizes.count > levels ? sizes.count - levels : 0; /* typeof's, of the elements */
    if (x.count > GW_EXTENTS || sizes.count < levels)
        gw_front_refuse_sized(L, variable, "such a variable-length array");
    for (uint32_t i = 0; i < x.count && !L->failed; i++) /* the sizes stand in reverse order */
        x.extent[i] = gw_cast(&L->b, GW_T_I64, gw_front_scalar(L, sizes.at[before + levels - 1 - i]));
    gw_vec_free(&sizes);
    if (!L->failed) gw_push(&L->extents, x);
}

static gw_value product(gw_lowering *L, const gw_extents *x, uint32_t last) {
    gw_value all = gw_int(&L->b, GW_T_I64, 1);
    for (uint32_t i = x->count - last; i < x->count; i++) all = gw_binary(&L->b, GW_OP_MUL, all, x->extent[i]);
    return all;
}

static const gw_extents *extents_of(gw_lowering *L, CXCursor e) {
    while (clang_getCursorKind(e) != CXCursor_DeclRefExpr) {
        gw_cursors parts = {0};
        gw_front_expressions(e, &parts);
        CXCursor inner = parts.count ? parts.at[0] : clang_getNullCursor();
        gw_vec_free(&parts);
        if (clang_Cursor_isNull(inner)) return NULL;
        e = inner;
    }
    CXCursor decl = clang_getCursorReferenced(e);
    for (uint32_t i = L->extents.count; i-- > 0;)
        if (clang_equalCursors(L->extents.at[i].decl, decl)) return &L->extents.at[i];
    return NULL;
}

gw_value gw_front_row_size(gw_lowering *L, CXCursor e) {
    uint32_t rows;
    levels_of(clang_getCursorType(e), &rows);
    const gw_extents *x = extents_of(L, e);
    if (x && rows <= x->count) return product(L, x, rows);
    gw_front_refuse(L, e, "a row of this variable-length array", "index the array itself");
    return gw_int(&L->b, GW_T_I64, 1);
}

void gw_front_declare_rows(gw_lowering *L, CXCursor variable) {
    gw_str name = gw_front_intern(L->u, clang_getCursorSpelling(variable));
    CXType type = clang_getCursorType(variable);
    gw_place p = gw_front_temp(L, gw_front_shape(L->u, type), name);
    gw_front_note_extents(L, variable);
    if (L->failed) return;
    const gw_extents *x = &L->extents.at[L->extents.count - 1];
    gw_shape element = gw_front_shape(L->u, gw_front_row_element(type));
    L->naming = name;
    gw_place target = gw_front_allocate(L, element, product(L, x, x->count), false, variable);
    L->naming = 0;
    if (!L->failed) gw_front_point(L, p, target);
    gw_front_bind(L, variable, p);
}

/* ---- the heap ---- */
static bool is_called(gw_lowering *L, CXCursor call, const char *name) {
    if (clang_getCursorKind(call) != CXCursor_CallExpr) return false;
    CXCursor callee = clang_getCursorReferenced(call);
    if (clang_Location_isFromMainFile(clang_getCursorLocation(callee))) return false;
    gw_str spelled = gw_front_intern(L->u, clang_getCursorSpelling(callee));
    return strcmp(GW_FRONT_TEXT(L, spelled), name) == 0;
}

bool gw_front_is_allocation(gw_lowering *L, CXCursor e) {
    return is_called(L, e, "malloc") || is_called(L, e, "calloc") || is_called(L, e, "aligned_alloc");
}

gw_place gw_front_allocation(gw_lowering *L, CXCursor call, CXType pointer) {
    CXType pointee = clang_getPointeeType(clang_getCanonicalType(pointer));
    CXType element = gw_front_row_element(pointee);
    gw_shape shape = gw_front_shape(L->u, element);
    long long size = clang_Type_getSizeOf(clang_getCanonicalType(element));
    gw_place none = {0};
    if (shape == GW_T_VOID || size <= 0) {
        gw_front_refuse(L, call, "memory without a type", "assign it to a pointer to its elements at once");
        return none;
    }
    const bool zeroed = is_called(L, call, "calloc"); /* its size stands second, as that of aligned memory */
    const unsigned second = zeroed || is_called(L, call, "aligned_alloc");
    gw_value bytes = gw_front_scalar(L, clang_Cursor_getArgument(call, second));
    if (zeroed)
        bytes = gw_binary(&L->b, GW_OP_MUL, gw_front_scalar(L, clang_Cursor_getArgument(call, 0)), bytes);
    if (L->failed) return none;
    gw_value count = gw_front_elements_in(L, bytes, shape);
    if (!count) count = gw_binary(&L->b, GW_OP_DIV, bytes, gw_int(&L->b, gw_typeof(L->f, bytes), size));
    return gw_front_allocate(L, shape, count, zeroed, call);
}

gw_place gw_front_raw_allocation(gw_lowering *L, CXCursor call) {
    const bool zeroed = is_called(L, call, "calloc");
    const unsigned second = is_called(L, call, "aligned_alloc");
    gw_value bytes = gw_front_scalar(L, clang_Cursor_getArgument(call, second));
    if (zeroed)
        bytes = gw_binary(&L->b, GW_OP_MUL, bytes, gw_front_scalar(L, clang_Cursor_getArgument(call, 1)));
    return L->failed ? (gw_place){0} : gw_front_stage_bytes(L, bytes, zeroed);
}

typedef enum new_form { NEW_ONE, NEW_ARRAY, NEW_PLACED, NEW_UNREADABLE } new_form;

enum { NEW_LENGTH = 2000 }; /* of the text that is read, at most */

/* The text from `e` on: libclang's extent of an instantiated `new` ends with the word. */
static CXSourceRange text_from(gw_lowering *L, CXCursor e) {
    CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(e));
    CXFile file;
    unsigned offset;
    size_t size = 0;
    clang_getExpansionLocation(start, &file, NULL, NULL, &offset);
    clang_getFileContents(L->u->clang, file, &size);
    unsigned end = size - offset > NEW_LENGTH ? offset + NEW_LENGTH : (unsigned)size;
    return clang_getRange(start, clang_getLocationForOffset(L->u->clang, file, end));
}

/* libclang does not tell a size from an initial value; the text does, if it is not a macro's. */
static new_form form_of(gw_lowering *L, CXCursor e, bool *zeroed) {
    CXToken *tokens = NULL;
    unsigned count = 0, depth = 0;
    enum { BEFORE, FIRST, PLACE, PLACED, TYPE, SIZE, BEHIND, OPEN, DONE } state = BEFORE;
    new_form form = NEW_UNREADABLE;
    *zeroed = false;
    clang_tokenize(L->u->clang, text_from(L, e), &tokens, &count);
    for (unsigned i = 0; i < count && state != DONE; i++) {
        CXString text = clang_getTokenSpelling(L->u->clang, tokens[i]);
        const char *t = clang_getCString(text), c = t[0];
        bool opens = c == '(' || c == '{';
        if (state == BEFORE) {
            if (strcmp(t, "::") != 0) state = strcmp(t, "new") == 0 ? FIRST : DONE;
        } else if (state == FIRST) {
            state = opens ? PLACE : TYPE, depth = opens; /* a place, or a type in brackets */
            form = opens ? NEW_UNREADABLE : NEW_ONE;
        } else if (state == PLACE) {
            depth += c == '(', depth -= c == ')';
            if (!depth) state = PLACED;
        } else if (state == PLACED) {
            state = DONE;
            const CXTokenKind is = clang_getTokenKind(tokens[i]);
            const bool in_scope = c == ':' && t[1] == ':';
            if (is == CXToken_Identifier || is == CXToken_Keyword || in_scope) form = NEW_PLACED;
        } else if (state == TYPE) {
            if (strchr(";,)]}?:", c) && strcmp(t, "::") != 0) state = DONE;
            if (opens) state = OPEN;
            if (c == '[') state = SIZE, form = NEW_ARRAY, depth = 1;
        } else if (state == SIZE) {
            depth += c == '[', depth -= c == ']';
            if (!depth) state = BEHIND;
        } else if (state == BEHIND) {
            state = opens ? OPEN : DONE;
            if (c == '[') state = SIZE, depth = 1;
        } else {
            *zeroed = c == ')' || c == '}';
            state = DONE;
        }
        clang_disposeString(text);
    }
    clang_disposeTokens(L->u->clang, tokens, count);
    return form;
}

/* new (p) T(x): what p leads to is made anew. */
static gw_place new_at(gw_lowering *L, CXCursor e, const gw_cursors *parts, CXType type) {
    const gw_shape shape = gw_front_shape(L->u, type);
    const bool one = parts->count && parts->count <= 2 && clang_getArraySize(type) < 0 &&
                     gw_front_kind_of(L, parts->at[0]) == GW_SHAPE_POINTER;
    gw_place p = {0};
    if (one) p = gw_front_pointer(L, parts->at[0]);
    if (L->failed) return p;
    if (p.kind != GW_PLACE_SLOTS && p.kind != GW_PLACE_MEMORY) p.shape = GW_T_VOID;
    if (p.shape != shape && !gw_front_recast(L, &p, shape))
        gw_front_refuse(L, e, "operator new at a place of another type", "assign to the object that is there");
    else if (parts->count == 2)
        gw_front_initialize(L, p, parts->at[1]);
    else
        gw_front_default_element(L, p, (gw_place){0}, e);
    return p;
}

/* new T[n], new T[n](), new T(x), new T */
gw_place gw_front_new(gw_lowering *L, CXCursor e) {
    gw_cursors parts = {0};
    gw_front_expressions(e, &parts);
    CXType type = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(e)));
    bool zeroed;
    new_form form = form_of(L, e, &zeroed);
    bool array = parts.count && form == NEW_ARRAY;
    uint32_t used = array ? 1 : 0;
    bool initialized = parts.count > used && !zeroed;
    if (initialized && clang_getCursorKind(clang_getCursorReferenced(parts.at[used])) == CXCursor_Constructor)
        initialized = !clang_CXXConstructor_isDefaultConstructor(clang_getCursorReferenced(parts.at[used]));
    gw_place p = {0};
    if (form == NEW_PLACED) {
        p = new_at(L, e, &parts, type);
        gw_vec_free(&parts);
        return p;
    }
    const gw_shape shape = gw_front_shape(L->u, type);
    const bool constructs = !initialized && !gw_front_shape_at(L->u, shape)->library &&
                            gw_front_constructs(L->u, shape); /* defaults of members */
    if (form == NEW_UNREADABLE)
        gw_front_refuse(L, e, "operator new in a macro or with a place", "write `new T[n]` where it is used");
    else if (gw_front_has_constructor(type) || (array && (initialized || constructs)))
        gw_front_refuse(L, e, "operator new with initial values", "assign them to the elements");
    gw_value count = array ? gw_front_scalar(L, parts.at[0]) : gw_int(&L->b, GW_T_U64, 1);
    if (!L->failed) p = gw_front_allocate(L, shape, count, zeroed, e);
    if (!L->failed && initialized) gw_front_initialize(L, p, parts.at[used]);
    if (!L->failed && constructs) gw_front_default_element(L, p, (gw_place){0}, e);
    gw_vec_free(&parts);
    return p;
}

/* What the function allocated ends; null does nothing. A legal source frees what begins there, wherever loops
 * and branches led the pointer. */
static void end_block(gw_lowering *L, gw_place p, void *at) {
    if (gw_front_is_made(L, &p) || p.kind == GW_PLACE_NULL) return;
    if (p.kind != GW_PLACE_MEMORY || p.count != 1 || !gw_object_at(L->f, p.object)->sized) {
        gw_front_refuse(L, *(CXCursor *)at, "freeing what the function did not allocate",
                        "free it in the caller");
        return;
    }
    gw_value none = gw_int(&L->b, GW_T_U64, 0);
    gw_op end = gw_emit(&L->b, GW_OP_DECLARE, GW_T_VOID, 0, &none, 1);
    gw_op_at(L->f, end)->object = p.object;
    gw_op_at(L->f, end)->attr = GW_BLOCK_ENDS;
}

void gw_front_free(gw_lowering *L, CXCursor at, CXCursor pointer) {
    gw_place p = gw_front_pointer(L, pointer);
    if (L->failed || p.kind == GW_PLACE_NONE || p.kind == GW_PLACE_NULL) return;
    if (gw_front_leads_to_device(L, &p)) { /* staged; what the program did not make is an error of the run */
        const gw_value address = gw_front_address(L, p, at);
        if (!L->failed) gw_front_device_op(L, GW_DEVICE_FREE, &address, 1);
    } else if (p.kind == GW_PLACE_CHOICE) {
        gw_front_choice_each(L, p, end_block, &at);
    } else {
        end_block(L, p, &at);
    }
}

bool gw_front_is_free(gw_lowering *L, CXCursor call) { return is_called(L, call, "free"); }
