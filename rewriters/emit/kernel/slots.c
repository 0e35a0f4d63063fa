/*
 * emit/kernel/slots.c - rows of slots in the text: a kernel's parameters for them, and what the launch does
 * around the kernel (gradwright/emitted/slots.cuh; writing one: emit/text/row.c).
 *
 * The launch tells the reduction where the cells of keys 0 and 1 are: the same expression as in the source,
 * with its index computed for that key. That all indices are linear in the key is checked once more here.
 */
#include "analysis/ir/diagnostics.h"
#include "rewriters/emit/kernel/kernel_private.h"

#include <stdlib.h>
#include <string.h>

static gw_tenant_one one_of(const gw_kernel *k, uint32_t number) {
    return (gw_tenant_one){k, GW_TENANT_ROWS, number};
}

static gw_op group_of(gw_tenant_one one) { return gw_slot_group(one.k->grad, one.number); }

/* "gw_slots<int, float>" */
static char *typed(const gw_emitter *e, const gw_func *f, gw_op collect, const char *name) {
    gw_op add = gw_slot_first(f, collect);
    const char *key = gw_typeof(f, gw_operand(f, collect, 0)) == GW_T_I32 ? "int32_t" : "int64_t";
    return gw_format("%s<%s, %s>", name, key,
                     gw_emit_type(e, gw_typeof(f, gw_operand(f, add, gw_index_count(f, add)))));
}

static gw_str name(gw_tenant_one one) {
    const gw_func *f = one.k->grad;
    const gw_object object = gw_op_at(f, gw_slot_first(f, group_of(one)))->object;
    char *wish = gw_format("%s_rows", gw_cstr(f->session, gw_object_at(f, object)->name));
    const gw_str name = gw_emit_unique(one.k->e, wish);
    free(wish);
    return name;
}

static char *type(gw_tenant_one one) {
    const gw_op group = group_of(one);
    return typed(one.k->e, one.k->grad, group, gw_emit_row_names_of(one.k->grad, group)->type);
}

static void begin(gw_kernel *k) {
    gw_emitter *e = k->e;
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_ROWS]; i++) {
        gw_op op = gw_slot_group(e->f, i);
        if (gw_slot_is_of_list(e->f, op))
            gw_emit_line(e, "gw_list_slots_begin<%u>(&%s);", gw_slot_columns(e->f, op),
                         gw_emit_one_name(one_of(k, i)));
        else if (!gw_slot_is_placed(e->f, op))
            gw_emit_line(e, "%s(&%s);", gw_slot_is_of_warp(e->f, op) ? "gw_warp_slots_begin" : "gw_slots_begin",
                         gw_emit_one_name(one_of(k, i)));
    }
}

/* ---- the launch ---- */
/* How many numbers the host tells of those before the group. */
static uint32_t numbers_before(const gw_func *f, uint32_t group) {
    uint32_t sum = gw_numbers_before(f, GW_TENANT_ROWS);
    for (uint32_t i = 0; i < group; i++) sum += gw_slot_counts(f, gw_slot_group(f, i));
    return sum;
}

/* The group on the host. */
static char *host(gw_tenant_one one) {
    const gw_kernel *k = one.k;
    const gw_func *f = k->grad;
    const char *counts = k->counts;
    const uint32_t first = numbers_before(f, one.number);
    gw_text out = {0};
    gw_op op = group_of(one);
    const bool of_list = gw_slot_is_of_list(f, op), placed = gw_slot_is_placed(f, op),
               sorted = gw_slot_is_sorted(f, op);
    char *of = typed(k->e, f, op, gw_emit_row_names_of(f, op)->of);
    if (of_list)
        gw_text_addf(&out, "%s(%s, %u, %s%s)", of, k->positions, gw_slot_columns(f, op), k->own_block,
                     sorted ? ", GW_REDUCE_ASCENDING" : "");
    else if (placed)
        gw_text_addf(&out, "%s(%s, %s.gw_rows[%u], %s.gw_rows[%u], %u)", of, k->positions, counts, first,
                     counts, first + 1, gw_slot_columns(f, op));
    else if (sorted)
        gw_text_addf(&out, "%s(%s.gw_rows[%u], %s.gw_rows[%u], %s.gw_rows[%u], %u, %s, %s)", of, counts, first,
                     counts, first + 1, counts, first + 2, gw_slot_columns(f, op), k->grid, k->own_block);
    else
        gw_text_addf(&out, "%s(%s.gw_rows[%u], %u, %s, %s, %s)", of, counts, first, gw_slot_columns(f, op),
                     gw_slot_is_constant(f, op) ? "true" : "false", k->grid, k->own_block);
    free(of);
    return out.at;
}

static char *sized(gw_tenant_one one) {
    char *of = host(one);
    if (gw_slot_is_of_list(one.k->grad, group_of(one))) return of;
    char *reduced = gw_format("%s.gw_reduced", of);
    free(of);
    return reduced;
}

/* The caller says how long a list is that groups stand at positions of. */
static void ask(gw_kernel *k) {
    if (!gw_slot_lists(k->grad) && !gw_slot_placed(k->grad)) return;
    const gw_str positions = gw_emit_unique(k->e, "positions");
    k->positions = gw_cstr(k->e->session, positions);
    gw_push(&k->told, ((gw_asked_size){positions, 0}));
}

/* "d_color[2]", "d.poles[3].x": the cell of the key, in names of the launch; of no key (-1), the cell whose
 * indices made of the key are 0. Or the element that so many of the indices lead to. Caller frees. */
