/* text.c - emits the derivatives of a file of IR: emit_text FILE.gwir [--checked] writes them to standard
 * output. */
#include "analysis/ir/passes.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/text/text.h"

#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path) {
    FILE *in = fopen(path, "rb");
    if (!in) return NULL;
    gw_text text = {0};
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part - 1, in)) > 0;) {
        part[n] = 0;
        gw_text_add(&text, part);
    }
    fclose(in);
    return text.at;
}

int main(int count, char **words) {
    char *text = count > 1 ? read_all(words[1]) : NULL;
    if (!text) return fputs("usage: emit_text FILE.gwir [--checked]\n", stderr), 2;
    gw_session *s = gw_session_new();
    bool good = gw_parse_session(s, text, words[1]);
    s->options.checked = count > 2 && strcmp(words[2], "--checked") == 0;
    for (uint32_t i = 0; good && i < s->funcs.count; i++) {
        char *why = NULL;
        if (gw_verify(s->funcs.at[i], &why)) continue;
        fprintf(stderr, "%s: %s\n", gw_cstr(s, s->funcs.at[i]->name), why);
        free(why);
        good = false;
    }
    gw_run run = {.session = s};
    good = good && gw_pass_emit(&run);
    gw_diag_print(s, stderr);
    if (good) fputs(run.output.at, stdout);
    gw_text_free(&run.output);
    gw_session_free(s);
    free(text);
    return good ? 0 : 1;
}
