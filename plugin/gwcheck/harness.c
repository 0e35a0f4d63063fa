/*
 * harness.c - the source that is compiled: the user's text, and behind it tables of what its functions take and
 * calls of them (contract: gwcheck_private.h; what it hands over: gradwright/emitted/check.h).
 *
 * The user's text stands in it with its own line numbers, so that "x.grad.cuh" is found in the harness's
 * folder, also where one lies beside the source; its main has another name.
 */
#include "analysis/ir/leaf.h"
#include "plugin/gwcheck/gwcheck_private.h"
#include "analysis/ir/query.h"
#include "rewriters/emit/text/text.h"

#include <string.h>

static void quoted(gw_text *out, const char *text) {
    gw_text_add_char(out, '"');
    for (; *text; text++) {
        if (strchr("\"\\", *text)) gw_text_add_char(out, '\\');
        gw_text_add_char(out, *text);
    }
    gw_text_add_char(out, '"');
}

static const char cuda_device[] =
    "static void *gwcheck_allocate(size_t bytes) {\n"
    "    void *at = 0;\n"
    "    return cudaMallocManaged(&at, bytes) == cudaSuccess ? at : 0;\n"
    "}\n"
    "static void gwcheck_release(void *at) { cudaFree(at); }\n"
    "static const char *gwcheck_finish(void) {\n"
    "    cudaError_t launched = cudaGetLastError(), ran = cudaDeviceSynchronize();\n"
    "    if (launched != cudaSuccess) return cudaGetErrorString(launched);\n"
    "    return ran != cudaSuccess ? cudaGetErrorString(ran) : 0;\n"
    "}\n"
    "static void gwcheck_reset(void) { cudaDeviceReset(); }\n"
    "static const char *gwcheck_no_device(void) {\n"
    "    int count = 0;\n"
    "    cudaError_t found = cudaGetDeviceCount(&count);\n"
    "    return found != cudaSuccess ? cudaGetErrorString(found) : count ? 0 : \"there is no GPU\";\n"
    "}\n";
/* A launch may ask how many cells arrays have, or positions of lists; as many as the largest memory holds will
 * do for each. How many it asks for, the compiler finds out. The source may have macros of short names. */
static const char sizes[] =
    "static size_t gwcheck_most(const gw_check_param *p, size_t count, size_t shared) {\n"
    "    size_t most = shared;\n"
    "    for (size_t i = 0; i < count; i++)\n"
    "        if (p[i].count * p[i].element > most) most = p[i].count * p[i].element;\n"
    "    return most / sizeof(float) + 1;\n"
    "}\n"
    "template <class gwcheck_r, class gwcheck_f, class... gwcheck_m>\n"
    "static gwcheck_r gwcheck_sized(size_t most, const gwcheck_f &call, gwcheck_m... more) {\n"
    "    if constexpr (std::is_invocable<const gwcheck_f &, gwcheck_m...>::value ||\n"
    "                  sizeof...(gwcheck_m) == 32)\n"
    "        return call(more...);\n"
    "    else\n"
    "        return gwcheck_sized<gwcheck_r>(most, call, more..., most);\n"
    "}\n"
    "#define GWCHECK_SIZED(...) \\\n"
    "    [&](auto... gwcheck_sizes) -> decltype(__VA_ARGS__) { return __VA_ARGS__; }\n";
static const char host_device[] = "static void *gwcheck_allocate(size_t bytes) { return malloc(bytes); }\n"
                                  "static void gwcheck_release(void *at) { free(at); }\n"
                                  "static const char *gwcheck_finish(void) { return 0; }\n"
                                  "static void gwcheck_reset(void) {}\n"
                                  "static const char *gwcheck_no_device(void) { return 0; }\n";
static const char status[] = "static const char *gwcheck_status(gw_status status) {\n"
                             "    if (status == GW_OK) return 0;\n"
                             "    return *gw_last_error() ? gw_last_error() : gw_status_text(status);\n"
                             "}\n";
static const char traits[] = "template <class gwcheck_t> struct gwcheck_same { typedef gwcheck_t type; };\n"
                             "template <class gwcheck_t> constexpr gw_check_number gwcheck_number() {\n"
                             "    static_assert(std::is_arithmetic<gwcheck_t>::value,\n"
                             "                  \"gwcheck: of what this pointer leads to it knows only "
                             "numbers\");\n"
                             "    return std::is_floating_point<gwcheck_t>::value ? GW_CHECK_REAL\n"
                             "           : std::is_same<gwcheck_t, bool>::value   ? GW_CHECK_BOOL\n"
                             "           : std::is_signed<gwcheck_t>::value       ? GW_CHECK_SIGNED\n"
                             "                                            : GW_CHECK_UNSIGNED;\n"
                             "}\n";

