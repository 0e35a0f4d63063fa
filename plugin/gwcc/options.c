/* The command line: gwcc's own options, and which pass each other flag belongs to. */
#include "plugin/gwcc/gwcc_private.h"

#include "analysis/ir/support.h"
#include "plugin/options/options.h"

#include <stdlib.h>
#include <string.h>

enum { separate = 1, refused = 2, prefix = 4 };

typedef struct known_flag {
    const char *text;
    unsigned int form; /* separate: the next word is its value; prefix: matches what begins so */
    unsigned int kinds;
} known_flag;

/* The first row that fits decides. */
static const known_flag known_flags[] = {
    /* No such output, or no such linking, on the CPU device or through gwcc at all. */
    {"-E", refused, 0},
    {"-S", refused, 0},
    {"-x", refused, 0},
    {"-M", refused, 0},
    {"-MM", refused, 0},
    {"-ptx", refused, 0},
    {"-cubin", refused, 0},
    {"-fatbin", refused, 0},
    {"-dc", refused, 0},
    {"-dlink", refused, 0},
    {"-emit-llvm", refused, 0},
    {"-flto", refused | prefix, 0},
    /* nvcc's. */
    {"-arch", separate, GWCC_FLAG_NVCC},
    {"--gpu-architecture", separate, GWCC_FLAG_NVCC},
    {"-gencode", separate, GWCC_FLAG_NVCC},
    {"--generate-code", separate, GWCC_FLAG_NVCC},
    {"-code", separate, GWCC_FLAG_NVCC},
    {"--gpu-code", separate, GWCC_FLAG_NVCC},
    {"-ccbin", separate, GWCC_FLAG_NVCC},
    {"-maxrregcount", separate, GWCC_FLAG_NVCC},
    {"-Xptxas", separate, GWCC_FLAG_NVCC},
    {"-Xnvlink", separate, GWCC_FLAG_NVCC},
    {"-diag-suppress", separate, GWCC_FLAG_NVCC},
    {"-arch=", prefix, GWCC_FLAG_NVCC},
    {"--gpu-architecture=", prefix, GWCC_FLAG_NVCC},
    {"-gencode=", prefix, GWCC_FLAG_NVCC},
    {"--generate-code=", prefix, GWCC_FLAG_NVCC},
    {"-code=", prefix, GWCC_FLAG_NVCC},
    {"-ccbin=", prefix, GWCC_FLAG_NVCC},
    {"-maxrregcount=", prefix, GWCC_FLAG_NVCC},
    {"-Xptxas=", prefix, GWCC_FLAG_NVCC},
    {"-diag-suppress=", prefix, GWCC_FLAG_NVCC},
    {"--expt-relaxed-constexpr", 0, GWCC_FLAG_NVCC},
    {"-expt-relaxed-constexpr", 0, GWCC_FLAG_NVCC},
    {"--extended-lambda", 0, GWCC_FLAG_NVCC},
    {"-extended-lambda", 0, GWCC_FLAG_NVCC},
    {"--expt-extended-lambda", 0, GWCC_FLAG_NVCC},
    {"--use_fast_math", 0, GWCC_FLAG_NVCC},
    {"-use_fast_math", 0, GWCC_FLAG_NVCC},
    {"-lineinfo", 0, GWCC_FLAG_NVCC},
    {"--generate-line-info", 0, GWCC_FLAG_NVCC},
    {"-G", 0, GWCC_FLAG_NVCC},
    {"--device-debug", 0, GWCC_FLAG_NVCC},
    {"-rdc=false", 0, GWCC_FLAG_NVCC},
    {"--relocatable-device-code=false", 0, GWCC_FLAG_NVCC},
    {"-cudart", separate, GWCC_FLAG_NVCC},
    {"--cudart", separate, GWCC_FLAG_NVCC},
    {"-fmad=", prefix, GWCC_FLAG_NVCC},
    {"--fmad=", prefix, GWCC_FLAG_NVCC},
    /* What a source means. */
    {"-I", separate, GWCC_FLAG_PARSE},
    {"-D", separate, GWCC_FLAG_PARSE},
    {"-U", separate, GWCC_FLAG_PARSE},
    {"-include", separate, GWCC_FLAG_PARSE},
    {"-isystem", separate, GWCC_FLAG_PARSE},
    {"-iquote", separate, GWCC_FLAG_PARSE},
    {"-idirafter", separate, GWCC_FLAG_PARSE},
    {"-I", prefix, GWCC_FLAG_PARSE},
    {"-D", prefix, GWCC_FLAG_PARSE},
    {"-U", prefix, GWCC_FLAG_PARSE},
    {"-isystem", prefix, GWCC_FLAG_PARSE},
    {"-iquote", prefix, GWCC_FLAG_PARSE},
    {"-std=", prefix, GWCC_FLAG_PARSE},
    {"-nostdinc", prefix, GWCC_FLAG_PARSE},
    {"-stdlib=", prefix, GWCC_FLAG_PARSE | GWCC_FLAG_LINK},
    /* Dependency files. */
    {"-MD", 0, GWCC_FLAG_HOST},
    {"-MMD", 0, GWCC_FLAG_HOST},
    {"-MP", 0, GWCC_FLAG_HOST},
    {"-MF", separate, GWCC_FLAG_HOST},
    {"-MT", separate, GWCC_FLAG_HOST},
    {"-MQ", separate, GWCC_FLAG_HOST},
    /* Linking. */
    {"-L", separate, GWCC_FLAG_LINK},
    {"-L", prefix, GWCC_FLAG_LINK},
    {"-Xlinker", separate, GWCC_FLAG_LINK},
    {"-Wl,", prefix, GWCC_FLAG_LINK},
    {"-shared", 0, GWCC_FLAG_LINK},
    {"-rdynamic", 0, GWCC_FLAG_LINK},
    {"-pie", 0, GWCC_FLAG_LINK},
    {"-no-pie", 0, GWCC_FLAG_LINK},
    {"-static-", prefix, GWCC_FLAG_LINK},
    {"-rtlib=", prefix, GWCC_FLAG_LINK},
    {"-nostdlib", 0, GWCC_FLAG_LINK},
    /* Both, or the compilation alone. */
    {"-Xclang", separate, GWCC_FLAG_COMPILE},
    {"-mllvm", separate, GWCC_FLAG_COMPILE},
#define WORD 0
#define BEGIN prefix
#define GW_MEANING(text, form) {text, form, GWCC_FLAG_PARSE | GWCC_FLAG_COMPILE | GWCC_FLAG_LINK},
#include "plugin/source/meaning.def"
#undef GW_MEANING
#undef WORD
#undef BEGIN
    {"-f", prefix, GWCC_FLAG_COMPILE | GWCC_FLAG_LINK},
    {"-m", prefix, GWCC_FLAG_COMPILE | GWCC_FLAG_LINK},
    {"-g", prefix, GWCC_FLAG_COMPILE | GWCC_FLAG_LINK},
    {"-O", prefix, GWCC_FLAG_COMPILE | GWCC_FLAG_LINK},
    {"-", prefix, GWCC_FLAG_COMPILE},
};

