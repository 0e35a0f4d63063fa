/*
 * emit/program/launched.c - of each kernel that a program launches, how a launch is told of going forward, and
 * what its reverse is:
 *
 *     void KERNEL_forward(run, grid, block, shared_bytes, stream, <the kernel's parameters>)
 *     void KERNEL_backward(<the same>, <an adjoint for each number>)
 *
 * The reverse gives the gradient's launch all that it asks for: contents and adjoints, a workspace, a tape that
 * is measured, how many cells and positions there are.
 */
#include "analysis/ir/query.h"
#include "rewriters/emit/kernel/kernel.h"
#include "rewriters/emit/program/program_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

/* ---- how a launch is told ---- */
typedef void told_items(const gw_told *t, gw_emit_items *items);

static bool is_read_back(const gw_told *t, uint32_t param) {
    return t->grad && gw_launched_reads_back(t->grad, param);
}

static bool is_pointer(const gw_told *t, const gw_param *p) {
    return p->object && !gw_launched_is_struct(t->kernel, p);
}

/* In front of the workspace lie the adjoints of numbers, and of structs that hold some. */
static uint32_t room_before(const gw_told *t, uint32_t param) {
    uint32_t room = 0;
    for (uint32_t i = 0; i < param; i++)
        room += gw_launched_room(t->kernel, t->grad, i);
    return room;
}

gw_told_struct gw_told_struct_of(const gw_told *t, uint32_t param) {
    return (gw_told_struct){.kernel = t->kernel,
                            .grad = t->grad,
                            .param = param,
                            .run = t->run,
                            .stream = t->stream,
                            .meeting = &t->meeting};
}

static void add_common(gw_told *t, gw_emit_params *list, gw_told_way way) {
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
        char *type = gw_launched_is_struct(t->kernel, p) ? gw_format("const %s &", gw_cstr(s, p->type_text))
                                                         : gw_strdup(gw_cstr(s, p->type_text));
        gw_emit_params_add(list, s, is_pointer(t, p) ? "const void *" : type, gw_cstr(s, p->name));
        free(type);
    }
    for (uint32_t i = 0; way != GW_TOLD_FORWARD && i < t->kernel->params.count; i++) {
        const gw_param *p = &t->kernel->params.at[i];
        const bool back = way == GW_TOLD_BACKWARD, is_struct = gw_launched_is_struct(t->kernel, p);
        if (!gw_launched_asks_numbers(t->kernel, t->grad, i)) continue;
        const char *by_value = is_struct ? "const %s &" : "%s";
        char *type = gw_format(back ? "%s *" : by_value, gw_cstr(s, p->type_text)),
             *name = gw_format("%s_%s", back ? "d" : "t", gw_cstr(s, p->name));
        gw_emit_params_add(list, s, type, gw_cstr(s, gw_emit_unique(t->e, name)));
        gw_push(&t->names, list->names.at[list->names.count - 1]);
        free(type), free(name);
    }
}

void gw_told_open(gw_told *t, gw_told_way way) {
    gw_emit_params list = {0};
    gw_emit_scope_open(t->e);
    add_common(t, &list, way);
    gw_meeting_find(t->kernel, t->grad, t->run, &t->meeting);
    t->meeting.along = way == GW_TOLD_ALONG;
    const char *name = gw_cstr(t->e->session, gw_derived_launch_name(t->kernel, t->request, way));
    char *head;
    const char *linkage = t->kernel->is_internal ? "[[maybe_unused]] static inline" : "inline";
    head = gw_format("%s void %s", linkage, name);
    t->e->depth--;
    gw_emit_call_text(t->e, head, list.texts.at, list.texts.count, " {");
    t->e->depth++;
    free(head);
    gw_emit_params_free(&list);
}

void gw_told_close(gw_told *t) {
    gw_emit_scope_close(t->e);
    gw_emit_line(t->e, "}");
    gw_meeting_free(&t->meeting);
    gw_vec_free(&t->names);
}