static void write_head(const gw_session *s, const char *path, const char *source, const char *gradient,
                       gw_text *out) {
    gw_text_add(out, "/* Made by gwcheck. */\n#include <gradwright/gradwright.h>\n"
                     "#include <gradwright/emitted/check.h>\n#include <gradwright/runtime.h>\n"
                     "#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
    if (!s->is_c)
        gw_text_add(out, "#include <gradwright/emitted/functions.h>\n"
                         "#include <type_traits>\n#include <vector>\n");
    gw_text_add(out, "#define main gwcheck_main_of_the_source\n#line 1 ");
    quoted(out, path);
    gw_text_addf(out, "\n%s\n#line 1 \"gwcheck\"\n#undef main\n#include ", source);
    quoted(out, gradient);
    gw_text_add(out, "\n");
    gw_text_add(out, s->is_cuda ? cuda_device : host_device);
    gw_text_add(out, status);
    if (!s->is_c) gw_text_add(out, traits);
    if (s->is_cuda) gw_text_add(out, sizes);
}

/* ---- tables ---- */
static const char *number_of(gw_type t) {
    if (gw_type_is_float(t)) return "GW_CHECK_REAL";
    if (t == GW_T_BOOL) return "GW_CHECK_BOOL";
    return gw_type_is_signed(t) ? "GW_CHECK_SIGNED" : "GW_CHECK_UNSIGNED";
}

/* The range of a cell, "conic.w": its own, or that of all of the parameter. */
static void write_range(const gwcheck_options *o, const gwcheck_function *f, const gwcheck_param *p,
                        const char *cell, gw_text *out) {
    double low = 0, high = 0;
    bool found = false, exact = false;
    for (uint32_t i = 0; i < o->ranges.count; i++) {
        const gwcheck_given *g = &o->ranges.at[i];
        const bool own = strcmp(g->param, cell) == 0;
        if (!gwcheck_is_for(g, f) || exact || (!own && strcmp(g->param, p->name) != 0)) continue;
        found = sscanf(g->value, " [ %lf , %lf", &low, &high) == 2;
        exact = own;
    }
    gw_text_addf(out, "%d, %.17g, %.17g}, ", found, low, high);
}

/* In bytes from where the object begins; offsetof does not tell it of a member that is not public. */
static void write_offset(gw_session *s, const gwcheck_param *p, const gw_leaf *leaf, const char *id,
                         gw_text *out) {
    const char *path = gw_cstr(s, leaf->path);
    if (!gw_emit_opens(s, p->cell, path)) {
        gw_text_addf(out, "offsetof(%s_in, v%s)", id, path);
        return;
    }
    char *object = gw_format("((%s_in *)%s_room)->v", id, id), *text = gw_emit_leaf(s, p->cell, object, path);
    gw_text_addf(out, "(size_t)((const char *)&%s - %s_room)", text, id);
    free(object), free(text);
}

static uint32_t write_cells(gw_session *s, const gwcheck_options *o, const gwcheck_function *f,
                            const gwcheck_param *p, const char *id, gw_text *out) {
    uint32_t count = 0;
    gw_leaves leaves = {0};
    gw_text_addf(out, "static const gw_check_cell %s_cells[] = {", id);
    if (p->cell == GW_T_ADDRESS) {
        gw_text_addf(out, "{0, sizeof(%s), gwcheck_number<%s>(), \"\", 1, ", id, id), count++;
        write_range(o, f, p, p->name, out);
    } else
        gw_leaves_of(s, p->cell, &leaves);
    for (uint32_t i = 0; i < leaves.count; i++) {
        const gw_leaf *leaf = &leaves.at[i];
        if (gw_leaf_is_pointer(s, leaf) || leaf->type == GW_T_ADDRESS) continue;
        char *name = gw_format("%s%s", p->name, gw_cstr(s, leaf->name));
        const bool active = p->role == GW_CHECK_RESULT || p->member || gwcheck_is_named(s, f->request, name);
        gw_text_add(out, "{");
        write_offset(s, p, leaf, id, out);
        gw_text_addf(out, ", %u, %s, ", (unsigned)gw_type_bytes(leaf->type), number_of(leaf->type));
        quoted(out, gw_cstr(s, leaf->path));
        gw_text_addf(out, ", %d, ", active);
        write_range(o, f, p, name, out);
        count++;
        free(name);
    }
    gw_vec_free(&leaves);
    gw_text_add(out, count ? "};\n" : "{0, 0, GW_CHECK_REAL, \"\", 0, 0, 0, 0}};\n");
    return count;
}

static bool has_closed(gw_session *s, const gwcheck_param *p) {
    bool found = false;
    gw_leaves leaves = {0};
    if (p->cell != GW_T_ADDRESS) gw_leaves_of(s, p->cell, &leaves);
    for (uint32_t i = 0; i < leaves.count; i++)
        found |= gw_emit_opens(s, p->cell, gw_cstr(s, leaves.at[i].path));
    gw_vec_free(&leaves);
    return found;
}

static void write_type(gw_session *s, const gwcheck_param *p, const char *id, gw_text *out) {
    if (s->is_c)
        gw_text_addf(out, "typedef __typeof__(%s) %s;\n", p->type, id);
    else if (p->cell == GW_T_ADDRESS)
        gw_text_addf(out, "typedef gw_cell<gwcheck_same<%s>::type> %s;\n", p->type, id);
    else
        gw_text_addf(out, "typedef gwcheck_same<%s>::type %s;\n", p->type, id);
    gw_text_addf(out, "typedef struct { %s v; } %s_in;\n", id, id);
    if (has_closed(s, p)) gw_text_addf(out, "alignas(%s) static char %s_room[sizeof(%s)];\n", id, id, id);
}

static void write_params(gw_session *s, const gwcheck_options *o, const gwcheck_function *f, uint32_t number,
                         gw_text *out) {
    static const char *const roles[] = {"GW_CHECK_ARRAY", "GW_CHECK_VALUE", "GW_CHECK_RESULT"};
    gw_text rows = {0};
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gwcheck_param *p = &f->params.at[i];
        char *id = gw_format("gwc%u_%u", number, i);
        write_type(s, p, id, out);
        const uint32_t cells = write_cells(s, o, f, p, id, out);
        gw_text_add(&rows, "    {");
        quoted(&rows, p->name);
        gw_text_addf(&rows, ", %s, %d, %d, %d, %d, sizeof(%s), %s_cells, %u, (gw_check_content)%d, 0, 0, 0},\n",
                     roles[p->role], p->named, gwcheck_is_input(s, f->request, p->name),
                     gwcheck_is_output(s, f->request, p->name), gwcheck_is_fresh(s, f->request, p->name), id,
                     id, cells, (int)p->content);
        free(id);
    }
    gw_text_addf(out, "static gw_check_param gwc%u_params[] = {\n%s};\n", number, rows.at);
    gw_text_free(&rows);
}

