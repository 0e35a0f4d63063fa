/* The CPU device: a host pass, a device pass with thunks, a table of both, joined in one object. */
#include "plugin/gwcc/gwcc_private.h"
#include "gwcc_config.h"
#include "plugin/source/source.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An installed toolkit's C++ library and Thrust, and the rest of it, behind every other folder. */
void gwcc_push_toolkit(gwcc_words *words) {
    const char *toolkit = gw_toolkit_folder();
    if (!toolkit) return;
    if (gwcc_exists(gwcc_text("%s/include/cccl", toolkit)))
        gwcc_push_list(words, (const char *[]){"-isystem", gwcc_text("%s/include/cccl", toolkit), NULL});
    gwcc_push_list(words, (const char *[]){"-idirafter", gwcc_text("%s/include", toolkit), NULL});
}

/* The headers of Thrust and CUB that come first. */
typedef enum thrust { INSTALLED, OWN } thrust;

/* The device's own headers come before every folder of the user's and of the system's, where a toolkit's may
 * lie; those of libraries behind them. */
static void push_headers(gwcc_words *words, thrust from) {
    const char *include = gwcc_path_include(), *own = gwcc_text("%s/gradwright/algorithms", include);
    if (from == OWN) gwcc_push(words, gwcc_text("-I%s", own));
    gwcc_push_list(words, (const char *[]){gwcc_text("-I%s/gradwright/cpu", include),
                                           gwcc_text("-I%s", include), NULL});
    gwcc_push_toolkit(words);
    /* Without a Thrust, what Gradwright reads in its place is a small one. */
    if (from == INSTALLED) gwcc_push_list(words, (const char *[]){"-idirafter", own, NULL});
}

/* What both passes and the front end's parse of a .cu file have in common. Clang looks for no CUDA toolkit, so
 * that one that happens to be installed changes nothing of CUDA itself; the version is one that every
 * supported Clang knows, and only says that launches go through cudaLaunchKernel. */
static void push_cuda_flags(gwcc_words *words, thrust from) {
    gwcc_push_list(words, (const char *[]){"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
                                           "--cuda-path=/nonexistent", "-Xclang", "-target-sdk-version=11.8",
                                           "-Xclang", "-aux-triple", "-Xclang", GWCC_TRIPLE, NULL});
    /* Clang before 20 refuses declarations like printf's in device code unless it is told. */
    gwcc_push_list(words, (const char *[]){"-Xclang", "-fcuda-allow-variadic-functions", NULL});
    /* What <execution> would include of TBB, where that is installed, does not go with the headers below. */
    gwcc_push(words, "-D_GLIBCXX_USE_TBB_PAR_BACKEND=0");
    push_headers(words, from);
    gwcc_push_list(words, (const char *[]){"-include", gwcc_text("%s/gradwright/cpu/cuda_runtime.h",
                                                                 gwcc_path_include()), NULL});
}

static const char *const device_flags[] = {"-Xclang", "-fcuda-is-device", "-U__CUDA_ARCH__",
                                           "-D__CUDA_ARCH__=800", NULL};

static void push_host_language(gwcc_words *words, const char *source) {
    gwcc_push_list(words, (const char *[]){"-x", gwcc_ends(source, ".c") ? "c" : "c++", NULL});
    push_headers(words, INSTALLED);
}

void gwcc_cpu_parse_flags(gwcc_words *words, const gwcc_options *options, const char *source) {
    gwcc_words flags = {0};
    const bool is_cuda = gwcc_ends(source, ".cu");
    if (is_cuda) {
        push_cuda_flags(&flags, INSTALLED);
        gwcc_push_list(&flags, device_flags);
    } else {
        push_host_language(&flags, source);
    }
    gwcc_push_source_flags(&flags, options, source, GWCC_FLAG_PARSE);
    gwcc_push_all(words, &flags);
    gwcc_words_free(&flags);
}

/* Names the file to Clang's registration code. Equal for equal builds, different for two objects of
   one program: the source, its output and every flag go in. */
static const char *make_id(const gwcc_options *options, const gwcc_job *job, const char *output) {
    char here[4096];
    if (!getcwd(here, sizeof here)) here[0] = '\0';
    gwcc_words parts = {0};
    gwcc_push_list(&parts, (const char *[]){here, job->source, output, NULL});
    gwcc_push(&parts, gwcc_text("%zu", job->index));
    gwcc_push_flags(&parts, options, ~0u);
    const char *id = gwcc_hash(&parts);
    gwcc_words_free(&parts);
    return id;
}

typedef struct object_set {
    const char *id, *id_file, *host, *device, *headers, *table_source, *table, *image;
    const char *host_errors[OWN + 1], *device_errors[OWN + 1];
} object_set;

