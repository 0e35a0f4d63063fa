/*
 * emit/program/program.c - programs: what a function of the host does to memory that kernels see, as calls of
 * the runtime (gradwright/program.h).
 */
#include "analysis/ir/device.h"
#include "analysis/ir/query.h"
#include "rewriters/emit/program/program_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

static const char *run_of(const gw_emitter *e) { return gw_cstr(e->session, e->program); }

/* ---- operands ---- */
static char *operand(gw_emitter *e, gw_op op, uint32_t i) {
    return gw_emit_text(e, gw_operand(e->f, op, i), GW_IN_ASSIGN, GW_PREC_SELECT);
}

/* As a pointer of this type, unless it is a parameter that has one. */
static char *typed(gw_emitter *e, gw_op op, uint32_t i, const char *type) {
    const gw_value v = gw_operand(e->f, op, i);
    int64_t null;
    if (gw_const_int(e->f, v, &null)) return gw_strdup("nullptr");
    char *text = gw_emit_text(e, v, GW_IN_EXACT, GW_PREC_UNARY), *made = gw_format("(%s)%s", type, text);
    free(text);
    return made;
}

static char *lengths(gw_emitter *e, gw_op op, uint32_t first) {
    uint32_t count = 3;
    int64_t n;
    while (count > 1 && gw_const_int(e->f, gw_operand(e->f, op, first + count - 1), &n) && n == 1)
        count--;
    gw_text out = {0};
    for (uint32_t i = 0; i < count; i++) {
        char *one = operand(e, op, first + i);
        gw_text_addf(&out, "%s%s", i ? ", " : "dim3(", one);
        free(one);
    }
    gw_text_add(&out, ")");
    return out.at;
}

/* ---- kernels ---- */
/* From wherever, with its namespace. */
static char *teller(const gw_func *kernel, int64_t request, gw_told_way way) {
    const gw_session *s = kernel->session;
    const char *qualified = gw_cstr(s, kernel->qualified), *last = NULL;
    for (const char *c = strstr(qualified, "::"); c; c = strstr(c + 2, "::"))
        last = c;
    const int space = last ? (int)(last + 2 - qualified) : 0;
    return gw_format("%.*s%s", space, qualified, gw_cstr(s, gw_derived_launch_name(kernel, request, way)));
}

/* The adjoint of a number: where it goes. */
static void add_number(gw_emitter *e, gw_value v, gw_emit_items *items) {
    const gw_value root = gw_emit_variable(&e->plan, v);
    if (!e->plan.values[v].needed) {
        gw_push(items, gw_strdup("nullptr"));
        return;
    }
    gw_emit_forget(e, root);
    const char *type = gw_emit_is_declared(e, root) ? "" : gw_emit_type(e, gw_typeof(e->f, v));
    const gw_str name = *type ? gw_emit_name_value(e, root) : e->variable_name[root];
    gw_emit_line(e, "%s%s%s = 0;", type, *type ? " " : "", gw_cstr(e->session, name));
    gw_push(items, gw_format("&%s", gw_cstr(e->session, name)));
}

static void add_results(gw_emitter *e, const gw_func *kernel, const gw_func *grad, gw_op op,
                        gw_emit_items *items) {
    uint32_t result = 0;
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const gw_param *p = &kernel->params.at[i];
        if (!gw_launched_asks_numbers(kernel, grad, i)) {
            result += gw_launched_numbers(kernel, i);
            continue;
        }
        if (!gw_launched_is_struct(kernel, p)) {
            add_number(e, gw_result(e->f, op, result++), items);
            continue;
        }
        char *name = gw_teller_ask_struct(e, kernel, p, op, &result);
        gw_push(items, name ? gw_format("&%s", name) : gw_strdup("nullptr"));
        free(name);
    }
}

/* What came back in structs. */
static void take_results(gw_emitter *e, const gw_func *kernel, const gw_func *grad, gw_op op,
                         const gw_emit_items *items) {
    uint32_t result = 0, at = 0;
    for (uint32_t i = 0; i < kernel->params.count; i++)
        at += gw_launched_asks_numbers(kernel, grad, i) ? 1 : 0;
    at = items->count - at;
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const gw_param *p = &kernel->params.at[i];
        const char *item = gw_launched_asks_numbers(kernel, grad, i) ? items->at[at++] : NULL;
        if (item && gw_launched_is_struct(kernel, p))
            gw_teller_take_struct(e, kernel, p, op, &result, *item == '&' ? item + 1 : NULL);
        else
            result += gw_launched_numbers(kernel, i);
    }
}

