/*
 * programs.c - writes a generated header and a program that runs its functions against the interpreter's
 * results.
 *
 *     emit_programs DIRECTORY c|cpp table|random|expressions SEED COUNT
 *
 * makes DIRECTORY/programs.h and DIRECTORY/main.c (or .cpp).
 */
#include "analysis/ir/diagnostics.h"
#include "evaluate.h"
#include "analysis/ir/passes.h"
#include "program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 3 };

typedef struct memory {
    cell at[PROGRAM_ARRAYS][PROGRAM_CELLS];
} memory;

static const struct input {
    int64_t n, u, k;
    double x, y;
} inputs[INPUTS] = {
    {5, 7, -3, 0.75, -1.5}, {-2147483647, 4294967295u, 5000000000, -3.25, 1e6}, {0, 0, 0, 0, 0.25}};

static memory start(int input) {
    memory m = {0};
    for (int array = 0; array < PROGRAM_ARRAYS; array++)
        for (int i = 0; i < PROGRAM_CELLS; i++)
            m.at[array][i] =
                (cell){.i = (i * 7 + array) % 11 - 4 + input, .f = (i * 5 + array) % 9 * 0.5 - 1 + input};
    return m;
}

static void run(const program *p, int input, memory *m) {
    evaluation v;
    evaluation_begin(&v, p->f);
    const struct input *in = &inputs[input];
    v.values[p->n].i = in->n;
    v.values[p->u].i = in->u;
    v.values[p->k].i = in->k;
    v.values[p->x].f = in->x;
    v.values[p->y].f = in->y;
    for (int array = 0; array < PROGRAM_ARRAYS; array++)
        v.memory[p->arrays[array]] = m->at[array];
    evaluation_run(&v);
    evaluation_end(&v);
}

static void write_real(FILE *out, double x) {
    if (isnan(x))
        fputs("NAN", out);
    else if (isinf(x))
        fputs(x < 0 ? "-INFINITY" : "INFINITY", out);
    else
        fprintf(out, "%a", x);
}

static void write_memory(FILE *out, const char *name, const memory *m) {
    fprintf(out, "static const cells %s = {", name);
    for (int array = 0; array < PROGRAM_ARRAYS; array++) {
        fputs(array ? ", {" : "{", out);
        for (int i = 0; i < PROGRAM_CELLS; i++) {
            if (i) fputs(", ", out);
            if (array == PROGRAM_C)
                fprintf(out, "%lld", (long long)m->at[array][i].i);
            else
                write_real(out, m->at[array][i].f);
        }
        fputs("}", out);
    }
    fputs("};\n", out);
}

static void write_program(FILE *out, const program *p) {
    const char *name = gw_cstr(p->s, p->f->name);
    for (int i = 0; i < INPUTS; i++) {
        memory m = start(i);
        run(p, i, &m);
        char *expected = gw_format("expected_%s_%d", name, i);
        write_memory(out, expected, &m);
        free(expected);
    }
}

static const char head[] =
    "#include \"programs.h\"\n#include <stdio.h>\n"
    "typedef struct cells { float a[16]; double b[16]; int c[16]; float d[16]; } cells;\n"
    "static int failures;\n"
    "static int same(double x, double y) {\n"
    "    return x == y ? ANY_ZERO || !signbit(x) == !signbit(y) : isnan(x) && isnan(y);\n}\n"
    "static void compare(const char *name, int input, const cells *got, const cells *want) {\n"
    "    for (int i = 0; i < 16; i++)\n"
    "        if (!same(got->a[i], want->a[i]) || !same(got->b[i], want->b[i]) || got->c[i] != want->c[i] ||\n"
    "            !same(got->d[i], want->d[i])) {\n"
    "            printf(\"%s, input %d, cell %d: %a %a %d %a instead of %a %a %d %a\\n\", name, input, i,\n"
    "                   (double)got->a[i], got->b[i], got->c[i], (double)got->d[i], (double)want->a[i], "
    "want->b[i],\n"
    "                   want->c[i], (double)want->d[i]);\n"
    "            failures++;\n"
    "            return;\n"
    "        }\n"
    "}\n";

