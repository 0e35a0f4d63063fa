/*
 * frontend/type/shape.c - shapes: what the front end knows of a C++ type.
 *
 * Guarantees: one shape for one canonical unqualified type; a scalar's shape is its gw_type. A pointee
 * is looked up when it is needed, so that types may point to themselves.
 */
#include "plugin/frontend/type/layout_private.h"

#include <string.h>

static const struct {
    enum CXTypeKind clang;
    gw_type type;
} scalars[] = {
    {CXType_Void, GW_T_VOID},     {CXType_Bool, GW_T_BOOL},      {CXType_Char_U, GW_T_U8},
    {CXType_UChar, GW_T_U8},      {CXType_Char16, GW_T_U16},     {CXType_Char32, GW_T_U32},
    {CXType_UShort, GW_T_U16},    {CXType_UInt, GW_T_U32},       {CXType_ULong, GW_T_U64},
    {CXType_ULongLong, GW_T_U64}, {CXType_Char_S, GW_T_I8},      {CXType_SChar, GW_T_I8},
    {CXType_WChar, GW_T_I32},     {CXType_Short, GW_T_I16},      {CXType_Int, GW_T_I32},
    {CXType_Long, GW_T_I64},      {CXType_LongLong, GW_T_I64},   {CXType_Float, GW_T_F32},
    {CXType_Double, GW_T_F64},    {CXType_LongDouble, GW_T_F80}, {CXType_NullPtr, GW_T_I64},
};

/* Types that are refused by name, with what the message calls them. */
static const struct {
    enum CXTypeKind clang;
    const gw_refusal *refusal;
} refused[] = {
    {CXType_Half, GW_REFUSED(HALF)},
    {CXType_Float16, GW_REFUSED(HALF)},
    {CXType_BFloat16, GW_REFUSED(BFLOAT16)},
    {CXType_Float128, GW_REFUSED(FLOAT128)},
    {CXType_Int128, GW_REFUSED(INT128)},
    {CXType_UInt128, GW_REFUSED(INT128)},
    {CXType_Vector, GW_REFUSED(VECTOR_TYPE)},
    {CXType_ExtVector, GW_REFUSED(VECTOR_TYPE)},
    {CXType_IncompleteArray, GW_REFUSED(UNSIZED_ARRAY)},
    {CXType_MemberPointer, GW_REFUSED(MEMBER_POINTER)},
    {CXType_Atomic, GW_REFUSED(ATOMIC_TYPE)},
    {CXType_FunctionProto, GW_REFUSED(FUNCTION)},
    {CXType_FunctionNoProto, GW_REFUSED(FUNCTION)},
};

void gw_front_shapes_start(gw_unit *u) {
    for (gw_type t = 0; t < GW_T_SCALARS; t++)
        gw_push(&u->shapes, ((gw_shape_data){.kind = GW_SHAPE_SCALAR, .type = t, .leaves = t != GW_T_VOID}));
}

void gw_front_shapes_end(gw_unit *u) {
    gw_vec_free(&u->shapes);
    gw_vec_free(&u->fields);
    for (uint32_t i = 0; i < u->refusals.count; i++) free(u->refusals.at[i]);
    gw_vec_free(&u->refusals);
    gw_vec_free(&u->gradients);
    gw_vec_free(&u->own_files);
    gw_front_forget_stand_ins(&u->stand_in_files);
    gw_front_forget_stand_ins(&u->joined);
    gw_vec_free(&u->shape_by_name);
    gw_vec_free(&u->making);
    gw_vec_free(&u->named);
    gw_vec_free(&u->symbols);
    gw_vec_free(&u->callees);
    gw_vec_free(&u->passed_over);
    gw_vec_free(&u->recursions);
    gw_vec_free(&u->functions);
    gw_vec_free(&u->taken);
    gw_vec_free(&u->classes);
}

static gw_shape add_shape(gw_unit *u, gw_shape_data data) {
    gw_push(&u->shapes, data);
    return u->shapes.count - 1;
}

static gw_shape opaque(gw_unit *u, const gw_refusal *refusal, CXType type) {
    return add_shape(u, (gw_shape_data){.kind = GW_SHAPE_OPAQUE, .refusal = refusal, .clang = type});
}

/* An array of pointers is a slot for each, if these are not too many; any other array is memory. */
enum { MOST_LEAVES = 64, MOST_OF_STRUCTS = 128 }; /* 26 neighbours, and the requests of MPI for each */

static uint32_t leaves_of_array(const gw_shape_data *element, long long count) {
    const long long most = element->kind == GW_SHAPE_STRUCT ? MOST_OF_STRUCTS : MOST_LEAVES;
    const bool few = element->has_pointer && element->leaves && count * element->leaves <= most;
    return few ? (uint32_t)count * element->leaves : 0;
}

/* Indices of what the front end makes are int. */
#define TOO_MANY GW_REFUSED(ARRAY_TOO_LONG)

/* What no text has cells of is a variable of its own, or a member of one. */
static const gw_refusal *beside_cells(gw_unit *u, const gw_shape_data *d) {
    if (!d->no_cells) return NULL;
    return gw_front_refused_class(u, d->holds_span ? "span in an array" : "optional in an array");
}