/* ---- what the user gives ---- */
/* The parameters that are values, by their names, for expressions. */
static void write_locals(const gw_session *s, const gwcheck_function *f, uint32_t number, bool back,
                         gw_text *out) {
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gwcheck_param *p = &f->params.at[i];
        if (p->role != GW_CHECK_VALUE || s->types.at[p->cell].kind == GW_TYPE_ARRAY) continue;
        if (back)
            gw_text_addf(out, "    memcpy(gwcheck_p[%u].data, (const void *)&%s, sizeof %s);\n", i, p->name,
                         p->name);
        else
            gw_text_addf(out, "    gwc%u_%u %s = *(gwc%u_%u *)gwcheck_p[%u].data; (void)%s;\n", number, i,
                         p->name, number, i, i, p->name);
    }
}

static uint32_t find_param(const gwcheck_function *f, const char *name) {
    uint32_t i = 0;
    while (i < f->params.count && strcmp(f->params.at[i].name, name) != 0)
        i++;
    return i;
}

static void mark_line(const gwcheck_given *g, gw_text *out) {
    gw_text_addf(out, "#line 1 \"%s='%s'\"\n", g->option, g->text);
}

static void write_given(const gw_session *s, const gwcheck_options *o, const gwcheck_function *f,
                        uint32_t number, gw_text *out) {
    gw_text_addf(out, "static void gwc%u_set(gw_check_param *gwcheck_p) {\n    (void)gwcheck_p;\n", number);
    write_locals(s, f, number, false, out);
    for (uint32_t i = 0; i < o->sets.count; i++) {
        const gwcheck_given *g = &o->sets.at[i];
        char *root = gw_format("%.*s", (int)strcspn(g->param, ".["), g->param);
        const uint32_t at = find_param(f, root);
        free(root);
        if (!gwcheck_is_for(g, f) || at == f->params.count) continue;
        mark_line(g, out);
        gw_text_addf(out, "    %s = (%s);\n", g->param, g->value);
    }
    write_locals(s, f, number, true, out);
    gw_text_addf(out, "}\nstatic void gwc%u_size(gw_check_param *gwcheck_p) {\n    (void)gwcheck_p;\n", number);
    write_locals(s, f, number, false, out);
    for (uint32_t i = 0; i < o->sizes.count; i++) {
        const gwcheck_given *g = &o->sizes.at[i];
        const uint32_t at = find_param(f, g->param);
        if (!gwcheck_is_for(g, f) || at == f->params.count) continue;
        mark_line(g, out);
        gw_text_addf(out, "    gwcheck_p[%u].count = (size_t)(%s);\n", at, g->value);
    }
    gw_text_add(out, "}\n");
}

