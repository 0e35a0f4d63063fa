/*
 * frontend/parse/flags.c - the Clang arguments of a run: those given, and what they leave open.
 *
 * Decided here and nowhere else: whether a .cu file is read with a CUDA toolkit's headers or with the CPU
 * device's. What the user gave is never overridden.
 */
#define _GNU_SOURCE
#include "plugin/frontend/parse/parse.h"

#include "frontend_config.h"
#include "plugin/request/request.h"
#include "plugin/source/source.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(const char *path) {
    struct stat s;
    return stat(path, &s) == 0;
}

static void add(gw_arguments *out, const char *text) { gw_push(out, gw_strdup(text)); }

/* The folder of the program or library that this is in; a program that was found through PATH has no folder in
 * its name. */
static char *own_folder(void) {
    char path[4096] = "";
    Dl_info info;
    bool known = dladdr((void *)(uintptr_t)&gw_front_arguments, &info) && info.dli_fname;
    if (known && strchr(info.dli_fname, '/')) {
        if (strlen(info.dli_fname) < sizeof path) strcpy(path, info.dli_fname);
    } else if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) {
        return gw_strdup(".");
    }
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
    return gw_strdup(path);
}

/* The folder that holds gradwright/: installed beside the folder that this is in (bin, lib, lib/TRIPLE), or
 * that of the source tree. */
static char *include_folder(void) {
    char *own = own_folder(), *found = NULL;
    for (int levels = 1; levels <= 2 && !found; levels++) {
        char *folder = gw_format("%s/%s/include", own, levels == 1 ? ".." : "../..");
        char *header = gw_format("%s/gradwright/gradwright.h", folder);
        if (exists(header)) found = realpath(folder, NULL);
        free(folder);
        free(header);
    }
    free(own);
    return found ? found : gw_strdup(GW_INCLUDE);
}

static bool given(const gw_run *run, const char *prefix) {
    for (int i = 0; i < run->args_count; i++)
        if (strncmp(run->args[i], prefix, strlen(prefix)) == 0) return true;
    return false;
}

/* Clang's own headers, where they lie beside this: as in a wheel, on a machine that has no Clang. */
static void add_resources(const gw_run *run, gw_arguments *out) {
    char *own = own_folder(), *folder = gw_format("%s/../lib/clang/%d", own, GW_CLANG_MAJOR),
         *header = gw_format("%s/include/stddef.h", folder);
    if (exists(header) && !given(run, "-resource-dir")) add(out, "-resource-dir"), add(out, folder);
    free(own), free(folder), free(header);
}

/* Clang before 22 includes a header that CUDA 13 no longer has; the CPU device's headers mean the same. */
static bool is_readable_toolkit(const char *path) {
    if (GW_CLANG_MAJOR >= 22) return true;
    char *header = gw_format("%s/include/texture_fetch_functions.h", path);
    bool found = exists(header);
    free(header);
    return found;
}

/* Since CUDA 13 the C++ library, Thrust and CUB lie in a folder of their own, which nvcc knows and Clang does
 * not. */
static void add_libraries(gw_arguments *out, const char *path) {
    char *folder = gw_format("%s/include/cccl", path);
    if (exists(folder)) {
        add(out, "-isystem");
        add(out, folder);
    }
    free(folder);
}

static void add_toolkit(const gw_run *run, gw_arguments *out, const char *path) {
    static const char option[] = "--cuda-path=";
    add(out, "--cuda-device-only");
    if (path) {
        char *flag = gw_format("%s%s", option, path);
        add(out, flag);
        free(flag);
    }
    for (int i = 0; i < run->args_count && !path; i++)
        if (strncmp(run->args[i], option, sizeof option - 1) == 0)
            add_libraries(out, run->args[i] + sizeof option - 1);
    if (path) add_libraries(out, path);
    if (!given(run, "--cuda-gpu-arch") && !given(run, "--offload-arch")) add(out, "--cuda-gpu-arch=sm_90");
    add(out, "-D_CG_CLUSTER_INTRINSICS_AVAILABLE"); /* the toolkit's header knows that of nvcc alone */
}

