/*
 * emit/program.c - programs: what a function of the host does to memory that kernels see, as calls of the
 * runtime (gradwright/program.h); of each kernel that is launched, how a launch is told of going forward and
 * backward; and the functions around the derivative of a program, which give it memory.
 */
#include "analysis/ir/query.h"
#include "rewriters/emit/emit_private.h"
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
const gw_func *gw_emit_launched(const gw_session *s, gw_str kernel) {
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        if (f->form == GW_FORM_GRAD && f->kind == GW_FUNC_KERNEL && f->primal->symbol == kernel &&
            s->requests.at[f->request].launched && !gw_is_along_other(f))
            return f;
    }
    return NULL;
}

static char *teller(const gw_func *kernel, bool back) {
    const gw_session *s = kernel->session;
    const gw_func *f = kernel->primal ? kernel->primal : kernel;
    char *name = gw_format("%s_%s", gw_cstr(s, f->name), back ? "backward" : "forward");
    if (f->template_head) {
        char *full = gw_format("%s<%s>", name, gw_cstr(s, f->template_arguments));
        free(name);
        name = full;
    }
    return name;
}

static void add_results(gw_emitter *e, gw_op op, gw_emit_items *items) {
    for (uint32_t i = 0; i < gw_op_at(e->f, op)->results; i++) {
        const gw_value v = gw_result(e->f, op, i), root = gw_emit_variable(&e->plan, v);
        if (!e->plan.values[v].needed) {
            gw_push(items, gw_strdup("nullptr"));
            continue;
        }
        gw_emit_forget(e, root);
        const char *type = gw_emit_is_declared(e, root) ? "" : gw_emit_type(e, gw_typeof(e->f, v));
        const gw_str name = *type ? gw_emit_name_value(e, root) : e->variable_name[root];
        gw_emit_line(e, "%s%s%s = 0;", type, *type ? " " : "", gw_cstr(e->session, name));
        gw_push(items, gw_format("&%s", gw_cstr(e->session, name)));
    }
}

static void launch(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const bool back = o->flags & GW_OP_BACK;
    const gw_func *grad = gw_emit_launched(e->session, o->callee);
    const gw_func *kernel = grad ? grad->primal : gw_func_find(e->session, o->callee);
    gw_emit_items items = {0};
    if (back && !grad) return; /* nothing that it writes has a derivative */
    gw_push(&items, gw_strdup(run_of(e)));
    gw_push(&items, lengths(e, op, 0));
    gw_push(&items, lengths(e, op, 3));
    gw_push(&items, operand(e, op, 6));
    gw_push(&items, typed(e, op, 7, "cudaStream_t"));
    for (uint32_t i = GW_LAUNCH_OPERANDS; i < o->operands; i++)
        gw_push(&items, operand(e, op, i));
    if (back) add_results(e, op, &items);
    char *head = teller(kernel, back);
    gw_emit_call_text(e, head, items.at, items.count, ";");
    free(head);
    gw_emit_items_free(&items);
}

/* ---- calls of CUDA's runtime ---- */
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
    if (e->plan.values[v].needed)
        gw_emit_assign(e, gw_emit_variable(&e->plan, v), text);
    else
        gw_emit_line(e, "%s;", text);
    free(text);
    free(bytes);
}

/* Of what cells consist: operand i, a gw_element. */
static const char *cell_of(const gw_emitter *e, gw_op op, uint32_t i) {
    static const char *const cells[] = {"char", "float", "double"};
    int64_t element = 0;
    gw_const_int(e->f, gw_operand(e->f, op, i), &element);
    return cells[element];
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
        gw_push(&told, gw_format("\"%s at %s:%u\"", what,
                                 gw_emit_file_name(e->session, gw_op_at(e->f, e->statement)->loc.file),
                                 gw_op_at(e->f, e->statement)->loc.line));
        gw_emit_call_text(e, "gw_program_check", told.at, told.count, ";");
        gw_emit_items_free(&told);
    } else {
        gw_emit_call_text(e, head, items->at, items->count, ";");
    }
    gw_emit_items_free(items);
}