static void read_part(gw_emitter *e, const char *name, const gw_told_pointer *p, const void *context) {
    const gw_told *t = context;
    if (!p->is_read_back) return;
    char *leaf = gw_teller_leaf(t->kernel, p->part->param, name, &p->part->leaf);
    gw_emit_line(e, "gw_program_reads(%s, %s);", t->run, leaf);
    free(leaf);
}

static void write_part(gw_emitter *e, const char *name, const gw_told_pointer *p, const void *context) {
    const gw_told *t = context;
    if (!p->is_written) return;
    char *leaf = gw_teller_leaf(t->kernel, p->part->param, name, &p->part->leaf);
    gw_emit_line(e, "gw_program_writes(%s, (void *)%s, 0, %s);", t->run, leaf, t->stream);
    free(leaf);
}

static void unwrite_part(gw_emitter *e, const char *name, const gw_told_pointer *p, const void *context) {
    const gw_told *t = context;
    if (!p->is_written) return;
    char *leaf = gw_teller_leaf(t->kernel, p->part->param, name, &p->part->leaf);
    gw_emit_line(e, "gw_program_unwrite(%s, (void *)%s);", t->run, leaf);
    free(leaf);
}

static void write_reads(gw_told *t) {
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        const gw_param *p = &t->kernel->params.at[i];
        if (gw_launched_is_struct(t->kernel, p))
            gw_teller_each_pointer(t->e, t->kernel, t->grad, i, false, read_part, t);
        else if (p->object && is_read_back(t, i))
            gw_emit_line(t->e, "gw_program_reads(%s, %s);", t->run, gw_cstr(t->e->session, p->name));
        else if (p->is_texture && is_read_back(t, i))
            gw_emit_line(t->e, "gw_program_reads_texture(%s, %s);", t->run, gw_cstr(t->e->session, p->name));
    }
}

static bool has_adjoint(const gw_told *t, uint32_t param) {
    for (uint32_t i = 0; t->grad && i < t->grad->params.count; i++)
        if (t->grad->params.at[i].is_adjoint && t->grad->params.at[i].primal_index == param)
            return is_pointer(t, &t->kernel->params.at[param]);
    return false;
}

static bool is_written(const gw_told *t, uint32_t param) { return gw_launched_writes(t->kernel, param); }

static const char *name_of(const gw_told *t, uint32_t param) {
    return gw_cstr(t->e->session, t->kernel->params.at[param].name);
}

/* ---- forward, and backward ---- */

void gw_told_failed(const gw_told *t) { gw_emit_line(t->e, "if (gw_program_failed(%s)) return;", t->run); }

/* Variables of the device's are given in any case. */
static void write_unused(const gw_told *t, bool back) {
    for (uint32_t i = 0; i < t->kernel->params.count; i++)
        if (t->kernel->params.at[i].is_global && !is_read_back(t, i) && !is_written(t, i) &&
            !(back && has_adjoint(t, i)))
            gw_emit_line(t->e, "(void)%s;", name_of(t, i));
}

/* Declares the structs whose pointers lead to contents: before what has them as arguments. */
static void write_contents(gw_told *t) {
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        const bool is_struct = gw_launched_is_struct(t->kernel, &t->kernel->params.at[i]);
        gw_push(&t->contents, is_struct ? gw_teller_content(t->e, gw_told_struct_of(t, i)) : "");
        if (t->kernel->params.at[i].is_global && is_read_back(t, i))
            gw_emit_line(t->e, "gw_program_settle(%s, %s, %s);", t->run, name_of(t, i), t->stream);
        if (t->kernel->params.at[i].is_texture && is_read_back(t, i))
            gw_emit_line(t->e, "gw_program_settle_texture(%s, %s, %s);", t->run, name_of(t, i), t->stream);
    }
}

/* What the runtime may fail to give is asked for in front of the launch, one after the other: a compiler may
 * evaluate arguments in any order, and the launch must not see half of them. */
