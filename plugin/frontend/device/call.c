/*
 * frontend/device/call.c - calls of CUDA's runtime in a program: the rows of device_calls.def.
 */
#include "plugin/frontend/device/device.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"

#include <stdlib.h>
#include <string.h>

static void name_result(gw_lowering *L, gw_op op, gw_str name) {
    gw_value_at(L->f, gw_result(L->f, op, 0))->name = name;
}

/* ---- calls ---- */
enum { KIND_BY_ADDRESS = 4 }; /* cudaMemcpyDefault */

typedef struct request {
    gw_lowering *L;
    const gw_device_call *row;
    CXCursor call;
    gw_value operands[12];
    gw_place given[3]; /* where answers go */
    gw_place place[2]; /* to and from, of a copy, */
    CXCursor at[2];    /* and the arguments */
    bool has_own;      /* one of them is a variable of the program's own */
    uint32_t element;
    gw_str kernel;
    uint32_t count, given_count, symbol; /* `symbol`: which operand is one */
} request;

static gw_value converted(gw_lowering *L, char wanted, gw_value v) {
    switch (wanted) {
    case 'n':
        return gw_cast(&L->b, GW_T_U64, v);
    case 'd':
        return gw_cast(&L->b, GW_T_U32, v);
    default:
        return gw_cast(&L->b, GW_T_I32, v);
    }
}

static bool is_fill(gw_device what) {
    return what == GW_DEVICE_SET || what == GW_DEVICE_SET_QUEUED || what == GW_DEVICE_SET_2D ||
           what == GW_DEVICE_SET_2D_QUEUED;
}

/* A stream is captured so far, and what is copied then is so when the graph is launched. */
static bool is_capturing(const gw_lowering *L) {
    bool open = false;
    for (gw_op op = 1; op < L->f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(L->f, op);
        if (o->dead || o->code != GW_OP_DEVICE) continue;
        if (o->attr == GW_DEVICE_CAPTURE) open = true;
        if (o->attr == GW_DEVICE_CAPTURED) open = false;
    }
    return open;
}

static gw_value argument(request *q, char letter, char wanted, CXCursor e) {
    gw_lowering *L = q->L;
    if (strchr("ase", letter)) {
        gw_place p = gw_front_pointer(L, e);
        if (L->failed) return 0;
        const bool copies = q->row->what == GW_DEVICE_COPY || q->row->what == GW_DEVICE_COPY_QUEUED;
        if (letter == 'a' && copies) q->place[q->count] = p, q->at[q->count] = e;
        if (letter == 'a' && copies && gw_front_is_own_sized(L, &p) && gw_front_stage_later(L, &p)) return 0;
        if (letter == 'a' && copies && is_capturing(L) && gw_front_stage_number(L, &p)) return 0;
        if (letter == 'a' && copies && (gw_front_is_own(L, &p) || gw_front_is_own_sized(L, &p))) {
            q->has_own = true;
            return gw_int(&L->b, GW_T_ADDRESS, 0);
        }
        const bool has_cells = letter == 'a' && !copies && strchr(gw_device_rows[q->row->what].operands, 'd');
        if (has_cells) gw_front_element_add(L, &q->element, &p, is_fill(q->row->what), e);
        return gw_front_address(L, p, e);
    }
    gw_value v = gw_front_scalar(L, e);
    return L->failed ? 0 : converted(L, wanted, v);
}

static gw_value missing(const request *q, char wanted) {
    gw_lowering *L = q->L;
    switch (wanted) {
    case 'n':
        return gw_int(&L->b, GW_T_U64, 0);
    case 'w':
    case 'i':
        return gw_int(&L->b, GW_T_I32, 0);
    case 'd':
        return gw_int(&L->b, GW_T_U32, q->element);
    default:
        return gw_int(&L->b, GW_T_ADDRESS, 0);
    }
}

static gw_value symbol(request *q, CXCursor e) {
    gw_lowering *L = q->L;
    const gw_place p = gw_front_symbol_place(L, e);
    if (L->failed) return 0;
    q->place[q->count] = p;
    q->at[q->count] = e;
    q->symbol = q->count;
    return p.index[0];
}

