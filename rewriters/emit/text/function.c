/*
 * emit/text/function.c - one function of the IR as C text: its state while it is written, its body, and
 * gradients of plain functions.
 */
#include "analysis/ir/atomic.h"
#include "analysis/ir/query.h"
#include "analysis/ir/requests.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

void gw_emit_begin(gw_emitter *e, gw_session *s, gw_text *out) {
    *e = (gw_emitter){.session = s, .out = out};
    const char *file = gw_cstr(s, s->source_file), *dot = strrchr(file, '.');
    bool is_c = s->is_c || (dot && strcmp(dot, ".c") == 0);
    e->language = is_c ? GW_EMIT_C : GW_EMIT_CXX;
    if (s->is_cuda) e->language = GW_EMIT_CUDA;
    gw_emit_reserve_globals(e);
}

/* "l.mean", or "d_l->mean" of an adjoint that a pointer leads to. */
static char *part_text(const gw_emitter *e, const gw_param *p) {
    const char *rest = strchr(gw_cstr(e->session, p->name), '.');
    const char *of = gw_cstr(e->session, e->object_name[p->part_of]);
    const gw_object_data *o = gw_object_at(e->f, p->part_of);
    if (o->kind == GW_OBJECT_STRUCT || o->is_reference) return gw_format("%s%s", of, rest);
    return gw_format("%s->%s", of, rest + 1);
}

/* "m.w.size()" */
static char *size_text(const gw_emitter *e, const gw_param *p) {
    char *container = gw_emit_leaf(e->session, gw_object_at(e->f, p->size_of)->type,
                                   gw_cstr(e->session, e->object_name[p->size_of]),
                                   gw_cstr(e->session, p->size_path));
    char *text = gw_format("%s.size()", container);
    free(container);
    return text;
}

static void name_params(gw_emitter *e, const gw_func *f) {
    gw_emit_params list = {0};
    gw_emit_params_of(e, f, false, &list);
    for (uint32_t i = 0, k = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (gw_param_is_hidden(p)) continue;
        gw_str name = list.names.at[k++];
        gw_emit_reserve(e, name);
        if (p->value)
            e->variable_name[p->value] = name;
        else
            e->object_name[p->object] = name;
    }
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        char *text = NULL;
        if (p->size_of) text = size_text(e, p);
        if (p->part_of) text = part_text(e, p);
        if (p->count_of) text = gw_format("%s.size()", gw_cstr(e->session, f->params.at[p->count_of - 1].name));
        if (p->is_vector)
            text = gw_format("thrust::raw_pointer_cast(%s.data())",
                             gw_cstr(e->session, e->variable_name[p->value]));
        if (text) e->variable_name[p->value] = gw_intern(e->session, text);
        free(text);
    }
    gw_emit_params_free(&list);
}

void gw_emit_enter(gw_emitter *e, const gw_func *f) {
    e->f = f;
    e->labels = 0;
    e->below = f->loc;
    e->names_line = false;
    e->device = f->kind == GW_FUNC_KERNEL || f->kind == GW_FUNC_DEVICE;
    e->launch_is_argument = e->ret != GW_EMIT_RETURN && e->ret != GW_EMIT_MEASURE;
    gw_emit_plan_make(&e->plan, f, !e->device, e->session->options.checked);
    e->variable_name = gw_alloc(f->values.count * sizeof *e->variable_name);
    e->object_name = gw_alloc(f->objects.count * sizeof *e->object_name);
    e->object_declared = gw_alloc(f->objects.count * sizeof *e->object_declared);
    e->object_is_table = gw_alloc(f->objects.count * sizeof *e->object_is_table);
    name_params(e, f);
    gw_emit_reserve_used(e, f);
}

void gw_emit_leave(gw_emitter *e) {
    e->names_line = false;
    gw_emit_plan_free(&e->plan);
    gw_vec_free(&e->held);
    free(e->variable_name);
    free(e->object_name);
    free(e->object_declared);
    free(e->object_is_table);
    free(e->object_has_scope);
    e->variable_name = e->object_name = NULL;
    e->object_declared = e->object_is_table = e->object_has_scope = NULL;
    e->host_tape = e->host_top = e->barriers = 0;
    e->tape = e->own_tape = e->stack[0] = e->stack[1] = 0;
    e->tape_is_given = false;
}

