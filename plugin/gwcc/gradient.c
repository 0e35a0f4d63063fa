/* The gradient of a source: emitted by the gradwright command before the source is compiled.
 *
 * x.cu asks for it by including "x.grad.cuh" (x.cpp: "x.grad.hpp", x.c: "x.grad.h"), or the command
 * line does by --gradient. The file goes into a private directory on the include path; if one
 * stands beside the source already, a quoted include would find that one, so it is refreshed. */
#include "plugin/gwcc/gwcc_private.h"
#include "plugin/source/source.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *emitted_name(const char *source) {
    const char *suffix = gwcc_ends(source, ".c") ? "h" : "hpp";
    if (gwcc_ends(source, ".cu")) suffix = "cuh";
    return gwcc_text("%s.grad.%s", gwcc_stem(source), suffix);
}

/* The `<name>` or `"name"` that a line includes, else null. */
static const char *included_name(const char *line) {
    const char *at = line + strspn(line, " \t");
    if (*at++ != '#') return NULL;
    at += strspn(at, " \t");
    if (!gwcc_starts(at, "include")) return NULL;
    at += strlen("include");
    at += strspn(at, " \t");
    return *at == '<' || *at == '"' ? at : NULL;
}

/* Whether a line of the text is #include "name". */
static bool includes(const char *text, const char *name) {
    const char *wanted = gwcc_text("\"%s\"", name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *at = included_name(line);
        if (at && gwcc_starts(at, wanted)) return true;
    }
    return false;
}

static bool is_wanted(const gwcc_options *options, const char *source, bool *wanted) {
    size_t size = 0;
    char *text = gwcc_read_file(source, &size);
    if (!text) return false;
    *wanted = options->requests.count != 0 || includes(text, emitted_name(source));
    free(text);
    return true;
}

/* Moves the text of a file over another, whole or not at all; says whether it was different. */
static bool replace(const char *from, const char *to, bool *changed) {
    size_t size = 0, old_size = 0;
    char *text = gwcc_read_file(from, &size);
    char *old = text && gwcc_exists(to) ? gwcc_read_file(to, &old_size) : NULL;
    bool good = text != NULL;
    *changed = !old || size != old_size || memcmp(text, old, size) != 0;
    if (good && *changed) {
        const char *staged = gwcc_staging(to);
        good = gwcc_write_file(staged, text, size) && gwcc_publish(staged, to);
    }
    free(text);
    free(old);
    return good;
}

/* Sources of the same program, which may have the bodies of functions that this one calls. */
static void push_others(gwcc_words *argv, const gwcc_options *options, const char *source) {
    for (size_t i = 0; i < options->input_count; i++) {
        const gwcc_input *input = &options->inputs[i];
        if (input->is_source && strcmp(input->text, source) != 0) gwcc_push(argv, input->text);
    }
}

static bool run_gradwright(const gwcc_options *options, const char *source, const char *emitted) {
    gwcc_words argv = {0};
    const char *chosen = getenv("GW_GRADWRIGHT");
    const char *program = chosen && *chosen ? chosen : gwcc_path_program("gradwright");
    if (!gwcc_find_program(program))
        return gwcc_error("'%s' asks for a gradient, but there is no gradwright command at '%s'", source,
                          program);
    gwcc_push_list(&argv, (const char *[]){program, source, NULL});
    push_others(&argv, options, source);
    gwcc_push_list(&argv, (const char *[]){"-o", emitted, NULL});
    gwcc_push_all(&argv, &options->requests);
    gwcc_push_all(&argv, &options->report);
    if (options->checked) gwcc_push(&argv, "--checked");
    gwcc_push_all(&argv, &options->gradwright_arguments);
    gwcc_precompiled_hand_on(&argv, options);
    gwcc_push(&argv, "--");
    if (options->device == GWCC_DEVICE_CPU) gwcc_cpu_parse_flags(&argv, options, source);
    else gwcc_cuda_parse_flags(&argv, options, source);
    if (!gwcc_run(&argv)) return gwcc_error("no gradient was made for '%s'", source);
    return gwcc_exists(emitted) || gwcc_error("gradwright made no '%s'", emitted);
}

static bool keep(const gwcc_options *options, const char *source, const char *emitted) {
    const char *name = emitted_name(source);
    const char *beside = gwcc_text("%s/%s", gwcc_directory(source), name);
    bool changed;
    if (options->save_emitted) {
        const char *to = *options->save_directory ? gwcc_text("%s/%s", options->save_directory, name) : beside;
        if (!replace(emitted, to, &changed)) return false;
    }
    if (gwcc_exists(beside)) {
        if (!replace(emitted, beside, &changed)) return false;
        if (changed)
            fprintf(stderr, "gwcc: note: refreshed '%s', which the source includes from its own folder\n",
                    beside);
    }
    return true;
}

void gwcc_toolkit_advise(const char *source) {
    size_t size = 0;
    char *text = gw_toolkit_folder() ? NULL : gwcc_read_file(source, &size);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *at = included_name(line);
        if (!at) continue;
        const char *name = gwcc_text("%.*s", (int)strcspn(at + 1, ">\""), at + 1);
        const bool own = gwcc_exists(gwcc_text("%s/gradwright/cpu/%s", gwcc_path_include(), name));
        if (own || !gw_toolkit_has_header(name)) continue;
        fprintf(stderr,
                "gwcc: note: '%s' is a CUDA toolkit's header, and there is no toolkit: the variable CUDA_PATH "
                "names its folder; without it that is /usr/local/cuda or /opt/cuda. Thrust alone: Debian's "
                "libthrust-dev\n",
                name);
        break;
    }
    free(text);
}

void gwcc_gradient_advise(const gwcc_options *options, const char *source) {
    static const char *const macros[] = {
#define GW_REQUEST(KIND, word, macro, made, suffix, is_reverse) macro "(",
#include "analysis/ir/requests.def"
#undef GW_REQUEST
    };
    size_t size = 0;
    char *text = options->no_gradients ? NULL : gwcc_read_file(source, &size);
    bool asks = false;
    for (size_t i = 0; text && i < sizeof macros / sizeof *macros; i++) asks |= strstr(text, macros[i]) != NULL;
    free(text);
    if (asks)
        fprintf(stderr,
                "gwcc: note: no gradient was made for '%s', which does not include it: write '#include \"%s\"' "
                "below its functions\n",
                source, emitted_name(source));
}

bool gwcc_gradient(const gwcc_options *options, const char *source, size_t index, const char **directory) {
    bool wanted = false;
    *directory = NULL;
    if (options->no_gradients) return true;
    if (!is_wanted(options, source, &wanted)) return false;
    if (!wanted && options->report.count)
        return gwcc_error("%s tells of a gradient, and '%s' asks for none: it does not include \"%s\"",
                          options->report.items[0], source, emitted_name(source));
    if (!wanted) return true;
    const char *place = gwcc_temporary(gwcc_text("gradient-%zu", index));
    if (!place || mkdir(place, 0700) != 0)
        return gwcc_error("cannot make a folder for the gradient of '%s'", source);
    const char *emitted = gwcc_text("%s/%s", place, emitted_name(source));
    if (!run_gradwright(options, source, emitted) || !keep(options, source, emitted)) return false;
    *directory = place;
    return true;
}