/* What a program has as a number may be an enumerator to the kernel. */
static char *argument(gw_emitter *e, const gw_param *p, gw_op op, uint32_t at) {
    if (!p->is_enumerated) return operand(e, op, at);
    char *text = gw_emit_text(e, gw_operand(e->f, op, at), GW_IN_EXACT, GW_PREC_UNARY),
         *made = gw_format("(%s)%s", gw_cstr(e->session, p->type_text), text);
    free(text);
    return made;
}

static void add_arguments(gw_emitter *e, const gw_func *kernel, gw_op op, gw_emit_items *items) {
    uint32_t at = GW_LAUNCH_OPERANDS;
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const gw_param *p = &kernel->params.at[i];
        gw_push(items, gw_launched_is_struct(kernel, p) ? gw_teller_make_struct(e, kernel, p, op, at)
                                                        : argument(e, p, op, at));
        at += gw_launched_parts(kernel, p);
    }
}

/* Behind the arguments: what those numbers change by of which that is asked. */
static void add_tangents(gw_emitter *e, const gw_func *kernel, const gw_func *jvp, gw_op op,
                         gw_emit_items *items) {
    uint32_t at = GW_LAUNCH_OPERANDS;
    for (uint32_t i = 0; i < kernel->params.count; i++)
        at += gw_launched_parts(kernel, &kernel->params.at[i]);
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const gw_param *p = &kernel->params.at[i];
        if (!gw_launched_asks_numbers(kernel, jvp, i))
            at += gw_launched_numbers(kernel, i);
        else if (gw_launched_is_struct(kernel, p))
            gw_push(items, gw_teller_tangent_struct(e, kernel, p, op, &at));
        else
            gw_push(items, operand(e, op, at++));
    }
}

static void launch(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const bool back = o->flags & GW_OP_BACK;
    const gw_func *grad = gw_launched_gradient(e->f, op), *kernel = gw_launched_kernel(e->f, op);
    gw_emit_items items = {0};
    gw_push(&items, gw_strdup(run_of(e)));
    gw_push(&items, lengths(e, op, 0));
    gw_push(&items, lengths(e, op, 3));
    gw_push(&items, operand(e, op, 6));
    gw_push(&items, typed(e, op, 7, "cudaStream_t"));
    add_arguments(e, kernel, op, &items);
    if (back) add_results(e, kernel, grad, op, &items);
    if (gw_emit_call_is_along(e, op)) add_tangents(e, kernel, grad, op, &items);
    const gw_told_way forward = gw_emit_is_along(e) ? GW_TOLD_ALONG : GW_TOLD_FORWARD;
    char *head = teller(kernel, gw_launch_request(e->f, op), back ? GW_TOLD_BACKWARD : forward);
    gw_emit_call_text(e, head, items.at, items.count, ";");
    free(head);
    if (back) take_results(e, kernel, grad, op, &items);
    gw_emit_items_free(&items);
}

/* ---- calls of CUDA's runtime ---- */
/* Behind the name of what does a call. */
static const char *ending(const gw_emitter *e, gw_op op) {
    if (gw_op_at(e->f, op)->flags & GW_OP_BACK) return "_back";
    return gw_emit_call_is_along(e, op) ? "_along" : "";
}

static const char *const spaces[GW_DEVICE_COUNT] = {
    [GW_DEVICE_ALLOC] = "GW_SPACE_DEVICE",
    [GW_DEVICE_ALLOC_MANAGED] = "GW_SPACE_MANAGED",
    [GW_DEVICE_ALLOC_PINNED] = "GW_SPACE_PINNED",
};

static void status(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    if (!o->results || o->flags & GW_OP_BACK) return;
    const gw_value v = gw_result(e->f, op, o->results - 1);
    if (!e->plan.values[v].needed) return;
    char *text = gw_format("gw_program_error(%s)", run_of(e));
    gw_emit_assign(e, gw_emit_variable(&e->plan, v), text);
    free(text);
}