void gw_emit_discard_unused(gw_emitter *e) {
    gw_text line = {0};
    for (uint32_t i = 0; i < e->f->params.count; i++) {
        const gw_param *p = &e->f->params.at[i];
        if (gw_param_is_hidden(p) || gw_emit_uses_param(e, p) || !p->name) continue;
        const gw_str name = p->value ? e->variable_name[p->value] : e->object_name[p->object];
        gw_text_addf(&line, "%s(void)%s", line.count ? ", " : "",
                     gw_cstr(e->session, p->is_vector ? p->name : name));
    }
    if (line.count) gw_emit_line(e, "%s;", line.at);
    gw_text_free(&line);
}

/* A parameter of an enumerated type is a number to the body. */
static void number_enumerated(gw_emitter *e) {
    for (uint32_t i = 0; i < e->f->params.count && e->language != GW_EMIT_C; i++) {
        const gw_param *p = &e->f->params.at[i];
        if (!p->is_enumerated || !p->value || !e->plan.values[p->value].needed) continue;
        const char *type = gw_emit_type(e, gw_typeof(e->f, p->value)),
                   *name = gw_cstr(e->session, e->variable_name[p->value]);
        char *wish = gw_format("%s_number", name);
        gw_str number = gw_emit_unique(e, wish);
        gw_emit_line(e, "%s%s %s = (%s)%s;", e->plan.values[p->value].shared ? "" : "const ", type,
                     gw_cstr(e->session, number), type, name);
        e->variable_name[p->value] = number;
        free(wish);
    }
}

void gw_emit_body(gw_emitter *e) {
    number_enumerated(e);
    gw_emit_tape_begin(e);
    gw_emit_tables(e);
    gw_emit_declare_outer_objects(e);
    gw_emit_region(e, e->f->entry);
}

static void declare_result(gw_emitter *e) {
    gw_object o = gw_emit_returned_struct(e->f);
    if (!o) return;
    e->object_name[o] = gw_emit_unique(e, "result");
    gw_emit_line(e, "%s %s;", gw_cstr(e->session, e->f->return_text), gw_cstr(e->session, e->object_name[o]));
}

/* Cells that the second half of a split gradient compares with what threads brought there
 * (adjoint/atomic.c). */
static void comment_kept(gw_emitter *e, const gw_func *f) {
    gw_object last = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_ATOMIC || o->attr != GW_ATOMIC_TAKE || o->object == last) continue;
        last = o->object;
        gw_emit_line(e, "// '%s' must be as the first half left it.",
                     gw_cstr(e->session, gw_object_at(f, gw_object_at(f, last)->shadow_of)->name));
    }
}

/* ---- plain functions ---- */
static const char *const forms[] = {[GW_FORM_GRAD] = "Gradient",
                                    [GW_FORM_PULLBACK] = "Pullback",
                                    [GW_FORM_JVP] = "Forward derivative",
                                    [GW_FORM_FWD] = "First half of the split gradient",
                                    [GW_FORM_BWD] = "Second half of the split gradient",
                                    [GW_FORM_GATHER] = "Sums over the grid for the gradient",
                                    [GW_FORM_MEASURE] = "Measures the tape of the gradient"};

void gw_emit_comment(gw_emitter *e, const gw_func *f) {
    const gw_func *p = f->primal;
    const gw_session *s = e->session;
    if (!p) return;
    gw_text line = {0};
    const gw_request *q = f->request < s->requests.count ? &s->requests.at[f->request] : NULL;
    const bool screen = q && f->form == GW_FORM_JVP && q->kind == GW_REQUEST_SCREEN;
    const bool own = screen || (q && f->form == GW_FORM_GRAD && *gw_request_rows[q->kind].suffix);
    const bool terms = own && q->kind == GW_REQUEST_ERROR;
    const char *made = own ? gw_request_rows[q->kind].made : forms[f->form];
    if (f->is_behind) made = "Additions behind the gradient";
    if (q && q->is_pattern) made = "Pattern";
    gw_text_addf(&line, "// %s%s%s of %s", terms ? "Terms of the " : "", made, gw_directions(f) ? "s" : "",
                 gw_cstr(s, q && q->func == p ? q->function : p->qualified));
    if (p->loc.line) gw_text_addf(&line, " (%s:%u)", gw_emit_file_name(s, p->loc.file), p->loc.line);
    if (q && f->form != GW_FORM_PULLBACK) gw_text_addf(&line, ": %s", gw_cstr(s, q->text));
    if (gw_is_for_any_launch(f))
        gw_text_add(&line, ", for launches that break a fact");
    else if (gw_is_along_other(f))
        gw_text_addf(&line, ", for blocks that are divided along %c", "xyz"[f->coarse_axis]);
    gw_emit_line(e, "%s", line.at);
    gw_text_free(&line);
    if (f->form == GW_FORM_BWD) comment_kept(e, f);
}