static char *cell_of(gw_emitter *e, const gw_func *f, gw_op add, const char *object, int64_t key,
                     uint32_t indices) {
    const gw_object_data *o = gw_object_at(f, gw_op_at(f, add)->object);
    const bool is_pointer = o->kind == GW_OBJECT_POINTER;
    gw_text base = {0}, path = {0};
    gw_text_add(&base, object);
    uint32_t next = 0;
    for (const char *c = gw_cstr(e->session, gw_op_at(f, add)->path); *c; c++) {
        if (next == indices) break;
        if (c[0] != '[') {
            gw_text_add_char(&path, *c);
            continue;
        }
        gw_slot_index x = gw_slot_index_of(f, gw_operand(f, add, next++));
        int64_t at = x.offset;
        if (x.base) at = key < 0 ? 0 : x.scale * key + x.offset;
        gw_text_addf(is_pointer && next == 1 ? &base : &path, "[%lld]", (long long)at);
        c++;
    }
    char *text = gw_emit_leaf(e->session, o->type, base.at, path.at ? path.at : "");
    gw_text_free(&base), gw_text_free(&path);
    return text;
}

/* Whether all arrays inside structs that the addition goes to have the cells of keys 0 and 1. */
static bool has_first_cells(gw_emitter *e, const gw_func *f, gw_op collect, gw_op add) {
    const gw_op_data *o = gw_op_at(f, add);
    gw_value base = gw_slot_index_of(f, gw_operand(f, collect, 0)).base;
    bool has = true;
    for (uint32_t i = 0; i < gw_index_count(f, add); i++) {
        gw_slot_index x = gw_slot_index_of(f, gw_operand(f, add, i));
        if (x.base && x.base != base)
            gw_diag(e->session, GW_DIAG_INTERNAL, o->loc, "an index of a slot is not made of its key");
        for (int64_t key = 0; key < 2 && x.base; key++)
            has &= gw_cell_has_index(f, o->object, o->path, i, x.scale * key + x.offset);
    }
    return has;
}

/* The sum over the indices made of the key: their factors, or what is added to them, in sizes of elements. */
static void add_bytes(gw_emitter *e, const gw_func *f, gw_op add, const char *object, bool factor,
                      gw_text *text) {
    const char *sign = "";
    for (uint32_t i = 0; i < gw_index_count(f, add); i++) {
        gw_slot_index x = gw_slot_index_of(f, gw_operand(f, add, i));
        const int64_t times = factor ? x.scale : x.offset;
        if (!x.base || !times) continue;
        char *element = cell_of(e, f, add, object, -1, i + 1);
        gw_text_addf(text, "%s%lld * (ptrdiff_t)sizeof(%s)", sign, (long long)times, element);
        sign = " + ";
        free(element);
    }
    if (!*sign) gw_text_add(text, "0");
}

/* "gw_slot_column(&d_x[0], &d_x[1])", where the cells of keys 0 and 1 are; or, if they would lie outside of an
 * array, how far they are from its first: "gw_slot_column(&d_s[0].w[0], -1 * ..., 1 * ...)". */
static char *column_of(gw_emitter *e, const gw_func *f, gw_op collect, gw_op add, const char *object) {
    const bool has_first = has_first_cells(e, f, collect, add);
    char *first = cell_of(e, f, add, object, has_first ? 0 : -1, UINT32_MAX);
    gw_text text = {0};
    gw_text_addf(&text, "gw_slot_column(&%s, ", first);
    if (has_first) {
        char *second = cell_of(e, f, add, object, 1, UINT32_MAX);
        gw_text_addf(&text, "&%s", second);
        free(second);
    } else {
        add_bytes(e, f, add, object, false, &text);
        gw_text_add(&text, ", ");
        add_bytes(e, f, add, object, true, &text);
    }
    gw_text_add(&text, ")");
    free(first);
    return text.at;
}

static const char *param_name(const gw_emitter *e, const gw_func *f, const gw_emit_params *params,
                              gw_object object) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < f->params.count; i++) {
        if (f->params.at[i].object == object) return gw_cstr(e->session, params->names.at[shown]);
        shown += !gw_param_is_hidden(&f->params.at[i]);
    }
    return "";
}

static void sum(gw_kernel *k, bool last) {
    gw_emitter *e = k->e;
    const gw_func *f = k->grad;
    char *head = gw_emit_step(k, "gw_slots_sum", false);
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_ROWS]; i++) {
        gw_op op = gw_slot_group(f, i);
        gw_emit_items items = {0};
        gw_push(&items, gw_strdup(gw_emit_one_name(one_of(k, i))));
        gw_push(&items, gw_strdup(k->stream));
        for (gw_op add = gw_slot_first(f, op); add != op; add = gw_next(f, add)) {
            const char *object = param_name(e, f, &k->params, gw_op_at(f, add)->object);
            gw_push(&items, column_of(e, f, op, add, object));
        }
        if (i) gw_emit_leave_unless_good(k);
        gw_emit_call_text(e, head, items.at, items.count, ";");
        gw_emit_items_free(&items);
    }
    if (last) gw_emit_line(e, "return %s;", k->status);
    free(head);
}

static const char *header(const gw_session *s) {
    if (gw_any_func(s, gw_slot_lists)) return "list_slots.cuh";
    return gw_any_func(s, gw_slot_groups) ? "slots.cuh" : NULL;
}

/* To GW_ROWS_ALIGNMENT: keys are marked unused before; behind the kernel rows are sorted, where they do not
 * stand in order, and summed into the adjoints or records. */
const gw_emit_tenant gw_emit_tenant_rows = {.header = header,
                                            .name = name,
                                            .type = type,
                                            .host = host,
                                            .sized = sized,
                                            .end = "gw_slots_end",
                                            .place = "gw_slots_place",
                                            .inside = "gw_slots_in",
                                            .ask = ask,
                                            .begin = begin,
                                            .behind = sum,
                                            .turn = SECOND};