static void *grown(void *array, size_t count, size_t size) {
    void *bigger = realloc(array, (count + 1) * size);
    if (!bigger) abort();
    return bigger;
}

static void add_input(gwcc_options *o, const char *text, bool is_source) {
    o->inputs = grown(o->inputs, o->input_count, sizeof *o->inputs);
    o->inputs[o->input_count++] = (gwcc_input){text, is_source};
}

static void add_flag(gwcc_options *o, const char *text, const char *value, unsigned int kinds) {
    o->flags = grown(o->flags, o->flag_count, sizeof *o->flags);
    o->flags[o->flag_count++] = (gwcc_flag){text, value, kinds};
}

static bool is_source(const char *path) {
    static const char *const suffixes[] = {".cu", ".c", ".cpp", ".cc", ".cxx", ".C"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; ++i)
        if (gwcc_ends(path, suffixes[i])) return true;
    return false;
}

static const char *next_word(int argc, char **argv, int *at) {
    if (*at + 1 >= argc) {
        gwcc_error("'%s' needs a value", argv[*at]);
        return NULL;
    }
    return argv[++*at];
}

static bool add_known(gwcc_options *o, int argc, char **argv, int *at) {
    const char *word = argv[*at];
    for (size_t i = 0; i < sizeof known_flags / sizeof known_flags[0]; ++i) {
        const known_flag *known = &known_flags[i];
        if (known->form & prefix ? !gwcc_starts(word, known->text) : strcmp(word, known->text) != 0) continue;
        if (known->form & refused) return gwcc_error("'%s' is not supported", word);
        const char *value = NULL;
        if (known->form & separate && !(value = next_word(argc, argv, at))) return false;
        if (gwcc_starts(word, "-std=")) o->has_standard = true;
        if (gwcc_starts(word, "-arch") || gwcc_starts(word, "-gencode") ||
            gwcc_starts(word, "--gpu-architecture") || gwcc_starts(word, "--generate-code"))
            o->has_architecture = true;
        add_flag(o, word, value, known->kinds);
        if (strcmp(word + strspn(word, "-"), "fmad=false") == 0)
            add_flag(o, "-ffp-contract=off", NULL, GWCC_FLAG_COMPILE);
        return true;
    }
    return false;
}

