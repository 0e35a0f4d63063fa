/*
 * frontend/device/host.c - copies between memory that kernels see and variables of the program's own: float h;
 * cudaMemcpy(&h, loss, sizeof h, cudaMemcpyDeviceToHost), and tables that go to the device.
 *
 * The variables are values here, not memory: what is copied to the host is what the call gives, cell by cell,
 * and has adjoints as such; what is copied from it are operands. So the bytes must be a number, of whole cells
 * of one type. What comes to the host is there when the next statement runs: a copy that nobody waits for is
 * waited for.
 */
#include "plugin/frontend/device/device.h"

#include "analysis/ir/device.h"

#include <string.h>

enum { MOST_CELLS = 256 };

bool gw_front_is_own(const gw_lowering *L, const gw_place *p) {
    if (p->kind == GW_PLACE_SLOTS) return true;
    return p->kind == GW_PLACE_MEMORY && !gw_front_is_device(L, p) &&
           gw_object_at(L->f, p->object)->kind == GW_OBJECT_LOCAL && !gw_object_at(L->f, p->object)->sized;
}

typedef struct cell {
    gw_place at;
    gw_shape type;
    int64_t offset;
} cell;

typedef struct cells {
    cell at[MOST_CELLS];
    uint32_t count;
    bool torn; /* something else than numbers is there, or too much */
} cells;

static void collect(gw_lowering *L, gw_place p, int64_t offset, cells *out) {
    const gw_shape_data d = *gw_front_shape_at(L->u, p.shape);
    for (uint32_t i = 0; d.kind == GW_SHAPE_ARRAY && i < d.count && !out->torn && !L->failed; i++)
        collect(L, gw_front_element(L, p, gw_int(&L->b, GW_T_I32, i)),
                offset + i * (int64_t)gw_front_size_of(L, d.element), out);
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count && !out->torn && !L->failed; i++) {
        const gw_shape_field f = L->u->fields.at[d.first + i];
        const long long bits = clang_Cursor_getOffsetOfField(f.decl);
        out->torn |= f.bits || bits < 0 || d.is_union;
        if (!out->torn) collect(L, gw_front_member(L, p, i), offset + bits / 8, out);
    }
    if (d.kind == GW_SHAPE_ARRAY || d.kind == GW_SHAPE_STRUCT) return;
    out->torn |= d.kind != GW_SHAPE_SCALAR || out->count == MOST_CELLS;
    if (!out->torn) out->at[out->count++] = (cell){p, p.shape, offset};
}

/* The cells that so many bytes from a place on are. */
static bool find(gw_lowering *L, gw_place p, int64_t bytes, cells *out) {
    const int64_t size = gw_front_size_of(L, p.shape);
    for (int64_t i = 0; size && i * size < bytes && !out->torn && !L->failed; i++)
        collect(L, i ? gw_front_advance(L, p, gw_int(&L->b, GW_T_I64, i), false) : p, i * size, out);
    while (out->count && out->at[out->count - 1].offset >= bytes)
        out->count--;
    if (L->failed || out->torn || !out->count) return false;
    const cell *last = &out->at[out->count - 1];
    return last->offset + gw_type_bytes(last->type) <= bytes;
}

/* Cells of one type, one behind the other. */
static void emit(gw_lowering *L, const cell *c, uint32_t count, bool to_host, const gw_value *head) {
    gw_operands operands = {0};
    gw_front_cell_head(L, c->type, head, &operands);
    for (uint32_t i = 0; i < count && !to_host; i++)
        gw_push(&operands, gw_front_load(L, c[i].at));
    gw_op op = gw_front_device_op(L, to_host ? GW_DEVICE_FETCH : GW_DEVICE_SEND, operands.at, operands.count);
    gw_front_cell_type(L, op, c->type);
    for (uint32_t i = 0; i < count && to_host; i++)
        gw_op_add_result(L->f, op, gw_type_of_value(c->type), 0);
    for (uint32_t i = 0; i < count && to_host; i++) {
        if (c[i].at.kind == GW_PLACE_SLOTS)
            gw_value_at(L->f, gw_result(L->f, op, i))->name = L->slots.at[c[i].at.slot].name;
        gw_front_store(L, c[i].at, gw_result(L->f, op, i));
    }
    gw_vec_free(&operands);
}

