/*
 * compile_flags.c - which flags of a compiler change what a source means (contract: compile_flags_private.h).
 *
 * One table: what it does not list is about code generation, warnings, outputs or linking, and is dropped, so
 * that a flag that only gcc or nvcc knows cannot stop Clang's parse. Only the forms that take their value from
 * the next word must be listed to be dropped. The compiler and its launchers stand before the first flag, the
 * source and its object are no flags: they go too.
 */
#include "plugin/driver/compile_flags_private.h"

#include "plugin/driver/driver.h"

#include <stdlib.h>
#include <string.h>

enum form { WORD, NEXT, BEGIN }; /* as it is; the value is the next word; the value is behind it in the word */
enum action { DROP, KEEP, PATH, LANGUAGE, LIST, RESPONSE };
typedef struct flag_row {
    const char *text, *as; /* `as`: how Clang spells it, NULL for the same */
    enum form form;
    enum action action;
} flag_row;

/* The first row that fits decides. */
static const flag_row rows[] = {
    {"-I", NULL, NEXT, PATH},
    {"-I", NULL, BEGIN, PATH},
    {"--include-path", "-I", NEXT, PATH},
    {"--include-path=", "-I", BEGIN, PATH},
    {"-isystem", NULL, NEXT, PATH},
    {"-isystem=", "-isystem", BEGIN, PATH},
    {"-isystem", NULL, BEGIN, PATH},
    {"--system-include", "-isystem", NEXT, PATH},
    {"--system-include=", "-isystem", BEGIN, PATH},
    {"-iquote", NULL, NEXT, PATH},
    {"-idirafter", NULL, NEXT, PATH},
    {"-isysroot", NULL, NEXT, PATH},
    {"--sysroot", NULL, NEXT, PATH},
    {"--sysroot=", "--sysroot", BEGIN, PATH},
    {"-include", NULL, NEXT, PATH},
    {"--pre-include", "-include", NEXT, PATH},
    {"-imacros", NULL, NEXT, PATH},
    {"-D", NULL, NEXT, KEEP},
    {"-D", NULL, BEGIN, KEEP},
    {"--define-macro", "-D", NEXT, KEEP},
    {"--define-macro=", "-D", BEGIN, KEEP},
    {"-U", NULL, NEXT, KEEP},
    {"-U", NULL, BEGIN, KEEP},
    {"-std=", NULL, BEGIN, KEEP},
    {"--std=", "-std=", BEGIN, KEEP},
    {"-std", "-std=", NEXT, KEEP},
    {"--std", "-std=", NEXT, KEEP},
    {"-x", NULL, NEXT, LANGUAGE},
    {"--x", "-x", NEXT, LANGUAGE},
    {"-x", NULL, BEGIN, LANGUAGE},
    {"-nostdinc", NULL, BEGIN, KEEP},
    {"-stdlib=", NULL, BEGIN, KEEP},
#define GW_MEANING(text, form) {text, NULL, form, KEEP},
#include "plugin/source/meaning.def"
#undef GW_MEANING
    {"--cuda-path=", NULL, BEGIN, KEEP},
    {"-Xcompiler", NULL, NEXT, LIST},
    {"-Xcompiler=", NULL, BEGIN, LIST},
    {"--compiler-options", NULL, NEXT, LIST},
    {"--compiler-options=", NULL, BEGIN, LIST},
    {"--options-file", NULL, NEXT, RESPONSE},
    {"--options-file=", NULL, BEGIN, RESPONSE},
    {"-optf", NULL, NEXT, RESPONSE},
    {"@", NULL, BEGIN, RESPONSE},
    {"-o", NULL, NEXT, DROP},
    {"--output-file", NULL, NEXT, DROP},
    {"-MF", NULL, NEXT, DROP},
    {"-MT", NULL, NEXT, DROP},
    {"-MQ", NULL, NEXT, DROP},
    {"-arch", NULL, NEXT, DROP},
    {"--gpu-architecture", NULL, NEXT, DROP},
    {"-gencode", NULL, NEXT, DROP},
    {"--generate-code", NULL, NEXT, DROP},
    {"-code", NULL, NEXT, DROP},
    {"--gpu-code", NULL, NEXT, DROP},
    {"-ccbin", NULL, NEXT, DROP},
    {"--compiler-bindir", NULL, NEXT, DROP},
    {"-maxrregcount", NULL, NEXT, DROP},
    {"-diag-suppress", NULL, NEXT, DROP},
    {"-cudart", NULL, NEXT, DROP},
    {"--threads", NULL, NEXT, DROP},
    {"-Xptxas", NULL, NEXT, DROP},
    {"-Xnvlink", NULL, NEXT, DROP},
    {"-Xlinker", NULL, NEXT, DROP},
    {"-Xclang", NULL, NEXT, DROP},
    {"-mllvm", NULL, NEXT, DROP},
    {"-L", NULL, NEXT, DROP},
    {"-l", NULL, NEXT, DROP},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

void gw_words_free(gw_words *words) {
    for (uint32_t i = 0; i < words->count; i++)
        free(words->at[i]);
    gw_vec_free(words);
}

/* One word, from *at to behind it. */
static char *next_word(const char **at) {
    gw_text word = {0};
    char quote = 0;
    gw_text_add(&word, "");
    for (; **at && (quote || !strchr(" \t\r\n", **at)); ++*at) {
        if (quote ? **at == quote : **at == '"' || **at == '\'') {
            quote = quote ? 0 : **at;
            continue;
        }
        bool escape = **at == '\\' && (*at)[1] && (!quote || (quote == '"' && strchr("\"\\$`", (*at)[1])));
        if (escape) ++*at;
        gw_text_add(&word, (char[]){**at, 0});
    }
    return word.at;
}

void gw_compile_flags_split(const char *text, gw_words *words) {
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (!*text) return;
        char *word = next_word(&text);
        gw_push(words, word);
    }
}