static void copy(gw_emitter *e, gw_op op) {
    const char *cell = cell_of(e, op, 5);
    char *pointer = gw_format("%s *", cell), *source = gw_format("const %s *", cell);
    char *to = typed(e, op, 0, pointer), *from = typed(e, op, 1, source), *bytes = operand(e, op, 2),
         *kind = operand(e, op, 3), *stream = typed(e, op, 4, "cudaStream_t");
    const bool back = gw_op_at(e->f, op)->flags & GW_OP_BACK,
               waits = gw_op_at(e->f, op)->attr == GW_DEVICE_COPY;
    char *head = gw_format("gw_program_copy%s<%s>", back ? "_back" : "", cell);
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
    const char *cell = cell_of(e, op, 4);
    char *pointer = gw_format("%s *", cell),
         *head = gw_format("gw_program_set%s<%s>", back ? "_back" : "", cell);
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

static void give(gw_emitter *e, gw_op op) {
    char *at = operand(e, op, 0), *shadow = typed(e, op, 1, "void *");
    gw_emit_line(e, "gw_program_given(%s, %s, %s, 0);", run_of(e), at, shadow);
    if (gw_op_at(e->f, op)->attr != GW_DEVICE_GIVEN)
        gw_emit_line(e, "gw_program_%s(%s, %s);",
                     gw_op_at(e->f, op)->attr == GW_DEVICE_INPUT ? "input" : "keep", run_of(e), at);
    free(at), free(shadow);
}

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
        break;
    }
    free(a);
}

void gw_emit_device(gw_emitter *e, gw_op op) {
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
    default:
        simple(e, op);
        break;
    }
    status(e, op);
}

/* ---- how a launch is told ---- */
typedef struct told {
    gw_emitter *e;
    const gw_func *grad, *kernel; /* the gradient, NULL: there is none; the primal */
    const char *run, *grid, *block, *shared, *stream, *space;
    GW_VEC(gw_str) names; /* of the kernel's parameters */
} told;

static bool touches(const gw_func *f, gw_object o, unsigned how) {
    for (gw_op op = gw_first(f, f->entry); op; op = gw_next(f, op))
        if (gw_touches(f, op, o, how)) return true;
    return false;
}

/* Whether the gradient, or a kernel that runs with it, reads what the parameter leads to. */
static bool is_read_back(const told *t, uint32_t param) {
    const gw_session *s = t->e->session;
    for (uint32_t i = 0; t->grad && i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        const bool runs = f == t->grad || f->form == GW_FORM_GATHER || f->form == GW_FORM_MEASURE;
        if (runs && f->primal == t->kernel && f->request == t->grad->request &&
            touches(f, f->params.at[param].object, GW_TOUCH_READ))
            return true;
    }
    return false;
}

static bool is_number(const gw_func *f, const gw_param *p) {
    return p->value && gw_type_is_float(gw_typeof(f, p->value));
}

static void add_common(told *t, gw_emit_params *list, bool back) {
    gw_session *s = t->e->session;
    const char *const types[] = {"gw_program *", "dim3", "dim3", "size_t", "cudaStream_t"};
    const char **const names[] = {&t->run, &t->grid, &t->block, &t->shared, &t->stream};
    static const char *const wishes[] = {"run", "grid", "block", "shared_bytes", "stream"};
    for (uint32_t i = 0; i < t->kernel->params.count; i++)
        gw_emit_reserve(t->e, t->kernel->params.at[i].name);
    for (uint32_t i = 0; i < 5; i++) {
        *names[i] = gw_cstr(s, gw_emit_unique(t->e, wishes[i]));
        gw_emit_params_add(list, s, types[i], *names[i]);
    }
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        const gw_param *p = &t->kernel->params.at[i];
        gw_emit_params_add(list, s, p->object ? "const void *" : gw_cstr(s, p->type_text), gw_cstr(s, p->name));
    }
    for (uint32_t i = 0; back && i < t->kernel->params.count; i++) {
        const gw_param *p = &t->kernel->params.at[i];
        if (!is_number(t->kernel, p)) continue;
        char *type = gw_format("%s *", gw_cstr(s, p->type_text)),
             *name = gw_format("d_%s", gw_cstr(s, p->name));
        gw_emit_params_add(list, s, type, gw_cstr(s, gw_emit_unique(t->e, name)));
        gw_push(&t->names, list->names.at[list->names.count - 1]);
        free(type), free(name);
    }
}

