/*
 * frontend/place/view.c - views: places that are seen with a shape which is not that of their cells.
 *
 * A member of a union that does not hold its cells (frontend/type/union.c) is a view of the one that does: the
 * holding member's place, seen with the other member's shape from a given number on.
 *
 * A pointer to numbers that is cast to one to rows or structs of such numbers, without gaps, leads to a view of
 * a row of numbers: its steps and indices are steps of that row. Cast the other way, a pointer to a row leads
 * to its first number.
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"

gw_place gw_front_number_at(gw_lowering *L, gw_place place, uint64_t i) {
    gw_shape_data d = *gw_front_shape_at(L->u, place.shape);
    if (d.kind == GW_SHAPE_ARRAY) {
        uint64_t each = gw_front_numbers_in(L->u, d.element);
        const gw_value at = gw_int(&L->b, GW_T_I32, (int64_t)(i / each));
        return gw_front_number_at(L, gw_front_element(L, place, at), i % each);
    }
    for (uint32_t f = 0; d.kind == GW_SHAPE_STRUCT && f < d.count; f++) {
        if (!gw_front_holds(&d, f)) continue;
        uint64_t here = gw_front_numbers_in(L->u, L->u->fields.at[d.first + f].shape);
        if (i < here) return gw_front_number_at(L, gw_front_member(L, place, f), i);
        i -= here;
    }
    return place;
}

/* The view is of a row of numbers, from the one that the place is. */
static bool is_of_row(const gw_lowering *L, const gw_place *view) {
    return gw_front_shape_kind(L->u, view->view) == GW_SHAPE_SCALAR;
}

/* A view of one number is that number. */
static gw_place settled(gw_lowering *L, gw_place view) {
    if (gw_front_shape_kind(L->u, view.shape) != GW_SHAPE_SCALAR) return view;
    gw_place p = view;
    p.shape = view.view, p.view = 0, p.view_from = 0;
    bool first = is_of_row(L, &view) && !view.view_from;
    if (is_of_row(L, &view))
        return first ? p : gw_front_advance(L, p, gw_int(&L->b, GW_T_I64, view.view_from), false);
    return gw_front_number_at(L, p, view.view_from);
}

/* The view of a row, by so many numbers further on. */
static gw_place moved(gw_lowering *L, gw_place view, gw_value by, uint64_t each, bool back) {
    gw_place p = view;
    p.shape = view.view, p.view = 0, p.view_from = 0;
    gw_value numbers =
        gw_binary(&L->b, GW_OP_MUL, gw_cast(&L->b, GW_T_I64, by), gw_int(&L->b, GW_T_I64, (int64_t)each));
    p = gw_front_advance(L, p, numbers, back);
    p.shape = view.shape, p.view = view.view, p.view_from = view.view_from;
    return p;
}

gw_place gw_front_first_number(gw_lowering *L, gw_place view) {
    if (!view.view || !is_of_row(L, &view)) return view;
    view.shape = view.view;
    return settled(L, view);
}

bool gw_front_reshape(gw_lowering *L, gw_place *target, gw_shape wanted) {
    gw_place p = *target;
    while (gw_front_shape_kind(L->u, p.shape) == GW_SHAPE_ARRAY && p.shape != wanted && !L->failed) {
        p = gw_front_element(L, p, gw_int(&L->b, GW_T_I32, 0));
        if (!L->failed) gw_front_row_mark(L, &p);
    }
    const gw_shape_data *d = gw_front_shape_at(L->u, p.shape);
    if (p.kind == GW_PLACE_SLOTS && d->kind == GW_SHAPE_STRUCT && gw_front_number_of(L->u, p.shape) == wanted) {
        p.table = p.slot, p.table_count = d->leaves, p.shape = wanted;
        *target = p;
        return true;
    }
    if (p.numbers_of && p.numbers_of == wanted && !p.view && !p.cell) {
        gw_value *index = &p.index[p.count - 1];
        *index = gw_front_rescale(L, *index, p.shape, wanted);
        p.shape = wanted, p.numbers_of = 0;
    }
    const gw_shape wants = gw_front_number_of(L->u, wanted);
    if (d->kind == GW_SHAPE_STRUCT && p.shape != wanted && wants == gw_front_number_of(L->u, p.shape))
        gw_front_as_numbers(L, &p);
    gw_shape number = GW_T_VOID;
    uint64_t count = 0;
    const bool is_part = p.cell && gw_type_bytes(p.shape) < 4;
    bool numbers = p.shape != wanted && p.kind == GW_PLACE_MEMORY && !p.view && !p.walked && !is_part &&
                   gw_front_flatten(L->u, wanted, &number, &count) && number == p.shape && count &&
                   count <= UINT32_MAX;
    if (p.shape != wanted && !numbers) return false;
    if (p.shape != wanted) {
        long long bytes = clang_Type_getSizeOf(gw_front_shape_at(L->u, wanted)->clang);
        if (bytes != (long long)(count * gw_type_bytes(number))) return false;
        p.view = number, p.view_from = 0, p.shape = wanted;
    }
    *target = p;
    return true;
}

