/* The CUDA device: nvcc does the work; gwcc spells the flags for it. */
#include "plugin/gwcc/gwcc_private.h"
#include "gwcc_config.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *find_nvcc(void) {
    const char *chosen = getenv("GW_NVCC");
    if (chosen && *chosen) return gwcc_find_program(chosen);
    const char *found = gwcc_find_program("nvcc");
    return found ? found : gwcc_find_program("/usr/local/cuda/bin/nvcc");
}

/* The toolkit that nvcc belongs to is what its sources are read with, unless $CUDA_PATH says otherwise. */
static void name_toolkit(void) {
    const char *nvcc = find_nvcc();
    char program[PATH_MAX];
    if (!nvcc || !realpath(nvcc, program)) return;
    const char *root = gwcc_directory(gwcc_directory(program));
    if (gwcc_exists(gwcc_text("%s/include/cuda_runtime.h", root)) && gwcc_exists(gwcc_text("%s/nvvm", root)))
        setenv("CUDA_PATH", root, 0);
}

/* The first architecture that nvcc's flags name, as Clang spells it. */
static void push_architecture(gwcc_words *words, const gwcc_options *options) {
    for (size_t i = 0; i < options->flag_count; ++i) {
        const gwcc_flag *flag = &options->flags[i];
        const char *text = flag->value ? flag->value : flag->text, *at = strstr(text, "compute_");
        if (!(flag->kinds & GWCC_FLAG_NVCC)) continue;
        if (!at) at = strstr(text, "sm_");
        if (!at) continue;
        const char *number = strchr(at, '_') + 1;
        const int length = (int)strspn(number, "0123456789");
        if (length) gwcc_push(words, gwcc_text("--cuda-gpu-arch=sm_%.*s", length, number));
        if (length) return;
    }
}

void gwcc_cuda_parse_flags(gwcc_words *words, const gwcc_options *options, const char *source) {
    name_toolkit();
    if (gwcc_ends(source, ".cu")) push_architecture(words, options);
    else gwcc_push_toolkit(words);
    gwcc_push_source_flags(words, options, source, GWCC_FLAG_PARSE);
}

bool gwcc_cuda_is_available(void) {
    if (!find_nvcc()) return false;
    if (gwcc_exists("/dev/nvidia0")) return true;
    const char *lister = gwcc_find_program("nvidia-smi");
    if (!lister) return false;
    gwcc_words argv = {0};
    gwcc_push_list(&argv, (const char *[]){lister, "-L", NULL});
    return gwcc_run_silently(&argv);
}

/* Flags that nvcc takes as they are; the others are the host compiler's. */
static bool is_nvccs_own(const gwcc_flag *flag) {
    static const char *const own[] = {"-I",      "-D",       "-U",       "-L",        "-g",
                                      "-O",      "-isystem", "-include", "-std=",     "-w",
                                      "-shared", "-M",       "-Xlinker", "--threads", "-Werror="};
    if (flag->kinds & GWCC_FLAG_NVCC) return true;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
        if (gwcc_starts(flag->text, own[i])) return true;
    return false;
}

static void push_flag(gwcc_words *argv, const gwcc_flag *flag) {
    if (is_nvccs_own(flag)) {
        gwcc_push(argv, flag->text);
        if (flag->value) gwcc_push(argv, flag->value);
        return;
    }
    if (gwcc_starts(flag->text, "-Wl,")) {
        gwcc_push(argv, "-Xlinker");
        gwcc_push(argv, flag->text + strlen("-Wl,"));
        return;
    }
    gwcc_push(argv, "-Xcompiler");
    gwcc_push(argv, gwcc_text("%s%s%s", flag->text, flag->value ? "," : "", flag->value ? flag->value : ""));
}

static bool begin(gwcc_words *argv, const gwcc_options *options, const char *source) {
    const char *nvcc = find_nvcc();
    if (!nvcc) return gwcc_error("--device=cuda needs nvcc, which is not in PATH (GW_NVCC names one)");
    gwcc_push(argv, nvcc);
    if (!options->has_architecture) gwcc_push(argv, "-arch=sm_90");
    if (!options->has_standard && !gwcc_ends(source, ".c")) gwcc_push(argv, "-std=c++17");
    gwcc_push(argv, gwcc_text("-I%s", gwcc_path_include()));
    for (size_t i = 0; i < options->flag_count; ++i) {
        const gwcc_flag *flag = &options->flags[i];
        const bool cpp_standard = gwcc_starts(flag->text, "-std=") && strstr(flag->text, "++") != NULL;
        if (!(cpp_standard && gwcc_ends(source, ".c")) && strcmp(flag->text, "-ffp-contract=off") != 0)
            if (!(flag->kinds & GWCC_FLAG_HOST)) push_flag(argv, flag);
    }
    return true;
}

bool gwcc_cuda_compile(const gwcc_options *options, const gwcc_job *job) {
    gwcc_words argv = {0};
    if (!begin(&argv, options, job->source)) return false;
    if (job->gradient_directory) gwcc_push(&argv, gwcc_text("-I%s", job->gradient_directory));
    gwcc_dependencies_push(&argv, options, job);
    gwcc_push_list(&argv, (const char *[]){"-c", job->source, "-o", job->object, NULL});
    return gwcc_run(&argv);
}

bool gwcc_cuda_link(const gwcc_options *options, const gwcc_words *objects, const char *output) {
    gwcc_words argv = {0};
    if (!begin(&argv, options, "")) return false;
    gwcc_push_all(&argv, objects);
    if (gwcc_exists(gwcc_path_library(GWCC_RUNTIME))) gwcc_push(&argv, gwcc_path_library(GWCC_RUNTIME));
    gwcc_push_list(&argv, (const char *[]){"-o", output, NULL});
    return gwcc_run(&argv);
}
