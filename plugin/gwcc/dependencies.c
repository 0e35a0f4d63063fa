/* The rules of -MD and -MMD. The compiler writes to a temporary object and reads a temporary gradient; a rule
 * that named either would never be met again. So it writes the rule to a temporary file with the real object as
 * target, and what lies in the gradient's private directory is taken out on the way to the real file. */
#include "plugin/gwcc/gwcc_private.h"
#include <stdlib.h>
#include <string.h>

/* What one flag of dependencies says; of several, the last. */
static const char *value_of(const gwcc_options *options, const char *name) {
    const char *value = NULL;
    for (size_t i = 0; i < options->flag_count; ++i)
        if (strcmp(options->flags[i].text, name) == 0)
            value = options->flags[i].value ? options->flags[i].value : name;
    return value;
}

static bool is_wanted(const gwcc_options *options) {
    return value_of(options, "-MD") != NULL || value_of(options, "-MMD") != NULL;
}

static const char *rule_file(const gwcc_job *job) { return gwcc_temporary(gwcc_text("%zu.d", job->index)); }

void gwcc_dependencies_push(gwcc_words *argv, const gwcc_options *options, const gwcc_job *job) {
    if (!is_wanted(options)) return;
    for (size_t i = 0; i < options->flag_count; ++i) {
        const gwcc_flag *flag = &options->flags[i];
        if ((flag->kinds & GWCC_FLAG_HOST) == 0 || strcmp(flag->text, "-MF") == 0) continue;
        gwcc_push(argv, flag->text);
        if (flag->value) gwcc_push(argv, flag->value);
    }
    gwcc_push_list(argv, (const char *[]){"-MF", rule_file(job), NULL});
    if (!value_of(options, "-MT") && !value_of(options, "-MQ"))
        gwcc_push_list(argv, (const char *[]){"-MT", job->output, NULL});
}

/* Blanks out each name that begins with `directory`, with its colon where it is a target of -MP. */
static void remove_names(char *text, const char *directory) {
    const size_t length = strlen(directory);
    for (char *at = strstr(text, directory); at; at = strstr(at, directory)) {
        const bool begins = at == text || strchr(" \n", at[-1]) != NULL;
        size_t end = length;
        while (begins && at[end] && (!strchr(" \n", at[end]) || at[end - 1] == '\\'))
            ++end;
        if (begins) memset(at, ' ', end);
        at += end;
    }
}

bool gwcc_dependencies_finish(const gwcc_options *options, const gwcc_job *job) {
    if (!is_wanted(options)) return true;
    const char *named = value_of(options, "-MF");
    const char *to = named ? named : gwcc_text("%s/%s.d", gwcc_directory(job->output), gwcc_stem(job->output));
    size_t size = 0;
    char *text = gwcc_read_file(rule_file(job), &size);
    if (!text) return false;
    if (job->gradient_directory) remove_names(text, job->gradient_directory);
    const char *staged = gwcc_staging(to);
    const bool good = gwcc_write_file(staged, text, strlen(text)) && gwcc_publish(staged, to);
    free(text);
    return good;
}