gw_place gw_front_union_member(gw_lowering *L, gw_place place, uint32_t field) {
    gw_shape_data d = *gw_front_shape_at(L->u, place.shape);
    gw_place holder = gw_front_member(L, place, d.holder);
    if (L->u->fields.at[d.first + field].shape == holder.shape) return holder;
    holder.view = holder.shape;
    holder.shape = L->u->fields.at[d.first + field].shape;
    return settled(L, holder);
}

gw_place gw_front_view_member(gw_lowering *L, gw_place view, uint32_t field) {
    gw_shape_data d = *gw_front_shape_at(L->u, view.shape);
    for (uint32_t i = 0; i < field && !d.is_union; i++)
        view.view_from += (uint32_t)gw_front_numbers_in(L->u, L->u->fields.at[d.first + i].shape);
    view.shape = L->u->fields.at[d.first + field].shape;
    return settled(L, view);
}

static gw_place refuse_index(gw_lowering *L, gw_place view) {
    gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc, "an index into this member of a union",
            "index the member that is a plain array of all numbers");
    L->failed = true;
    return view;
}

gw_place gw_front_view_advance(gw_lowering *L, gw_place view, gw_value by, bool back) {
    int64_t steps;
    if (is_of_row(L, &view)) return moved(L, view, by, gw_front_numbers_in(L->u, view.shape), back);
    if (!gw_const_int(L->f, by, &steps)) return refuse_index(L, view);
    int64_t from = view.view_from + (back ? -steps : steps) * (int64_t)gw_front_numbers_in(L->u, view.shape);
    view.view_from = (uint32_t)from;
    return from < 0 || from >= (int64_t)gw_front_numbers_in(L->u, view.view) ? refuse_index(L, view) : view;
}

gw_place gw_front_view_element(gw_lowering *L, gw_place view, gw_value index) {
    gw_shape_data d = *gw_front_shape_at(L->u, view.shape);
    int64_t at;
    if (gw_const_int(L->f, index, &at) && at >= 0 && at < d.count) {
        view.view_from += (uint32_t)at * (uint32_t)gw_front_numbers_in(L->u, d.element);
        view.shape = d.element;
        return settled(L, view);
    }
    if (is_of_row(L, &view)) {
        view = moved(L, view, index, gw_front_numbers_in(L->u, d.element), false);
        view.shape = d.element;
        return settled(L, view);
    }
    return refuse_index(L, view);
}

/* The bits of number i, or the number of these bits. */
static gw_value half_at(gw_lowering *L, gw_place place, uint64_t i) {
    return gw_bits(&L->b, GW_T_I32, gw_front_load(L, gw_front_number_at(L, place, i)));
}
static void put_half(gw_lowering *L, gw_place place, uint64_t i, gw_value bits) {
    const gw_place to = gw_front_number_at(L, place, i);
    if (!L->failed) gw_front_store(L, to, gw_bits(&L->b, to.shape, bits));
}

void gw_front_copy_halves(gw_lowering *L, gw_place to, gw_place from) {
    const uint64_t count = gw_front_numbers_in(L->u, to.shape);
    const bool reads = gw_front_is_half(&from), stores = gw_front_is_half(&to);
    for (uint64_t i = 0; i < count && !L->failed; i += 2) {
        gw_value whole = 0, low = 0, high = 0;
        /* a number that is by itself at the end is refused where it is taken for a whole one */
        if (reads) whole = gw_front_load(L, gw_front_cell_of_halves(L, gw_front_number_at(L, from, i)));
        else low = half_at(L, from, i), high = i + 1 < count ? half_at(L, from, i + 1) : 0;
        if (L->failed) return;
        if (stores && i + 1 < count) {
            const gw_place cell = gw_front_cell_of_halves(L, gw_front_number_at(L, to, i));
            gw_front_store(L, cell, reads ? whole : gw_front_join_halves(L, high, low));
        } else if (stores) {
            gw_front_store(L, gw_front_number_at(L, to, i), gw_int(&L->b, GW_T_I32, 0));
        } else {
            put_half(L, to, i, gw_front_half_of(L, whole, false));
            if (i + 1 < count) put_half(L, to, i + 1, gw_front_half_of(L, whole, true));
        }
    }
}
