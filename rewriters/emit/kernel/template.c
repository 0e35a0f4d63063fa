/*
 * emit/kernel/template.c - the primary templates of derivatives of a function template.
 *
 * Each instantiation's derivative is an explicit specialisation, so a caller writes f_grad<3>(...), or
 * f_grad(...) where the arguments tell; that needs a primary template, whose parameters are those of the
 * function's template. It has no body: a derivative that was not made cannot be called. The adjoint of a
 * parameter of type P has the type gw_cell<P> *, which argument deduction leaves alone; so an adjoint may be
 * any argument that converts.
 *
 * What a launch takes beside these parameters - how many cells arrays have, a second half's workspace - differs
 * from one instantiation to the next. So there is a primary template for each number of such parameters, an
 * overload, and a specialisation is of the one that has its own.
 */
#include "rewriters/emit/kernel/kernel_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

static const char *pattern_of(const gw_func *f, const gw_param *p) {
    return gw_cstr(f->session, p->pattern ? p->pattern : p->type_text);
}

/* The first * of the type's own, not of a template's argument: "box<F, const double *> *". */
static const char *own_star(const char *type) {
    int depth = 0;
    for (const char *c = type; *c; c++) {
        depth += (*c == '<') - (*c == '>' && depth > 0);
        if (*c == '*' && !depth) return c;
    }
    return NULL;
}

/* The type of an adjoint adds to that of the cell: "const float *" -> const gw_cell<P> *, "float *const *" ->
 * gw_cell<P> *const *. The qualifier is that of the definition, since nvcc compares it (in the references that
 * its own stubs of kernels take). */
static char *adjoint_type(const gw_func *f, const gw_param *p, const gw_param *of) {
    const char *type = gw_cstr(f->session, p->type_text), *cell = pattern_of(f, of);
    const char *stars = own_star(type), *of_cell = strncmp(type, "const ", 6) == 0 ? "const " : "";
    if (gw_directions(f) && stars && stars > type && stars[-1] == '(')
        return gw_format("%sgw_cell<%s> (*__restrict__)[%u]", of_cell, cell, gw_directions(f));
    if (stars && strchr(stars + 1, '*')) return gw_format("%sgw_cell<%s> %s", of_cell, cell, stars);
    /* a vector */
    if (!stars && *type && type[strlen(type) - 1] == '&') return gw_format("%sgw_cell<%s> &", of_cell, cell);
    return gw_format("%sgw_cell<%s>%s", of_cell, cell, stars ? " *__restrict__" : "");
}

/* The user's parameter that an adjoint, a tangent, or the adjoint of a tangent belongs to. */
static const gw_param *mirrored(const gw_func *f, const gw_param *p) {
    const gw_param *params = f->params.at, *of = p->is_adjoint ? &params[p->primal_index] : p;
    return gw_param_root(f, of);
}

static void add_pattern(gw_emitter *e, const gw_func *f, uint32_t i, gw_emit_params *list) {
    const gw_param *p = &f->params.at[i];
    const bool derives = (p->is_adjoint && p->primal_index != UINT32_MAX) || p->tangent_of;
    const gw_param *primal = derives ? mirrored(f, p) : NULL;
    const bool of_param = derives && !primal->is_global && !primal->is_texture; /* whose shadow has one type */
    char *type = of_param ? adjoint_type(f, p, primal) : gw_strdup(pattern_of(f, p));
    /* the name of such a parameter would stand inside of its type */
    bool holds_array = of_param && strchr(type, '(');
    gw_emit_params_add(list, e->session, type, holds_array ? "" : gw_cstr(e->session, p->name));
    free(type);
}

/* Declares a kernel's helper: the configuration, then the parameters, with adjoints or without, and `told`
 * sizes. */
