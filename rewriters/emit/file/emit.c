/*
 * emit/file/emit.c - the pass: derivative functions to the text of one generated header.
 *
 * Requires decided accumulations and tapes that are either local or bounded. Guarantees a text that compiles
 * without warnings below the user's functions (gcc, clang, nvcc), with each function in the namespace of its
 * primal and each called pullback above its callers. Nothing is decided here: the text says what the IR says.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/atomic.h"
#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/differences.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/policies.h"
#include "analysis/ir/query.h"
#include "analysis/ir/question.h"
#include "analysis/ir/requests.h"
#include "rewriters/emit/file/file_private.h"
#include "rewriters/emit/kernel/kernel.h"
#include "rewriters/emit/matrix/matrix.h"
#include "rewriters/emit/program/program.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

/* How calls of a function are told (emit/program/ruled.c). */
typedef struct ruled {
    gw_str callee;
    uint64_t variables;
    bool is_along;
} ruled;

/* How launches of a kernel are told (emit/program/launched.c). */
typedef struct launched {
    const gw_func *kernel;
    int64_t request;
    bool runs_kernel; /* and not a half of the gradient, or the forward derivative, in its place */
    bool is_along;    /* in a program's forward derivative */
} launched;

typedef struct file {
    gw_emitter e;
    gw_session *s;
    bool *written; /* by index in session->funcs: done, or being done */
    bool *done;
    gw_str space;              /* namespace that is open: "a::b" */
    GW_VEC(ruled) ruled;       /* calls that have a pullback, and are told of already */
    gw_names differences;      /* derivatives that are such, and are written */
    GW_VEC(launched) launched; /* told of already */
} file;

static bool is_derivative(const gw_func *f) {
    if (gw_is_split(f)) return false;       /* its halves are */
    if (gw_is_along_other(f)) return false; /* beside the kernel in whose place it stands */
    return gw_is_half(f) || f->form == GW_FORM_GRAD || f->form == GW_FORM_PULLBACK || f->form == GW_FORM_JVP;
}

/* ---- namespaces ---- */
static void each_part(gw_session *s, gw_str space, gw_text *out, bool open) {
    const char *at = gw_cstr(s, space);
    while (*at) {
        const char *end = strstr(at, "::");
        size_t n = end ? (size_t)(end - at) : strlen(at);
        if (open)
            gw_text_addf(out, "namespace %.*s { ", (int)n, at);
        else
            gw_text_add(out, "} ");
        at += n + (end ? 2 : 0);
    }
}

static void change_namespace(file *w, gw_str space) {
    if (w->space == space) return;
    gw_text line = {0};
    if (w->space) {
        gw_text_add(&line, "\n");
        each_part(w->s, w->space, &line, false);
        gw_text_addf(&line, "// namespace %s\n", gw_cstr(w->s, w->space));
    }
    if (space) {
        gw_text_add(&line, "\n");
        each_part(w->s, space, &line, true);
        while (line.at[line.count - 1] == ' ')
            line.at[--line.count] = 0;
        gw_text_add(&line, "\n");
    }
    gw_text_add(w->e.out, line.at);
    gw_text_free(&line);
    w->space = space;
}

/* ---- functions ---- */
static void write_function(file *w, uint32_t index);

/* One that is being written calls f in turn: it is declared. */
static void write_callee(file *w, const gw_func *f, uint32_t index) {
    const gw_func *callee = w->s->funcs.at[index];
    if (w->written[index] && !w->done[index] && callee != f) {
        change_namespace(w, gw_emit_namespace(w->s, callee));
        gw_text_add(w->e.out, "\n");
        gw_emit_prototype(&w->e, callee);
        w->done[index] = true;
    }
    write_function(w, index);
}