static void open_teller(told *t, bool back) {
    gw_emit_params list = {0};
    gw_emit_scope_open(t->e);
    add_common(t, &list, back);
    char *name = teller(t->kernel, back), *head;
    const char *linkage = t->kernel->is_internal ? "[[maybe_unused]] static inline" : "inline";
    head = gw_format("%s void %s", linkage, name);
    t->e->depth--;
    gw_emit_call_text(t->e, head, list.texts.at, list.texts.count, " {");
    t->e->depth++;
    free(head);
    free(name);
    gw_emit_params_free(&list);
}

static void close_teller(told *t) {
    gw_emit_scope_close(t->e);
    gw_emit_line(t->e, "}");
    gw_vec_free(&t->names);
}

static void write_forward(told *t) {
    gw_emitter *e = t->e;
    const gw_session *s = e->session;
    gw_emit_line(e, "// A launch of %s in a program: what it overwrites is saved where the way back needs it.",
                 gw_cstr(s, t->kernel->name));
    open_teller(t, false);
    for (uint32_t i = 0; i < t->kernel->params.count; i++)
        if (t->kernel->params.at[i].object && is_read_back(t, i))
            gw_emit_line(e, "gw_program_reads(%s, %s);", t->run, gw_cstr(s, t->kernel->params.at[i].name));
    gw_text arguments = {0};
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        const gw_param *p = &t->kernel->params.at[i];
        const char *name = gw_cstr(s, p->name);
        if (p->object && touches(t->kernel, p->object, GW_TOUCH_WRITE))
            gw_emit_line(e, "gw_program_writes(%s, (void *)%s, 0, %s);", t->run, name, t->stream);
        if (p->object)
            gw_text_addf(&arguments, "%s(%s)%s", i ? ", " : "", gw_cstr(s, p->type_text), name);
        else
            gw_text_addf(&arguments, "%s%s", i ? ", " : "", name);
    }
    char *kernel = gw_emit_at(t->kernel, t->kernel->name);
    gw_emit_line(e, "if (gw_program_failed(%s)) return;", t->run);
    gw_emit_line(e, "%s<<<%s, %s, %s, %s>>>(%s);", kernel, t->grid, t->block, t->shared, t->stream,
                 arguments.at);
    gw_emit_line(e, "gw_program_check(%s, cudaGetLastError(), \"a launch of %s\");", t->run,
                 gw_cstr(s, t->kernel->name));
    free(kernel);
    gw_text_free(&arguments);
    close_teller(t);
}

static void add_primal_items(told *t, gw_emit_items *items) {
    const gw_session *s = t->e->session;
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        const gw_param *p = &t->kernel->params.at[i];
        const char *name = gw_cstr(s, p->name), *type = gw_cstr(s, p->type_text);
        if (!p->object)
            gw_push(items, gw_strdup(name));
        else if (is_read_back(t, i))
            gw_push(items, gw_format("(%s)gw_program_content(%s, %s, %s)", type, t->run, name, t->stream));
        else
            gw_push(items, gw_format("(%s)%s", type, name));
    }
}

static void add_adjoint_items(told *t, gw_emit_items *items) {
    const gw_session *s = t->e->session;
    uint32_t number = 0;
    for (uint32_t i = 0; i < t->grad->params.count; i++) {
        const gw_param *p = &t->grad->params.at[i];
        if (!p->is_adjoint) continue;
        const gw_param *x = &t->kernel->params.at[p->primal_index];
        const char *text = gw_cstr(s, p->type_text), *end = strstr(text, "__restrict__");
        char *type = end ? gw_format("%.*s", (int)(end - text), text) : gw_strdup(text);
        if (x->object)
            gw_push(items, gw_format("(%s)gw_program_shadow(%s, %s, %s)", type, t->run, gw_cstr(s, x->name),
                                     t->stream));
        else
            gw_push(items, gw_format("(%s)((char *)%s + %u)", type, t->space, 256 * number++));
        free(type);
    }
}

