/* gw_compile: host C and C++, a kernel on the CPU device, what is refused, threads, the cache. */
#include <gradwright/sparse.h>
#include <gradwright/compile.h>
#include <gradwright/emitted/exported.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failures;
static char folder[] = "/tmp/gw-compile-XXXXXX";

#define CHECK(condition)                                                                                       \
    do {                                                                                                       \
        if (!(condition)) {                                                                                    \
            printf("%s:%d: %s fails; the last error: %s\n", __FILE__, __LINE__, #condition,                    \
                   gw_compile_error());                                                                        \
            failures++;                                                                                        \
        }                                                                                                      \
    } while (0)

static gw_compiled *compile(const char *language, const char *source, const char *request) {
    const char *requests[] = {request, NULL};
    const gw_compile_options options = {.language = language, .cache = folder};
    return gw_compile(source, request ? requests : NULL, &options);
}

/* ---- host ---- */
static const char c_source[] = "#include <math.h>\n"
                               "static double f(double x, double y) { return sin(x) * y; }\n"
                               "double length(int n, const double *x) {\n"
                               "    double s = 0;\n"
                               "    for (int i = 0; i < n; i++) s += x[i] * x[i];\n"
                               "    return s;\n"
                               "}\n";

static void test_c(void) {
    const char *requests[] = {"f: wrt x, y", "length: wrt x", NULL};
    const char *arguments[] = {"--derivative=f: wrt x", NULL}, *flags[] = {"-O1", NULL};
    const gw_compile_options options = {
        .language = "c", .arguments = arguments, .flags = flags, .cache = folder};
    gw_compiled *c = gw_compile(c_source, requests, &options);
    CHECK(c && !gw_compiled_was_cached(c));
    if (!c) return;
    double (*f)(double, double) = (double (*)(double, double))gw_symbol(c, "f");
    void (*f_grad)(double, double, double *, double *) =
        (void (*)(double, double, double *, double *))gw_symbol(c, "f_grad");
    double (*f_jvp)(double, double, double, double *) =
        (double (*)(double, double, double, double *))gw_symbol(c, "f_jvp");
    void (*length_grad)(int, const double *, double *) =
        (void (*)(int, const double *, double *))gw_symbol(c, "length_grad");
    CHECK(f && f_grad && f_jvp && length_grad);
    double d_x = 0, d_y = 0, t = 0, x[3] = {1, 2, 3}, d[3] = {0};
    f_grad(0.5, 3, &d_x, &d_y);
    CHECK(f(0.5, 3) == sin(0.5) * 3);
    CHECK(fabs(d_x - 3 * cos(0.5)) < 1e-14 && fabs(d_y - sin(0.5)) < 1e-14);
    f_jvp(0.5, 3, 2, &t);
    CHECK(fabs(t - 6 * cos(0.5)) < 1e-14);
    length_grad(3, x, d);
    CHECK(d[0] == 2 && d[1] == 4 && d[2] == 6);
    CHECK(!gw_symbol(c, "g_grad"));
    CHECK(strstr(gw_compile_error(), "no function 'g_grad'") && strstr(gw_compile_error(), "f_grad"));
    gw_release(c);
}

static const gw_exported *row_of(const gw_compiled *c, const char *name) {
    for (const gw_exported *x = gw_symbols(c); x->gw_name; x++)
        if (strcmp(x->gw_name, name) == 0) return x;
    return NULL;
}