/* A kernel that a program launches: its gradient, and how launches are told of. */
static void write_launched(file *w, const gw_func *f, gw_op op) {
    const gw_func *grad = gw_launched_gradient(f, op), *first = grad ? gw_companion(grad, GW_FORM_FWD) : NULL;
    const bool is_along = f->form == GW_FORM_JVP;
    const launched one = {gw_launched_kernel(f, op), gw_launch_request(f, op), !first && !(is_along && grad),
                          is_along};
    bool is_copied = false;
    for (uint32_t i = 0; i < w->launched.count; i++) {
        if (w->launched.at[i].kernel != one.kernel) continue;
        if (w->launched.at[i].request == one.request && w->launched.at[i].is_along == is_along) return;
        is_copied |= w->launched.at[i].runs_kernel;
    }
    gw_push(&w->launched, one);
    for (uint32_t i = 0; i < w->s->funcs.count; i++)
        if (grad && (w->s->funcs.at[i] == first || w->s->funcs.at[i] == grad)) write_function(w, i);
    change_namespace(w, gw_emit_namespace(w->s, one.kernel));
    if (one.runs_kernel && !is_copied) gw_emit_unspoken(&w->e, one.kernel);
    if (is_along)
        gw_emit_along_teller(&w->e, one.kernel, grad, one.request);
    else
        gw_emit_tellers(&w->e, one.kernel, grad, one.request);
}

/* A call that has a pullback, in a program: how such calls are told. */
static void write_ruled(file *w, const gw_func *f, gw_op op) {
    const ruled one = {gw_op_at(f, op)->callee, gw_emit_rule_variables(f, op), gw_emit_rule_is_along(f, op)};
    for (uint32_t i = 0; i < w->ruled.count; i++)
        if (w->ruled.at[i].callee == one.callee && w->ruled.at[i].variables == one.variables &&
            w->ruled.at[i].is_along == one.is_along)
            return;
    gw_push(&w->ruled, one);
    change_namespace(w, 0);
    gw_emit_rule_tellers(&w->e, gw_rule_find(w->s, one.callee), one.variables, one.is_along);
}

/* All of that name, which are overloads. */
static void write_differences(file *w, gw_str derivative) {
    if (!gw_differences_of(w->s, derivative)) return;
    for (uint32_t i = 0; i < w->differences.count; i++)
        if (w->differences.at[i] == derivative) return;
    gw_push(&w->differences, derivative);
    change_namespace(w, gw_emit_namespace_of(w->s, derivative));
    for (uint32_t i = 0; i < w->s->rules.count; i++) {
        const gw_rule *r = &w->s->rules.at[i];
        if (r->by_pullback && r->pullback == derivative) gw_emit_differences(&w->e, r, true);
        if (r->by_jvp && r->jvp == derivative) gw_emit_differences(&w->e, r, false);
    }
}

/* What f calls stands above it. */
static void write_callees(file *w, const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_DEVICE && o->attr == GW_DEVICE_LAUNCH) write_launched(w, f, op);
        if (!o->dead && o->code == GW_OP_DEVICE && o->attr == GW_DEVICE_RULE) write_ruled(w, f, op);
        if (o->dead || o->code != GW_OP_CALL) continue;
        write_differences(w, o->callee);
        for (uint32_t i = 0; i < w->s->funcs.count; i++)
            if (w->s->funcs.at[i]->symbol == o->callee && is_derivative(w->s->funcs.at[i]))
                write_callee(w, f, i);
    }
}

/* The pullback that a gradient of a returned value calls, written above it; NULL if it needs none. */
static const gw_func *seeded_pullback(file *w, const gw_func *f) {
    const gw_func *p =
        f->form == GW_FORM_GRAD && f->kind != GW_FUNC_KERNEL ? gw_companion(f, GW_FORM_PULLBACK) : NULL;
    if (!p || p->params.count != f->params.count + 1 || p->tape_host != f->tape_host) return NULL;
    for (uint32_t i = 0; i < w->s->funcs.count; i++)
        if (w->s->funcs.at[i] == p) write_function(w, i);
    return p;
}

static void write_function(file *w, uint32_t index) {
    const gw_func *f = w->s->funcs.at[index];
    if (w->written[index]) return;
    w->written[index] = true;
    const gw_func *pullback = seeded_pullback(w, f);
    write_callees(w, f);
    change_namespace(w, gw_emit_namespace(w->s, f));
    gw_text_add(w->e.out, "\n");
    if (f->template_head) gw_emit_primary(&w->e, f);
    if (f->kind == GW_FUNC_KERNEL)
        gw_emit_kernel(&w->e, f, gw_companion(f, GW_FORM_BOUND),
                       f->form == GW_FORM_FWD ? NULL : gw_companion(f, GW_FORM_CHECK));
    else
        gw_emit_plain_function(&w->e, f, pullback);
    w->done[index] = true;
}

/* ---- names ---- */
static bool same_arguments(const gw_func *f, const gw_func *g) {
    if (f->params.count != g->params.count || f->template_arguments != g->template_arguments) return false;
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].type_text != g->params.at[i].type_text) return false;
    return true;
}

