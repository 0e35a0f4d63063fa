/*
 * emit/text/row.c - a row of slots in the text: the values of an addition that is summed behind the kernel, and
 * the key of its cell, as one call (gradwright/emitted/slots.cuh).
 */
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>

const gw_emit_row_names *gw_emit_row_names_of(const gw_func *f, gw_op op) {
    static const gw_emit_row_names of_list = {"gw_list_slots", "gw_list_slot", "gw_list_slots_of"},
                            of_warp = {"gw_slots", "gw_warp_slot", "gw_warp_slots_of"},
                            placed = {"gw_placed_slots", "gw_placed_slot", "gw_placed_slots_of"},
                            sorted = {"gw_sorted_slots", "gw_sorted_slot", "gw_sorted_slots_of"},
                            plain = {"gw_slots", "gw_slot", "gw_slots_of"};
    if (gw_slot_is_of_list(f, op)) return &of_list;
    if (gw_slot_is_of_warp(f, op)) return &of_warp;
    if (gw_slot_is_placed(f, op)) return &placed;
    return gw_slot_is_sorted(f, op) ? &sorted : &plain;
}

void gw_emit_row(gw_emitter *e, gw_op op, const char *active) {
    const gw_func *f = e->f;
    GW_VEC(char *) items = {0};
    gw_value vote = gw_slot_is_of_list(f, op) ? gw_emit_known_lanes(f, op) : 0;
    if (vote)
        gw_push(&items,
                gw_emit_text(e, gw_operand(f, gw_value_at(f, vote)->op, 0), GW_IN_EXACT, GW_PREC_SELECT));
    else if (gw_slot_is_of_warp(f, op)) gw_push(&items, gw_strdup(active));
    gw_push(&items, gw_format("&%s", gw_cstr(e->session, e->parts[GW_TENANT_ROWS][gw_slot_number(f, op)])));
    for (uint32_t i = gw_slot_columns(f, op) + 1; i < gw_op_at(f, op)->operands; i++)
        gw_push(&items, gw_emit_text(e, gw_operand(f, op, i), GW_IN_EXACT, GW_PREC_SELECT));
    gw_push(&items, gw_emit_text(e, gw_operand(f, op, 0), GW_IN_EXACT, GW_PREC_SELECT));
    gw_op add = gw_slot_first(f, op);
    for (; add != op; add = gw_next(f, add))
        gw_push(&items,
                gw_emit_text(e, gw_operand(f, add, gw_index_count(f, add)), GW_IN_EXACT, GW_PREC_SELECT));
    gw_emit_call_text(e, vote ? "gw_list_row" : gw_emit_row_names_of(f, op)->write, items.at, items.count, ";");
    for (uint32_t i = 0; i < items.count; i++) free(items.at[i]);
    gw_vec_free(&items);
}