static const gw_refusal *no_cell(gw_unit *u, gw_shape s) { return beside_cells(u, gw_front_shape_at(u, s)); }

static gw_shape array_shape(gw_unit *u, CXType type) {
    gw_shape element = gw_front_shape(u, clang_getArrayElementType(type));
    gw_shape_data e = *gw_front_shape_at(u, element);
    long long count = clang_getArraySize(type);
    if (e.kind == GW_SHAPE_OPAQUE) return opaque(u, e.refusal, type);
    if (no_cell(u, element)) return opaque(u, no_cell(u, element), type);
    if (count > INT32_MAX) return opaque(u, TOO_MANY, type);
    if (count <= 0) return opaque(u, GW_REFUSED(UNSIZED_ARRAY), type);
    gw_shape_data a = {.kind = GW_SHAPE_ARRAY, .count = (uint32_t)count, .element = element, .clang = type};
    a.has_pointer = e.has_pointer, a.destructs = e.destructs;
    a.leaves = leaves_of_array(&e, count);
    a.type = gw_type_array(u->session, gw_front_ir_type(u, element), a.count);
    return add_shape(u, a);
}

/* One without a name is named by its member. */
static gw_str enumeration_of(gw_record *r, CXCursor decl) {
    CXType type = clang_getCursorType(decl);
    gw_str text = gw_front_enumeration(r->u, type), owner = 0;
    const bool closed = text && gw_front_is_closed_type(clang_getCanonicalType(type));
    if (!text || (gw_front_is_spelled(r->u, text) && !closed)) return text;
    owner = gw_front_type_text(r->u, clang_getCursorType(clang_getCursorSemanticParent(decl)));
    if (clang_getCanonicalType(type).kind != CXType_Enum || !gw_front_is_spelled(r->u, owner)) {
        r->refusal = GW_REFUSED(UNNAMED_ENUMERATION);
        return 0;
    }
    const bool opens = gw_front_is_closed(decl);
    char *made = gw_format(opens ? "gw_cell<decltype(gw_open_%2$s(gw_of<%1$s &>()))>" : "decltype(%1$s::%2$s)",
                           gw_cstr(r->u->session, owner),
                           gw_cstr(r->u->session, gw_front_intern(r->u, clang_getCursorSpelling(decl))));
    text = gw_intern(r->u->session, made);
    free(made);
    return text;
}

/* What an attribute of a launch is set to: nobody reads it by another member, so that members may lie apart;
 * those with pointers and arrays are left out. */
static bool is_set_only(gw_unit *u, CXCursor decl) {
    return gw_front_intern(u, clang_getCursorSpelling(decl)) ==
           gw_intern(u->session, "cudaLaunchAttributeValue");
}

static bool is_left_out(const gw_record *r, gw_shape s) {
    const gw_shape_data *d = gw_front_shape_at(r->u, s);
    return r->set_only && (d->has_pointer || d->has_array ||
                           (d->kind != GW_SHAPE_SCALAR && d->kind != GW_SHAPE_STRUCT));
}

/* Room for later versions, in a struct of CUDA's with pointers, which could not be a variable with an array. */
static bool is_reserve(gw_unit *u, CXCursor field) {
    const CXCursor of = clang_getCursorSemanticParent(field);
    const gw_str name = gw_front_intern(u, clang_getCursorSpelling(field));
    const gw_str type = gw_front_intern(u, clang_getCursorSpelling(of));
    return clang_getCursorType(field).kind == CXType_ConstantArray &&
           name == gw_intern(u->session, "reserved") &&
           type == gw_intern(u->session, "cudaPointerAttributes");
}

static bool is_text(gw_unit *u, gw_shape s) {
    const gw_shape_data *d = gw_front_shape_at(u, s);
    return d->kind == GW_SHAPE_OPAQUE && d->refusal &&
           (gw_front_is_passed_type(u, d->clang) || gw_front_is_asked_owner(u, d->clang));
}

static gw_shape reference_shape(gw_unit *u, CXType type) {
    const CXType to = clang_getPointeeType(clang_getCanonicalType(type));
    const gw_shape_data *d = gw_front_shape_at(u, gw_front_shape(u, to));
    if (d->kind == GW_SHAPE_OPAQUE) return opaque(u, d->refusal, type);
    return add_shape(u, (gw_shape_data){.kind = GW_SHAPE_POINTER,
                                        .leaves = 1,
                                        .has_pointer = true,
                                        .is_reference = true,
                                        .clang = gw_front_row_element(to)});
}