static bool name_objects(object_set *set, const gwcc_options *options, const gwcc_job *job) {
    set->id = make_id(options, job, options->output ? options->output : "");
    const struct {
        const char **slot, *name;
    } files[] = {{&set->id_file, "id"},
                 {&set->host, "host.o"},
                 {&set->device, "device.o"},
                 {&set->headers, "headers.d"},
                 {&set->table_source, "table.c"},
                 {&set->table, "table.o"},
                 {&set->image, "image.o"},
                 {&set->host_errors[INSTALLED], "host.err"},
                 {&set->device_errors[INSTALLED], "device.err"},
                 {&set->host_errors[OWN], "own-host.err"},
                 {&set->device_errors[OWN], "own-device.err"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
        if (!(*files[i].slot = gwcc_temporary(gwcc_text("%zu-%s", job->index, files[i].name)))) return false;
    /* The null byte ends the identifier inside the program. */
    return gwcc_write_file(set->id_file, set->id, strlen(set->id) + 1);
}

static void push_own_files(gwcc_words *argv, const gwcc_job *job) {
    if (job->gradient_directory) gwcc_push(argv, gwcc_text("-I%s", job->gradient_directory));
    if (job->overlay) gwcc_push_list(argv, (const char *[]){"-ivfsoverlay", job->overlay, NULL});
}

static void push_pass(gwcc_words *argv, const gwcc_options *options, const gwcc_job *job, const object_set *set,
                      bool device, thrust from) {
    gwcc_push(argv, gwcc_path_clang());
    push_cuda_flags(argv, from);
    if (isatty(STDERR_FILENO)) gwcc_push(argv, "-fcolor-diagnostics"); /* what they say goes to files first */
    /* Contraction inside one expression only, so that __fmul_rn and its kin are what they say. */
    gwcc_push(argv, "-ffp-contract=on");
    if (device && options->checked) gwcc_push(argv, "-gline-tables-only"); /* the user's -g comes later */
    gwcc_push_source_flags(argv, options, job->source, GWCC_FLAG_PARSE | GWCC_FLAG_COMPILE);
    if (device) {
        gwcc_push_list(argv, device_flags);
        gwcc_push_list(argv, (const char *[]){"-w", "-DGW_CPU_CODEGEN", NULL});
    }
    gwcc_precompiled_push(argv, options);
    /* From here on: what belongs to this source. */
    gwcc_push(argv, gwcc_text("-cuid=%s", set->id));
    push_own_files(argv, job);
    if (device) {
        gwcc_push_list(argv,
                       (const char *[]){gwcc_text("-fplugin=%s", gwcc_path_library(GWCC_THUNKS)),
                                        gwcc_text("-fpass-plugin=%s", gwcc_path_library(GWCC_THUNKS)), NULL});
        if (options->checked) gwcc_push(argv, "-fplugin-arg-gwthunks-checked");
    } else {
        gwcc_dependencies_push(argv, options, job);
        gwcc_push_list(argv,
                       (const char *[]){"-Xclang", "-fcuda-include-gpubinary", "-Xclang", set->id_file, NULL});
    }
    gwcc_push_list(argv, (const char *[]){"-c", job->source, "-o", device ? set->device : set->host, NULL});
}

typedef enum failed { NEITHER, DEVICE_PASS, HOST_PASS } failed;

/* Both passes at once; what they say is in the set's files. Where both fail, the host's is told. */
static failed run_both(const gwcc_options *options, const gwcc_job *job, const object_set *set, thrust from) {
    gwcc_words host = {0}, device = {0};
    push_pass(&host, options, job, set, false, from);
    push_pass(&device, options, job, set, true, from);
    const pid_t device_pass = gwcc_start(&device, set->device_errors[from]);
    const bool host_good = gwcc_wait(gwcc_start(&host, set->host_errors[from]));
    const bool device_good = gwcc_wait(device_pass);
    gwcc_words_free(&host);
    gwcc_words_free(&device);
    if (!host_good) return HOST_PASS;
    return device_good ? NEITHER : DEVICE_PASS;
}

/* Whether the source, or a header of it, includes Thrust or CUB: the preprocessor's list of files says so. */
static bool includes_algorithms(const gwcc_options *options, const gwcc_job *job, const object_set *set) {
    gwcc_words argv = {0};
    gwcc_push(&argv, gwcc_path_clang());
    push_cuda_flags(&argv, INSTALLED);
    gwcc_push_source_flags(&argv, options, job->source, GWCC_FLAG_PARSE | GWCC_FLAG_COMPILE);
    push_own_files(&argv, job);
    gwcc_push_list(&argv, (const char *[]){"-w", "-M", "-MG", job->source, "-o", set->headers, NULL});
    const bool listed = gwcc_wait(gwcc_start(&argv, set->host_errors[OWN]));
    gwcc_words_free(&argv);
    size_t size = 0;
    char *files = listed ? gwcc_read_file(set->headers, &size) : NULL;
    const bool found = files && (strstr(files, "/thrust/") || strstr(files, "/cub/"));
    free(files);
    return found;
}

/* The device pass finds most of what the host pass finds: its messages are shown only if it alone failed. */
static const char *errors_of(const object_set *set, thrust from, failed which) {
    return which == DEVICE_PASS ? set->device_errors[from] : set->host_errors[from];
}

/* Whether all is well, behind what was said. */
static bool told(const object_set *set, thrust from, failed which) {
    gwcc_copy_to_stderr(errors_of(set, from, which));
    return which == NEITHER;
}

/* The Thrust that is installed runs on the host here: it takes no functor of the device's and no stream. CUB's
   collectives are PTX. What is read in their place when a source is differentiated will do, and says what is
   wrong where neither goes. */
static bool run_passes(const gwcc_options *options, const gwcc_job *job, const object_set *set) {
    const thrust first = options->own_thrust ? OWN : INSTALLED;
    const failed which = run_both(options, job, set, first);
    if (which == NEITHER || first == OWN || !includes_algorithms(options, job, set))
        return told(set, first, which);
    return told(set, OWN, run_both(options, job, set, OWN));
}

static bool run_list(const char *const *list) {
    gwcc_words argv = {0};
    gwcc_push_list(&argv, list);
    return gwcc_run(&argv);
}

/* Host and device code of one file have functions of the same name with different bodies. So the
   device image gives up its COMDAT groups and all its global names before the two meet. */
static bool join(const object_set *set, const char *object) {
    return run_list((const char *[]){gwcc_path_clang(), "-x", "c", "-std=c17", "-O1", "-fPIC", "-c",
                                     set->table_source, "-o", set->table, NULL}) &&
           run_list((const char *[]){"ld", "-r", "--force-group-allocation", set->device, set->table, "-o",
                                     set->image, NULL}) &&
           run_list((const char *[]){"objcopy", "--wildcard", "--localize-symbol=*", set->image, NULL}) &&
           run_list((const char *[]){"ld", "-r", set->host, set->image, "-o", object, NULL});
}

static bool compile_host_source(const gwcc_options *options, const gwcc_job *job) {
    gwcc_words argv = {0};
    gwcc_push_compiler(&argv, gwcc_ends(job->source, ".c"));
    push_host_language(&argv, job->source);
    gwcc_push_source_flags(&argv, options, job->source, GWCC_FLAG_PARSE | GWCC_FLAG_COMPILE);
    gwcc_dependencies_push(&argv, options, job);
    if (job->gradient_directory) gwcc_push(&argv, gwcc_text("-I%s", job->gradient_directory));
    gwcc_push_list(&argv, (const char *[]){"-c", job->source, "-o", job->object, NULL});
    return gwcc_run(&argv);
}

bool gwcc_cpu_compile(const gwcc_options *options, gwcc_job *job) {
    if (!gwcc_ends(job->source, ".cu")) return compile_host_source(options, job);
    object_set set;
    bool any = false;
    if (!gwcc_respelled_make(job) || !name_objects(&set, options, job) || !run_passes(options, job, &set) ||
        !gwcc_image_write_table(set.device, set.id, set.table_source, &any))
        return false;
    if (!any) /* no kernel and no device variable */
        return run_list((const char *[]){"ld", "-r", set.host, "-o", job->object, NULL});
    return join(&set, job->object);
}

/* Who compiled the sources links them, as mpicc must; beside a .cu source, or objects alone, Clang. */
static void push_linker(gwcc_words *argv, const gwcc_options *options) {
    size_t c = 0, cpp = 0, cuda = 0;
    for (size_t i = 0; i < options->input_count; ++i) {
        const gwcc_input *input = &options->inputs[i];
        if (input->is_source && gwcc_ends(input->text, ".cu")) ++cuda;
        else if (input->is_source) ++*(gwcc_ends(input->text, ".c") ? &c : &cpp);
    }
    if (cuda || !(c + cpp)) gwcc_push(argv, gwcc_path_clang());
    else gwcc_push_compiler(argv, !cpp);
}

bool gwcc_cpu_link(const gwcc_options *options, const gwcc_words *objects, const char *output) {
    gwcc_words argv = {0};
    const char *folder = gwcc_directory(gwcc_path_library("libgwcpu.so"));
    push_linker(&argv, options);
    gwcc_push_flags(&argv, options, GWCC_FLAG_LINK);
    gwcc_push_all(&argv, objects);
    if (gwcc_exists(gwcc_path_library(GWCC_RUNTIME))) gwcc_push(&argv, gwcc_path_library(GWCC_RUNTIME));
    gwcc_push_list(&argv, (const char *[]){gwcc_text("-L%s", folder), "-lgwcpu",
                                           gwcc_text("-Wl,-rpath,%s", folder), "-lm", "-o", output, NULL});
    return gwcc_run(&argv);
}