static void put_first(gw_emit_params *list) {
    char *text = list->texts.at[list->texts.count - 1];
    memmove(&list->texts.at[1], &list->texts.at[0], (list->texts.count - 1) * sizeof *list->texts.at);
    list->texts.at[0] = text;
}

/* The tape is the first parameter of f_grad_on, the last of a pullback; a program's run stands before it. */
static void add_tape(gw_emitter *e, const gw_func *f, gw_emit_params *list) {
    gw_emit_reserve_used(e, f);
    for (uint32_t i = 0; i < list->names.count; i++)
        gw_emit_reserve(e, list->names.at[i]);
    const gw_str tape = gw_emit_unique(e, "tape");
    if (f->tape_caller)
        e->tape = tape;
    else
        e->host_tape = tape;
    gw_emit_params_add(list, e->session, f->tape_caller ? "gw_tape *" : "gw_host_tape *",
                       gw_cstr(e->session, tape));
    if (!gw_emit_is_over_tape(f)) return;
    put_first(list);
    if (!gw_is_program(f)) return;
    e->program = gw_emit_unique(e, "run");
    gw_emit_params_add(list, e->session, "gw_program *", gw_cstr(e->session, e->program));
    put_first(list);
}

/* f_grad of an f_grad_on: with a tape that lives as long as the call, at first on the C stack. */
static void write_own_tape_head(gw_emitter *e, const gw_func *f, const gw_emit_params *list, const char *tail) {
    char *words = gw_emit_qualifiers(e, f);
    char *name = gw_emit_at(f, gw_is_program(f) ? gw_derived_part_name(f, GW_DERIVED_IN) : f->name);
    char *head = gw_format("%sgw_status %s", words, name);
    gw_emit_call_text(e, head, list->texts.at, list->texts.count, tail);
    free(head);
    free(words);
    free(name);
}

/* f_grad of an f_grad_in: with memory that lives as long as the call. */
static void write_own_pool(gw_emitter *e, const gw_func *f, const char *tail) {
    gw_emit_params list = {0};
    gw_emit_params_of(e, f, false, &list);
    char *words = gw_emit_qualifiers(e, f), *name = gw_emit_at(f, f->name);
    char *head = gw_format("%sgw_status %s", words, name);
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, tail);
    gw_emit_items items = {0};
    gw_push(&items, gw_strdup("nullptr"));
    for (uint32_t i = 0; i < list.names.count; i++)
        gw_push(&items, gw_strdup(gw_cstr(e->session, list.names.at[i])));
    char *in = gw_emit_called(f, gw_derived_part_name(f, GW_DERIVED_IN)), *call = gw_format("return %s", in);
    if (*tail == ' ') {
        gw_emit_scope_open(e);
        gw_emit_call_text(e, call, items.at, items.count, ";");
        gw_emit_scope_close(e);
        gw_emit_line(e, "}");
    }
    free(in), free(call), free(words), free(name), free(head);
    gw_emit_items_free(&items);
    gw_emit_params_free(&list);
}

/* The adjoint of a number of a program: the caller's changes once all went well. NULL: it is none. */
static const gw_param *number_of(const gw_func *f, const gw_param *p) {
    if (!gw_is_program(f) || f->form != GW_FORM_GRAD) return NULL;
    if (!p->is_adjoint || p->primal_index == UINT32_MAX) return NULL;
    const gw_param *x = &f->primal->params.at[p->primal_index];
    return x->value && gw_type_is_float(gw_typeof(f->primal, x->value)) ? x : NULL;
}