/* Products and errors are of functions that passes have made, which nobody calls. */
static void test_modes(void) {
    const char *arguments[] = {"--hvp=f: wrt x", "--error=f: wrt x", "--hessian=f: wrt x",
                               "--jacobian=f: wrt x", NULL};
    const gw_compile_options options = {.language = "c", .arguments = arguments, .cache = folder};
    gw_compiled *c = gw_compile("double f(double x) { return x * x * x; }\n", NULL, &options);
    CHECK(c);
    if (!c) return;
    void (*f_hvp)(double, double, double *, double *) =
        (void (*)(double, double, double *, double *))gw_symbol(c, "f_hvp");
    void (*terms_of)(double, double *) = (void (*)(double, double *))gw_symbol(c, "f_error_terms");
    int (*f_error)(double, double *) = (int (*)(double, double *))gw_symbol(c, "f_error");
    int (*f_hessian)(double, double *) = (int (*)(double, double *))gw_symbol(c, "f_hessian");
    const gw_exported *f_jacobian = row_of(c, "f_jacobian");
    CHECK(f_hvp && terms_of && f_error && f_hessian && f_jacobian);
    double d_x = 0, t_d_x = 0, terms[3] = {0}, bound = 0, h = 0, j = 0, x = 2, *into = &j;
    void *packed[] = {&x, &into};
    int status = 1;
    CHECK(f_error(2, &bound) == 0 && bound == 40 * 0x1p-53);
    CHECK(f_hessian(2, &h) == 0 && h == 12);
    CHECK(f_jacobian->gw_call(packed, &status) == 0 && status == 0 && j == 12);
    f_hvp(2, 1, &d_x, &t_d_x);
    terms_of(2, terms); /* x, an unnamed product, the result: |adjoint * value| is 24, 8 and 8 */
    CHECK(d_x == 12 && t_d_x == 12 && terms[0] == 24 && terms[1] + terms[2] == 16);
    gw_release(c);
}

/* The handle is the caller's. */
static void test_sparse(void) {
    const char *arguments[] = {"--jacobian=f: sparse y[0:n] wrt x[0:n]", NULL};
    const gw_compile_options options = {.language = "c", .arguments = arguments, .cache = folder};
    gw_compiled *c = gw_compile("void f(double *y, const double *x, int n) {\n"
                                "    for (int i = 0; i < n; i++) y[i] = x[i] * x[(i + 1) % n];\n}\n",
                                NULL, &options);
    CHECK(c);
    if (!c) return;
    gw_status (*f_jacobian)(double *, const double *, int, gw_sparse *) =
        (gw_status(*)(double *, const double *, int, gw_sparse *))gw_symbol(c, "f_jacobian");
    const double x[5] = {1, 2, 3, 4, 5};
    double y[5];
    gw_sparse j = GW_SPARSE;
    CHECK(f_jacobian && f_jacobian(y, x, 5, &j) == GW_OK && j.entries == 10 && y[4] == 5);
    CHECK(j.value[0] == 2 && j.value[1] == 1 && j.column[8] == 0 && j.value[8] == 5 && j.value[9] == 1);
    gw_sparse_free(&j);
    gw_release(c);
}

static void test_cxx(void) {
    gw_compiled *c =
        compile("c++",
                "#include <gradwright/gradwright.h>\n#include <vector>\n#include <stdexcept>\n"
                "namespace a {\n"
                "GW_GRADIENT(\"wrt x\")\n"
                "double total(const std::vector<double> &x) {\n"
                "    double s = 0;\n"
                "    for (double v : x) s += v * v;\n"
                "    return s;\n"
                "}\n"
                "template <class T> T cube(T x) { return x * x * x; }\n"
                "double thrown(double x) { if (x < 0) throw std::domain_error(\"below zero\"); return x; }\n"
                "}\n",
                "a::cube<double>: wrt x");
    CHECK(c);
    if (!c) return;
    void (*cube)(double, double *) = (void (*)(double, double *))gw_symbol(c, "a::cube_grad<double>");
    double d_x = 0, x[2] = {3, 4}, d[2] = {1, 0};
    CHECK(cube && gw_symbol(c, "cube_grad<double>") == (gw_loaded_function *)cube);
    cube(2, &d_x);
    CHECK(d_x == 12);
    const gw_exported *total = row_of(c, "a::total_grad");
    gw_exported_vector of = {x, 2}, shadow = {d, 2};
    void *arguments[] = {&of, &shadow};
    CHECK(total && total->gw_call(arguments, NULL) == 0);
    CHECK(d[0] == 7 && d[1] == 8 && x[0] == 3);
    gw_release(c);
}