static const char *ask(const gw_told *t, const char *type, const char *wish, const char *end,
                       const char *call) {
    char *text = gw_format("%s%s", wish, end);
    const char *name = gw_cstr(t->e->session, gw_emit_unique(t->e, text));
    gw_emit_line(t->e, "%s *const %s = %s;", type, name, call);
    free(text);
    return name;
}

static void add_content(const gw_told *t, const gw_param *p, gw_emit_items *items) {
    const gw_session *s = t->e->session;
    const char *name = gw_cstr(s, p->name);
    char *call = gw_format("gw_program_content(%s, %s, %s)", t->run, name, t->stream),
         *type = gw_told_cast_type(t, p);
    gw_push(items, gw_format("(%s)%s", type, ask(t, "const void", name, "_before", call)));
    free(call), free(type);
}

static void add_primal_items(const gw_told *t, gw_emit_items *items) {
    const gw_session *s = t->e->session;
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        const gw_param *p = &t->kernel->params.at[i];
        const char *name = gw_cstr(s, p->name);
        if (p->is_global) continue;
        char *type = gw_told_cast_type(t, p);
        if (gw_launched_is_struct(t->kernel, p))
            gw_push(items, gw_strdup(t->contents.at[i]));
        else if (!p->object)
            gw_push(items, gw_strdup(name));
        else if (is_read_back(t, i))
            add_content(t, p, items);
        else
            gw_push(items, gw_format("(%s)%s", type, name));
        free(type);
    }
}

static char *texture_shadow(const gw_told *t, const gw_param *x) {
    const gw_session *s = t->e->session;
    char *wish = gw_format("%s_%s", t->meeting.along ? "t" : "d", gw_cstr(s, x->name));
    const char *name = gw_cstr(s, gw_emit_unique(t->e, wish));
    gw_emit_line(t->e, "const gw_texture_shadow %s = gw_program_texture_shadow(%s, %s, %s);", name, t->run,
                 gw_cstr(s, x->name), t->stream);
    free(wish);
    return gw_strdup(name);
}

/* "(type)d_x" */
char *gw_told_shadow(const gw_told *t, const gw_param *x, const char *type) {
    const gw_session *s = t->e->session;
    if (x->is_texture) return texture_shadow(t, x);
    const bool wide = gw_type_holds_half(s, gw_object_at(t->kernel, x->object)->type);
    const uint32_t param = (uint32_t)(x - t->kernel->params.at);
    const char *name = gw_cstr(s, x->name), *number = gw_meeting_numbers(&t->meeting, param);
    char *same = gw_meeting_again(&t->meeting, param, NULL), *text;
    if (same)
        text = gw_format("%s(%s, %s, %s, sizeof(%s), %s)", gw_meeting_beside(&t->meeting), t->run, name, same,
                         number, t->stream);
    else if (number)
        text = gw_format("gw_program_shadow_of(%s, %s, 1, sizeof(%s), %s)", t->run, name, number, t->stream);
    else
        text = gw_format("gw_program_shadow%s(%s, %s, %s%s)", wide ? "_wide" : "", t->run, name,
                         wide ? "2, " : "", t->stream);
    char *wish = gw_format("%s_%s", t->meeting.along ? "t" : "d", name),
         *item = gw_format("(%s)%s", type, ask(t, "void", wish, "", text));
    free(same), free(text), free(wish);
    return item;
}