static const gw_request *request_of(const gw_session *s, const gw_func *f) {
    return f->request < s->requests.count ? &s->requests.at[f->request] : NULL;
}

/* Tables have no parameters, so overloads of a function have one name for them. */
static bool check_tables(const file *w) {
    gw_session *s = w->s;
    bool good = true;
    for (uint32_t i = 0; i < s->requests.count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const gw_request *q = &s->requests.at[i], *r = &s->requests.at[k];
            if (q->kind != GW_REQUEST_ERROR || r->kind != GW_REQUEST_ERROR || q->name != r->name) continue;
            if (q->part_of || r->part_of) continue;
            if (gw_emit_namespace(s, q->func) != gw_emit_namespace(s, r->func)) continue;
            gw_diag(s, GW_DIAG_NAME_COLLISION, q->loc, gw_cstr(s, r->function), gw_cstr(s, q->function),
                    gw_cstr(s, q->name));
            good = false;
        }
    return good;
}

/* No two derivatives are one function for the linker: overloads in C++, nothing of the kind in C. */
static bool check_names(const file *w) {
    gw_session *s = w->s;
    bool good = true;
    for (uint32_t i = 0; i < s->funcs.count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const gw_func *f = s->funcs.at[i], *g = s->funcs.at[k];
            if (!is_derivative(f) || !is_derivative(g) || f->name != g->name) continue;
            bool overloads = w->e.language != GW_EMIT_C && !same_arguments(f, g);
            const gw_request *q = request_of(s, f), *r = request_of(s, g);
            if (overloads || gw_emit_namespace(s, f) != gw_emit_namespace(s, g) || !q || !r) continue;
            gw_diag(s, GW_DIAG_NAME_COLLISION, q->loc, gw_cstr(s, r->function), gw_cstr(s, q->function),
                    gw_cstr(s, f->name));
            good = false;
        }
    return good;
}

static bool holds_half(const gw_session *s) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        for (gw_object o = 1; o < s->funcs.at[i]->objects.count; o++)
            if (gw_type_holds_half(s, gw_object_at(s->funcs.at[i], o)->type)) return true;
    return false;
}

static bool holds_texture(const gw_session *s) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        for (uint32_t k = 0; k < s->funcs.at[i]->params.count; k++)
            if (s->funcs.at[i]->params.at[k].is_texture) return true;
    return false;
}

/* A greatest or least number by atomics, also where the source has a loop of atomicCAS. */
static bool holds_extreme(const gw_session *s) {
    bool found = false;
    for (uint32_t i = 0; i < s->funcs.count; i++)
        for (gw_op op = 1; op < s->funcs.at[i]->ops.count; op++) {
            const gw_op_data *o = gw_op_at(s->funcs.at[i], op);
            found |= !o->dead && o->code == GW_OP_ATOMIC &&
                     (o->attr == GW_ATOMIC_FLOAT_MAX || o->attr == GW_ATOMIC_FLOAT_MIN);
        }
    return found;
}

static bool has_program(const gw_session *s) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (s->funcs.at[i]->primal && gw_is_program(s->funcs.at[i])) return true;
    return false;
}

/* A loop that the library shares out, or adds up. */
static bool has_policy(const gw_session *s) {
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        for (gw_op op = 1; f->primal && op < f->ops.count; op++)
            if (!gw_op_at(f, op)->dead && gw_policy_is_library(gw_op_at(f, op)->policy)) return true;
    }
    return false;
}

/* Paths like that: of objects that are seen as of a class that derives from their own, of loops over tables. */
static bool has_paths(const gw_session *s, bool (*is_so)(const char *path)) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        for (gw_op op = 1; op < s->funcs.at[i]->ops.count; op++) {
            const gw_op_data *o = gw_op_at(s->funcs.at[i], op);
            if (!o->dead && is_so(gw_cstr(s, o->path))) return true;
        }
    return false;
}

static bool has_rounding(const gw_session *s) {
    for (uint32_t i = 0; i < s->requests.count; i++)
        if (s->requests.at[i].kind == GW_REQUEST_ERROR) return true;
    return false;
}

static bool has_sparse(const gw_session *s) {
    for (uint32_t i = 0; i < s->requests.count; i++)
        if (s->requests.at[i].is_sparse) return true;
    return false;
}