/* ---- a kernel ---- */
static const char kernel_source[] = "__global__ void square(float *y, const float *x, int n) {\n"
                                    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "    if (i < n) y[i] = x[i] * x[i];\n"
                                    "}\n";

typedef struct shape {
    unsigned x, y, z;
} shape;
typedef gw_status launch(shape, shape, size_t, void *, float *, const float *, int, float *, float *, void *,
                         size_t);

static void test_kernel(void) {
    gw_compiled *c = compile("cuda", kernel_source, "square: y wrt x");
    CHECK(c);
    if (!c) return;
    launch *grad = (launch *)gw_symbol(c, "square_grad_launch");
    const shape one = {1, 1, 1}, four = {4, 1, 1}, tall = {1, 4, 1};
    float x[4] = {1, 2, 3, 4}, y[4] = {0}, d_y[4] = {1, 1, 1, 1}, d_x[4] = {0};
    CHECK(grad && grad(one, four, 0, NULL, y, x, 4, d_y, d_x, NULL, 0) == GW_OK);
    CHECK(d_x[0] == 2 && d_x[3] == 8 && d_y[0] == 0);
    CHECK(grad(one, tall, 0, NULL, y, x, 4, d_y, d_x, NULL, 0) == GW_ERROR_LAUNCH);
    const char *(*error)(void) = (const char *(*)(void))gw_symbol(c, "gw_last_error");
    CHECK(strstr(error(), "blockDim.y == 1"));
    const gw_exported *primal = row_of(c, "square_launch");
    shape grid = one, block = four;
    size_t none = 0;
    void *stream = NULL, *py = y;
    const void *px = x;
    int n = 4;
    gw_status status = GW_ERROR_CUDA;
    void *arguments[] = {&grid, &block, &none, &stream, &py, &px, &n};
    CHECK(primal && primal->gw_call(arguments, &status) == 0 && status == GW_OK && y[3] == 16);
    gw_release(c);
}

/* ---- what is refused ---- */
static void test_refused(void) {
    CHECK(!compile("c", "double f(double x) { return x * ; }\n", "f: wrt x"));
    CHECK(strstr(gw_compile_error(), "source.c:1:") && strchr(gw_compile_error(), '^'));
    CHECK(!strstr(gw_compile_error(), folder));
    CHECK(!compile("c", c_source, "fff: wrt x"));
    CHECK(strstr(gw_compile_error(), "fff"));
    CHECK(!compile("c", c_source, "f: wrt z"));
    CHECK(strstr(gw_compile_error(), "'z'"));
    CHECK(!compile("fortran", c_source, "f: wrt x"));
    CHECK(strstr(gw_compile_error(), "unknown language 'fortran'"));
    CHECK(!compile(NULL, "/nowhere/x.c", "f: wrt x"));
    CHECK(strstr(gw_compile_error(), "/nowhere/x.c"));
    const char *arguments[] = {"--standalone", NULL}, *requests[] = {"f: wrt x", NULL};
    gw_compile_options options = {.language = "c", .arguments = arguments, .cache = folder};
    CHECK(!gw_compile(c_source, requests, &options));
    CHECK(strstr(gw_compile_error(), "--standalone"));
    options = (gw_compile_options){.language = "cuda", .device = "tpu", .cache = folder};
    CHECK(!gw_compile(kernel_source, NULL, &options));
    CHECK(strstr(gw_compile_error(), "unknown device 'tpu'"));
    const char *flags[] = {"-Dsin=no_such_function", NULL};
    options = (gw_compile_options){.language = "c", .flags = flags, .cache = folder};
    CHECK(!gw_compile(c_source, requests, &options));
}

/* ---- files, the cache ---- */
static void write_file(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    CHECK(out && fputs(text, out) >= 0);
    if (out) fclose(out);
}

static double slope(gw_compiled *c) {
    double d = 0;
    if (!c) return NAN;
    ((void (*)(double, double *))gw_symbol(c, "f_grad"))(1, &d);
    return d;
}

