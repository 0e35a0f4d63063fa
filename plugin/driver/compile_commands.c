/*
 * compile_commands.c - flags for Clang from files: the entry of the source in a compilation database, and lists
 * of flags (contract: gw_settings_complete in options.h).
 *
 * The entry is the first whose file is the source, by what both lead to and not by their spelling. Every text
 * is checked before it is used; what is wrong is said with the file's name.
 */
#include "plugin/driver/compile_flags_private.h"
#include "plugin/driver/driver.h"
#include "plugin/driver/json_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct entry {
    char *directory, *file, *command;
    gw_words arguments;
} entry;

static void entry_free(entry *e) {
    free(e->directory);
    free(e->file);
    free(e->command);
    gw_words_free(&e->arguments);
    *e = (entry){0};
}

static void read_arguments(gw_json *j, gw_words *out) {
    bool first = true;
    if (!gw_json_take(j, '[')) j->failed = true;
    while (gw_json_next(j, ']', &first)) {
        char *word = gw_json_string(j);
        if (word) gw_push(out, word);
    }
}

static void read_entry(gw_json *j, entry *e) {
    bool first = true;
    if (!gw_json_take(j, '{')) j->failed = true;
    while (gw_json_next(j, '}', &first)) {
        char *key = gw_json_string(j);
        if (!key || !gw_json_take(j, ':')) {
            j->failed = true;
        } else if (strcmp(key, "arguments") == 0) {
            read_arguments(j, &e->arguments);
        } else {
            char **field = NULL;
            if (strcmp(key, "directory") == 0) field = &e->directory;
            if (strcmp(key, "file") == 0) field = &e->file;
            if (strcmp(key, "command") == 0) field = &e->command;
            if (!field)
                gw_json_skip(j);
            else
                free(*field), *field = gw_json_string(j);
        }
        free(key);
    }
}

static bool is_source(const entry *e, const char *source) {
    if (!e->file || (!e->command && !e->arguments.count)) return false;
    char *path =
        e->file[0] == '/' || !e->directory ? gw_strdup(e->file) : gw_format("%s/%s", e->directory, e->file);
    struct stat a, b;
    bool same = stat(path, &a) == 0 && stat(source, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    free(path);
    return same;
}

static unsigned line_of(const char *text, const char *at) {
    unsigned line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

static char *find_entry(const char *path, const char *text, const char *source, entry *e) {
    gw_json j = {.at = text};
    bool first = true, found = false;
    if (!gw_json_take(&j, '[')) j.failed = true;
    while (!found && gw_json_next(&j, ']', &first)) {
        entry_free(e);
        read_entry(&j, e);
        found = !j.failed && is_source(e, source);
    }
    if (j.failed)
        return gw_format("%s:%u: this is no compilation database: not the JSON that is expected", path,
                         line_of(text, j.at));
    return found ? NULL : gw_format("'%s' has no command for '%s'", path, source);
}

static char *database_path(const char *path) {
    struct stat about;
    bool is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    return is_folder ? gw_format("%s/compile_commands.json", path) : gw_strdup(path);
}

static char *add_database(gw_settings *t, gw_words *flags) {
    char *path = database_path(t->compile_commands), *error = NULL;
    const char *why;
    size_t count;
    char *text = gw_file_text(path, &count, &why);
    entry e = {0};
    error = text ? find_entry(path, text, t->source, &e) : gw_format("cannot read '%s': %s", path, why);
    if (!error && !e.arguments.count) gw_compile_flags_split(e.command, &e.arguments);
    if (!error) error = gw_compile_flags_translate(&e.arguments, e.directory ? e.directory : "", flags);
    entry_free(&e);
    free(text);
    free(path);
    return error;
}

static char *add_flag_file(const char *path, gw_words *flags) {
    const char *why;
    size_t count;
    char *text = gw_file_text(path, &count, &why);
    if (!text) return gw_format("cannot read '%s': %s", path, why);
    for (const char *line = text; *line; line += *line == '\n') {
        size_t n = strcspn(line, "\n"), length = n;
        while (length && (line[length - 1] == '\r' || line[length - 1] == ' '))
            length--;
        char *word = length ? gw_format("%.*s", (int)length, line) : NULL;
        if (word && *word == '#') { /* what a build system could not hand on */
            if (length > 1)
                fprintf(stderr, "gradwright: note: '%s': the flag '%s' is not passed on\n", path,
                        word + 1 + (word[1] == ' '));
            free(word);
            word = NULL;
        }
        if (word) gw_push(flags, word);
        line += n;
    }
    free(text);
    return NULL;
}

char *gw_settings_complete(gw_settings *t) {
    gw_words flags = {0};
    char *error = t->compile_commands ? add_database(t, &flags) : NULL;
    for (uint32_t i = 0; i < t->flag_files.count && !error; i++)
        error = add_flag_file(t->flag_files.at[i], &flags);
    for (int i = 0; i < t->clang_args_count && flags.count; i++)
        gw_push(&flags, gw_strdup(t->clang_args[i]));
    for (uint32_t i = 0; i < flags.count; i++)
        gw_push(&t->found_args, flags.at[i]);
    gw_vec_free(&flags);
    if (t->found_args.count) {
        t->clang_args = (const char *const *)t->found_args.at;
        t->clang_args_count = (int)t->found_args.count;
    }
    return error;
}
