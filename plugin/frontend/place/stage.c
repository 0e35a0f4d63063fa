/*
 * frontend/place/stage.c - arrays of a program's own between the host and the device: what malloc and new
 * make, vectors, arrays on the stack and at file scope, of which cudaMemcpy(h, d, ...) is told.
 *
 * Such an array is a variable of the host's until the lowering comes to a call that works on it by its address.
 * Then the place where it is made (its site) is noted, and the function is lowered again: what is made there is
 * memory of the program, pinned, as if cudaMallocHost had made it. Copies know it and have its adjoints, and
 * what the host does to an element is a copy of that. A few numbers that are copied whole stay variables
 * (device/host.c).
 *
 * What a site makes twice at once must be two arrays: what is allocated, and a vector, is made where it stands.
 * An array on the stack is made once, when the function begins: of one declaration there is one at a time, as
 * no program is recursive. A variable at file scope is where it is, memory that is given without an adjoint. A
 * number is made so if a graph copies it, as what it is when the graph is launched is not yet known.
 *
 * Copies to and from memory that is not pinned are done when the call returns, whatever stream they are on; so
 * where there are such arrays, queued copies that may touch them are waited for (gw_front_stage_waited).
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"

/* ---- sites ---- */
void gw_front_stage_note(gw_lowering *L, gw_site site) {
    if (L->is_program) gw_push(&L->sites, site);
}

void gw_front_stage_note_variable(gw_lowering *L, gw_site site, const gw_place *p) {
    const bool is_number = p->kind == GW_PLACE_SLOTS && gw_front_shape_kind(L->u, p->shape) == GW_SHAPE_SCALAR;
    if (is_number) site.object = 0, site.slot = 1 + p->slot;
    if (is_number || p->kind == GW_PLACE_MEMORY) gw_front_stage_note(L, site);
}

static bool is_noted(const gw_lowering *L, CXCursor at) {
    for (uint32_t i = 0; i < L->staged->count; i++)
        if (clang_equalCursors(L->staged->at[i].at, at)) return true;
    return false;
}

bool gw_front_is_staged(const gw_lowering *L, CXCursor at) { return L->is_program && is_noted(L, at); }

/* Numbers, and structs and arrays of such. */
static bool may_lie_there(const gw_unit *u, gw_shape s) {
    const gw_shape_data d = *gw_front_shape_at(u, s);
    if (d.kind == GW_SHAPE_ARRAY) return may_lie_there(u, d.element);
    bool good = d.kind == GW_SHAPE_SCALAR || (d.kind == GW_SHAPE_STRUCT && !d.is_union && !d.has_pointer);
    for (uint32_t i = d.first; d.kind == GW_SHAPE_STRUCT && i < d.first + d.count && good; i++)
        good = !u->fields.at[i].bits && may_lie_there(u, u->fields.at[i].shape);
    return good && s != GW_T_VOID;
}

bool gw_front_stage_later(gw_lowering *L, const gw_place *p) {
    if (!L->is_program || L->failed || p->kind != GW_PLACE_MEMORY || gw_front_is_device(L, p)) return false;
    if (p->detached) return false; /* a copy would not know it */
    for (uint32_t i = 0; i < L->sites.count; i++) {
        const gw_site site = L->sites.at[i];
        if (site.slot || site.object != p->object || is_noted(L, site.at)) continue;
        if (!may_lie_there(L->u, site.shape)) continue;
        if (site.grows && gw_front_vector_grows(L, site.grows)) continue;
        gw_push(L->staged, site);
        L->must_stage = L->failed = true;
        return true;
    }
    return false;
}

bool gw_front_stage_number(gw_lowering *L, const gw_place *p) {
    for (uint32_t i = L->sites.count; L->is_program && p->kind == GW_PLACE_SLOTS && i-- > 0;) {
        const gw_site site = L->sites.at[i];
        if (site.slot != 1 + p->slot || L->failed || is_noted(L, site.at) || p->detached) continue;
        gw_push(L->staged, site);
        return L->must_stage = L->failed = true;
    }
    return false;
}

/* ---- streams and handles at file scope (place/handle.c) ---- */
void gw_front_stage_handle(gw_lowering *L, CXCursor variable) {
    gw_push(L->staged, ((gw_site){.at = variable, .is_handle = true}));
    L->must_stage = L->failed = true;
}

bool gw_front_stage_made(gw_lowering *L, const gw_place *pointer) {
    for (uint32_t i = L->handles.count; L->is_program && i-- > 0;) {
        const gw_binding one = L->handles.at[i];
        if (!one.place.read_only || one.place.slot != pointer->slot || is_noted(L, one.decl)) continue;
        gw_front_stage_handle(L, one.decl);
        return true;
    }
    return false;
}