static char *in_folder(const char *folder, const char *path) {
    return path[0] == '/' || !*folder ? gw_strdup(path) : gw_format("%s/%s", folder, path);
}

static const flag_row *find_row(const char *word) {
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        size_t n = strlen(rows[i].text);
        bool fits = rows[i].form == BEGIN ? strncmp(word, rows[i].text, n) == 0 && word[n]
                                          : strcmp(word, rows[i].text) == 0;
        if (fits) return &rows[i];
    }
    return NULL;
}

static char *translate(const gw_words *command, uint32_t from, const char *folder, gw_words *flags,
                       unsigned depth);

static char *translate_response(const char *value, const char *folder, gw_words *flags, unsigned depth) {
    size_t count;
    const char *why = "it leads to itself";
    char *path = in_folder(folder, value), *text = depth < 8 ? gw_file_text(path, &count, &why) : NULL,
         *error;
    gw_words inner = {0};
    if (text) gw_compile_flags_split(text, &inner);
    error =
        text ? translate(&inner, 0, folder, flags, depth + 1) : gw_format("cannot read '%s': %s", path, why);
    gw_words_free(&inner);
    free(text);
    free(path);
    return error;
}

static char *translate_list(const char *value, const char *folder, gw_words *flags, unsigned depth) {
    gw_words inner = {0};
    for (const char *at = value; *at; at += *at == ',') {
        size_t n = strcspn(at, ",");
        char *word = gw_format("%.*s", (int)n, at);
        gw_push(&inner, word);
        at += n;
    }
    char *error = translate(&inner, 0, folder, flags, depth + 1);
    gw_words_free(&inner);
    return error;
}

static char *spell(const flag_row *row, const char *value, const char *folder, gw_words *flags) {
    const char *name = row->as ? row->as : row->text;
    if (row->form == WORD) {
        gw_push(flags, gw_strdup(name));
        return NULL;
    }
    bool is_file = strcmp(name, "-include") == 0 || strcmp(name, "-imacros") == 0;
    char *path = in_folder(folder, value), *text = NULL;
    size_t count;
    const char *why;
    /* a file that -include names is searched for: it stays as it is unless it is in the folder */
    bool as_path = row->action == PATH && (!is_file || (text = gw_file_text(path, &count, &why)) != NULL);
    const char *meant = as_path ? path : value;
    if (row->action == LANGUAGE && strcmp(value, "cu") == 0) meant = "cuda";
    bool one_word = row->action == KEEP;
    if (one_word) {
        char *word = gw_format("%s%s", name, meant);
        gw_push(flags, word);
    } else {
        gw_push(flags, gw_strdup(name));
        gw_push(flags, gw_strdup(meant));
    }
    free(text);
    free(path);
    return NULL;
}

static char *translate(const gw_words *command, uint32_t from, const char *folder, gw_words *flags,
                       unsigned depth) {
    char *error = NULL;
    for (uint32_t i = from; i < command->count && !error; i++) {
        const char *word = command->at[i];
        const flag_row *row = find_row(word);
        if (!row) continue;
        const char *value = row->form == BEGIN ? word + strlen(row->text) : "";
        if (row->form == NEXT) {
            if (i + 1 == command->count)
                return gw_format("the flag '%s' at the end of a command has no value", word);
            value = command->at[++i];
        }
        if (row->action == RESPONSE)
            error = translate_response(value, folder, flags, depth);
        else if (row->action == LIST)
            error = translate_list(value, folder, flags, depth);
        else if (row->action != DROP)
            error = spell(row, value, folder, flags);
    }
    return error;
}

char *gw_compile_flags_translate(const gw_words *command, const char *folder, gw_words *flags) {
    uint32_t from = 0;
    while (from < command->count && command->at[from][0] != '-' && command->at[from][0] != '@')
        from++;
    return translate(command, from, folder, flags, 0);
}

char *gw_flags_for_clang(const char *const *flags, uint32_t count, gw_text *lines) {
    gw_words command = {0}, found = {0};
    for (uint32_t i = 0; i < count; i++) gw_push(&command, gw_strdup(flags[i]));
    char *error = gw_compile_flags_translate(&command, ".", &found);
    gw_text_add(lines, "");
    for (uint32_t i = 0; i < found.count; i++) gw_text_addf(lines, "%s\n", found.at[i]);
    gw_words_free(&command);
    gw_words_free(&found);
    return error;
}