/* The argument says how far on in the symbol. */
static void move_symbol(request *q, CXCursor e) {
    gw_lowering *L = q->L;
    gw_value by = gw_front_scalar(L, e);
    int64_t n;
    if (L->failed || (gw_const_int(L->f, by, &n) && n == 0)) return;
    gw_value parts[2] = {q->operands[q->symbol], gw_cast(&L->b, GW_T_I64, by)};
    q->operands[q->symbol] = gw_pure(&L->b, GW_OP_OFFSET, GW_T_ADDRESS, 0, parts, 2);
    q->place[q->symbol].index[0] = q->operands[q->symbol];
}

/* The element of a copy from memory to memory; numbers of the host's have their types. */
static void find_element(request *q) {
    for (uint32_t i = 0; i < 2 && !q->L->failed && !q->has_own; i++)
        if (q->place[i].kind) gw_front_element_add(q->L, &q->element, &q->place[i], false, q->at[i]);
}

static void take_argument(request *q, char letter, CXCursor e) {
    if (letter == '-' || gw_front_is_default_argument(e)) return;
    if (letter == 'o') {
        move_symbol(q, e);
        return;
    }
    if (letter == 'Y') {
        q->operands[q->count] = symbol(q, e);
        q->count++;
        return;
    }
    if (letter == 'P' || letter == 'I') {
        q->given[q->given_count++] = gw_front_pointer_behind(q->L, e);
    } else if (letter == 'K') {
        const gw_func *kernel = gw_front_kernel_named(q->L, e);
        q->kernel = kernel ? kernel->symbol : 0;
    } else {
        q->operands[q->count] = argument(q, letter, gw_device_rows[q->row->what].operands[q->count], e);
        q->count++;
    }
}

static void give(const request *q, gw_op op, const gw_place *to, uint32_t result) {
    gw_lowering *L = q->L;
    const gw_value v = gw_result(L->f, op, result);
    if (gw_device_rows[q->row->what].results[result] != 'a') {
        gw_front_store(L, *to, v);
        return;
    }
    if (to->kind == GW_PLACE_SLOTS) name_result(L, op, L->slots.at[to->slot].name);
    gw_front_point(L, *to, gw_front_device_place(L, gw_front_pointee(L->u, to->shape), v));
}

/* Once: a function may be lowered several times. */
static void tell_not_freed(const request *q, gw_str name) {
    gw_unit *u = q->L->u;
    char *text = gw_format("%s: %s", gw_cstr(u->session, q->L->f->qualified), gw_cstr(u->session, name));
    const gw_str key = gw_intern(u->session, text);
    bool told = false;
    free(text);
    for (uint32_t i = 0; i < u->passed_over.count; i++)
        told |= u->passed_over.at[i] == key;
    if (told) return;
    gw_push(&u->passed_over, key);
    gw_diag(u->session, GW_DIAG_NOT_FREED, gw_front_at(q->L, q->call), gw_cstr(u->session, name));
}

/* The derivative needs what it was given until it ends, and gives it back: it does not free that. */
static bool frees_callers(const request *q) {
    const gw_func *f = q->L->f;
    for (uint32_t i = 0; q->row->what == GW_DEVICE_FREE && i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (p->is_vector || !p->value || p->value != q->operands[0]) continue;
        tell_not_freed(q, p->name);
        return true;
    }
    return false;
}

static uint32_t waited_for(const request *q) {
    const char *operands = gw_device_rows[q->row->what].operands, *kind = strchr(operands, 'i');
    return gw_front_stage_waited(q->L, q->row->what, kind ? q->operands[kind - operands] : 0);
}

