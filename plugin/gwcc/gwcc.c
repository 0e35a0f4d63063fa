/* gwcc: compiles CUDA, C++ and C sources with their gradients, for a GPU or for the CPU device. */
#include "plugin/gwcc/gwcc_private.h"
#include "gwcc_config.h"
#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
    "usage: gwcc FILE... [-o OUTPUT] [-c] [options] [compiler flags]\n"
    "\n"
    "Compiles .cu, .cpp and .c files and links them with objects and libraries. A source x.cu that\n"
    "includes \"x.grad.cuh\" gets its gradient from the gradwright command first.\n"
    "\n";
static const char behind[] =
    "\n"
    "Other flags go to Clang or nvcc: those of GCC and Clang, and nvcc's -arch, -gencode, -Xcompiler\n"
    "and the like, which mean nothing to the CPU device. -E and -S are not supported.\n"
    "Environment: GW_CLANG, GW_NVCC, GW_GRADWRIGHT name other programs; CC and CXX compile .c and .cpp\n"
    "files for the CPU device.\n";

static bool compile(const gwcc_options *options, gwcc_job *job) {
    return options->device == GWCC_DEVICE_CPU ? gwcc_cpu_compile(options, job)
                                              : gwcc_cuda_compile(options, job);
}

/* Compiles every source; the objects and libraries come out in the order of the command line. */
static bool compile_all(const gwcc_options *options, gwcc_words *objects) {
    for (size_t i = 0; i < options->input_count; ++i) {
        const gwcc_input *input = &options->inputs[i];
        if (!input->is_source) {
            gwcc_push(objects, input->text);
            continue;
        }
        gwcc_job job = {.source = input->text, .index = i};
        const char *output = NULL;
        if (options->compile_only)
            output = options->output ? options->output : gwcc_text("%s.o", gwcc_stem(input->text));
        job.object = output ? gwcc_staging(output) : gwcc_temporary(gwcc_text("%zu.o", i));
        job.output = output;
        if (!output) job.output = options->output ? options->output : "a.out";
        if (!job.object || !gwcc_gradient(options, input->text, i, &job.gradient_directory)) return false;
        if (!compile(options, &job)) {
            if (!job.gradient_directory) gwcc_gradient_advise(options, input->text);
            gwcc_toolkit_advise(input->text);
            return false;
        }
        if (!gwcc_dependencies_finish(options, &job)) return false;
        if (output && !gwcc_publish(job.object, output)) return false;
        gwcc_push(objects, job.object);
    }
    return true;
}

static bool build(const gwcc_options *options) {
    gwcc_words objects = {0};
    bool good = compile_all(options, &objects);
    if (good && !options->compile_only) {
        const char *output = options->output ? options->output : "a.out";
        const char *staged = gwcc_staging(output);
        good = (options->device == GWCC_DEVICE_CPU ? gwcc_cpu_link(options, &objects, staged)
                                                   : gwcc_cuda_link(options, &objects, staged)) &&
               gwcc_publish(staged, output);
    }
    gwcc_words_free(&objects);
    return good;
}

static bool check(const gwcc_options *options) {
    const char *output = options->output;
    if (!output && !options->compile_only) output = "a.out";
    size_t sources = 0, files = 0;
    for (size_t i = 0; i < options->input_count; ++i) {
        const gwcc_input *input = &options->inputs[i];
        sources += input->is_source;
        files += input->text[0] != '-';
        if (input->text[0] != '-' && !gwcc_exists(input->text))
            return gwcc_error("no such file: '%s'", input->text);
        if (output && input->text[0] != '-' && gwcc_same_file(input->text, output))
            return gwcc_error("cannot write '%s': it is an input", output);
    }
    if (files == 0) return gwcc_error("no input files");
    if (options->compile_only && sources == 0) return gwcc_error("-c needs a source file");
    if (options->compile_only && options->output && sources > 1)
        return gwcc_error("-c with -o takes one source file");
    if (options->report.count && sources != 1)
        return gwcc_error("%s takes one source file; there are %zu", options->report.items[0], sources);
    if (options->report.count && options->no_gradients)
        return gwcc_error("%s does not go with --no-gradients: it tells of a gradient",
                          options->report.items[0]);
    if (options->requests.count && sources != 1)
        return gwcc_error("%s takes one source file; there are %zu", options->requests.items[0], sources);
    if (options->device != GWCC_DEVICE_CPU) return true;
    for (size_t i = 0; i < options->flag_count; ++i) {
        const char *flag = options->flags[i].text;
        if (gwcc_starts(flag, "-rdc=true") || gwcc_starts(flag, "--relocatable-device-code=true") ||
            gwcc_starts(flag, "-fgpu-rdc"))
            return gwcc_error("'%s': the CPU device does not support relocatable device code yet", flag);
    }
    return true;
}

static int print_parse_flags(const gwcc_options *options) {
    gwcc_words words = {0};
    const char *source = options->input_count ? options->inputs[0].text : "x.cu";
    gwcc_cpu_parse_flags(&words, options, source);
    for (size_t i = 0; i < words.count; ++i)
        printf("%s%s", i ? " " : "", words.items[i]);
    putchar('\n');
    gwcc_words_free(&words);
    return EXIT_SUCCESS;
}

static bool run(gwcc_options *options) {
    if (options->device == GWCC_DEVICE_CHOOSE)
        options->device = gwcc_cuda_is_available() ? GWCC_DEVICE_CUDA : GWCC_DEVICE_CPU;
    if (gwcc_verbose)
        fprintf(stderr, "gwcc: device: %s\n", options->device == GWCC_DEVICE_CPU ? "cpu" : "cuda");
    if (!check(options)) return false;
    gwcc_catch_signals();
    const bool good = build(options);
    gwcc_clean_up();
    return good;
}

int main(int argc, char **argv) {
    gwcc_options options;
    gwcc_name_temporaries(argc, argv);
    bool good = gwcc_options_parse(&options, argc, argv) && gwcc_paths_find();
    if (good && options.help)
        fputs(usage, stdout), gwcc_options_help(stdout), fputs(behind, stdout);
    else if (good && options.version)
        puts("gwcc " GW_BUILD);
    else if (good && options.print_parse_flags)
        good = print_parse_flags(&options) == EXIT_SUCCESS;
    else if (good)
        good = run(&options);
    free(options.inputs);
    free(options.flags);
    gwcc_words_free(&options.requests);
    gwcc_words_free(&options.report);
    gwcc_words_free(&options.gradwright_arguments);
    gwcc_words_free(&options.precompile);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