static enum CXVisitorResult add_field(CXCursor decl, CXClientData data) {
    gw_record *r = data;
    gw_shape_field f = {.decl = decl, .name = gw_front_intern(r->u, clang_getCursorSpelling(decl))};
    CXType type = clang_getCursorType(decl);
    if (is_reserve(r->u, decl)) return CXVisit_Continue;
    f.shape = gw_front_is_reference(type) ? reference_shape(r->u, type) : gw_front_shape(r->u, type);
    if (is_left_out(r, f.shape)) return CXVisit_Continue;
    f.detached = gw_front_is_nondifferentiable(r->u, decl);
    f.is_text = is_text(r->u, f.shape);
    f.is_base = f.is_anonymous = clang_Cursor_isAnonymousRecordDecl(clang_getTypeDeclaration(type)) != 0;
    f.enumeration = enumeration_of(r, decl);
    if (f.is_anonymous) f.name = 0;
    if (clang_Cursor_isBitField(decl)) f.bits = (uint32_t)clang_getFieldDeclBitWidth(decl);
    if (f.bits && !f.name) return CXVisit_Continue; /* a gap */
    if (!f.name && !f.is_anonymous)
        r->refusal = GW_REFUSED(UNNAMED_MEMBER);
    else if (clang_isVolatileQualifiedType(clang_getCanonicalType(type)))
        r->refusal = GW_REFUSED(VOLATILE_MEMBER);
    else if (gw_front_shape_kind(r->u, f.shape) == GW_SHAPE_OPAQUE && (!f.is_text || r->is_union))
        r->refusal = gw_front_shape_at(r->u, f.shape)->refusal;
    else if (!r->half_pair && gw_front_shape_kind(r->u, f.shape) != GW_SHAPE_POINTER &&
             gw_front_holds_half(r->u, f.shape))
        r->refusal = GW_REFUSED(HALF_MEMBER);
    gw_push(&r->fields, f);
    return CXVisit_Continue;
}

/* A base class is a field without a name: its members are reached as the struct's own. */
static void add_bases(gw_record *r, CXType type) {
    gw_cursors bases = {0};
    gw_front_bases(type, &bases);
    for (uint32_t i = 0; i < bases.count && !r->refusal; i++) {
        gw_shape_field f = {.decl = bases.at[i], .is_base = true};
        f.shape = gw_front_shape(r->u, clang_getCursorType(bases.at[i]));
        const gw_shape_data *base = gw_front_shape_at(r->u, f.shape);
        if (clang_isVirtualBase(bases.at[i]))
            r->refusal = GW_REFUSED(VIRTUAL_BASE);
        else if (base->kind != GW_SHAPE_STRUCT)
            r->refusal = base->refusal ? base->refusal : GW_REFUSED(BASE);
        gw_push(&r->fields, f);
    }
    gw_vec_free(&bases);
}

static bool examine_methods(gw_record *r, CXType type) {
    gw_cursors methods = {0};
    bool special = false;
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(methods.at[i]);
        special |= kind == CXCursor_Constructor && !clang_CXXMethod_isDefaulted(methods.at[i]);
        special |= kind == CXCursor_CXXMethod && clang_CXXMethod_isVirtual(methods.at[i]);
        r->is_dynamic |= clang_CXXMethod_isVirtual(methods.at[i]) != 0;
    }
    gw_vec_free(&methods);
    r->destructs = !clang_Cursor_isNull(gw_front_destructor(type));
    return special || r->destructs;
}

/* A member that {} does not make zero, or that cannot be assigned to. */
static bool needs_code(gw_unit *u, CXCursor field) {
    if (clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(field)))) return true;
    return gw_front_default(u, field).is_given;
}

static bool is_split(const gw_unit *u, gw_shape s) {
    while (gw_front_shape_kind(u, s) == GW_SHAPE_ARRAY) s = gw_front_shape_at(u, s)->element;
    return gw_front_shape_at(u, s)->split;
}

static void lay_out(gw_record *r, gw_shape_data *d) {
    gw_unit *u = r->u;
    bool is_whole = false; /* no part of it can stand apart */
    for (uint32_t i = 0; i < r->fields.count; i++) /* makes the types that its pointers lead to */
        if (gw_front_holds(d, i) && !r->fields.at[i].is_text)
            gw_record_add_fields(r, &r->fields.at[i], gw_front_ir_type(u, r->fields.at[i].shape));
    d->first = u->fields.count;
    for (uint32_t i = 0; i < r->fields.count; i++) {
        gw_shape_field *f = &r->fields.at[i];
        const gw_shape_data *of = gw_front_shape_at(u, f->shape);
        f->leaf = d->leaves;
        gw_push(&u->fields, *f);
        d->split |= is_split(u, f->shape) || of->is_reference || f->is_base || f->is_text;
        d->split |= !r->lambda && needs_code(u, f->decl);
        if (!gw_front_holds(d, i) || f->is_text) continue;
        const bool in_arrays =
            !of->leaves && !of->has_pointer && (of->kind != GW_SHAPE_STRUCT || of->has_array);
        const bool is_apart = in_arrays && !f->is_base; /* a base leads back to the whole */
        u->fields.at[u->fields.count - 1].is_apart = is_apart;
        d->leaves += is_apart ? 1 : of->leaves;
        d->has_array |= in_arrays;
        d->has_pointer |= of->has_pointer;
        d->no_cells |= of->no_cells, d->holds_span |= of->holds_span;
        d->destructs |= of->destructs;
        is_whole |= (!of->leaves && of->has_pointer) || (in_arrays && f->is_base);
    }
    if (is_whole && d->no_cells) r->refusal = beside_cells(u, d);
    if (is_whole || (d->has_array && !d->has_pointer && !d->no_cells)) d->leaves = 0;
}