static void alloc(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    if (o->flags & GW_OP_BACK) {
        char *p = typed(e, op, 1, "void *");
        gw_emit_line(e, "gw_program_unalloc(%s, %s);", run_of(e), p);
        free(p);
        return;
    }
    char *bytes = operand(e, op, 0),
         *text = gw_format("gw_program_alloc(%s, %s, %s)", run_of(e), bytes, spaces[o->attr]);
    const gw_value v = gw_result(e->f, op, 0);
    if (e->plan.values[v].needed) {
        gw_emit_assign(e, gw_emit_variable(&e->plan, v), text);
        gw_emit_buffer_name(e, v, gw_cstr(e->session, e->variable_name[gw_emit_variable(&e->plan, v)]));
    } else {
        gw_emit_line(e, "%s;", text);
    }
    free(text);
    free(bytes);
}

static char *kind_text(const char *number) {
    static const char *const kinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                        "cudaMemcpyDefault"};
    const bool known = number[0] >= '0' && number[0] <= '4' && !number[1];
    return known ? gw_strdup(kinds[number[0] - '0']) : gw_format("(cudaMemcpyKind)%s", number);
}

/* A call of CUDA's, whose error the run keeps. */
static void told_call(gw_emitter *e, const char *head, gw_emit_items *items, const char *what) {
    if (what) {
        gw_text call = {0};
        gw_text_addf(&call, "%s(", head);
        for (uint32_t i = 0; i < items->count; i++)
            gw_text_addf(&call, "%s%s", i ? ", " : "", items->at[i]);
        gw_text_add(&call, ")");
        gw_emit_items told = {0};
        gw_push(&told, gw_strdup(run_of(e)));
        gw_push(&told, call.at);
        gw_push(&told, gw_format("\"%s\"", what));
        gw_emit_call_text(e, "gw_program_check", told.at, told.count, ";");
        gw_emit_items_free(&told);
    } else {
        gw_emit_call_text(e, head, items->at, items->count, ";");
    }
    gw_emit_items_free(items);
}

static void copy(gw_emitter *e, gw_op op) {
    const char *cell = gw_emit_program_cell(e, op);
    char *pointer = gw_format("%s *", cell), *source = gw_format("const %s *", cell);
    char *to = typed(e, op, 0, pointer), *from = typed(e, op, 1, source), *bytes = operand(e, op, 2),
         *kind = operand(e, op, 3), *stream = typed(e, op, 4, "cudaStream_t");
    const bool back = gw_op_at(e->f, op)->flags & GW_OP_BACK,
               waits = gw_op_at(e->f, op)->attr == GW_DEVICE_COPY;
    char *head = gw_format("gw_program_copy%s<%s>", ending(e, op), cell);
    gw_emit_items items = {0};
    gw_push(&items, gw_strdup(run_of(e)));
    gw_push(&items, gw_strdup(to)), gw_push(&items, gw_strdup(from)), gw_push(&items, gw_strdup(bytes));
    gw_push(&items, kind_text(kind)), gw_push(&items, gw_strdup(stream));
    gw_push(&items, gw_strdup(waits ? "true" : "false"));
    told_call(e, head, &items, back ? NULL : "a copy");
    free(head);
    free(pointer), free(source), free(to), free(from), free(bytes), free(kind), free(stream);
}

static void set(gw_emitter *e, gw_op op) {
    const bool back = gw_op_at(e->f, op)->flags & GW_OP_BACK, waits = gw_op_at(e->f, op)->attr == GW_DEVICE_SET;
    const char *cell = gw_emit_program_cell(e, op);
    char *pointer = gw_format("%s *", cell), *head = gw_format("gw_program_set%s<%s>", ending(e, op), cell);
    gw_emit_items items = {0};
    gw_push(&items, gw_strdup(run_of(e)));
    gw_push(&items, typed(e, op, 0, pointer));
    if (!back) gw_push(&items, operand(e, op, 1));
    gw_push(&items, operand(e, op, 2));
    gw_push(&items, typed(e, op, 3, "cudaStream_t"));
    if (!back) gw_push(&items, gw_strdup(waits ? "true" : "false"));
    told_call(e, head, &items, back ? NULL : "a fill");
    free(pointer);
    free(head);
}

/* The caller's pointer that has no derivative, and leads to nothing that has one; NULL. */
static const gw_param *apart(const gw_func *f, gw_value address) {
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].value == address && f->params.at[i].is_apart) return &f->params.at[i];
    return NULL;
}

