/*
 * emit/kernel/measure.c - a tape that is measured (rewriters/tape/measure.c, emitted/measure.cuh) in the
 * text:
 *
 *     gw_status f_measure_launch(grid, block, shared_bytes, stream, <primal parameters>, gw_sizes *sizes)
 *     size_t f_workspace_bytes_measured(sizes, stream)
 *     size_t f_workspace_bytes(grid, block, <primal parameters>)
 *     gw_status f_grad_alloc(<as f_grad_launch, but for the workspace>)
 *
 * A split gradient has f_fwd_measure_launch and f_tape_bytes_measured, since the first half makes the tape, and
 * no f_fwd_alloc. f_workspace_bytes measures and waits; of a kernel with dynamic shared memory it takes the
 * bytes of that behind the block.
 */
#include "rewriters/emit/kernel/kernel_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>

static bool measures(const gw_kernel *k) { return k->measure && k->grad->form != GW_FORM_BWD; }

/* The request's functions, also where another gradient stands in its place along another axis. */
static char *name_of(const gw_kernel *k, gw_derived_part part) {
    return gw_emit_at(k->grad, gw_derived_part_name(k->grad, part));
}
static char *launch_name(const gw_kernel *k) {
    return name_of(k, gw_is_half(k->grad) ? GW_DERIVED_MEASURE_HALF_LAUNCH : GW_DERIVED_MEASURE_LAUNCH);
}
static char *bytes_name(const gw_kernel *k) {
    return name_of(k, gw_is_half(k->grad) ? GW_DERIVED_MEASURED_TAPE : GW_DERIVED_MEASURED_BYTES);
}

static void add_shape(const gw_kernel *k, gw_emit_params *list) {
    gw_session *s = k->e->session;
    gw_emit_params_add(list, s, "dim3", k->grid);
    gw_emit_params_add(list, s, "dim3", k->block);
    gw_emit_params_add(list, s, "size_t", k->shared_bytes);
    gw_emit_params_add(list, s, "cudaStream_t", k->stream);
}

/* Without the workspace, which is got here. */
static gw_emit_params alloc_params(const gw_kernel *k) {
    gw_emit_params list = {0};
    gw_emit_launch_params(k, &list);
    for (int i = 0; i < 2; i++) free(list.texts.at[--list.texts.count]);
    list.names.count = list.texts.count;
    return list;
}

static void write_alloc_head(const gw_kernel *k, const gw_emit_params *list, const char *tail) {
    char *name = name_of(k, GW_DERIVED_ALLOC),
         *head = gw_format("%sgw_status %s", gw_emit_linkage(k->grad, true), name);
    gw_emit_call_text(k->e, head, list->texts.at, list->texts.count, tail);
    free(head);
    free(name);
}

/* What a user has asked for. */
bool gw_emit_has_alloc(const gw_emitter *e, const gw_func *grad) {
    const gw_session *s = e->session;
    const bool asked = grad->request < s->requests.count && !s->requests.at[grad->request].is_made;
    return asked && grad->form == GW_FORM_GRAD && !gw_is_along_other(grad);
}

static gw_emit_params launch_params(const gw_kernel *k, const char *sizes) {
    gw_emit_params list = {0};
    add_shape(k, &list);
    gw_emit_primal_params(k, &list);
    gw_emit_params_add(&list, k->e->session, "gw_sizes *", sizes);
    return list;
}

static void write_launch_head(const gw_kernel *k, const gw_emit_params *list, const char *tail) {
    char *name = launch_name(k), *head = gw_format("%sgw_status %s", gw_emit_linkage(k->grad, true), name);
    gw_emit_call_text(k->e, head, list->texts.at, list->texts.count, tail);
    free(head);
    free(name);
}

/* "HEAD gw_launch(name, f_measure, shape, the primal's parameters, last);"; takes `last`. */
static void start(const gw_kernel *k, const char *head, const char *launch, char *last) {
    gw_session *s = k->e->session;
    gw_emit_items items = {0};
    gw_push(&items, gw_format("\"%s\"", launch));
    const char *const shape[] = {gw_cstr(s, k->measure->name), k->grid, k->own_block, k->shared_bytes,
                                 k->stream};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) gw_push(&items, gw_strdup(shape[i]));
    for (uint32_t i = 0; i < k->grad->params.count; i++)
        if (!k->grad->params.at[i].is_adjoint && !gw_param_is_hidden(&k->grad->params.at[i]))
            gw_push(&items, gw_strdup(gw_cstr(s, gw_emit_param_name(k, i))));
    gw_push(&items, last);
    gw_emit_call_text(k->e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
}