static void add_adjoint_items(gw_told *t, gw_emit_items *items) {
    for (uint32_t i = 0; i < t->grad->params.count; i++) {
        const gw_param *p = &t->grad->params.at[i];
        if (!p->is_adjoint) continue;
        const gw_param *x = &t->kernel->params.at[p->primal_index];
        const bool is_struct = gw_launched_is_struct(t->kernel, x),
                   by_value = is_struct && gw_object_at(t->grad, p->object)->kind == GW_OBJECT_STRUCT;
        char *type = gw_told_cast_type(t, p);
        const char *made = is_struct ? gw_teller_shadow(t->e, gw_told_struct_of(t, p->primal_index)) : NULL;
        char *there = gw_format("(%s)((char *)%s + %u)", type, t->space, room_before(t, p->primal_index));
        if (is_struct && !by_value)
            gw_emit_line(t->e, "gw_program_put(%s, %s, %s, %s);", t->run, there, made, t->stream);
        if (by_value)
            gw_push(items, gw_strdup(made));
        else
            gw_push(items, (x->object && !is_struct) || x->is_texture ? gw_told_shadow(t, x, type)
                                                                     : gw_strdup(there));
        free(there), free(type);
    }
}

/* Numbers' adjoints are summed on the device, in front of the workspace, and awaited where they are wanted. */
static void write_numbers(const gw_told *t) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        if (!gw_launched_asks_numbers(t->kernel, t->grad, i)) continue;
        gw_emit_line(t->e, "gw_program_number(%s, %s, (char *)%s + %u, %s);", t->run,
                     gw_cstr(t->e->session, t->names.at[at]), t->space, room_before(t, i), t->stream);
        at++;
    }
}

static void write_unwrites(gw_told *t) {
    for (uint32_t i = t->kernel->params.count; i-- > 0;) {
        const gw_param *p = &t->kernel->params.at[i];
        if (gw_launched_is_struct(t->kernel, p))
            gw_teller_each_pointer(t->e, t->kernel, t->grad, i, true, unwrite_part, t);
        else if (gw_launched_writes(t->kernel, i))
            gw_emit_line(t->e, "gw_program_unwrite(%s, (void *)%s);", t->run, gw_cstr(t->e->session, p->name));
    }
}

/* Whether this is the parameter whose size is asked: an array with exact sums, a list with positions. */
static bool is_asked(const gw_func *grad, const gw_asked_size *asked, const gw_param *p) {
    if (!p->object) return false;
    if (asked->of) return p->object == gw_op_at(grad, asked->of)->object;
    const gw_type type = gw_object_at(grad, p->object)->type;
    const bool is_scalar = grad->session->types.at[type].kind == GW_TYPE_SCALAR;
    return !p->is_adjoint && is_scalar && gw_type_is_integer(gw_type_of_value(type));
}

/* The path in the struct to which the addition goes. An adjoint that has numbers of its own is passed by a
 * pointer, and the path goes through that first. */
static const char *path_asked(const gw_func *grad, const gw_asked_size *asked) {
    if (!asked->of) return NULL;
    const gw_op_data *o = gw_op_at(grad, asked->of);
    const char *path = gw_cstr(grad->session, o->path);
    return path + (gw_object_at(grad, o->object)->kind == GW_OBJECT_POINTER ? strlen("[]") : 0);
}

/* What the gradient's launch asks beside the primal's parameters: as much as there is memory for. */
static char *size_asked(const gw_told *t, const gw_asked_size *asked) {
    const gw_session *s = t->e->session;
    const gw_func *grad = t->grad;
    if (asked->of && gw_object_at(grad, gw_op_at(grad, asked->of)->object)->kind == GW_OBJECT_SHARED)
        return gw_format("%s / %u", t->shared, gw_type_layout(s, gw_exact_element(grad, asked->of)).size);
    char *out = NULL;
    for (uint32_t i = 0; i < grad->params.count; i++) {
        const gw_param *p = &grad->params.at[i];
        const uint32_t of = p->is_adjoint ? p->primal_index : i;
        if (of < t->kernel->params.count && gw_launched_is_struct(t->kernel, &t->kernel->params.at[of])) {
            if (!asked->of || p->object == gw_op_at(grad, asked->of)->object)
                out = gw_teller_cells(t->kernel, of, t->run, path_asked(grad, asked), out);
            continue;
        }
        if (!is_asked(grad, asked, p)) continue;
        const char *name = gw_cstr(s, t->kernel->params.at[of].name);
        const bool texels = t->kernel->params.at[of].is_texture;
        const uint32_t cell = texels ? 4 : gw_type_layout(s, gw_object_at(grad, p->object)->type).size;
        char *at = texels ? gw_format("gw_program_texture(%s, %s)", t->run, name) : gw_strdup(name);
        char *one = gw_format("gw_program_cells(%s, %s, %u)", t->run, at, cell);
        free(at);
        out = gw_teller_most(out, one);
    }
    return out ? out : gw_strdup("0");
}