static void declare_told(gw_emitter *e, const gw_func *f, const char *returns, gw_str name,
                         const char *const *first, bool has_adjoints, uint32_t told, const char *const *last) {
    gw_emit_params list = {0};
    for (; first && *first; first++)
        gw_emit_params_add(&list, e->session, *first, "");
    for (uint32_t i = 0; i < f->params.count; i++)
        if (!gw_param_is_hidden(&f->params.at[i]) && (has_adjoints || !f->params.at[i].is_adjoint))
            add_pattern(e, f, i, &list);
    for (; told; told--)
        gw_emit_params_add(&list, e->session, "size_t", "");
    for (; last && *last; last++)
        gw_emit_params_add(&list, e->session, *last, "");
    char *head = gw_format("template <%s> %s%s %s", gw_cstr(e->session, f->template_head),
                           f->is_internal ? "static " : "", returns, gw_cstr(e->session, name));
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, f->kind == GW_FUNC_KERNEL ? ";" : " = delete;");
    free(head);
    gw_emit_params_free(&list);
}

static void declare(gw_emitter *e, const gw_func *f, const char *returns, gw_str name, const char *const *first,
                    bool has_adjoints, const char *const *last) {
    declare_told(e, f, returns, name, first, has_adjoints, 0, last);
}

/* ---- a kernel's derivative ---- */
static const char *const launch[] = {"dim3", "dim3", "size_t", "cudaStream_t", NULL};
static const char *const configuration[] = {"dim3", "dim3", NULL};

static void declare_alloc(gw_emitter *e, const gw_func *f, gw_launch_shape extra) {
    declare_told(e, f, "gw_status", gw_derived_part_name(f, GW_DERIVED_ALLOC), launch, true,
                 extra.told + extra.packs, NULL);
}

/* How much a launch needs: what the host computes, or what is measured. */
static void declare_sizes(gw_emitter *e, const gw_func *f, gw_launch_shape extra) {
    static const char *const sizes[] = {"gw_sizes *", NULL};
    static const char *const shape[] = {"dim3", "dim3", "size_t", NULL};
    const bool half = gw_is_half(f);
    if (!gw_companion(f, GW_FORM_MEASURE)) {
        gw_derived_part bytes = half ? GW_DERIVED_TAPE_BYTES : GW_DERIVED_WORKSPACE_BYTES;
        declare_told(e, f, "size_t", gw_derived_part_name(f, bytes), configuration, false, extra.told, NULL);
        if (!half && gw_emit_has_alloc(e, f)) declare_alloc(e, f, extra);
        return;
    }
    gw_derived_part measure = half ? GW_DERIVED_MEASURE_HALF_LAUNCH : GW_DERIVED_MEASURE_LAUNCH;
    declare_told(e, f, "gw_status", gw_derived_part_name(f, measure), launch, false, extra.told, sizes);
    if (gw_emit_measures_bytes(e, f))
        declare_told(e, f, "size_t", gw_derived_part_name(f, GW_DERIVED_WORKSPACE_BYTES),
                     gw_emit_asks_shared_bytes(f) ? shape : configuration, false, extra.told, NULL);
    if (!half && gw_emit_has_alloc(e, f)) declare_alloc(e, f, extra);
}

static void declare_launch(gw_emitter *e, const gw_func *f, gw_launch_shape extra) {
    static const char *const space[] = {"void *", "size_t", "void *", "size_t", NULL}, *const *one = space + 2;
    const char *const *last = extra.own_space ? space : one;
    const char *linkage = f->is_internal ? "static " : "";
    if (f->form == GW_FORM_JVP)
        last = NULL;
    else if (f->form != GW_FORM_BWD)
        declare_sizes(e, f, extra);
    if (extra.own_space)
        declare_told(e, f, "size_t", gw_derived_part_name(f, GW_DERIVED_OWN_WORKSPACE_BYTES), configuration,
                     false, extra.told, NULL);
    if (extra.packs)
        gw_emit_line(e, "template <%s> %ssize_t %s(size_t);", gw_cstr(e->session, f->template_head), linkage,
                     gw_cstr(e->session, gw_derived_part_name(f, GW_DERIVED_PACK_BYTES)));
    declare_told(e, f, "gw_status", gw_derived_part_name(f, GW_DERIVED_LAUNCH), launch, true,
                 extra.told + extra.packs, last);
}

