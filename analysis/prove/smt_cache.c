/*
 * smt_cache.c - answers of the solver in files: FOLDER/HASH holds a line of numbers and the witness, and the
 * question behind it (contract: smt_cache_private.h).
 *
 * Runs may share the folder: a file is written under a name of its own and moved into place.
 *
 * Without a folder the last questions of this thread are remembered: two gradients of one kernel, or of two
 * instances of a template, ask the same. The question is all that the answer depends on, so it is the same.
 */
#include "analysis/prove/smt_cache_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- without a folder ---- */
enum { REMEMBERED = 64 };
typedef struct remembered {
    char *question, *witness;
    gw_smt_kept kept;
} remembered;
static _Thread_local struct {
    remembered at[REMEMBERED];
    uint32_t next;
} last;

static remembered *found(const char *question) {
    for (uint32_t i = 0; i < REMEMBERED; i++)
        if (last.at[i].question && strcmp(last.at[i].question, question) == 0) return &last.at[i];
    return NULL;
}

static bool recall(const char *question, gw_smt_kept *kept, gw_text *witness) {
    const remembered *r = found(question);
    if (!r) return false;
    *kept = r->kept;
    gw_text_add(witness, r->witness);
    return true;
}

static void remember(const char *question, const gw_smt_kept *kept, const char *witness) {
    remembered *r = found(question);
    if (!r) r = &last.at[last.next++ % REMEMBERED];
    free(r->question), free(r->witness);
    *r = (remembered){gw_strdup(question), gw_strdup(witness), *kept};
}

/* ---- files ---- */
static char *file_of(const char *folder, const char *question) {
    return gw_format("%s/%016" PRIx64, folder, gw_hash(GW_HASH_START, question, strlen(question)));
}

/* Whether the rest of the file is the text. */
static bool rest_is(FILE *file, const char *text) {
    char part[4096];
    size_t n;
    while ((n = fread(part, 1, sizeof part, file)) != 0) {
        if (strncmp(text, part, n) != 0) return false;
        text += n;
    }
    return !*text && !ferror(file);
}

/* A line; "" where there is none, or one without an end. */
static bool read_line(FILE *file, gw_text *out) {
    int c;
    while ((c = fgetc(file)) != EOF && c != '\n')
        gw_text_add_char(out, (char)c);
    return c == '\n';
}

bool gw_smt_cache_read(const char *folder, const char *question, gw_smt_kept *kept, gw_text *witness) {
    if (!folder) return recall(question, kept, witness);
    char *path = file_of(folder, question);
    FILE *file = fopen(path, "r");
    unsigned found = 0, checks = 0, cut = 0;
    gw_text line = {0};
    bool good = file &&
                fscanf(file, "%u %" SCNu64 " %u %" SCNu64 " %" SCNu64 " %u", &found, &kept->assumed, &checks,
                       &kept->steps[0], &kept->steps[1], &cut) == 6 &&
                fgetc(file) == ' ' && read_line(file, &line) && rest_is(file, question) &&
                found <= GW_SMT_MEET && checks <= GW_SMT_CHECKS;
    if (file) fclose(file);
    if (good) kept->found = (gw_smt_answer)found, kept->checks = checks, kept->cut = cut;
    if (good && line.at) gw_text_add(witness, line.at);
    gw_text_free(&line);
    free(path);
    return good;
}

void gw_smt_cache_write(const char *folder, const char *question, const gw_smt_kept *kept,
                        const char *witness) {
    if (!folder) {
        remember(question, kept, witness);
        return;
    }
    char *path = file_of(folder, question), *staged = gw_format("%s.%ld", path, (long)getpid());
    mkdir(folder, 0777);
    FILE *file = fopen(staged, "w");
    bool good = file && fprintf(file, "%u %" PRIu64 " %u %" PRIu64 " %" PRIu64 " %d %s\n%s",
                                (unsigned)kept->found, kept->assumed, kept->checks, kept->steps[0],
                                kept->steps[1], kept->cut, witness, question) > 0;
    if (file && fclose(file) != 0) good = false;
    if (!good || rename(staged, path) != 0) remove(staged);
    free(staged);
    free(path);
}