static void add_cpu_device(gw_arguments *out, const char *include) {
    static const char *const flags[] = {"--cuda-host-only", "-nocudainc",
                                        "-nocudalib",       "--cuda-path=/nonexistent",
                                        "-Xclang",          "-target-sdk-version=11.8",
                                        "-Xclang",          "-aux-triple",
                                        "-Xclang",          GW_HOST_TRIPLE,
                                        "-Xclang",          "-fcuda-is-device",
                                        "-Xclang",          "-fcuda-allow-variadic-functions",
                                        "-U__CUDA_ARCH__",  "-D__CUDA_ARCH__=800"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        add(out, flags[i]);
    char *folder = gw_format("-I%s/gradwright/cpu", include);
    char *header = gw_format("%s/cuda_runtime.h", folder + 2);
    add(out, folder); /* before every other folder: a toolkit's headers may lie on the path */
    add(out, "-include");
    add(out, header);
    free(folder);
    free(header);
}

/* Whether the flags name the CPU device's headers. */
static bool is_for_cpu_device(const gw_run *run) {
    for (int i = 0; i < run->args_count; i++)
        if (strstr(run->args[i], "gradwright/cpu")) return true;
    return false;
}

bool gw_front_has_first_header(const gw_run *run) { return given(run, "-include") && !is_for_cpu_device(run); }

/* Headers that are read in the place of a library's come before every other folder. */
static void add_stand_ins(gw_arguments *out, const char *include, const char *library) {
    char *folder = gw_format("-I%s/gradwright/%s", include, library);
    add(out, folder);
    free(folder);
}

static void add_device(const gw_run *run, gw_arguments *out, const char *include, gw_stand_ins with) {
    if (!gw_language_is_given(run->args, run->args_count)) add(out, "-x"), add(out, "cuda");
    bool chosen =
        given(run, "--cuda-device-only") || given(run, "--cuda-host-only") || given(run, "-nocudainc");
    if (with == GW_STAND_INS_ALL) add_stand_ins(out, include, "algorithms");
    if (chosen) {
        if (with && !is_for_cpu_device(run)) add_stand_ins(out, include, "groups");
        return;
    }
    const bool named = given(run, "--cuda-path");
    const char *found = named ? NULL : gw_toolkit_folder();
    if (named || (found && is_readable_toolkit(found))) {
        if (with) add_stand_ins(out, include, "groups");
        add_toolkit(run, out, found);
    } else {
        add_cpu_device(out, include);
    }
}

/* Behind all that is included before the source: the driver puts these words of cc1 last. */
static void add_last_headers(gw_arguments *out, const char *include) {
    static const char *const headers[] = {"read/launch_bounds.h", "read/host_functions.h"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char *header = gw_format("%s/gradwright/%s", include, headers[i]);
        const char *const words[] = {"-Xclang", "-include", "-Xclang", header};
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            add(out, words[k]);
        free(header);
    }
}

/* A source sees that it is compiled with OpenMP; its pragmas are passed over, so that a loop means what one
 * thread makes of it (call/openmp.c reads them). */
static bool is_openmp(const char *flag) {
    return strcmp(flag, "-fopenmp") == 0 || strncmp(flag, "-fopenmp=", 9) == 0;
}
/* The pragmas of simd alone, without _OPENMP. */
static bool is_openmp_simd(const char *flag) { return strcmp(flag, "-fopenmp-simd") == 0; }

/* <omp.h> behind every other folder, for a machine on which only another compiler has it. */
static void add_openmp(gw_arguments *out, const char *include) {
    char *folder = gw_format("%s/gradwright/openmp", include), *kept = gw_format("%s/kept.h", folder);
    const char *const words[] = {"-idirafter", folder, "-Xclang", "-include", "-Xclang", kept};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        add(out, words[k]);
    free(folder), free(kept);
}

bool gw_front_has_openmp(const gw_run *run) {
    for (int i = 0; i < run->args_count; i++)
        if (is_openmp(run->args[i]) || is_openmp_simd(run->args[i])) return true;
    return false;
}

/* gwcc's: behind every other folder, which for Clang takes it out of the front. */
static bool is_last_resort(const gw_run *run, int i) {
    return i + 1 < run->args_count && strcmp(run->args[i], "-idirafter") == 0 &&
           strstr(run->args[i + 1], "gradwright/algorithms");
}

void gw_front_arguments(const gw_run *run, gw_stand_ins with, gw_arguments *out) {
    char *include = include_folder(), *flag = gw_format("-I%s", include);
    add(out, GW_CLANG_PROGRAM); /* from there its driver finds CUDA's wrappers, such as <new> of the device */
    add_resources(run, out);
    if (run->session->is_cuda) {
        add(out, "-DGW_READING"); /* algorithms.cuh: declarations alone */
        /* what <execution> would include does not read as CUDA */
        add(out, "-D_GLIBCXX_USE_TBB_PAR_BACKEND=0");
        add_device(run, out, include, with);
    } else if (with == GW_STAND_INS_ALL) {
        const bool is_c = gw_language_of(run->source, run->args, run->args_count) == GW_LANGUAGE_C;
        add_stand_ins(out, include, "mpi");
        add_stand_ins(out, include, is_c ? "library" : "parallel");
        if (!is_c) add(out, "-DEIGEN_DONT_VECTORIZE"); /* its scalar code: the same values, without vectors */
    }
    for (int i = 0; i < run->args_count; i++)
        if (with == GW_STAND_INS_ALL && is_last_resort(run, i))
            i++;
        else if (!is_openmp_simd(run->args[i]))
            add(out, is_openmp(run->args[i]) ? "-D_OPENMP=201511" : run->args[i]);
    add(out, flag);
    if (gw_front_has_openmp(run)) add_openmp(out, include);
    if (run->session->is_cuda) add_last_headers(out, include);
    add(out, "-w"); /* warnings are the compiler's business */
    free(flag);
    free(include);
}

void gw_front_arguments_free(gw_arguments *a) {
    for (uint32_t i = 0; i < a->count; i++)
        free(a->at[i]);
    gw_vec_free(a);
}