static void write_calls(FILE *out, const program *p) {
    const char *name = gw_cstr(p->s, p->f->name);
    for (int i = 0; i < INPUTS; i++) {
        const struct input *in = &inputs[i];
        fprintf(out, "    m = start_%d;\n    %s(%lld, %lldu, %lldll, %af, %a, m.a, m.b, m.c, m.d);\n", i, name,
                (long long)in->n, (long long)in->u, (long long)in->k, in->x, in->y);
        fprintf(out, "    compare(\"%s\", %d, &m, &expected_%s_%d);\n", name, i, name, i);
    }
}

/* any_zero: gcc 12 turns 0.0f - (float)-n into -0.0 for n = 0; random programs meet that. */
static bool write_main(const char *path, const program *programs, uint32_t count, bool any_zero) {
    FILE *out = fopen(path, "w");
    if (!out) return false;
    fprintf(out, "#define ANY_ZERO %d\n", any_zero);
    fputs(head, out);
    for (int i = 0; i < INPUTS; i++) {
        memory m = start(i);
        char *name = gw_format("start_%d", i);
        write_memory(out, name, &m);
        free(name);
    }
    for (uint32_t i = 0; i < count; i++)
        write_program(out, &programs[i]);
    for (uint32_t i = 0; i < count; i++) {
        fprintf(out, "static void run_%u(void) {\n    cells m;\n", i);
        write_calls(out, &programs[i]);
        fputs("}\n", out);
    }
    fputs("int main(void) {\n", out);
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "    run_%u();\n", i);
    fprintf(out, "    printf(\"%%d of %u programs failed\\n\", failures);\n    return failures != 0;\n}\n",
            count);
    return fclose(out) == 0;
}

static void make(program *p, const char *kind, uint64_t seed, uint32_t i) {
    if (strcmp(kind, "table") == 0)
        program_rows[i].make(p);
    else if (strcmp(kind, "random") == 0)
        program_random(p, seed + i);
    else
        program_random_expressions(p, seed + i);
    program_end(p);
}

static bool write_text(const char *path, const gw_run *text) {
    FILE *out = fopen(path, "w");
    if (!out) return false;
    fputs(text->output.at, out);
    return fclose(out) == 0;
}

int main(int count, char **words) {
    if (count != 6)
        return fputs("usage: emit_programs DIRECTORY c|cpp table|random|expressions SEED COUNT\n", stderr), 2;
    gw_session *s = gw_session_new();
    bool is_c = strcmp(words[2], "c") == 0, table = strcmp(words[3], "table") == 0;
    s->is_cuda = false;
    s->source_file = gw_intern(s, is_c ? "programs.c" : "programs.cpp");
    uint64_t seed = strtoull(words[4], NULL, 10);
    uint32_t programs = table ? program_count : (uint32_t)strtoul(words[5], NULL, 10);
    program *all = gw_alloc(programs * sizeof *all);
    for (uint32_t i = 0; i < programs; i++) {
        char *name = table ? gw_strdup(program_rows[i].name) : gw_format("program_%u", (uint32_t)seed + i);
        all[i] = program_new(s, name);
        make(&all[i], words[3], seed, i);
        free(name);
    }
    gw_run text = {.session = s};
    char *header = gw_format("%s/programs.h", words[1]),
         *program_path = gw_format("%s/main.%s", words[1], words[2]);
    bool good =
        gw_pass_emit(&text) && write_text(header, &text) && write_main(program_path, all, programs, !table);
    gw_diag_print(s, stderr);
    free(header);
    free(program_path);
    gw_text_free(&text.output);
    free(all);
    gw_session_free(s);
    return good ? 0 : 1;
}