/* "const size_t d_x_cells = …;" in front of the launch. */
static void write_asked(gw_told *t) {
    gw_asked_sizes all = {0};
    gw_emit_asked_sizes(t->e, t->grad, &all);
    for (uint32_t i = 0; i < all.count; i++) {
        char *size = size_asked(t, &all.at[i]);
        const gw_str name = gw_emit_unique(t->e, gw_cstr(t->e->session, all.at[i].name));
        gw_emit_line(t->e, "const size_t %s = %s;", gw_cstr(t->e->session, name), size);
        gw_push(&t->asked, name);
        free(size);
    }
    gw_vec_free(&all);
}

static void add_asked(const gw_told *t, gw_emit_items *items) {
    for (uint32_t i = 0; i < t->asked.count; i++)
        gw_push(items, gw_strdup(gw_cstr(t->e->session, t->asked.at[i])));
}

void gw_told_add_shape(const gw_told *t, gw_emit_items *items) {
    const char *const shape[] = {t->grid, t->block, t->shared, t->stream};
    for (uint32_t i = 0; i < 4; i++)
        gw_push(items, gw_strdup(shape[i]));
}

/* A parameter's type as a cast has it. */
char *gw_told_cast_type(const gw_told *t, const gw_param *p) {
    const char *text = gw_cstr(t->e->session, p->type_text), *end = strstr(text, "__restrict__");
    return end ? gw_format("%.*s%s", (int)(end - text), text, end + strlen("__restrict__")) : gw_strdup(text);
}

/* The kernel's arguments, in memory as the program has it. */
void gw_told_add_own(const gw_told *t, gw_emit_items *items) {
    const gw_session *s = t->e->session;
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        const gw_param *p = &t->kernel->params.at[i];
        if (p->is_global) continue; /* which kernels know by its name */
        char *type = gw_told_cast_type(t, p);
        gw_push(items, is_pointer(t, p) ? gw_format("(%s)%s", type, gw_cstr(s, p->name))
                                        : gw_strdup(gw_cstr(s, p->name)));
        free(type);
    }
}