/* Bytes in front of the slots, in a launch function. */
static char *beside(const gw_kernel *k) {
    if (gw_is_half(k->grad)) return gw_format("gw_measured_split_bytes(%s, %s)", k->grid, k->block);
    char *list = gw_emit_arguments(k, k->grid, k->block, NULL);
    char *told = gw_emit_told(k), *bytes = gw_emit_called_text(k->grad, k->own_bytes),
         *text = gw_format("%s(%s%s)", bytes, list, told);
    free(list), free(told), free(bytes);
    return text;
}

static void write_launch(gw_kernel *k) {
    gw_emitter *e = k->e;
    uint32_t names = e->names.count;
    const char *own_block = k->own_block, *sizes = gw_cstr(e->session, gw_emit_unique(e, "sizes"));
    char *name = launch_name(k);
    gw_emit_params list = launch_params(k, sizes);
    write_launch_head(k, &list, " {");
    gw_emit_scope_open(e);
    gw_emit_choose_measure(k, &list);
    gw_emit_assumptions(k, name);
    gw_emit_own_block(k);
    const char *status = gw_cstr(e->session, gw_emit_unique(e, "status"));
    gw_emit_line(e, "const gw_status %s = gw_measure_clear(\"%s\", %s, %s);", status, name, sizes, k->stream);
    gw_emit_line(e, "if (%s != GW_OK) return %s;", status, status);
    char *bytes = beside(k);
    start(k, "return gw_launch", name, gw_format("gw_measuring{%s, nullptr, %s}", sizes, bytes));
    gw_emit_scope_close(e);
    gw_emit_line(e, "}\n");
    gw_emit_release(e, names);
    k->own_block = own_block;
    gw_emit_params_free(&list);
    free(bytes);
    free(name);
}

/* The same for all overloads of a name in a namespace: it is told nothing of their parameters. */
static bool has_reader(const gw_kernel *k) {
    gw_session *s = k->e->session;
    gw_str name = gw_derived_part_name(k->grad, GW_DERIVED_MEASURED_BYTES);
    for (uint32_t i = 0; s->funcs.at[i] != k->grad; i++) {
        const gw_func *f = s->funcs.at[i];
        if (f->form == k->grad->form && !f->template_head && gw_companion(f, GW_FORM_MEASURE) &&
            gw_derived_part_name(f, GW_DERIVED_MEASURED_BYTES) == name &&
            gw_emit_namespace(s, f) == gw_emit_namespace(s, k->grad))
            return true;
    }
    return false;
}

static void write_reader(const gw_kernel *k, bool body) {
    char *name = bytes_name(k);
    gw_emit_line(k->e, body ? "%ssize_t %s(const gw_sizes *sizes, cudaStream_t stream) {"
                            : "%ssize_t %s(const gw_sizes *, cudaStream_t);",
                 gw_emit_linkage(k->grad, true), name);
    if (body) gw_emit_line(k->e, "    return gw_measured_read(\"%s\", sizes, stream);\n}\n", name);
    free(name);
}

/* ---- f_workspace_bytes ---- */
bool gw_emit_measures_bytes(const gw_emitter *e, const gw_func *grad) {
    return gw_emit_has_alloc(e, grad) && gw_companion(grad, GW_FORM_MEASURE);
}

bool gw_emit_asks_shared_bytes(const gw_func *grad) { return gw_emit_dynamic_parts(grad->primal, 0).count; }

static gw_emit_params measured_params(const gw_kernel *k) {
    gw_emit_params list = {0};
    gw_session *s = k->e->session;
    gw_emit_params_add(&list, s, "dim3", k->grid);
    gw_emit_params_add(&list, s, "dim3", k->block);
    if (gw_emit_asks_shared_bytes(k->grad)) gw_emit_params_add(&list, s, "size_t", k->shared_bytes);
    gw_emit_primal_params(k, &list);
    return list;
}