/* The same of a struct with numbers: its adjoint is added to in a copy. */
static bool is_sum_of_struct(const gw_func *f, const gw_param *p) {
    if (!gw_is_program(f) || !p->is_adjoint || !p->object || p->primal_index == UINT32_MAX) return false;
    const gw_param *x = &f->primal->params.at[p->primal_index];
    if (!x->object || gw_object_at(f->primal, x->object)->kind != GW_OBJECT_STRUCT) return false;
    return gw_object_at(f, p->object)->kind == GW_OBJECT_POINTER;
}

static gw_str begin_sum(gw_emitter *e, const gw_param *x, gw_str start) {
    char *wish = gw_format("sum_%s", gw_cstr(e->session, x->name));
    const gw_str sum = gw_emit_unique(e, wish);
    free(wish);
    gw_emit_line(e, "%s %s = %s%s;", gw_cstr(e->session, x->type_text), gw_cstr(e->session, sum),
                 start ? "*" : "", start ? gw_cstr(e->session, start) : "0");
    return sum;
}

/* What f_grad_on is given, beside its run and tape; `sums`: where the adjoints of numbers are added up. */
static void add_own_items(gw_emitter *e, const gw_func *f, const gw_emit_params *list, gw_emit_items *items,
                          gw_names *sums) {
    for (uint32_t i = 0, named = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i], *x = number_of(f, p);
        if (gw_param_is_hidden(p)) continue;
        const gw_str name = list->names.at[named++];
        const bool is_struct = is_sum_of_struct(f, p);
        if (!x && !is_struct) {
            gw_push(items, gw_strdup(gw_cstr(e->session, name)));
            continue;
        }
        const gw_str sum =
            is_struct ? begin_sum(e, &f->primal->params.at[p->primal_index], name) : begin_sum(e, x, 0);
        gw_push(items, gw_format("&%s", gw_cstr(e->session, sum)));
        gw_push(sums, sum);
    }
}

static void end_program(gw_emitter *e, const gw_func *f, const char *run, const gw_names *sums) {
    if (!sums->count) {
        gw_emit_line(e, "return gw_program_end(%s);", run);
        return;
    }
    const char *end = gw_cstr(e->session, gw_emit_unique(e, "end"));
    uint32_t at = 0;
    gw_emit_line(e, "const gw_status %s = gw_program_end(%s);", end, run);
    gw_emit_line(e, "if (%s != GW_OK) return %s;", end, end);
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        const bool is_struct = is_sum_of_struct(f, p);
        if (gw_param_is_hidden(p) || (!is_struct && !number_of(f, p))) continue;
        gw_emit_line(e, "*%s %s %s;", gw_cstr(e->session, p->name),
                     is_struct ? "=" : "+=", gw_cstr(e->session, sums->at[at++]));
    }
    gw_emit_line(e, "return GW_OK;");
}

/* The adjoint of a vector has as many elements. */
static void compare_sizes(gw_emitter *e, const gw_func *f, const char *run) {
    const gw_session *s = e->session;
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        if (!p->is_adjoint || !p->is_vector) continue;
        const char *d = gw_cstr(s, p->name), *x = gw_cstr(s, f->params.at[p->primal_index].name);
        gw_emit_line(e, "gw_program_alike(%s, \"%s\", %s.size(), \"%s\", %s.size());", run, d, d, x, x);
    }
}

/* A function that may throw frees its tape then, too. */
static void free_in_the_end(gw_emitter *e, const gw_func *f, const char *tape) {
    if (e->language == GW_EMIT_C || !gw_may_stop(f, GW_STOP_THROWS)) return;
    gw_emit_line(e, "const gw_host_tape_end %s = {&%s};", gw_cstr(e->session, gw_emit_unique(e, "end")), tape);
}

