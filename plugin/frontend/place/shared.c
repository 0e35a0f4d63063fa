/*
 * frontend/place/shared.c - __shared__ variables.
 *
 * A shared variable is one object of the kernel, wherever it is declared: in an inlined function, in a loop or
 * at file scope, each declaration is met once. An extern one is a pointer to its first element; CUDA lays all
 * of them over each other. One that is named only to cast it to pointers of one type consists of what these
 * lead to: templates declare theirs as integers, since a name can have one type.
 *
 * Where a kernel takes the memory for cells of several types, or by several names, it is lowered again and
 * carved: all of the memory is an object for each type of cells, which emission gives memory of its own. So the
 * objects are disjoint whatever the offsets are, and whatever lies over what between two barriers. What is
 * believed is that a cell is read as the type that it was stored as, which is C++'s own rule; memory that is
 * only read or only stored to as one type is refused. Structs of numbers of one type are rows of these
 * numbers, and unsigned integers are seen as signed ones, since both may be read as the other.
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"

#include <ctype.h>
#include <string.h>

bool gw_front_is_shared(CXCursor variable) { return gw_front_has_attribute(variable, CXCursor_CUDASharedAttr); }

static bool is_dynamic(CXCursor variable) {
    return clang_getCanonicalType(clang_getCursorType(variable)).kind == CXType_IncompleteArray;
}

/* The places where a function names a dynamic array. */
typedef struct shared_uses {
    CXCursor variable;
    CXType cell; /* of the pointers that it is cast to */
    unsigned names, casts;
    bool differ; /* the casts */
} shared_uses;

static bool is_name_of(CXCursor e, CXCursor variable) {
    while (clang_getCursorKind(e) == CXCursor_ParenExpr || clang_getCursorKind(e) == CXCursor_UnexposedExpr)
        e = gw_front_expression(e);
    return clang_getCursorKind(e) == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(e), variable);
}

static enum CXChildVisitResult visit_use(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    shared_uses *uses = data;
    enum CXCursorKind kind = clang_getCursorKind(c);
    if (kind == CXCursor_DeclRefExpr && is_name_of(c, uses->variable)) uses->names++;
    if (kind != CXCursor_CStyleCastExpr && kind != CXCursor_CXXReinterpretCastExpr) return CXChildVisit_Recurse;
    CXType to = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(c)));
    if (to.kind == CXType_Invalid || !is_name_of(gw_front_expression(c), uses->variable))
        return CXChildVisit_Recurse;
    CXType cell = clang_getUnqualifiedType(to);
    if (uses->casts++) uses->differ |= !clang_equalTypes(uses->cell, cell);
    uses->cell = cell;
    return CXChildVisit_Recurse;
}

/* The type of a dynamic array's cells. */
static CXType cell_type(CXCursor variable) {
    shared_uses uses = {.variable = variable};
    CXCursor function = clang_getCursorLexicalParent(variable);
    CXCursor body =
        clang_isDeclaration(clang_getCursorKind(function)) ? gw_front_body(function) : clang_getNullCursor();
    if (!clang_Cursor_isNull(body)) clang_visitChildren(body, visit_use, &uses);
    bool casts = uses.casts && uses.casts == uses.names && !uses.differ && uses.cell.kind != CXType_Void;
    return casts ? uses.cell : clang_getArrayElementType(clang_getCanonicalType(clang_getCursorType(variable)));
}

/* What speaks against cells of this shape; NULL if nothing does. */
static const char *refused_cell(gw_lowering *L, gw_shape cell, bool dynamic) {
    const gw_shape_data *d = gw_front_shape_at(L->u, cell);
    if (d->kind == GW_SHAPE_OPAQUE) return d->refusal->what;
    /* What frontend/place/split.c takes apart has no place in memory that another array could lie over. */
    bool none = d->has_pointer || (d->split && dynamic) || d->type == GW_T_VOID;
    return none ? "shared memory of this type" : NULL;
}

/* What speaks against the variable; NULL if nothing does. */
static const char *refusal(gw_lowering *L, CXCursor variable, gw_shape cell, const char **way_out) {
    *way_out = "declare shared arrays of plain numbers and structs";
    if (L->f->kind != GW_FUNC_KERNEL) {
        *way_out = "request the derivative of the kernel that calls it";
        return "shared memory outside of a kernel";
    }
    return refused_cell(L, cell, is_dynamic(variable));
}

static gw_object make(gw_lowering *L, gw_str name, gw_shape cell, bool dynamic) {
    gw_object o = gw_front_local(L, name, gw_front_shape_at(L->u, cell)->type);
    gw_object_at(L->f, o)->kind = GW_OBJECT_SHARED;
    gw_object_at(L->f, o)->sized = dynamic;
    return o;
}

/* ---- dynamic memory ---- */
bool gw_front_is_dynamic_shared(const gw_lowering *L, gw_object o) {
    return gw_object_at(L->f, o)->kind == GW_OBJECT_SHARED && gw_object_at(L->f, o)->sized;
}

static gw_object find_dynamic(const gw_lowering *L, gw_type type) {
    for (gw_object o = 1; o < L->f->objects.count; o++)
        if (gw_front_is_dynamic_shared(L, o) && (!type || gw_object_at(L->f, o)->type == type)) return o;
    return 0;
}