/* The state of a lambda is what it holds copies of; what it refers to stays where it is. */
static void add_copies(gw_record *r, CXType type) {
    gw_cursors copies = {0};
    gw_front_captures(r->u, type, &copies, &r->refusal);
    for (uint32_t i = 0; i < copies.count; i++) {
        gw_shape_field f = {.decl = copies.at[i]};
        f.name = gw_front_intern(r->u, clang_getCursorSpelling(copies.at[i]));
        f.shape = gw_front_shape(r->u, clang_getCursorType(copies.at[i]));
        f.is_text = is_text(r->u, f.shape);
        gw_push(&r->fields, f);
    }
    gw_vec_free(&copies);
}

static bool is_cuda_atomic(gw_unit *u, CXCursor decl) {
    return gw_front_intern(u, clang_getCursorSpelling(decl)) == gw_intern(u->session, "atomic") &&
           gw_front_in_namespace(decl, "cuda");
}

/* The union in cudaResourceDesc, of which nobody reads another member than was written: its members lie side by
 * side here, but for the room that it reserves. */
static bool is_of_resource(gw_unit *u, CXCursor decl) {
    const CXCursor outer = clang_getCursorSemanticParent(decl);
    return clang_getCursorKind(outer) == CXCursor_StructDecl &&
           gw_front_intern(u, clang_getCursorSpelling(outer)) == gw_intern(u->session, "cudaResourceDesc");
}

static void drop_reserved(gw_record *r) {
    uint32_t kept = 0;
    const gw_str reserved = gw_intern(r->u->session, "reserved");
    for (uint32_t i = 0; i < r->fields.count; i++)
        if (r->fields.at[i].name != reserved) r->fields.at[kept++] = r->fields.at[i];
    r->fields.count = kept;
}

static gw_shape struct_shape(gw_unit *u, CXType type, gw_str name) {
    gw_record r = {.u = u};
    CXCursor decl = clang_getTypeDeclaration(type);
    if (is_cuda_atomic(u, decl)) return opaque(u, GW_REFUSED(CUDA_ATOMIC), type);
    add_bases(&r, type);
    bool special = examine_methods(&r, type);
    r.set_only = is_set_only(u, decl);
    r.is_union = clang_getCursorKind(decl) == CXCursor_UnionDecl;
    r.lambda = gw_front_is_lambda(u, type);
    r.half_pair = gw_front_is_half_pair(u, type);
    if (r.lambda)
        add_copies(&r, type);
    else
        clang_Type_visitFields(type, add_field, &r);
    if (r.is_union && is_of_resource(u, decl)) drop_reserved(&r), r.is_union = false;
    gw_shape_data d = {.kind = GW_SHAPE_STRUCT,
                       .count = r.fields.count,
                       .split = special || r.lambda || gw_front_nameless(u, type),
                       .is_union = r.is_union && !r.set_only,
                       .clang = type};
    if (d.is_union && !r.refusal)
        r.refusal = gw_front_union_holder(u, r.fields.at, r.fields.count, type, &d.holder);
    if (!r.refusal) lay_out(&r, &d);
    d.destructs |= r.destructs;
    if (d.destructs && d.is_union) r.refusal = GW_REFUSED(DESTRUCTOR);
    bool stands = gw_front_captures_of(u, type) != NULL, stateless = r.lambda && !d.count && !stands;
    for (uint32_t i = 0; u->captures.count && i < r.fields.count; i++)
        stands |= gw_front_holds_captures(u, r.fields.at[i].shape);
    const gw_layout layout = stands ? gw_record_layout_of_captures(&r) : gw_record_layout(&r, type);
    gw_record_check_aligned(&r, layout);
    if (!r.refusal && !stateless && !d.no_cells)
        d.type = gw_type_struct(u->session, name, r.ir.at, r.ir.count, layout);
    gw_vec_free(&r.ir);
    gw_vec_free(&r.fields);
    return r.refusal ? opaque(u, r.refusal, type) : add_shape(u, d);
}

/* ---- the standard library ---- */
static gw_shape std_array(gw_unit *u, CXType type) {
    gw_shape element = gw_front_shape(u, clang_Type_getTemplateArgumentAsType(type, 0));
    gw_shape_data e = *gw_front_shape_at(u, element);
    if (e.kind == GW_SHAPE_OPAQUE) return opaque(u, e.refusal, type);
    if (no_cell(u, element)) return opaque(u, no_cell(u, element), type);
    if (e.has_pointer) return opaque(u, GW_REFUSED(ARRAY_OF_POINTERS), type);
    long long bytes = clang_Type_getSizeOf(type);
    long long each = clang_Type_getSizeOf(clang_Type_getTemplateArgumentAsType(type, 0));
    CXCursor decl = clang_getTypeDeclaration(type);
    long long count = clang_Cursor_getNumTemplateArguments(decl) == 2
                          ? (long long)clang_Cursor_getTemplateArgumentUnsignedValue(decl, 1)
                          : 0;
    if (count > INT32_MAX) return opaque(u, TOO_MANY, type);
    if (count <= 0 || count * each != bytes) return opaque(u, GW_REFUSED(EMPTY_ARRAY), type);
    gw_shape_data a = {.kind = GW_SHAPE_ARRAY, .count = (uint32_t)count, .element = element, .clang = type};
    a.library = GW_LIBRARY_ARRAY, a.destructs = e.destructs;
    a.type = gw_type_array(u->session, e.type, a.count);
    return add_shape(u, a);
}