static void write_own_tape(gw_emitter *e, const gw_func *f) {
    const bool program = gw_is_program(f);
    gw_emit_params list = {0};
    gw_emit_params_of(e, f, false, &list);
    for (uint32_t i = 0; program && i < list.names.count; i++)
        gw_emit_reserve(e, list.names.at[i]);
    if (program) {
        gw_emit_params_add(&list, e->session, "gw_pool *", gw_cstr(e->session, gw_emit_unique(e, "pool")));
        put_first(&list);
    }
    char *on = gw_emit_called(f, gw_derived_part_name(f, GW_DERIVED_ON));
    write_own_tape_head(e, f, &list, " {");
    gw_emit_scope_open(e);
    for (uint32_t i = 0; i < list.names.count; i++)
        gw_emit_reserve(e, list.names.at[i]);
    const char *first = gw_cstr(e->session, gw_emit_unique(e, "first"));
    const char *tape = gw_cstr(e->session, gw_emit_unique(e, "tape"));
    const char *status = gw_cstr(e->session, gw_emit_unique(e, "status"));
    const char *run = program ? gw_cstr(e->session, gw_emit_unique(e, "run")) : NULL;
    gw_emit_items items = {0};
    gw_names sums = {0};
    if (program) gw_push(&items, gw_strdup(run));
    gw_push(&items, gw_format("&%s", tape));
    add_own_items(e, f, &list, &items, &sums);
    gw_emit_line(e, "char %s[GW_HOST_TAPE_FIRST];", first);
    gw_emit_line(e, "gw_host_tape %s = gw_host_tape_over(%s, sizeof %s);", tape, first, first);
    free_in_the_end(e, f, tape);
    if (program)
        gw_emit_line(e, "gw_program *const %s = gw_program_begin(%s);", run,
                     gw_cstr(e->session, list.names.at[list.names.count - 1]));
    if (program && f->form == GW_FORM_JVP) gw_emit_line(e, "gw_program_along(%s);", run);
    if (program) compare_sizes(e, f, run);
    char *call = gw_format("const gw_status %s = %s", status, on);
    gw_emit_call_text(e, call, items.at, items.count, ";");
    gw_emit_line(e, "gw_host_tape_free(&%s);", tape);
    free(on), free(call);
    if (program) gw_emit_line(e, "gw_program_check_status(%s, %s, \"the tape\");", run, status);
    if (program)
        end_program(e, f, run, &sums);
    else
        gw_emit_line(e, "return %s;", status);
    gw_emit_scope_close(e);
    gw_emit_line(e, "}");
    gw_emit_items_free(&items);
    gw_vec_free(&sums);
    gw_emit_params_free(&list);
}

/* A forward derivative has local arrays of its own, and no way to say more than that its value is none. */
static void own_tape(gw_emitter *e, const gw_func *f) {
    gw_str blocks = gw_emit_unique(e, "blocks");
    e->host_tape = gw_emit_unique(e, "tape");
    const char *tape = gw_cstr(e->session, e->host_tape), *name = gw_cstr(e->session, blocks);
    gw_emit_line(e, "gw_host_tape %s = GW_HOST_TAPE, *const %s = &%s;", name, tape, name);
    free_in_the_end(e, f, name);
}

/* "static inline gw_status f_pullback(...)tail"; the scope of its parameters is open then. */
static void write_head(gw_emitter *e, const gw_func *f, const gw_func *body, const char *tail) {
    gw_emit_params list = {0};
    gw_emit_params_of(e, f, true, &list);
    const bool on = gw_emit_is_over_tape(f);
    char *words = gw_emit_qualifiers(e, f);
    char *name = gw_emit_at(f, on ? gw_derived_part_name(f, GW_DERIVED_ON) : f->name);
    char *head = gw_format("%s%s %s", words, gw_emit_result(e, f), name);
    free(words);
    free(name);
    gw_emit_scope_open(e);
    if (gw_emit_takes_tape(f) || f->tape_caller) add_tape(e, f, &list);
    gw_emit_exact_given(e, body, &list);
    e->depth--;
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, tail);
    e->depth++;
    free(head);
    gw_emit_params_free(&list);
}

static void leave_head(gw_emitter *e) {
    gw_emit_scope_close(e);
    e->host_tape = e->tape = 0;
    free(e->parts[GW_TENANT_EXACT]);
    e->parts[GW_TENANT_EXACT] = NULL;
}

void gw_emit_prototype(gw_emitter *e, const gw_func *f) {
    write_head(e, f, f, ";");
    leave_head(e);
}