static void give(gw_emitter *e, gw_op op) {
    char *at = operand(e, op, 0), *shadow = typed(e, op, 1, "void *");
    int64_t none;
    const gw_param *alone = apart(e->f, gw_operand(e->f, op, 0));
    if (alone)
        gw_emit_line(e, "gw_program_apart_from(%s, %s, \"%s\", %s, %s);", run_of(e), at, at,
                     alone->is_varied ? "true" : "false", alone->is_useful ? "true" : "false");
    else if (gw_const_int(e->f, gw_operand(e->f, op, 1), &none))
        gw_emit_line(e, "gw_program_given(%s, %s, nullptr, 0);", run_of(e), at);
    else
        gw_emit_line(e, "gw_program_caller(%s, %s, %s);", run_of(e), at, shadow);
    for (uint32_t i = 0; i < e->f->params.count; i++) { /* a vector knows how long it is */
        const gw_param *p = &e->f->params.at[i];
        if (p->is_vector && p->value == gw_operand(e->f, op, 0))
            gw_emit_line(e, "gw_program_given(%s, %s, nullptr, %s.size() * sizeof(*%s));", run_of(e), at,
                         gw_cstr(e->session, p->name), at);
    }
    gw_emit_buffer_name(e, gw_operand(e->f, op, 0), at);
    if (gw_op_at(e->f, op)->attr != GW_DEVICE_GIVEN)
        gw_emit_line(e, "gw_program_%s(%s, %s);",
                     gw_op_at(e->f, op)->attr == GW_DEVICE_INPUT ? "input" : "keep", run_of(e), at);
    free(at), free(shadow);
}

static const char *const marks[GW_DEVICE_COUNT] = {
    [GW_DEVICE_MARK] = "mark",
    [GW_DEVICE_LOG] = "log",
    [GW_DEVICE_RESTORE] = "restore",
    [GW_DEVICE_UNMARK] = "unmark",
};

static void simple(gw_emitter *e, gw_op op) {
    char *a = gw_op_at(e->f, op)->operands ? NULL : gw_strdup("");
    switch (gw_op_at(e->f, op)->attr) {
    case GW_DEVICE_FREE:
        a = typed(e, op, 0, "void *");
        gw_emit_line(e, "gw_program_release(%s, %s);", run_of(e), a);
        break;
    case GW_DEVICE_SYNC:
        gw_emit_line(e, "gw_program_waited(%s);", run_of(e));
        gw_emit_line(e, "gw_program_check(%s, cudaDeviceSynchronize(), \"cudaDeviceSynchronize\");", run_of(e));
        break;
    case GW_DEVICE_SYNC_STREAM:
        a = typed(e, op, 0, "cudaStream_t");
        gw_emit_line(e, "gw_program_waited(%s);", run_of(e));
        gw_emit_line(e, "gw_program_check(%s, cudaStreamSynchronize(%s), \"cudaStreamSynchronize\");",
                     run_of(e), a);
        break;
    default:
        if (marks[gw_op_at(e->f, op)->attr])
            gw_emit_line(e, "gw_program_%s(%s);", marks[gw_op_at(e->f, op)->attr], run_of(e));
        break;
    }
    free(a);
}

void gw_emit_device(gw_emitter *e, gw_op op) {
    gw_emit_site(e, op);
    switch (gw_op_at(e->f, op)->attr) {
    case GW_DEVICE_GIVEN:
    case GW_DEVICE_KEPT:
    case GW_DEVICE_INPUT:
        give(e, op);
        break;
    case GW_DEVICE_ALLOC:
    case GW_DEVICE_ALLOC_MANAGED:
    case GW_DEVICE_ALLOC_PINNED:
        alloc(e, op);
        break;
    case GW_DEVICE_COPY:
    case GW_DEVICE_COPY_QUEUED:
        copy(e, op);
        break;
    case GW_DEVICE_SET:
    case GW_DEVICE_SET_QUEUED:
        set(e, op);
        break;
    case GW_DEVICE_LAUNCH:
        launch(e, op);
        break;
    case GW_DEVICE_SEND:
    case GW_DEVICE_FETCH:
        gw_emit_program_host(e, op);
        return;
    case GW_DEVICE_RULE:
        gw_emit_rule(e, op);
        return;
    default:
        if (!gw_emit_program_call(e, op)) simple(e, op);
        break;
    }
    status(e, op);
}