/* A struct of `count` fields, of the template's arguments or all of the first one. */
static gw_shape std_struct(gw_unit *u, CXType type, gw_str name, gw_library_type library,
                           const char *const *names) {
    gw_record r = {.u = u, .lambda = true};
    if (library == GW_LIBRARY_COMPLEX) r.each = clang_Type_getSizeOf(type) / 2;
    int count = library == GW_LIBRARY_COMPLEX ? 2 : clang_Type_getNumTemplateArguments(type);
    for (int i = 0; i < count; i++) {
        int argument = library == GW_LIBRARY_COMPLEX ? 0 : i;
        bool is_c = type.kind == CXType_Complex;
        CXType of =
            is_c ? clang_getElementType(type) : clang_Type_getTemplateArgumentAsType(type, (unsigned)argument);
        gw_shape_field f = {.decl = clang_getNullCursor(), .shape = gw_front_shape(u, of)};
        char *number = gw_format("_%d", i);
        f.name = gw_intern(u->session, names ? names[i] : number);
        free(number);
        if (gw_front_is_reference(of)) r.refusal = GW_REFUSED(TUPLE_OF_REFERENCES);
        if (gw_front_shape_kind(u, f.shape) == GW_SHAPE_OPAQUE)
            r.refusal = gw_front_shape_at(u, f.shape)->refusal;
        if (is_c && !gw_type_is_float(f.shape)) r.refusal = GW_REFUSED(COMPLEX_INTEGERS);
        gw_push(&r.fields, f);
    }
    gw_shape_data d = {
        .kind = GW_SHAPE_STRUCT, .first = u->fields.count, .count = r.fields.count, .clang = type};
    d.library = library, d.split = true;
    if (!r.refusal) lay_out(&r, &d);
    if (!r.refusal && !d.has_pointer && !d.no_cells)
        d.type = gw_type_struct(u->session, name, r.ir.at, r.ir.count, gw_record_layout(&r, type));
    gw_vec_free(&r.ir);
    gw_vec_free(&r.fields);
    return r.refusal ? opaque(u, r.refusal, type) : add_shape(u, d);
}

/* Fields of std::pair keep their declarations: they are named as members. */
static enum CXVisitorResult name_field(CXCursor decl, CXClientData data) {
    gw_record *r = data;
    for (uint32_t i = 0; i < r->u->fields.count; i++) {
        gw_shape_field *f = &r->u->fields.at[i];
        if (clang_Cursor_isNull(f->decl) && f->name == gw_front_intern(r->u, clang_getCursorSpelling(decl)))
            f->decl = decl;
    }
    return CXVisit_Continue;
}

/* Whether all pointers in it are vectors' own: of what is in memory, the paths to their elements go on. */
static bool holds_vectors_only(gw_unit *u, gw_shape s) {
    const gw_shape_data d = *gw_front_shape_at(u, s);
    if (d.library == GW_LIBRARY_VECTOR) return !d.is_list && d.type != GW_T_VOID;
    if (d.kind == GW_SHAPE_ARRAY) return holds_vectors_only(u, d.element);
    bool good = d.kind == GW_SHAPE_SCALAR || (d.kind == GW_SHAPE_STRUCT && d.type != GW_T_VOID && !d.is_union);
    for (uint32_t i = 0; good && d.kind == GW_SHAPE_STRUCT && i < d.count; i++)
        good = holds_vectors_only(u, u->fields.at[d.first + i].shape);
    return good;
}

