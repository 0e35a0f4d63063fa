/* Launches that are spelled with blanks, which Clang does not read (source/source.h): it is shown other texts
 * under the names of the files, so that its messages, the rules of -MD and __FILE__ are as ever. */
#include "plugin/gwcc/gwcc_private.h"
#include "plugin/source/source.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A path as a text of JSON. */
static const char *quoted(const char *path) {
    const char *text = "\"";
    for (; *path; ++path)
        text = gwcc_text("%s%s%c", text, strchr("\"\\", *path) ? "\\" : "", *path);
    return gwcc_text("%s\"", text);
}

static const char *absolute(const char *path) {
    char here[4096];
    if (*path == '/' || !getcwd(here, sizeof here)) return path;
    return gwcc_text("%s/%s", here, path);
}

/* The roots of the overlay, each file with its other text; null if one cannot be written. */
static const char *make_roots(const gwcc_job *job, const gw_respelled_files *files) {
    const char *roots = "";
    for (size_t i = 0; i < files->count; ++i) {
        const gw_respelled *file = &files->at[i];
        const char *copy = gwcc_temporary(gwcc_text("%zu-%zu.text", job->index, i));
        if (!copy || !gwcc_write_file(copy, file->text, strlen(file->text))) return NULL;
        roots = gwcc_text("%s%s{\"type\": \"file\", \"name\": %s, \"external-contents\": %s}", roots,
                          i ? ", " : "", quoted(absolute(file->path)), quoted(copy));
    }
    return roots;
}

bool gwcc_respelled_make(gwcc_job *job) {
    gw_respelled_files files;
    gw_respelled_find(job->source, &files);
    const bool any = files.count != 0;
    const char *roots = any ? make_roots(job, &files) : NULL;
    gw_respelled_free(&files);
    if (!roots) return !any;
    const char *overlay = gwcc_temporary(gwcc_text("%zu.overlay", job->index));
    const char *text = gwcc_text("{\"version\": 0, \"use-external-names\": false, \"roots\": [%s]}\n", roots);
    if (!overlay || !gwcc_write_file(overlay, text, strlen(text))) return false;
    job->overlay = overlay;
    return true;
}