/* -Xcompiler a,b: each part as if it had been given by itself. */
static bool add_compiler_list(gwcc_options *o, const char *list) {
    bool good = true;
    while (good && *list) {
        const size_t length = strcspn(list, ",");
        char *word = strdup(gwcc_text("%.*s", (int)length, list));
        int at = 0;
        char *copy = (char *)(size_t)gwcc_text("%s", word ? word : "");
        free(word);
        good = *copy != '-' || add_known(o, 1, &copy, &at);
        list += length + (list[length] == ',');
    }
    return good;
}

/* ---- gwcc's own options ---- */
#define GW_OPTION_ROWS "plugin/gwcc/options.def"
#include "plugin/options/rows.h"
#define AT(kind, member) {GW_PLACE_##kind, offsetof(gwcc_options, member)}
static const gw_option_place places[OPTION_COUNT] = {
    [OPTION_OUTPUT] = AT(TEXT, output),
    [OPTION_COMPILE] = AT(TRUTH, compile_only),
    [OPTION_CHECKED] = AT(TRUTH, checked),
    [OPTION_OWN_THRUST] = AT(TRUTH, own_thrust),
    [OPTION_NO_GRADIENTS] = AT(TRUTH, no_gradients),
    [OPTION_PRECOMPILED] = AT(TEXT, precompiled),
    [OPTION_PARSE_FLAGS] = AT(TRUTH, print_parse_flags),
    [OPTION_VERBOSE] = AT(TRUTH, verbose),
    [OPTION_HELP] = AT(TRUTH, help),
    [OPTION_VERSION] = AT(TRUTH, version),
};
#undef AT

static char *set_device(gwcc_options *o, const char *name) {
    const bool is_cpu = strcmp(name, "cpu") == 0;
    if (!is_cpu && strcmp(name, "cuda") != 0) return gw_format("unknown device '%s': it is cpu or cuda", name);
    o->device = is_cpu ? GWCC_DEVICE_CPU : GWCC_DEVICE_CUDA;
    return NULL;
}

static bool parse_word(gwcc_options *o, int argc, char **argv, int *at);

/* --flags=FILE: each line as if it had been a word of the command line, but for those that begin with #. */
static bool parse_file(gwcc_options *o, const char *path) {
    size_t size = 0, count = 0;
    char *text = gwcc_read_file(path, &size);
    if (!text) return false;
    char **words = NULL;
    for (char *line = text; line < text + size;) {
        char *end = line + strcspn(line, "\r\n");
        words = grown(words, count, sizeof *words);
        if (end != line && *line != '#')
            words[count++] = (char *)(size_t)gwcc_text("%.*s", (int)(end - line), line);
        line = end + 1;
    }
    bool good = true;
    for (int at = 0; good && at < (int)count; ++at)
        good = !gwcc_starts(words[at], "--flags")
                   ? parse_word(o, (int)count, words, &at)
                   : gwcc_error("'%s': --flags does not stand in such a file", path);
    free(words);
    free(text);
    return good;
}