static bool has_seeds(const gw_session *s) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (gw_seeds(s->funcs.at[i])) return true;
    return false;
}

static bool has_differences(const gw_session *s) {
    for (uint32_t i = 0; i < s->rules.count; i++)
        if (s->rules.at[i].numeric) return true;
    return false;
}

static void write_head(file *w) {
    gw_session *s = w->s;
    bool cuda = w->e.language == GW_EMIT_CUDA, kernels = false, tape = false;
    for (uint32_t i = 0; i < s->funcs.count; i++)
        tape |= s->funcs.at[i]->tape_host;
    for (uint32_t i = 0; i < s->funcs.count; i++)
        kernels |= is_derivative(s->funcs.at[i]) && s->funcs.at[i]->kind == GW_FUNC_KERNEL;
    bool standalone = s->options.standalone;
    gw_stamp_head(w->e.out, gw_emit_file_name(s, s->source_file));
    if (!standalone) gw_text_add(w->e.out, "#pragma once\n");
    const char *source = gw_cstr(s, s->source_file);
    /* standard output: as if beside it */
    bool beside = !s->options.output || strcmp(s->options.output, "-") == 0;
    if (standalone) gw_emit_include(&w->e, source, beside ? source : s->options.output);
    bool checked = s->options.checked && kernels;
    if (checked) gw_text_add(w->e.out, "#ifndef GW_CHECKED\n#define GW_CHECKED\n#endif\n");
    gw_text_addf(w->e.out, "#include <gradwright/emitted/%s>\n", cuda ? "device.cuh" : "functions.h");
    gw_emit_space_headers(s, w->e.out);
    if (holds_half(s)) gw_text_add(w->e.out, "#include <gradwright/emitted/half.cuh>\n");
    if (cuda && holds_extreme(s)) gw_text_add(w->e.out, "#include <gradwright/atomic.cuh>\n");
    if (holds_texture(s)) gw_text_add(w->e.out, "#include <gradwright/texture.cuh>\n");
    if (tape) gw_text_add(w->e.out, "#include <gradwright/tape.h>\n");
    if (w->e.language != GW_EMIT_C && gw_any_stops(s, GW_STOP_THROWS))
        gw_text_add(w->e.out, "#include <gradwright/emitted/throws.h>\n");
    if (has_differences(s)) gw_text_add(w->e.out, "#include <gradwright/emitted/differences.h>\n");
    if (has_paths(s, gw_path_sees_class)) gw_text_add(w->e.out, "#include <gradwright/emitted/classes.h>\n");
    if (has_paths(s, gw_question_walks)) gw_text_add(w->e.out, "#include <gradwright/emitted/walk.h>\n");
    if (has_rounding(s)) gw_text_add(w->e.out, "#include <gradwright/rounding.h>\n");
    if (has_sparse(s)) gw_text_add(w->e.out, "#include <gradwright/sparse.h>\n");
    if (has_seeds(s)) gw_text_add(w->e.out, "#include <gradwright/seeds.h>\n");
    if (has_program(s)) gw_text_add(w->e.out, "#include <gradwright/emitted/program.cuh>\n");
    if (has_program(s) && holds_texture(s))
        gw_text_add(w->e.out, "#include <gradwright/emitted/program_textures.cuh>\n");
    if (has_policy(s)) gw_text_add(w->e.out, "#include <gradwright/emitted/parallel.h>\n");
    if (s->messages) gw_text_add(w->e.out, "#include <gradwright/emitted/messages.h>\n");
    if (s->algorithms)
        gw_text_add(w->e.out, "#include <gradwright/algorithms/each/functors.cuh>\n"
                              "#include <gradwright/algorithms/each/iterators.cuh>\n");
    if (s->primitives) gw_text_add(w->e.out, "#include <gradwright/algorithms/primitives.cuh>\n");
    if (checked) gw_text_add(w->e.out, "#include <gradwright/emitted/claims.cuh>\n");
    gw_capture_structs_text(s, w->e.out);
}

/* Behind the functions that fill them. */
static void write_matrices(file *w, bool is_definition) {
    for (uint32_t i = 0; i < w->s->requests.count; i++) {
        if (!gw_request_is_whole(&w->s->requests.at[i])) continue;
        change_namespace(w, gw_emit_namespace(w->s, w->s->requests.at[i].func));
        gw_text_add(w->e.out, "\n");
        if (gw_request_is_matrix(&w->s->requests.at[i]))
            gw_emit_matrix(&w->e, i, is_definition);
        else
            gw_emit_rounding(&w->e, i, is_definition);
    }
}