static void test_cache(void) {
    char path[64], header[64];
    snprintf(path, sizeof path, "%s/f.c", folder);
    snprintf(header, sizeof header, "%s/factor.h", folder);
    write_file(path, "#include \"factor.h\"\ndouble f(double x) { return FACTOR * x * x; }\n");
    write_file(header, "#define FACTOR 3\n");
    gw_compiled *first = compile(NULL, path, "f: wrt x"), *second = compile(NULL, path, "f: wrt x");
    CHECK(slope(first) == 6 && !gw_compiled_was_cached(first));
    CHECK(slope(second) == 6 && gw_compiled_was_cached(second));
    write_file(header, "#define FACTOR 5\n");
    gw_compiled *third = compile(NULL, path, "f: wrt x");
    CHECK(slope(third) == 10 && !gw_compiled_was_cached(third));
    CHECK(slope(first) == 6); /* it is still there */
    write_file(header, "#define FACTOR 5 // again\n");
    gw_release(first), gw_release(second), gw_release(third);
    write_file(header, "#define FACTOR 5\n");
    gw_compiled *again = compile(NULL, path, "f: wrt x");
    CHECK(slope(again) == 10 && gw_compiled_was_cached(again));
    gw_release(again);
}

/* A gradient of an older source beside it is not the one that is compiled. */
static void test_older(void) {
    char path[64], older[64];
    snprintf(path, sizeof path, "%s/own.c", folder);
    snprintf(older, sizeof older, "%s/own.grad.h", folder);
    write_file(path, "double f(double x) { return x * x * x; }\n#include \"own.grad.h\"\n");
    write_file(older, "#pragma once\nstatic inline void f_grad(double x, double *d_x) { *d_x += -x; }\n");
    gw_compiled *c = compile(NULL, path, "f: wrt x");
    CHECK(slope(c) == 3);
    gw_release(c);
}

/* All works but the keeping if the cache cannot be written, or cannot even be made. */
static void test_read_only(void) {
    const char *requests[] = {"f: wrt x", NULL};
    const gw_compile_options options = {.language = "c", .cache = "/proc/no-cache"};
    for (int i = 0; i < 2; i++) {
        gw_compiled *c = gw_compile("double f(double x) { return x * x; }\n", requests, &options);
        CHECK(slope(c) == 2);
        if (c) CHECK(!gw_compiled_was_cached(c));
        gw_release(c);
    }
}

static void *in_thread(void *which) {
    char source[128];
    snprintf(source, sizeof source, "double f(double x) { return %d * x * x; }\n", *(int *)which);
    gw_compiled *c = compile("c", source, "f: wrt x");
    double is = slope(c);
    gw_release(c);
    return is == 2 * *(int *)which ? which : NULL;
}

static void test_threads(void) {
    int which[4] = {7, 7, 8, 9};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, in_thread, &which[i]);
    for (int i = 0; i < 4; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        CHECK(result);
    }
}

/* Sources of other tests, with all kinds of functions: they compile, with a table. */
static void test_file(const char *path) {
    const char *flags[] = {"-DCHECK_NO_ROWS", NULL};
    const gw_compile_options options = {.flags = flags, .cache = folder};
    gw_compiled *c = gw_compile(path, NULL, &options);
    CHECK(c && gw_symbols(c)->gw_call);
    gw_release(c);
}

int main(int count_of, char **words) {
    CHECK(mkdtemp(folder));
    for (int i = 1; i < count_of; i++) test_file(words[i]);
    test_c();
    test_modes();
    test_sparse();
    test_cxx();
    test_kernel();
    test_refused();
    test_cache();
    test_older();
    test_read_only();
    test_threads();
    char command[64];
    snprintf(command, sizeof command, "ls %s | grep -c work-", folder);
    FILE *left = popen(command, "r");
    int count = -1;
    CHECK(left && fscanf(left, "%d", &count) == 1 && count == 0);
    if (left) pclose(left);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    return failures != 0;
}