static void write_measured_bytes_head(const gw_kernel *k, const gw_emit_params *list, const char *tail) {
    char *name = name_of(k, GW_DERIVED_WORKSPACE_BYTES),
         *head = gw_format("%ssize_t %s", gw_emit_linkage(k->grad, true), name);
    gw_emit_call_text(k->e, head, list->texts.at, list->texts.count, tail);
    free(head), free(name);
}

void gw_emit_measure_heads(const gw_kernel *k) {
    gw_emit_params list = {0};
    if (measures(k)) {
        list = launch_params(k, "");
        write_launch_head(k, &list, ";");
        gw_emit_params_free(&list);
        if (!has_reader(k)) write_reader(k, false);
    }
    if (gw_emit_measures_bytes(k->e, k->grad)) {
        list = measured_params(k);
        write_measured_bytes_head(k, &list, ";");
        gw_emit_params_free(&list);
    }
    if (!gw_emit_has_alloc(k->e, k->grad)) return;
    list = alloc_params(k);
    write_alloc_head(k, &list, ";");
    gw_emit_params_free(&list);
}

void gw_emit_measure(gw_kernel *k) {
    if (!measures(k)) return;
    write_launch(k);
    if (k->grad->template_head || !has_reader(k)) write_reader(k, true);
}

/* ---- the gradient's launch ---- */
void gw_emit_measure_start(gw_kernel *k) {
    gw_emitter *e = k->e;
    char *from = gw_is_half(k->grad) ? beside(k) : gw_strdup(k->used);
    gw_emit_line(e, "%s = gw_clear_bytes(\"%s\", %s, GW_MEASURED_HEAD, %s);", k->status, k->launch, k->space,
                 k->stream);
    gw_emit_leave_unless_good(k);
    char *head = gw_format("%s = gw_launch", k->status);
    start(k, head, k->launch, gw_format("gw_measured_by(%s, %s)", k->space, from));
    gw_emit_leave_unless_good(k);
    gw_emit_line(e, "%s = gw_measured_demand(\"%s\", %s, %s, %s);", k->status, k->launch, k->space,
                 k->space_bytes, k->stream);
    gw_emit_leave_unless_good(k);
    if (!k->tape) k->tape = gw_format("gw_measured_over(%s, %s, %s)", k->space, k->space_bytes, from);
    free(head);
    free(from);
}

/* ---- one call for all ---- */
static void call(const gw_kernel *k, const char *head, const char *name, const gw_emit_params *list,
                 char *last) {
    gw_emit_items items = {0};
    char *text = gw_format("%s%s", head, name);
    for (uint32_t i = 0; i < list->names.count; i++)
        gw_push(&items, gw_strdup(gw_cstr(k->e->session, list->names.at[i])));
    gw_push(&items, last);
    gw_emit_call_text(k->e, text, items.at, items.count, ";");
    gw_emit_items_free(&items);
    free(text);
}

/* Measures, with sizes in memory of its own, and waits for what they say; `failed` is returned else. Returns
 * the status's name. */
static const char *write_measuring(const gw_kernel *k, const char *name, const char *failed) {
    gw_emitter *e = k->e;
    gw_emit_params primal = {0};
    char *named[] = {launch_name(k), bytes_name(k)};
    char *measure = gw_emit_called_text(k->grad, named[0]), *bytes = gw_emit_called_text(k->grad, named[1]);
    add_shape(k, &primal);
    gw_emit_primal_params(k, &primal);
    const char *sizes = gw_cstr(e->session, gw_emit_unique(e, "sizes")),
               *status = gw_cstr(e->session, gw_emit_unique(e, "status"));
    gw_emit_line(e, "gw_stream_memory %s(%s);", sizes, k->stream);
    gw_emit_line(e, "gw_status %s = %s.gw_get(\"%s\", sizeof(gw_sizes));", status, sizes, name);
    gw_emit_line(e, "if (%s != GW_OK) return %s;", status, failed ? failed : status);
    char *assign = gw_format("%s = ", status), *in = gw_format("(gw_sizes *)%s.gw_at", sizes);
    call(k, assign, measure, &primal, gw_strdup(in));
    gw_emit_line(e, "if (%s != GW_OK) return %s;", status, failed ? failed : status);
    gw_emit_line(e, "const size_t %s = %s(%s, %s);", k->space_bytes, bytes, in, k->stream);
    gw_emit_params_free(&primal);
    free(assign), free(in), free(measure), free(bytes);
    free(named[0]), free(named[1]);
    return status;
}