/* Copies what has a derivative, each run of one type by itself. */
static void emit_runs(gw_lowering *L, const cells *c, bool to_host, gw_value address,
                      const gw_host_copy *copy) {
    for (uint32_t i = 0, count; i < c->count && !L->failed; i += count) {
        const cell *first = &c->at[i];
        const int64_t each = gw_type_bytes(first->type);
        for (count = 1; i + count < c->count; count++)
            if (first[count].type != first->type || first[count].offset != first->offset + count * each) break;
        gw_value parts[2] = {address, gw_int(&L->b, GW_T_I64, first->offset)};
        gw_value at = first->offset ? gw_pure(&L->b, GW_OP_OFFSET, GW_T_ADDRESS, 0, parts, 2) : address;
        const gw_value head[4] = {at, gw_int(&L->b, GW_T_U64, count * each),
                                  gw_int(&L->b, GW_T_I32, copy->waits), copy->stream};
        emit(L, first, count, to_host, head);
    }
}

bool gw_front_is_own_sized(const gw_lowering *L, const gw_place *p) {
    return p->kind == GW_PLACE_MEMORY && gw_object_at(L->f, p->object)->sized;
}

/* Copies an array whose size is known when the program runs, and that stays the host's: all of it at once, by
 * way of memory that copies know. */
static void copy_by_way(gw_lowering *L, gw_place own, gw_place other, bool to_host, const gw_host_copy *copy,
                        CXCursor call) {
    const gw_value count = gw_front_elements_in(L, copy->bytes, own.shape),
                   address = gw_front_address(L, other, call);
    if (L->failed) return;
    if (!count) {
        gw_front_refuse(L, call, "this copy of a variable of the function's own",
                        "write the bytes as n * sizeof(element)");
        return;
    }
    enum { BY_ADDRESS = 4 };
    const gw_place way = gw_front_stage(L, own.shape, count, false);
    const gw_value at = gw_front_address(L, way, call);
    uint32_t element = GW_ELEMENT_NONE;
    gw_front_element_add(L, &element, &way, false, call);
    const gw_value operands[6] = {to_host ? at : address,
                                  to_host ? address : at,
                                  copy->bytes,
                                  gw_int(&L->b, GW_T_I32, BY_ADDRESS),
                                  copy->stream,
                                  gw_int(&L->b, GW_T_U32, element)};
    if (!to_host) gw_front_copy_elements(L, way, own, count, call);
    if (!L->failed) gw_front_device_op(L, GW_DEVICE_COPY, operands, 6);
    if (to_host) gw_front_copy_elements(L, own, way, count, call);
    if (!L->failed) gw_front_device_op(L, GW_DEVICE_FREE, &at, 1);
}

void gw_front_host_copy(gw_lowering *L, const gw_host_copy *copy, CXCursor call) {
    const bool to_host = gw_front_is_own(L, &copy->to) || gw_front_is_own_sized(L, &copy->to);
    const gw_place own = to_host ? copy->to : copy->from, other = to_host ? copy->from : copy->to;
    int64_t bytes;
    cells c = {0};
    if (gw_front_is_own_sized(L, &own)) {
        copy_by_way(L, own, other, to_host, copy, call);
        return;
    }
    if (gw_front_is_own(L, &other)) {
        if (gw_front_stage_later(L, &other)) return;
        gw_front_refuse(L, call, "a copy by cudaMemcpy between variables of the function's own", "assign them");
        return;
    }
    if (!gw_const_int(L->f, copy->bytes, &bytes) || bytes <= 0 || !find(L, own, bytes, &c)) {
        if (gw_front_stage_later(L, &own)) return;
        gw_front_refuse(L, call, "this copy of a variable of the function's own",
                        "copy whole numbers, as many bytes as sizeof says");
        return;
    }
    const gw_value address = gw_front_address(L, other, call);
    if (!L->failed) emit_runs(L, &c, to_host, address, copy);
}