void gw_emit_declaration(gw_emitter *e, const gw_func *f) {
    gw_emit_comment(e, f);
    gw_emit_prototype(e, f);
    if (!gw_emit_is_over_tape(f)) return;
    gw_emit_params list = {0};
    gw_emit_params_of(e, f, false, &list);
    write_own_tape_head(e, f, &list, ";");
    gw_emit_params_free(&list);
    if (gw_is_program(f)) write_own_pool(e, f, ";");
    gw_emit_asked(e, f, ";");
}

/* The gradient of a returned value is the pullback of 1. */
static void write_seeded(gw_emitter *e, const gw_func *f, const gw_func *pullback) {
    gw_emit_params list = {0};
    GW_VEC(char *) items = {0};
    gw_str seed = 0;
    for (uint32_t i = 0; i < pullback->params.count; i++)
        if (pullback->params.at[i].is_adjoint && pullback->params.at[i].primal_index == UINT32_MAX)
            seed = pullback->params.at[i].name;
    gw_emit_params_of(e, pullback, false, &list);
    for (uint32_t i = 0; i < list.names.count; i++)
        gw_push(&items, gw_strdup(list.names.at[i] == seed ? "1" : gw_cstr(e->session, list.names.at[i])));
    if (f->tape_host) gw_push(&items, gw_strdup(gw_cstr(e->session, e->host_tape)));
    for (uint32_t i = 0; e->parts[GW_TENANT_EXACT] && i < gw_exact_arrays(pullback); i++)
        gw_push(&items, gw_strdup(gw_cstr(e->session, e->parts[GW_TENANT_EXACT][i])));
    char *name = gw_emit_called(pullback, pullback->name),
         *head = gw_format(f->tape_host ? "return %s" : "%s", name);
    gw_emit_call_text(e, head, items.at, items.count, ";");
    for (uint32_t i = 0; i < items.count; i++)
        free(items.at[i]);
    gw_vec_free(&items);
    free(head);
    free(name);
    gw_emit_params_free(&list);
}

static void write_body(gw_emitter *e, const gw_func *f) {
    gw_str tape = e->host_tape;
    gw_emit_enter(e, f);
    e->host_tape = tape;
    e->tape_is_given = e->tape != 0;
    if (f->tape_host && !tape) own_tape(e, f);
    gw_emit_discard_unused(e);
    declare_result(e);
    gw_emit_body(e);
    gw_emit_leave(e);
}

static void write_named(gw_emitter *e, const gw_func *f) {
    const bool over = gw_emit_is_over_tape(f);
    if (!gw_emit_takes_named(e, f) || (gw_emit_takes_tape(f) && !over) || f->tape_caller || gw_exact_arrays(f))
        return;
    gw_emit_params list = {0}, in = {0};
    char *words = gw_emit_qualifiers(e, f);
    const char *result = over ? "gw_status" : gw_emit_result(e, f), *name = gw_cstr(e->session, f->name);
    gw_emit_params_of(e, f, false, &list);
    gw_emit_named(e, f, words, result, name, &list);
    if (over && gw_is_program(f)) {
        gw_emit_params_add(&in, e->session, "gw_pool *", "pool");
        for (uint32_t i = 0; i < list.names.count; i++)
            gw_push(&in.texts, gw_strdup(list.texts.at[i])), gw_push(&in.names, list.names.at[i]);
        gw_emit_named(e, f, words, result, gw_cstr(e->session, gw_derived_part_name(f, GW_DERIVED_IN)), &in);
    }
    gw_emit_params_free(&list);
    gw_emit_params_free(&in);
    free(words);
}

static void write_parts(gw_emitter *e, const gw_func *f) {
    if (!gw_emit_is_over_tape(f)) return;
    gw_emit_line(e, "%s", "");
    write_own_tape(e, f);
    if (gw_is_program(f)) gw_emit_line(e, "%s", ""), write_own_pool(e, f, " {");
}

void gw_emit_plain_function(gw_emitter *e, const gw_func *f, const gw_func *pullback) {
    e->ret = GW_EMIT_RETURN;
    gw_emit_comment(e, f);
    write_head(e, f, pullback ? pullback : f, " {");
    if (pullback)
        write_seeded(e, f, pullback);
    else
        write_body(e, f);
    leave_head(e);
    gw_emit_line(e, "}");
    write_parts(e, f);
    e->program = 0;
    write_named(e, f);
    gw_emit_asked(e, f, " {");
}