/* One call of the row for each of its answers, where it has several. */
static gw_value make(request *q) {
    gw_lowering *L = q->L;
    const gw_device_row *row = &gw_device_rows[q->row->what];
    const uint32_t wanted = (uint32_t)strlen(row->operands);
    const bool several = strchr(row->operands, 'w') != NULL;
    gw_value status = 0;
    for (uint32_t i = 0; i == 0 || (several && i < q->given_count); i++) {
        if (several) q->operands[wanted - 1] = gw_int(&L->b, GW_T_I32, i);
        gw_op op = gw_front_device_op(L, waited_for(q), q->operands, wanted);
        gw_op_at(L->f, op)->callee = q->kernel;
        if (q->given_count) give(q, op, &q->given[i], 0);
        const uint32_t results = gw_op_at(L->f, op)->results;
        if (results) status = gw_result(L->f, op, results - 1);
    }
    return status;
}

bool gw_front_device_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                          gw_call_result *r) {
    if (L->is_program && gw_front_launch_call(L, call, callee, arguments, r)) return true;
    const gw_device_call *row = L->is_program ? gw_front_device_call_row(L->u, callee) : NULL;
    if (!row) return false;
    if (strchr(row->arguments, 'T')) return gw_front_texture_made(L, call, row, arguments, r);
    if (strchr(row->arguments, 'G')) return gw_front_graph(L, call, row, arguments, &r->value);
    if (strchr(row->arguments, 'H'))
        return gw_front_host_function(L, call, row, arguments, &r->value);
    if (strchr(row->arguments, 'X')) return gw_front_pitched(L, call, row->what, arguments, &r->value);
    request q = {.L = L, .row = row, .call = call};
    uint32_t taken = 0;
    for (const char *c = row->arguments; *c && !L->failed; c++) {
        if (*c == 'D')
            q.operands[q.count++] = gw_int(&L->b, GW_T_I32, KIND_BY_ADDRESS);
        else if (taken < arguments->count)
            take_argument(&q, *c, arguments->at[taken++]);
    }
    const char *wanted = gw_device_rows[row->what].operands;
    if (row->what != GW_DEVICE_SYMBOL) find_element(&q);
    while (!L->failed && q.count < strlen(wanted))
        q.operands[q.count] = missing(&q, wanted[q.count]), q.count++;
    if (L->failed) return true;
    if (frees_callers(&q)) {
        r->value = gw_int(&L->b, GW_T_I32, 0);
        return true;
    }
    if (row->what == GW_DEVICE_DONE) q.operands[0] = gw_int(&L->b, GW_T_ADDRESS, 0); /* nobody looks at it */
    gw_front_locate(L, call);
    if (row->what == GW_DEVICE_SYMBOL) {
        gw_front_point(L, q.given[0], q.place[0]);
        r->value = gw_int(&L->b, GW_T_I32, 0);
        return true;
    }
    if (row->what == GW_DEVICE_PROPERTY || row->what == GW_DEVICE_KIND || row->what == GW_DEVICE_FUNCTION) {
        if (row->what == GW_DEVICE_KIND) gw_front_pointer_attributes(L, q.given[0], q.operands[0]);
        if (row->what == GW_DEVICE_PROPERTY) gw_front_device_properties(L, q.given[0], q.operands[0]);
        if (row->what == GW_DEVICE_FUNCTION) gw_front_function_attributes(L, q.given[0], q.kernel);
        r->value = gw_int(&L->b, GW_T_I32, 0);
        return true;
    }
    if (q.has_own) {
        gw_front_host_copy(
            L,
            &(gw_host_copy){q.place[0], q.place[1], q.operands[2], q.operands[4], row->what == GW_DEVICE_COPY},
            call);
        if (!L->failed) r->value = gw_result(L->f, gw_front_device_op(L, GW_DEVICE_STATUS, NULL, 0), 0);
        return true;
    }
    if (row->what == GW_DEVICE_STOP) {
        gw_front_stop(L);
        return true;
    }
    r->value = make(&q);
    if (row->what == GW_DEVICE_TEXT)
        r->place = gw_front_device_place(L, gw_front_pointee(L->u, gw_front_shape_of(L, call)),
                                         gw_result(L->f, gw_value_at(L->f, r->value)->op, 0));
    return true;
}