/* The elements' place, and how many there are. */
static gw_shape std_vector(gw_unit *u, CXType type, bool is_list, bool is_deque) {
    CXType element = clang_Type_getTemplateArgumentAsType(type, 0);
    gw_shape e = gw_front_shape(u, element);
    const gw_shape_data of = *gw_front_shape_at(u, e);
    if (of.kind == GW_SHAPE_OPAQUE) return opaque(u, of.refusal, type);
    if (no_cell(u, e)) return opaque(u, no_cell(u, e), type);
    const bool has_rows = of.has_pointer && of.kind != GW_SHAPE_POINTER;
    if (has_rows && !holds_vectors_only(u, e)) return opaque(u, GW_REFUSED(VECTOR_OF_POINTERS), type);
    if (e == GW_T_BOOL) return opaque(u, GW_REFUSED(VECTOR_OF_BOOL), type);
    if (of.destructs) return opaque(u, GW_REFUSED(DESTRUCTOR), type);
    gw_shape_data p = {.kind = GW_SHAPE_POINTER, .leaves = 1, .has_pointer = true, .clang = element};
    gw_shape pointer = add_shape(u, p);
    gw_shape_data v = {
        .kind = GW_SHAPE_STRUCT, .first = u->fields.count, .count = 2, .leaves = 2, .clang = type};
    v.has_pointer = v.split = true, v.library = GW_LIBRARY_VECTOR, v.is_list = is_list;
    v.is_deque = is_deque;
    if (!of.has_pointer || has_rows) v.type = gw_type_pointer(u->session, gw_front_ir_type(u, e), false);
    CXCursor none = clang_getNullCursor();
    gw_push(&u->fields, ((gw_shape_field){gw_intern(u->session, "data"), pointer, 0, .decl = none}));
    gw_push(&u->fields, ((gw_shape_field){gw_intern(u->session, "size"), GW_T_U64, 1, .decl = none}));
    v.has_rows = has_rows && of.library == GW_LIBRARY_VECTOR && !of.has_rows && !of.is_deque && !is_deque;
    if (v.has_rows) {
        gw_push(&u->fields, ((gw_shape_field){gw_intern(u->session, "row"), GW_T_U64, 2, .decl = none}));
        v.count = v.leaves = 3;
    }
    return add_shape(u, v);
}

static gw_shape std_optional(gw_unit *u, CXType type) {
    gw_record r = {.u = u, .lambda = true};
    const gw_shape value = gw_front_shape(u, clang_Type_getTemplateArgumentAsType(type, 0));
    const gw_shape_data of = *gw_front_shape_at(u, value);
    r.refusal = of.kind == GW_SHAPE_OPAQUE ? of.refusal : no_cell(u, value);
    if (!r.refusal && (of.destructs || of.has_pointer || of.has_array || of.kind == GW_SHAPE_ARRAY))
        r.refusal = gw_front_refused_class(u, "optional of anything but numbers");
    const CXCursor none = clang_getNullCursor();
    gw_push(&r.fields, ((gw_shape_field){gw_intern(u->session, "engaged"), GW_T_BOOL, 0, .decl = none}));
    gw_push(&r.fields, ((gw_shape_field){gw_intern(u->session, "value"), value, 1, .decl = none}));
    gw_shape_data d = {.kind = GW_SHAPE_STRUCT, .first = u->fields.count, .count = 2, .clang = type};
    d.library = GW_LIBRARY_OPTIONAL, d.split = d.no_cells = true;
    if (!r.refusal) lay_out(&r, &d);
    gw_vec_free(&r.ir);
    gw_vec_free(&r.fields);
    return r.refusal ? opaque(u, r.refusal, type) : add_shape(u, d);
}

static gw_shape std_span(gw_unit *u, CXType type) {
    const CXType element = clang_Type_getTemplateArgumentAsType(type, 0);
    const gw_shape_data of = *gw_front_shape_at(u, gw_front_shape(u, element));
    if (of.kind == GW_SHAPE_OPAQUE) return opaque(u, of.refusal, type);
    gw_shape_data p = {.kind = GW_SHAPE_POINTER, .leaves = 1, .has_pointer = true, .clang = element};
    const gw_shape pointer = add_shape(u, p);
    gw_shape_data d = {
        .kind = GW_SHAPE_STRUCT, .first = u->fields.count, .count = 2, .leaves = 2, .clang = type};
    d.has_pointer = d.split = d.no_cells = d.holds_span = true, d.library = GW_LIBRARY_SPAN;
    CXCursor none = clang_getNullCursor();
    gw_push(&u->fields, ((gw_shape_field){gw_intern(u->session, "data"), pointer, 0, .decl = none}));
    gw_push(&u->fields, ((gw_shape_field){gw_intern(u->session, "size"), GW_T_U64, 1, .decl = none}));
    return add_shape(u, d);
}

/* With the library's deleter, for what has no destructor, or one that is a class of the user's without members;
 * 0: another one. */
static gw_shape std_unique(gw_unit *u, CXType type) {
    CXType held = clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(type, 0));
    CXType element = clang_getArrayElementType(held);
    if (clang_Cursor_isNull(gw_front_deleter(type))) {
        const gw_shape of = gw_front_shape(u, element.kind == CXType_Invalid ? held : element);
        const gw_shape_data *d = gw_front_shape_at(u, of);
        if (!gw_front_deletes(type) || d->destructs || d->kind == GW_SHAPE_OPAQUE) return 0;
    }
    gw_shape_data p = {.kind = GW_SHAPE_POINTER, .leaves = 1, .has_pointer = true};
    p.clang = element.kind == CXType_Invalid ? held : element;
    gw_shape pointer = add_shape(u, p);
    gw_shape_data d = {
        .kind = GW_SHAPE_STRUCT, .first = u->fields.count, .count = 1, .leaves = 1, .clang = type};
    d.has_pointer = d.split = d.destructs = true, d.library = GW_LIBRARY_UNIQUE;
    CXCursor none = clang_getNullCursor();
    gw_push(&u->fields, ((gw_shape_field){gw_intern(u->session, "at"), pointer, 0, .decl = none}));
    return add_shape(u, d);
}

