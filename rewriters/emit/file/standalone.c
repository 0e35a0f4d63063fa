/*
 * emit/file/standalone.c - a gradient as a source of its own (--standalone), and the header that declares it.
 *
 * The source begins with an include of the primal's file, so every type, function and global that the text
 * names is visible, also what is static there; hence it is compiled in place of that file, or beside it if that
 * is a header. What was requested has external linkage then; pullbacks of callees, device functions and
 * instantiations of templates stay as they are in a header. The declarations include what the primal's file
 * itself includes (or that file, if it is a header): types of parameters come from there.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "rewriters/emit/file/file_private.h"

#include <stdlib.h>
#include <string.h>

static const char *const header_suffixes[] = {".h", ".hpp", ".hh", ".hxx", ".cuh", NULL};

static bool is_header(const char *path) {
    const char *dot = strrchr(path, '.');
    for (unsigned i = 0; dot && header_suffixes[i]; i++)
        if (strcmp(dot, header_suffixes[i]) == 0) return true;
    return false;
}

/* The absolute path of a file that may not exist yet, in a folder that does; caller frees. */
static char *absolute(const char *path) {
    char *whole = realpath(path, NULL);
    if (whole) return whole;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? gw_format("%.*s/", (int)(slash - path), path) : gw_strdup(".");
    char *real = realpath(folder, NULL);
    char *result = gw_format("%s/%s", real ? real : folder, slash ? slash + 1 : path);
    free(folder);
    free(real);
    return result;
}

void gw_emit_include(gw_emitter *e, const char *path, const char *from) {
    char *to = absolute(path), *base = absolute(from);
    size_t same = 0;
    for (size_t i = 0; to[i] && to[i] == base[i]; i++)
        if (to[i] == '/') same = i + 1;
    gw_text up = {0};
    for (const char *c = base + same; *c; c++)
        if (*c == '/') gw_text_add(&up, "../");
    gw_text_addf(e->out, "#include \"%s%s\"\n", up.at ? up.at : "", to + same);
    gw_text_free(&up);
    free(to);
    free(base);
}

void gw_emit_declarations_head(gw_emitter *e) {
    const gw_session *s = e->session;
    const char *source = gw_cstr(s, s->source_file), *header = s->options.declarations;
    if (e->language == GW_EMIT_CUDA) gw_text_add(e->out, "#include <cuda_runtime.h>\n");
    if (is_header(source)) {
        gw_emit_include(e, source, header);
        return;
    }
    for (uint32_t i = 0; i < s->directives.count; i++) {
        const char *name = gw_cstr(s, s->directives.at[i]);
        if (name[0] == '<')
            gw_text_addf(e->out, "#include %s\n", name);
        else
            gw_emit_include(e, name, header);
    }
}