/* "dim3(8, 4)" of "(8, 4)", "dim3(n / 2)" of an expression. */
static void add_dimensions(const char *launch, const char *name, const char *usual, gw_text *out) {
    char *text = launch ? gwcheck_launch_part(launch, name) : NULL;
    const char *value = text ? text : usual;
    int depth = 0;
    bool list = false;
    size_t end = 0;
    for (size_t i = 0; value[i] && !end; i++) {
        depth += (value[i] == '(') - (value[i] == ')');
        list = list || (value[i] == ',' && depth == 1);
        if (!depth) end = i + 1;
    }
    const bool dimensions = *value == '(' && list && !value[end];
    gw_text_addf(out, dimensions ? "    *gwcheck_%s = dim3%s;\n" : "    *gwcheck_%s = dim3(%s);\n", name,
                 value);
    free(text);
}

static void write_launch(const gw_session *s, const gwcheck_function *f, uint32_t number, gw_text *out) {
    char *shared = f->launch ? gwcheck_launch_part(f->launch, "shared") : NULL;
    gw_text_addf(out,
                 "static void gwc%u_launch(gw_check_param *gwcheck_p, dim3 *gwcheck_grid, dim3 *gwcheck_block, "
                 "size_t *gwcheck_shared) {\n    (void)gwcheck_p;\n",
                 number);
    write_locals(s, f, number, false, out);
    gw_text_add(out, "#line 1 \"--launch\"\n");
    add_dimensions(f->launch, "grid", gw_asks_for_block(f->primal) ? "4" : "1", out);
    add_dimensions(f->launch, "block", "64", out);
    gw_text_addf(out, "    *gwcheck_shared = (size_t)(%s);\n}\n", shared ? shared : "0");
    free(shared);
}

/* ---- the whole ---- */
static void write_table(const gw_session *s, const gwcheck_functions *functions, gw_text *out) {
    uint32_t count = 0;
    gw_text_add(out, "static const gw_check_function gwcheck_functions[] = {\n");
    for (uint32_t i = 0; i < functions->count; i++) {
        const gwcheck_function *f = &functions->at[i];
        if (f->refused) continue;
        count++;
        gw_text_add(out, "    {");
        quoted(out, f->name);
        gw_text_add(out, ", ");
        quoted(out, f->asks);
        gw_text_addf(out, ", gwc%u_params, %u, gwc%u_set, gwc%u_size, gwc%u_primal, gwc%u_gradient, ", i,
                     f->params.count, i, i, i, i);
        if (f->forward)
            gw_text_addf(out, "gwc%u_forward", i);
        else
            gw_text_add(out, "0");
        gw_text_addf(out, ", %d, %d},\n", f->seed_is_one, gw_is_program(f->primal));
    }
    gw_text_addf(out,
                 "};\nint main(int argc, char **argv) {\n"
                 "    static const gw_check_device device = {gwcheck_allocate, gwcheck_release, "
                 "gwcheck_finish, gwcheck_reset,\n#if %d && defined(GW_CPU_DEVICE)\n        1\n#else\n        "
                 "0\n#endif\n    };\n"
                 "    const char *none = gwcheck_no_device();\n"
                 "    if (none) return fprintf(stderr, \"%%s\\n\", none), %d;\n"
                 "    return gw_check_main(argc, argv, gwcheck_functions, %u, &device);\n}\n",
                 s->is_cuda, GWCHECK_NO_DEVICE, count);
}

void gwcheck_harness(gw_session *s, const gwcheck_options *o, const gwcheck_functions *functions,
                     const char *source, const char *gradient, gw_text *out) {
    gw_text all = {0}, *const whole = out;
    write_head(s, o->source, source, gradient, whole);
    out = &all;
    for (uint32_t i = 0; i < functions->count; i++) {
        const gwcheck_function *f = &functions->at[i];
        if (f->refused) continue;
        write_params(s, o, f, i, out);
        write_given(s, o, f, i, out);
        if (gwcheck_is_device(f->primal)) write_launch(s, f, i, out);
        gw_text_add(out, "#line 1 \"gwcheck\"\n");
        gwcheck_calls(s, f, i, out);
    }
    write_table(s, functions, out);
    gw_emit_openings(s, whole);
    gw_text_add(whole, all.at);
    gw_text_free(&all);
}