/* Made by make_shared, or with the library's deleter: as what it holds has no destructor, nobody sees that it
 * ends. */
static gw_shape std_shared(gw_unit *u, CXType type) {
    CXType held = clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(type, 0));
    CXType element = clang_getArrayElementType(held);
    gw_shape_data p = {.kind = GW_SHAPE_POINTER, .leaves = 1, .has_pointer = true};
    p.clang = element.kind == CXType_Invalid ? held : element;
    const gw_shape_data *of = gw_front_shape_at(u, gw_front_shape(u, p.clang));
    if (of->destructs || of->kind == GW_SHAPE_OPAQUE) return 0;
    gw_shape pointer = add_shape(u, p);
    gw_shape_data d = {
        .kind = GW_SHAPE_STRUCT, .first = u->fields.count, .count = 1, .leaves = 1, .clang = type};
    d.has_pointer = d.split = d.is_shared = true, d.library = GW_LIBRARY_UNIQUE;
    CXCursor none = clang_getNullCursor();
    gw_push(&u->fields, ((gw_shape_field){gw_intern(u->session, "at"), pointer, 0, .decl = none}));
    return add_shape(u, d);
}

static const char *const complex_parts[] = {"real", "imag"};

static bool is_called(gw_unit *u, CXCursor decl, const char *name) {
    return gw_front_intern(u, clang_getCursorSpelling(decl)) == gw_intern(u->session, name);
}

/* 0: a class like any other. */
static gw_shape library_shape(gw_unit *u, CXType type, gw_str name) {
    static const char *const pair[] = {"first", "second"};
    CXCursor decl = clang_getTypeDeclaration(type);
    if (clang_Cursor_isNull(clang_getSpecializedCursorTemplate(decl))) return 0;
    bool is_std = gw_front_in_namespace(decl, "std"), is_gnu = gw_front_in_namespace(decl, "__gnu_cxx");
    const char *class = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
    if (is_std && strcmp(class, "array") == 0) return std_array(u, type);
    if (is_std && strcmp(class, "complex") == 0)
        return std_struct(u, type, name, GW_LIBRARY_COMPLEX, complex_parts);
    if (is_std && strcmp(class, "tuple") == 0) return std_struct(u, type, name, GW_LIBRARY_TUPLE, NULL);
    if (is_std && strcmp(class, "unique_ptr") == 0) return std_unique(u, type);
    if (is_std && (is_called(u, decl, "shared_ptr") || is_called(u, decl, "__shared_ptr")))
        return std_shared(u, type);
    if (is_std && is_called(u, decl, "span")) return std_span(u, type);
    if (is_std && is_called(u, decl, "optional")) return std_optional(u, type);
    bool is_list = strcmp(class, "initializer_list") == 0;
    const bool is_deque = is_called(u, decl, "deque");
    if (is_std && (is_list || is_deque || strcmp(class, "vector") == 0))
        return std_vector(u, type, is_list, is_deque);
    if (is_std && strcmp(class, "pair") == 0) {
        gw_shape s = std_struct(u, type, name, GW_LIBRARY_TUPLE, pair);
        gw_record r = {.u = u};
        clang_Type_visitFields(type, name_field, &r);
        return s;
    }
    const bool of_deque = is_std && is_called(u, decl, "_Deque_iterator");
    if (of_deque || (is_gnu && strcmp(class, "__normal_iterator") == 0)) {
        const unsigned at = of_deque ? 2 : 0; /* the argument that is the pointer */
        gw_shape_data p = {
            .kind = GW_SHAPE_POINTER, .leaves = 1, .has_pointer = true, .library = GW_LIBRARY_ITERATOR};
        p.clang = clang_getPointeeType(clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(type, at)));
        return add_shape(u, p);
    }
    return 0;
}

/* A class of the library that holds something and has no rows. */
static gw_shape refuse_library(gw_unit *u, CXType type) {
    CXCursor decl = clang_getTypeDeclaration(type);
    if (!gw_front_in_namespace(decl, "std") || gw_front_is_open_class(u, decl)) return 0;
    if (!gw_front_holds_something(type, 0)) return 0;
    return opaque(
        u, gw_front_refused_class(u, gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)))),
        type);
}

static gw_shape make_shape(gw_unit *u, CXType type, gw_str name) {
    if (type.kind == CXType_Record) {
        gw_shape known = gw_front_half_type(u, type);
        if (!known) known = library_shape(u, type, name);
        if (!known) known = refuse_library(u, type);
        if (known) return known;
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].clang == type.kind) return opaque(u, refused[i].refusal, type);
    if (type.kind == CXType_Complex) return std_struct(u, type, name, GW_LIBRARY_COMPLEX, complex_parts);
    if (type.kind == CXType_ConstantArray) return array_shape(u, type);
    if (type.kind == CXType_Record) return struct_shape(u, type, name);
    if (type.kind == CXType_Pointer) {
        gw_shape_data p = {.kind = GW_SHAPE_POINTER, .leaves = 1, .has_pointer = true};
        p.clang = gw_front_row_element(clang_getPointeeType(type));
        return add_shape(u, p);
    }
    if (type.kind == CXType_VariableArray) return gw_front_pointer_shape(u, gw_front_row_element(type));
    return opaque(u, GW_REFUSED(TYPE), type);
}