static void write_measured_bytes(gw_kernel *k) {
    gw_emitter *e = k->e;
    gw_emit_params list = measured_params(k);
    char *name = name_of(k, GW_DERIVED_WORKSPACE_BYTES);
    gw_text_add(e->out, "\n");
    write_measured_bytes_head(k, &list, " {");
    gw_emit_scope_open(e);
    if (!gw_emit_asks_shared_bytes(k->grad)) gw_emit_line(e, "const size_t %s = 0;", k->shared_bytes);
    gw_emit_line(e, "const cudaStream_t %s = nullptr;", k->stream);
    write_measuring(k, name, "(size_t)-1");
    gw_emit_line(e, "return %s;", k->space_bytes);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}");
    gw_emit_named(e, k->grad, gw_emit_linkage(k->grad, true), "size_t", name, &list);
    gw_emit_params_free(&list);
    free(name);
}

/* The sizes of a tape that is measured are, first. */
static void write_measured_alloc(const gw_kernel *k, const gw_emit_params *list) {
    gw_emitter *e = k->e;
    const char *space = k->space, *needed = k->space_bytes;
    char *name = name_of(k, GW_DERIVED_ALLOC), *launch = gw_emit_called_text(k->grad, k->launch);
    e->depth++;
    const char *status = write_measuring(k, name, NULL);
    gw_emit_line(e, "gw_stream_memory %s(%s);", space, k->stream);
    gw_emit_line(e, "%s = %s.gw_get(\"%s\", %s);", status, space, name, needed);
    gw_emit_line(e, "if (%s != GW_OK) return %s;", status, status);
    call(k, "return ", launch, list, gw_format("%s.gw_at, %s", space, needed));
    e->depth--;
    free(name), free(launch);
}

/* The host bounds the tape, or there is none. */
static void write_plain_alloc(const gw_kernel *k, const gw_emit_params *list) {
    gw_emitter *e = k->e;
    char *name = name_of(k, GW_DERIVED_ALLOC), *launch = gw_emit_called_text(k->grad, k->launch);
    char *arguments = gw_emit_arguments(k, k->grid, k->block, NULL), *told = gw_emit_told(k),
         *bytes = gw_emit_called_text(k->grad, k->bytes);
    e->depth++;
    if (k->workspace) {
        const char *status = gw_cstr(e->session, gw_emit_unique(e, "status"));
        gw_emit_line(e, "gw_stream_memory %s(%s);", k->space, k->stream);
        gw_emit_line(e, "const size_t %s = %s(%s%s);", k->space_bytes, bytes, arguments, told);
        gw_emit_line(e, "const gw_status %s = %s.gw_get(\"%s\", %s);", status, k->space, name, k->space_bytes);
        gw_emit_line(e, "if (%s != GW_OK) return %s;", status, status);
        call(k, "return ", launch, list, gw_format("%s.gw_at, %s", k->space, k->space_bytes));
    } else {
        call(k, "return ", launch, list, gw_strdup("nullptr, 0"));
    }
    e->depth--;
    free(name), free(launch), free(arguments), free(told), free(bytes);
}

void gw_emit_alloc(gw_kernel *k) {
    if (!gw_emit_has_alloc(k->e, k->grad)) return;
    gw_emit_params list = alloc_params(k);
    char *name = name_of(k, GW_DERIVED_ALLOC);
    gw_text_add(k->e->out, "\n");
    write_alloc_head(k, &list, " {");
    gw_emit_scope_open(k->e);
    k->e->depth--;
    if (measures(k)) write_measured_alloc(k, &list);
    else write_plain_alloc(k, &list);
    k->e->depth++;
    gw_emit_scope_close(k->e);
    gw_emit_line(k->e, "}");
    gw_emit_named(k->e, k->grad, gw_emit_linkage(k->grad, true), "gw_status", name, &list);
    gw_emit_params_free(&list);
    free(name);
    if (gw_emit_measures_bytes(k->e, k->grad)) write_measured_bytes(k);
}
