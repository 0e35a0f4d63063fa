/*
 * compile.h - gradients on the fly: a call that makes the gradient of a source, compiles both and loads them,
 * for interpreters and programs whose sources are known only when they run. Link libgradwright.
 *
 *     const char *requests[] = {"f: wrt x", NULL};
 *     gw_compile_options options = {.language = "c"};
 *     gw_compiled *f = gw_compile("double f(double x) { return x * x; }", requests, &options);
 *     if (!f) puts(gw_compile_error());
 *     void (*f_grad)(double, double *) = (void (*)(double, double *))gw_symbol(f, "f_grad");
 *
 * What is compiled stays in a cache, by the text of the source and of all that it includes, flags and versions;
 * a second call loads it. All functions may be called from any thread.
 */
#ifndef GRADWRIGHT_COMPILE_H
#define GRADWRIGHT_COMPILE_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gw_compiled gw_compiled;

typedef struct gw_compile_options {
    const char *language;         /* "c", "c++", "cuda": the source is a text; NULL: the name of a file */
    const char *device;           /* of CUDA: "cpu" (NULL is that), "cuda" */
    const char *const *flags;     /* for the compiler, "-O3", "-Ifolder"; NULL ends them, or stands for none */
    const char *const *arguments; /* for gradwright: "--derivative=f: wrt x"; the same */
    const char *cache;            /* a folder; NULL: $XDG_CACHE_HOME/gradwright, or ~/.cache/gradwright */
} gw_compile_options;

/* `requests` as for --gradient, NULL ends them, or stands for those of the source alone; `options` may be NULL.
 * NULL: gw_compile_error tells why, with the diagnostics of whoever refused it. */
gw_compiled *gw_compile(const char *source, const char *const *requests, const gw_compile_options *options);

/* Writes to a folder that there is what gw_compile would compile: a unit that includes the source, its gradient
 * and a table of both, gw_exports (exported.h). 0; after an error 1, with gw_compile_error. */
int gw_compile_unit(const char *source, const char *const *requests, const gw_compile_options *options,
                    const char *folder);

/* What the calling thread's last call that failed has to say. */
const char *gw_compile_error(void);

/* The function of that name, "f_grad", "space::f_grad", "f_grad<float>" (a space may be left out where one
 * function remains); NULL, and an error, where there is none. */
typedef void gw_loaded_function(void);
gw_loaded_function *gw_symbol(gw_compiled *handle, const char *name);

/* All functions, ended by one without a name: an array of gw_exported (exported.h). */
struct gw_exported;
const struct gw_exported *gw_symbols(const gw_compiled *handle);

const char *gw_compiled_messages(const gw_compiled *handle); /* warnings; "" of one out of the cache */
int gw_compiled_was_cached(const gw_compiled *handle);

/* Its functions are gone. NULL is nothing. */
void gw_release(gw_compiled *handle);

#ifdef __cplusplus
}
#endif
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility pop
#endif
#endif