/* A typedef may align a type less than it says, which is gone from the canonical type: gradients would take an
 * address for aligned. */
static bool is_aligned_less(CXType t) {
    for (uint32_t depth = 0; depth < 32; depth++) {
        /* libclang stops where it is asked for the alignment of some others */
        CXType of = clang_getCanonicalType(t);
        bool asked = t.kind == CXType_Typedef &&
                     (of.kind == CXType_Record || of.kind == CXType_Float || of.kind == CXType_Double);
        if (asked && clang_Type_getAlignOf(t) < clang_Type_getAlignOf(of)) return true;
        CXType inner = clang_getArrayElementType(t);
        if (t.kind == CXType_Elaborated) inner = clang_Type_getNamedType(t);
        else if (t.kind == CXType_Typedef)
            inner = clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(t));
        else if (t.kind == CXType_Pointer) inner = clang_getPointeeType(t);
        if (inner.kind == CXType_Invalid) return false;
        t = inner;
    }
    return false;
}

/* A type in the making cannot be looked at yet: a pointer to it leads nowhere. */
static bool in_the_making(const gw_unit *u, gw_str name) {
    for (uint32_t i = 0; i < u->making.count; i++)
        if (u->making.at[i] == name) return true;
    return false;
}

gw_shape gw_front_shape(gw_unit *u, CXType type) {
    if (type.kind == CXType_Invalid) return opaque(u, GW_REFUSED(TYPE), type); /* libclang would look into it */
    if (is_aligned_less(clang_getNonReferenceType(type))) return opaque(u, GW_REFUSED(LESS_ALIGNED), type);
    CXType t = clang_getUnqualifiedType(clang_getCanonicalType(clang_getNonReferenceType(type)));
    if (t.kind == CXType_Enum)
        t = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(t)));
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (scalars[i].clang == t.kind) return scalars[i].type;
    gw_str name = gw_front_type_key(u, t);
    while (u->shape_by_name.count <= name)
        gw_push(&u->shape_by_name, 0);
    if (u->shape_by_name.at[name]) return u->shape_by_name.at[name];
    if (in_the_making(u, name)) return opaque(u, GW_REFUSED(HOLDS_ITSELF), t);
    gw_push(&u->making, name);
    gw_shape s = make_shape(u, t, name);
    u->making.count--;
    while (u->shape_by_name.count <= name)
        gw_push(&u->shape_by_name, 0);
    u->shape_by_name.at[name] = s;
    return s;
}

gw_shape gw_front_pointer_shape(gw_unit *u, CXType pointee) {
    gw_str spelled = gw_front_type_key(u, clang_getCanonicalType(pointee));
    char *text = gw_format("%s *", gw_cstr(u->session, spelled));
    gw_str name = gw_intern(u->session, text);
    free(text);
    while (u->shape_by_name.count <= name)
        gw_push(&u->shape_by_name, 0);
    if (!u->shape_by_name.at[name])
        u->shape_by_name.at[name] = add_shape(
            u, (gw_shape_data){.kind = GW_SHAPE_POINTER, .leaves = 1, .has_pointer = true, .clang = pointee});
    return u->shape_by_name.at[name];
}

gw_type gw_front_ir_type(gw_unit *u, gw_shape s) {
    gw_shape_data d = *gw_front_shape_at(u, s);
    if (d.kind != GW_SHAPE_POINTER || d.type != GW_T_VOID) return d.type;
    CXType to = clang_getUnqualifiedType(clang_getCanonicalType(d.clang));
    gw_type element = GW_T_VOID;
    if (!in_the_making(u, gw_front_type_key(u, to))) {
        gw_shape pointee = gw_front_shape(u, d.clang);
        element = clang_isVolatileQualifiedType(d.clang) ? GW_T_VOID : gw_front_ir_type(u, pointee);
    }
    d.type = gw_type_pointer(u->session, element, clang_isConstQualifiedType(clang_getCanonicalType(d.clang)));
    gw_front_shape_at(u, s)->type = d.type;
    return d.type;
}

gw_shape gw_front_array_of(gw_unit *u, gw_shape element, uint32_t count) {
    for (gw_shape s = GW_T_SCALARS; s < u->shapes.count; s++) {
        const gw_shape_data *d = gw_front_shape_at(u, s);
        if (d->kind == GW_SHAPE_ARRAY && d->element == element && d->count == count && !d->library) return s;
    }
    gw_shape_data a = {.kind = GW_SHAPE_ARRAY, .count = count, .element = element};
    a.type = gw_type_array(u->session, gw_front_shape_at(u, element)->type, count);
    const gw_shape_data e = *gw_front_shape_at(u, element);
    a.destructs = e.destructs, a.has_pointer = e.has_pointer;
    a.leaves = leaves_of_array(&e, count);
    return add_shape(u, a);
}