/* "memory_float" */
static gw_str name_of_cells(gw_lowering *L, gw_shape cell) {
    char *text = gw_format("%s_%s", GW_FRONT_TEXT(L, L->shared_name),
                           gw_type_c(L->session, gw_front_shape_at(L->u, cell)->type));
    for (char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    gw_str name = gw_intern(L->session, text);
    free(text);
    return name;
}

/* The other integer type of the same width; either may be read as the other. */
static gw_type of_other_sign(gw_type type) {
    static const gw_type pairs[][2] = {
        {GW_T_I8, GW_T_U8}, {GW_T_I16, GW_T_U16}, {GW_T_I32, GW_T_U32}, {GW_T_I64, GW_T_U64}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int k = 0; k < 2; k++)
            if (pairs[i][k] == type) return pairs[i][1 - k];
    return GW_T_VOID;
}

bool gw_front_carve(gw_lowering *L, gw_place *p, gw_value index, gw_shape from, gw_shape wanted) {
    gw_shape cell = gw_front_cell_of_views(L->u, wanted);
    if (refused_cell(L, cell, true)) return false;
    gw_object o = find_dynamic(L, gw_front_shape_at(L->u, cell)->type);
    gw_shape twin = cell < GW_T_SCALARS ? of_other_sign((gw_type)cell) : GW_T_VOID;
    if (!o && twin != GW_T_VOID && (o = find_dynamic(L, twin))) cell = twin;
    if (!o) o = make(L, name_of_cells(L, cell), cell, true);
    gw_place made = {.kind = GW_PLACE_MEMORY, .shape = cell, .object = o, .detached = p->detached};
    made.path = gw_intern(L->session, "[]");
    made.index[made.count++] = gw_front_rescale(L, index, from, cell);
    *p = made;
    if (cell == wanted) return true;
    if (gw_front_shape_kind(L->u, wanted) != GW_SHAPE_SCALAR) return gw_front_reshape(L, p, wanted);
    p->cell = cell, p->shape = wanted;
    return true;
}

/* Its first element. */
static gw_place dynamic_place(gw_lowering *L, CXCursor variable) {
    CXType type = L->carves ? clang_getArrayElementType(clang_getCanonicalType(clang_getCursorType(variable)))
                            : cell_type(variable);
    gw_shape cell = gw_front_shape(L->u, type);
    gw_place p = {.kind = GW_PLACE_MEMORY, .shape = cell};
    gw_str name = gw_front_intern(L->u, clang_getCursorSpelling(variable));
    gw_value zero = gw_int(&L->b, GW_T_I64, 0);
    if (!L->shared_name) L->shared_name = name;
    p.path = gw_intern(L->session, "[]");
    p.index[p.count++] = zero;
    p.object = find_dynamic(L, GW_T_VOID);
    gw_type held = gw_front_shape_at(L->u, cell)->type;
    if (L->carves) {
        gw_front_carve(L, &p, zero, cell, cell);
    } else if (!p.object) {
        p.object = make(L, name, cell, true);
    } else if (name != L->shared_name || gw_object_at(L->f, p.object)->type != held) {
        L->must_carve = L->failed = true;
    }
    gw_place pointer = gw_front_temp(L, gw_front_pointer_shape(L->u, type), 0);
    if (!L->failed) gw_front_point(L, pointer, p);
    return pointer;
}

/* What is done to a dynamic array: the first op that does it, 0: none does. */
typedef struct shared_accesses {
    gw_op load, store;
} shared_accesses;

static shared_accesses accesses_of(const gw_func *f, gw_object o) {
    shared_accesses found = {0};
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        if (d->dead || d->object != o) continue;
        bool both = d->code == GW_OP_ATOMIC || d->code == GW_OP_ADDRESS;
        if (!found.load && (both || d->code == GW_OP_LOAD)) found.load = op;
        if (!found.store && (both || d->code == GW_OP_STORE)) found.store = op;
    }
    return found;
}

bool gw_front_check_carved(gw_lowering *L) {
    for (gw_object o = 1; L->carves && o < L->f->objects.count; o++) {
        if (!gw_front_is_dynamic_shared(L, o)) continue;
        shared_accesses a = accesses_of(L->f, o);
        if (!a.load == !a.store) continue;
        gw_diag(L->session, GW_DIAG_UNSUPPORTED, gw_op_at(L->f, a.load ? a.load : a.store)->loc,
                a.load ? "shared memory that is read as a type that nothing is stored as"
                       : "shared memory that is stored to as a type that nothing is read as",
                "read what was stored by the type that it was stored as; bits are __float_as_int(x)");
        return false;
    }
    return true;
}

gw_place gw_front_shared(gw_lowering *L, CXCursor variable, CXCursor use) {
    bool dynamic = is_dynamic(variable);
    CXType type = dynamic ? cell_type(variable) : clang_getCursorType(variable);
    gw_shape cell = gw_front_shape(L->u, type);
    gw_place p = {.kind = GW_PLACE_MEMORY, .shape = cell};
    const char *way_out, *what = refusal(L, variable, cell, &way_out);
    if (gw_front_shape_at(L->u, cell)->refusal == GW_REFUSED(UNION))
        way_out = "declare a shared variable for each of its members";
    if (what) gw_front_refuse(L, use, what, way_out);
    if (L->failed) return (gw_place){0};
    if (dynamic) return dynamic_place(L, variable);
    variable = clang_getCanonicalCursor(variable);
    for (uint32_t i = 0; i < L->globals.count; i++)
        if (clang_equalCursors(L->globals.at[i].decl, variable)) p.object = L->globals.at[i].object;
    if (p.object) return p;
    p.object = make(L, gw_front_intern(L->u, clang_getCursorSpelling(variable)), cell, false);
    gw_object_at(L->f, p.object)->loc = gw_front_loc(L->u, clang_getCursorLocation(variable));
    gw_push(&L->globals, ((gw_global){variable, p.object}));
    return p;
}