/* How many bytes of workspace or tape: asked of the host, */
static void write_bytes(gw_told *t, const gw_func *f, gw_derived_part part, const char *bytes) {
    gw_emit_items items = {0};
    char *function = gw_emit_called(f, gw_derived_part_name(f, part)),
         *head = gw_format("const size_t %s = %s", bytes, function);
    gw_push(&items, gw_strdup(t->grid)), gw_push(&items, gw_strdup(t->block));
    gw_told_add_own(t, &items);
    add_asked(t, &items);
    gw_emit_call_text(t->e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
    free(function), free(head);
}

/* or measured, for which the stream is awaited; in a graph, what the run before found. `add_arguments` adds
 * those that the launch has. */
static void write_measuring(gw_told *t, const gw_func *f, told_items *add_arguments, const char *bytes) {
    gw_emitter *e = t->e;
    const bool half = gw_is_half(f);
    const gw_session *s = e->session;
    const char *sizes = gw_cstr(s, gw_emit_unique(e, "sizes")),
               *status = gw_cstr(s, gw_emit_unique(e, "status"));
    const gw_derived_part parts[] = {half ? GW_DERIVED_MEASURE_HALF_LAUNCH : GW_DERIVED_MEASURE_LAUNCH,
                                     half ? GW_DERIVED_MEASURED_TAPE : GW_DERIVED_MEASURED_BYTES};
    char *measure = gw_emit_called(f, gw_derived_part_name(f, parts[0])),
         *read = gw_emit_called(f, gw_derived_part_name(f, parts[1])),
         *head = gw_format("const gw_status %s = %s", status, measure);
    gw_emit_line(e, "size_t %s = gw_program_recall(%s, %s); // of a captured run; else 0", bytes, t->run,
                 t->stream);
    gw_emit_line(e, "if (!%s) {", bytes);
    e->depth++;
    gw_emit_line(e, "gw_sizes *const %s = (gw_sizes *)gw_program_workspace(%s, sizeof(gw_sizes), %s);", sizes,
                 t->run, t->stream);
    gw_told_failed(t);
    gw_emit_items items = {0};
    gw_told_add_shape(t, &items);
    add_arguments(t, &items);
    add_asked(t, &items);
    gw_told_failed(t);
    gw_push(&items, gw_strdup(sizes));
    gw_emit_call_text(e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
    gw_emit_line(e, "gw_program_check_status(%s, %s, \"measuring %s\");", t->run, status,
                 gw_kernel_shown(t->kernel));
    gw_emit_line(e, "%s = gw_program_remember(%s, %s(%s, %s));", bytes, t->run, read, sizes, t->stream);
    e->depth--;
    gw_emit_line(e, "}");
    free(measure), free(read), free(head);
}

/* "const gw_status status = f_grad_launch(…);", and what became of it; frees the arguments. */
void gw_told_start(const gw_told *t, const gw_func *f, gw_emit_items *items, const char *what) {
    const char *status = gw_cstr(t->e->session, gw_emit_unique(t->e, "status"));
    char *launch = gw_emit_called(f, gw_derived_part_name(f, GW_DERIVED_LAUNCH)),
         *head = gw_format("const gw_status %s = %s", status, launch);
    gw_emit_call_text(t->e, head, items->at, items->count, ";");
    gw_emit_line(t->e, "gw_program_check_status(%s, %s, \"%s %s\");", t->run, status, what,
                 gw_kernel_shown(t->kernel));
    free(head), free(launch);
    gw_emit_items_free(items);
}

/* A kernel that carries tangents has them beside the arrays in what the launch gives. */
static char *shared_of(const gw_told *t) {
    const uint32_t parts = t->kernel->second_of ? gw_emit_dynamic_parts(t->kernel, 0).count : 0;
    return parts > 1 ? gw_format("gw_shared_parts_bytes(%s, %u)", t->shared, parts) : gw_strdup(t->shared);
}

void gw_told_start_primal(const gw_told *t, const char *kernel) {
    gw_emitter *e = t->e;
    char *shared = shared_of(t);
    gw_emit_items items = {0};
    gw_text arguments = {0};
    gw_told_add_own(t, &items);
    for (uint32_t i = 0; i < items.count; i++)
        gw_text_addf(&arguments, "%s%s", i ? ", " : "", items.at[i]);
    gw_told_failed(t);
    gw_emit_line(e, "%s<<<%s, %s, %s, %s>>>(%s);", kernel, t->grid, t->block, shared, t->stream,
                 arguments.at ? arguments.at : "");
    free(shared);
    gw_emit_line(e, "gw_program_check(%s, cudaGetLastError(), \"a launch of %s\");", t->run,
                 gw_kernel_shown(t->kernel));
    gw_text_free(&arguments);
    gw_emit_items_free(&items);
}

/* The first half, and the tape that it leaves. */
static void start_first(gw_told *t) {
    gw_emitter *e = t->e;
    gw_session *s = e->session;
    const char *bytes = gw_cstr(s, gw_emit_unique(e, "tape_bytes")),
               *tape = gw_cstr(s, gw_emit_unique(e, "tape"));
    gw_emit_items items = {0};
    if (gw_companion(t->first, GW_FORM_MEASURE))
        write_measuring(t, t->first, gw_told_add_own, bytes);
    else
        write_bytes(t, t->first, GW_DERIVED_TAPE_BYTES, bytes);
    gw_emit_line(e, "void *const %s = gw_program_tape(%s, %s, %s);", tape, t->run, bytes, t->stream);
    gw_told_failed(t);
    gw_told_add_shape(t, &items);
    gw_told_add_own(t, &items);
    gw_push(&items, gw_strdup(tape)), gw_push(&items, gw_strdup(bytes));
    gw_told_start(t, t->first, &items, "a launch of");
}

void gw_told_writes(const gw_told *t) {
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        if (gw_launched_is_struct(t->kernel, &t->kernel->params.at[i]))
            gw_teller_each_pointer(t->e, t->kernel, t->grad, i, false, write_part, t);
        else if (gw_launched_writes(t->kernel, i))
            gw_emit_line(t->e, "gw_program_writes(%s, (void *)%s, 0, %s);", t->run, name_of(t, i), t->stream);
    }
}

char *gw_told_primal(const gw_told *t) {
    return t->kernel->is_unspoken ? gw_strdup(gw_cstr(t->e->session, gw_derived_copy_name(t->kernel)))
                                  : gw_emit_at(t->kernel, t->kernel->name);
}

/* Texels and the cells of another argument may be the same memory, whose adjoints one launch may not take for
 * two. */
void gw_told_apart_textures(const gw_told *t) {
    for (uint32_t i = 0; i < t->kernel->params.count; i++) {
        if (!t->kernel->params.at[i].is_texture || !gw_launched_has_adjoint(t->grad, i)) continue;
        for (uint32_t k = 0; k < t->meeting.parts.count; k++)
            gw_emit_line(t->e, "gw_program_apart_texture(%s, %s, %s);", t->run, name_of(t, i),
                         t->meeting.parts.at[k].name);
        for (uint32_t k = 0; k < i; k++)
            if (t->kernel->params.at[k].is_texture && gw_launched_has_adjoint(t->grad, k))
                gw_emit_line(t->e, "gw_program_apart_texture(%s, %s, gw_program_texture(%s, %s));", t->run,
                             name_of(t, i), t->run, name_of(t, k));
    }
}

static void write_forward(gw_told *t) {
    gw_emitter *e = t->e;
    char *kernel = gw_told_primal(t);
    gw_emit_line(e, "// A launch of %s in a program: what it overwrites is saved where the way back needs it.",
                 kernel);
    gw_told_open(t, GW_TOLD_FORWARD);
    write_unused(t, false);
    write_reads(t);
    gw_told_writes(t);
    gw_meeting_apart(t->e, &t->meeting);
    gw_told_apart_textures(t);
    if (t->first)
        start_first(t);
    else
        gw_told_start_primal(t, kernel);
    free(kernel);
    gw_told_close(t);
}

/* The gradient's launch, with all that it asks for; `bytes` NULL: it takes no workspace of its own. */
static void write_start(gw_told *t, const char *bytes) {
    gw_emitter *e = t->e;
    const uint32_t front = room_before(t, t->kernel->params.count);
    const char *tape = NULL, *tape_bytes = NULL;
    char *wanted = front ? gw_format("%u", front) : NULL;
    if (bytes && front)
        free(wanted), wanted = gw_format("gw_size_add(%s, %u)", bytes, front);
    else if (bytes)
        wanted = gw_strdup(bytes);
    if (wanted) {
        t->space = gw_cstr(e->session, gw_emit_unique(e, "space"));
        gw_emit_line(e, "void *const %s = gw_program_workspace(%s, %s, %s);", t->space, t->run, wanted,
                     t->stream);
    }
    free(wanted);
    if (front) gw_emit_line(e, "gw_program_clear_numbers(%s, %s, %u, %s);", t->run, t->space, front, t->stream);
    if (t->first) {
        tape = gw_cstr(e->session, gw_emit_unique(e, "tape"));
        tape_bytes = gw_cstr(e->session, gw_emit_unique(e, "tape_bytes"));
        gw_emit_line(e, "size_t %s;", tape_bytes);
        gw_emit_line(e, "void *const %s = gw_program_last_tape(%s, &%s, %s);", tape, t->run, tape_bytes,
                     t->stream);
    }
    gw_told_failed(t);
    gw_emit_items items = {0};
    gw_told_add_shape(t, &items);
    add_primal_items(t, &items);
    add_adjoint_items(t, &items);
    add_asked(t, &items);
    gw_told_failed(t);
    if (t->first) gw_push(&items, gw_strdup(tape)), gw_push(&items, gw_strdup(tape_bytes));
    if (bytes) {
        gw_push(&items, front ? gw_format("(char *)%s + %u", t->space, front) : gw_strdup(t->space));
        gw_push(&items, gw_strdup(bytes));
    }
    gw_told_start(t, t->grad, &items, "the reverse of");
    if (t->first) gw_emit_line(e, "gw_program_untape(%s);", t->run);
}

static void write_backward(gw_told *t) {
    gw_emitter *e = t->e;
    const gw_session *s = e->session;
    gw_emit_line(e, "// The reverse of that launch, from the contents that it found.");
    gw_told_open(t, GW_TOLD_BACKWARD);
    write_unused(t, true);
    write_unwrites(t);
    write_contents(t);
    const bool takes_space = !t->first || gw_emit_launch_shape(e, t->grad).own_space;
    const char *bytes = takes_space ? gw_cstr(s, gw_emit_unique(e, "bytes")) : NULL;
    write_asked(t);
    if (!t->first && gw_companion(t->grad, GW_FORM_MEASURE))
        write_measuring(t, t->grad, add_primal_items, bytes);
    else if (bytes)
        write_bytes(t, t->grad, t->first ? GW_DERIVED_OWN_WORKSPACE_BYTES : GW_DERIVED_WORKSPACE_BYTES, bytes);
    write_start(t, bytes);
    gw_meeting_merge(t->e, &t->meeting, t->stream);
    write_numbers(t);
    gw_vec_free(&t->asked);
    gw_vec_free(&t->contents);
    gw_told_close(t);
}

/* Nothing that it writes has a derivative: its writes are taken back, and that is all. */
static void write_taking_back(gw_told *t) {
    const gw_session *s = t->e->session;
    gw_emit_line(t->e, "// The reverse of that launch: nothing that it writes has a derivative.");
    gw_told_open(t, GW_TOLD_BACKWARD);
    gw_emit_line(t->e, "(void)%s, (void)%s, (void)%s, (void)%s, (void)%s;", t->run, t->grid, t->block,
                 t->shared, t->stream); /* where it writes to nothing but discard iterators, the run too */
    for (uint32_t i = 0; i < t->kernel->params.count; i++)
        gw_emit_line(t->e, "(void)%s;", gw_cstr(s, t->kernel->params.at[i].name));
    write_unwrites(t);
    gw_told_close(t);
}

void gw_emit_unspoken(gw_emitter *e, const gw_func *kernel) {
    if (!kernel->is_unspoken) return;
    gw_emit_line(e, "%s", "");
    gw_emit_line(e, "// %s over a lambda, whose type cannot be named.", gw_kernel_shown(kernel));
    gw_emit_private_kernel(e, kernel, gw_derived_copy_name(kernel));
}

void gw_emit_tellers(gw_emitter *e, const gw_func *kernel, const gw_func *grad, int64_t request) {
    const gw_func *first = grad && gw_is_half(grad) ? gw_companion(grad, GW_FORM_FWD) : NULL;
    gw_told t = {.e = e, .grad = grad, .kernel = kernel, .first = first, .request = request};
    if (!kernel->is_unspoken || first) gw_emit_line(e, "%s", "");
    write_forward(&t);
    t = (gw_told){.e = e, .grad = grad, .kernel = kernel, .first = first, .request = request};
    gw_emit_line(e, "%s", "");
    if (grad)
        write_backward(&t);
    else
        write_taking_back(&t);
}