/* What was printed already is an empty message. */
static char *printed(bool good) { return good ? NULL : gw_strdup(""); }

static char *set(void *to, unsigned id, const char *value) {
    gwcc_options *o = to;
    const char *const handed_on[] = {gwcc_text("--%s", rows[id].name), value, NULL};
    switch ((enum option_id)id) {
#define GW_REQUEST(KIND, word, macro, made, suffix, is_reverse) case OPTION_##KIND:
#include "analysis/ir/requests.def"
#undef GW_REQUEST
    case OPTION_REQUESTS:
    case OPTION_PROMISE:
    case OPTION_LAUNCH:
        gwcc_push_list(&o->requests, handed_on);
        return NULL;
    case OPTION_REPORT:
    case OPTION_PROFILE:
        gwcc_push_list(&o->report, handed_on);
        return NULL;
    case OPTION_SAVE_EMITTED:
        o->save_emitted = true;
        if (value) o->save_directory = value;
        return NULL;
    case OPTION_PRECOMPILE:
        gwcc_push(&o->precompile, value);
        return NULL;
    case OPTION_GRADWRIGHT_ARG:
        gwcc_push(&o->gradwright_arguments, value);
        return NULL;
    case OPTION_DEVICE:
        return set_device(o, value);
    case OPTION_FLAGS:
        return printed(parse_file(o, value));
    case OPTION_COMPILER:
        return printed(add_compiler_list(o, value));
    default:
        return NULL;
    }
}

static const gw_option_table table = {rows, places, OPTION_COUNT, set};

void gwcc_options_help(FILE *out) { gw_option_help(&table, out); }

static bool parse_word(gwcc_options *o, int argc, char **argv, int *at) {
    const char *word = argv[*at], *value;
    if (gw_option_find(&table, word) != OPTION_COUNT)
        return gw_option_step(&table, o, argc, argv, at, gwcc_error);
    if (gwcc_starts(word, "-Xcompiler=")) return add_compiler_list(o, word + strlen("-Xcompiler="));
    if (gwcc_starts(word, "-o") && word[2] != '-') {
        o->output = word + 2;
        return true;
    }
    if (strcmp(word, "-l") == 0) {
        value = next_word(argc, argv, at);
        add_input(o, gwcc_text("-l%s", value ? value : ""), false);
        return value != NULL;
    }
    if (gwcc_starts(word, "-l") && !gwcc_starts(word, "-lineinfo")) {
        add_input(o, word, false);
        return true;
    }
    if (*word == '-' && word[1] != '\0') return add_known(o, argc, argv, at);
    add_input(o, word, is_source(word));
    return true;
}

bool gwcc_options_parse(gwcc_options *options, int argc, char **argv) {
    *options = (gwcc_options){.save_directory = ""};
    for (int at = 1; at < argc; ++at)
        if (!parse_word(options, argc, argv, &at)) return false;
    gwcc_verbose = options->verbose;
    return true;
}

void gwcc_push_flags(gwcc_words *words, const gwcc_options *options, unsigned int kinds) {
    for (size_t i = 0; i < options->flag_count; ++i) {
        const gwcc_flag *flag = &options->flags[i];
        if ((flag->kinds & kinds) == 0) continue;
        gwcc_push(words, flag->text);
        if (flag->value) gwcc_push(words, flag->value);
    }
}

void gwcc_push_source_flags(gwcc_words *words, const gwcc_options *options, const char *source,
                            unsigned int kinds) {
    const bool is_c = gwcc_ends(source, ".c");
    bool has_standard = false;
    for (size_t i = 0; i < options->flag_count; ++i) {
        const gwcc_flag *flag = &options->flags[i];
        const bool standard = gwcc_starts(flag->text, "-std=");
        if ((flag->kinds & kinds) == 0 || (standard && is_c == (strstr(flag->text, "++") != NULL))) continue;
        has_standard = has_standard || standard;
        gwcc_push(words, flag->text);
        if (flag->value) gwcc_push(words, flag->value);
    }
    if (!has_standard && (kinds & GWCC_FLAG_PARSE)) gwcc_push(words, is_c ? "-std=gnu17" : "-std=c++17");
}