/* What is the same for all launches. */
static void declare_kernel(gw_emitter *e, const gw_func *f) {
    const char *head = gw_cstr(e->session, f->template_head), *linkage = f->is_internal ? "static " : "";
    const gw_str shared = gw_emit_shared_bytes_name(f);
    if (!gw_is_half(f) && !f->pack) declare(e, f, "__global__ void", f->name, NULL, true, NULL);
    if (shared)
        gw_emit_line(e, "template <%s> %ssize_t %s(dim3, size_t);", head, linkage, gw_cstr(e->session, shared));
    if (f->form == GW_FORM_JVP || f->form == GW_FORM_BWD || !gw_companion(f, GW_FORM_MEASURE)) return;
    const gw_derived_part found = gw_is_half(f) ? GW_DERIVED_MEASURED_TAPE : GW_DERIVED_MEASURED_BYTES;
    gw_emit_line(e, "template <%s> %ssize_t %s(const gw_sizes *, cudaStream_t);", head, linkage,
                 gw_cstr(e->session, gw_derived_part_name(f, found)));
}

/* What a program's derivative has beside, as a kernel's (asked.c). */
static void declare_asked(gw_emitter *e, const gw_func *f) {
    static const char *const space[] = {"void *", "size_t", NULL};
    const bool along = f->form == GW_FORM_JVP;
    const gw_str launch_name = gw_derived_part_name(f, GW_DERIVED_LAUNCH);
    declare(e, f, "gw_status", launch_name, NULL, true, along ? NULL : space);
    if (along) return;
    declare(e, f, "size_t", gw_derived_part_name(f, GW_DERIVED_WORKSPACE_BYTES), NULL, false, NULL);
    declare(e, f, "gw_status", gw_derived_part_name(f, GW_DERIVED_ALLOC), NULL, true, NULL);
}

static void declare_function(gw_emitter *e, const gw_func *f, gw_str sums) {
    static const char *const with_run[] = {"gw_program *", "gw_host_tape *", NULL}, *const *tape = with_run + 1,
                             *const pool[] = {"gw_pool *", NULL};
    const char *const given[] = {gw_cstr(e->session, sums), NULL};
    const char *result = gw_emit_result(e, f);
    bool own = strcmp(result, "void") != 0 && strcmp(result, gw_cstr(e->session, f->return_text)) == 0;
    if (own) result = gw_cstr(e->session, f->return_pattern);
    char *returns = gw_format("%s%s", gw_emit_target(e, f), result);
    const bool on = gw_emit_is_over_tape(f);
    const char *const *last = gw_emit_takes_tape(f) && !on ? tape : NULL;
    declare(e, f, returns, f->name, NULL, true, *given[0] ? given : last);
    const bool program = gw_is_program(f);
    if (on)
        declare(e, f, returns, gw_derived_part_name(f, GW_DERIVED_ON), program ? with_run : tape, true, NULL);
    if (on && program) declare(e, f, returns, gw_derived_part_name(f, GW_DERIVED_IN), pool, true, NULL);
    if (gw_emit_is_asked_program(e, f)) declare_asked(e, f);
    free(returns);
}

/* ---- once for all instantiations ---- */
static bool is_same_template(const gw_emit_primary_of *p, const gw_func *f) {
    return p->name == f->name && p->form == f->form && p->loc.file == f->loc.file &&
           p->loc.line == f->loc.line && p->loc.column == f->loc.column;
}

void gw_emit_primary(gw_emitter *e, const gw_func *f) {
    const bool kernel = f->kind == GW_FUNC_KERNEL;
    const gw_launch_shape shape =
        kernel ? gw_emit_launch_shape(e, f) : (gw_launch_shape){.sums = gw_emit_exact_types(e, f)};
    const gw_emit_primary_of new = {f->name, f->form, f->loc, shape};
    bool any = false;
    for (uint32_t i = 0; i < e->primaries.count; i++) {
        const gw_emit_primary_of *p = &e->primaries.at[i];
        if (!is_same_template(p, f)) continue;
        if (p->launch.told == shape.told && p->launch.own_space == shape.own_space &&
            p->launch.sums == shape.sums && p->launch.packs == shape.packs)
            return;
        any |= p->launch.packs == shape.packs;
    }
    gw_push(&e->primaries, new);
    if (!kernel) declare_function(e, f, shape.sums);
    if (kernel && !any) declare_kernel(e, f);
    if (kernel) declare_launch(e, f, shape);
    gw_text_add(e->out, "\n");
}