/* ---- memory ---- */
static gw_value pinned(gw_lowering *L, gw_value bytes, gw_str name) {
    gw_op made = gw_front_device_op(L, GW_DEVICE_ALLOC_PINNED, &bytes, 1);
    const gw_value at = gw_result(L->f, made, 0);
    if (name) gw_value_at(L->f, at)->name = name;
    return at;
}

static gw_place make(gw_lowering *L, gw_shape element, gw_value bytes, bool zeroed) {
    const gw_place first = gw_front_device_place(L, element, pinned(L, bytes, L->naming));
    if (zeroed) gw_front_stage_fill(L, first, gw_int(&L->b, GW_T_I32, 0), bytes);
    return first;
}

gw_place gw_front_stage(gw_lowering *L, gw_shape element, gw_value count, bool zeroed) {
    const gw_value size = gw_int(&L->b, GW_T_U64, gw_front_size_of(L, element));
    return make(L, element, gw_binary(&L->b, GW_OP_MUL, gw_cast(&L->b, GW_T_U64, count), size), zeroed);
}

gw_place gw_front_stage_bytes(gw_lowering *L, gw_value bytes, bool zeroed) {
    return make(L, GW_T_VOID, gw_cast(&L->b, GW_T_U64, bytes), zeroed);
}

void gw_front_stage_fill(gw_lowering *L, gw_place first, gw_value byte, gw_value bytes) {
    uint32_t element = GW_ELEMENT_NONE;
    gw_front_element_add(L, &element, &first, true, clang_getNullCursor());
    const gw_value set[5] = {gw_front_spot(L, &first), gw_cast(&L->b, GW_T_I32, byte),
                             gw_cast(&L->b, GW_T_U64, bytes), gw_int(&L->b, GW_T_ADDRESS, 0),
                             gw_int(&L->b, GW_T_U32, element)};
    if (!L->failed) gw_front_device_op(L, GW_DEVICE_SET, set, 5);
}

/* ---- arrays on the stack and variables at file scope ---- */
static bool is_at_file_scope(CXCursor variable) {
    return clang_Cursor_hasVarDeclGlobalStorage(variable) == 1 &&
           clang_getCursorLinkage(variable) != CXLinkage_NoLinkage;
}

void gw_front_stage_start(gw_lowering *L) {
    for (uint32_t i = 0; L->is_program && i < L->staged->count; i++) {
        const CXCursor at = L->staged->at[i].at;
        gw_value address = 0;
        if (!L->staged->at[i].is_variable) continue;
        const gw_str name = gw_front_intern(L->u, clang_getCursorSpelling(at));
        if (is_at_file_scope(at)) {
            gw_op op = gw_front_device_op(L, GW_DEVICE_VARIABLE, NULL, 0);
            gw_op_at(L->f, op)->callee = gw_front_qualified(L->u, at);
            address = gw_result(L->f, op, 0);
        } else {
            address = pinned(L, gw_int(&L->b, GW_T_U64, gw_front_size_of(L, L->staged->at[i].shape)), 0);
        }
        gw_value_at(L->f, address)->name = name;
        gw_push(&L->staged_variables, ((gw_staged_variable){at, address}));
    }
}

bool gw_front_staged_variable(gw_lowering *L, CXCursor variable, gw_place *place) {
    for (uint32_t i = 0; i < L->staged_variables.count; i++) {
        const gw_staged_variable v = L->staged_variables.at[i];
        if (!clang_equalCursors(v.decl, variable)) continue;
        *place = gw_front_device_place(L, gw_front_shape(L->u, clang_getCursorType(variable)), v.address);
        return true;
    }
    return false;
}

/* A function that is called, and not inlined, has its own access to a variable at file scope. */
bool gw_front_stage_check(gw_lowering *L) {
    for (uint32_t i = 0; i < L->staged_variables.count; i++) {
        const CXCursor at = L->staged_variables.at[i].decl;
        const CXType type = clang_getCanonicalType(clang_getCursorType(at));
        if (!is_at_file_scope(at) || clang_isConstQualifiedType(type)) continue;
        const char *name = GW_FRONT_TEXT(L, gw_front_qualified(L->u, at));
        if (!gw_front_called_with(L->u, L->f, name, true)) continue;
        gw_front_refuse(L, at, "a variable that is copied to or from the device, and a called function uses,",
                        "pass the variable to the function");
        return false;
    }
    return true;
}

/* ---- copies ---- */
uint32_t gw_front_stage_waited(const gw_lowering *L, uint32_t what, gw_value kind) {
    enum { DEVICE_TO_DEVICE = 3 };
    int64_t n;
    const bool is_apart = kind && gw_const_int(L->f, kind, &n) && n == DEVICE_TO_DEVICE;
    bool has_array = false;
    for (uint32_t i = 0; i < L->staged->count; i++)
        has_array |= !L->staged->at[i].is_handle;
    return has_array && !is_apart ? gw_device_rows[what].waited : what;
}