/* Numbers' adjoints are summed on the device, in front of the workspace, and awaited where they are wanted. */
static void write_numbers(told *t, uint32_t numbers) {
    gw_emitter *e = t->e;
    const gw_session *s = e->session;
    uint32_t at = 0;
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        if (!is_number(t->kernel, &t->kernel->params.at[i])) continue;
        gw_emit_line(e, "gw_program_number(%s, %s, (char *)%s + %u, %s);", t->run, gw_cstr(s, t->names.at[at]),
                     t->space, 256 * at, t->stream);
        at++;
    }
    (void)numbers;
}

static void write_backward(told *t) {
    gw_emitter *e = t->e;
    const gw_session *s = e->session;
    gw_emit_line(e, "// The reverse of that launch, from the contents that it found.");
    open_teller(t, true);
    for (uint32_t i = t->kernel->params.count; i-- > 0;) {
        const gw_param *p = &t->kernel->params.at[i];
        if (p->object && touches(t->kernel, p->object, GW_TOUCH_WRITE))
            gw_emit_line(e, "gw_program_unwrite(%s, (void *)%s);", t->run, gw_cstr(s, p->name));
    }
    const uint32_t numbers = t->names.count;
    char *bytes_name = gw_emit_at(t->grad, gw_derived_part_name(t->grad, GW_DERIVED_WORKSPACE_BYTES)),
         *launch_name = gw_emit_at(t->grad, gw_derived_part_name(t->grad, GW_DERIVED_LAUNCH));
    const char *bytes = gw_cstr(s, gw_emit_unique(e, "bytes")), *status_name;
    gw_text sizes = {0};
    gw_text_addf(&sizes, "%s, %s", t->grid, t->block);
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        const gw_param *p = &t->kernel->params.at[i];
        if (p->object)
            gw_text_addf(&sizes, ", (%s)%s", gw_cstr(s, p->type_text), gw_cstr(s, p->name));
        else
            gw_text_addf(&sizes, ", %s", gw_cstr(s, p->name));
    }
    gw_emit_line(e, "const size_t %s = %s(%s);", bytes, bytes_name, sizes.at);
    t->space = gw_cstr(s, gw_emit_unique(e, "space"));
    gw_emit_line(e, "void *const %s = gw_program_workspace(%s, gw_size_add(%s, %u), %s);", t->space, t->run,
                 bytes, 256 * numbers, t->stream);
    if (numbers)
        gw_emit_line(e, "gw_program_clear_numbers(%s, %s, %u, %s);", t->run, t->space, 256 * numbers,
                     t->stream);
    gw_emit_items items = {0};
    const char *const first[] = {t->grid, t->block, t->shared, t->stream};
    for (uint32_t i = 0; i < 4; i++)
        gw_push(&items, gw_strdup(first[i]));
    add_primal_items(t, &items);
    add_adjoint_items(t, &items);
    gw_push(&items, gw_format("(char *)%s + %u", t->space, 256 * numbers));
    gw_push(&items, gw_strdup(bytes));
    status_name = gw_cstr(s, gw_emit_unique(e, "status"));
    char *head = gw_format("const gw_status %s = %s", status_name, launch_name);
    gw_emit_line(e, "if (gw_program_failed(%s)) return;", t->run);
    gw_emit_call_text(e, head, items.at, items.count, ";");
    gw_emit_line(e, "gw_program_check_status(%s, %s, \"the reverse of %s\");", t->run, status_name,
                 gw_cstr(s, t->kernel->name));
    write_numbers(t, numbers);
    free(head), free(bytes_name), free(launch_name);
    gw_text_free(&sizes);
    gw_emit_items_free(&items);
    close_teller(t);
}

void gw_emit_tellers(gw_emitter *e, const gw_func *kernel, const gw_func *grad) {
    told t = {.e = e, .grad = grad, .kernel = kernel};
    gw_emit_line(e, "%s", "");
    write_forward(&t);
    if (!grad) return;
    t = (told){.e = e, .grad = grad, .kernel = kernel};
    gw_emit_line(e, "%s", "");
    write_backward(&t);
}