/* In front of the functions that name them to a model. */
static void write_tables(file *w, bool is_definition) {
    for (uint32_t i = 0; i < w->s->requests.count; i++) {
        const gw_request *q = &w->s->requests.at[i];
        if (q->kind != GW_REQUEST_ERROR || !q->part_of) continue;
        change_namespace(w, gw_emit_namespace(w->s, q->func));
        gw_text_add(w->e.out, "\n");
        gw_emit_rounding_table(&w->e, i, is_definition);
    }
}

/* ---- declarations of a standalone text ---- */
static void declare(file *w, const gw_func *f) {
    const gw_request *q = request_of(w->s, f);
    if (!q || q->func != f->primal) return;
    change_namespace(w, gw_emit_namespace(w->s, f));
    gw_text_add(w->e.out, "\n");
    if (!gw_emit_is_exported(f))
        gw_text_addf(w->e.out,
                     "// %s: not for other files (of a template, on the device, or of internal linkage)\n",
                     gw_cstr(w->s, f->name));
    else if (f->kind == GW_FUNC_KERNEL)
        gw_emit_kernel_declaration(&w->e, f, gw_companion(f, GW_FORM_BOUND));
    else
        gw_emit_declaration(&w->e, f);
}

static void write_declarations(file *w) {
    gw_session *s = w->s;
    bool is_c = w->e.language == GW_EMIT_C;
    gw_stamp_head(w->e.out, gw_emit_file_name(s, s->source_file));
    gw_text_add(w->e.out, "#pragma once\n");
    gw_emit_declarations_head(&w->e);
    gw_text_add(w->e.out, "#include <gradwright/tape.h>\n");
    if (has_rounding(s)) gw_text_add(w->e.out, "#include <gradwright/rounding.h>\n");
    if (has_sparse(s)) gw_text_add(w->e.out, "#include <gradwright/sparse.h>\n");
    if (has_seeds(s)) gw_text_add(w->e.out, "#include <gradwright/seeds.h>\n");
    if (is_c) gw_text_add(w->e.out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (is_derivative(s->funcs.at[i])) declare(w, s->funcs.at[i]);
    write_tables(w, false);
    write_matrices(w, false);
    change_namespace(w, 0);
    if (is_c) gw_text_add(w->e.out, "\n#ifdef __cplusplus\n}\n#endif\n");
    gw_stamp_end(s, w->e.out);
}

bool gw_pass_emit(gw_run *run) {
    gw_session *s = run->session;
    file w = {.s = s,
              .written = gw_alloc(s->funcs.count * sizeof *w.written),
              .done = gw_alloc(s->funcs.count * sizeof *w.done)};
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (s->funcs.at[i]->primal) gw_names_settle(s->funcs.at[i]);
    gw_emit_begin(&w.e, s, &run->output);
    w.e.write_device = gw_emit_device;
    bool good = check_names(&w) && check_tables(&w);
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (is_derivative(s->funcs.at[i])) good &= gw_emit_check_members(s->funcs.at[i]);
    for (uint32_t i = 0; good && i < s->funcs.count; i++)
        gw_emit_headers(s->funcs.at[i]);
    if (good) write_head(&w);
    gw_text body = {0};
    w.e.out = &body;
    if (good) write_tables(&w, true);
    for (uint32_t i = 0; good && i < s->funcs.count; i++)
        if (is_derivative(s->funcs.at[i])) write_function(&w, i);
    if (good) write_matrices(&w, true);
    change_namespace(&w, 0);
    gw_emit_openings(s, &run->output);
    if (body.at) gw_text_add(&run->output, body.at);
    gw_text_free(&body);
    if (good) gw_stamp_end(s, &run->output);
    w.e.out = &run->declarations;
    if (good && s->options.declarations) write_declarations(&w);
    w.e.out = &run->exports;
    if (good && s->options.exports) gw_emit_exports(&w.e);
    gw_vec_free(&w.ruled);
    gw_vec_free(&w.differences);
    gw_vec_free(&w.launched);
    gw_vec_free(&w.e.names);
    gw_vec_free(&w.e.primaries);
    gw_vec_free(&w.e.structs);
    gw_vec_free(&w.e.reserved);
    free(w.written);
    free(w.done);
    return !gw_session_failed(s);
}
