/*
 * report.c - the page of --report (contract: report_private.h): what is gathered for it, its head and its
 * summary.
 *
 * It is made after a good run only, from the session's facts and the files that hold what was differentiated;
 * nothing in it depends on the day or the machine, so a page that says the same is the same file.
 */
#include "rewriters/report/report_private.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

enum { AROUND = 2, GAP = 6 }; /* lines shown around what is differentiated; gaps of so many are no gaps */
enum { WAYS = 64 };           /* more than gw_accumulate has */

/* ---- gathering ---- */
static bool add_file(gw_report *r, gw_str path) {
    if (!path || gw_report_file_of(r, path)) return true;
    gw_report_file file = {.path = path, .number = r->files.count + 1};
    const char *error = gw_why_no_source(gw_cstr(r->s, path));
    if (!error) file.text = gw_file_text(gw_cstr(r->s, path), &file.count, &error);
    if (!file.text) {
        gw_diag(r->s, GW_DIAG_CANNOT_READ, (gw_loc){0}, gw_cstr(r->s, path), error);
        return false;
    }
    for (size_t i = 0; i < file.count; i++)
        if (!i || file.text[i - 1] == '\n') gw_push(&file.starts, i);
    file.concerns = gw_alloc(file.starts.count + 2);
    gw_push(&r->files, file);
    return true;
}

static bool is_the_systems(const gw_session *s, gw_str path) {
    return strncmp(gw_cstr(s, path), "/usr/", 5) == 0 ||
           strstr(gw_cstr(s, path), "/include/gradwright/") != NULL;
}

/* The files of a derivative: of its function, of its accesses, and of the user's functions that it calls. */
static bool add_files(gw_report *r, const gw_facts *facts) {
    const gw_func *p = facts->f->primal;
    bool good = add_file(r, p->loc.file);
    for (uint32_t i = 0; good && i < facts->accesses.count; i++)
        good = add_file(r, facts->accesses.at[i].loc.file);
    for (gw_op op = 1; good && op < p->ops.count; op++)
        if (!is_the_systems(r->s, gw_op_at(p, op)->loc.file)) good = add_file(r, gw_op_at(p, op)->loc.file);
    return good;
}

static void concern(const gw_report *r, gw_loc loc) {
    const gw_report_file *file = gw_report_file_of(r, loc.file);
    if (!file || !loc.line) return;
    for (uint32_t line = loc.line > AROUND ? loc.line - AROUND : 1;
         line <= loc.line + AROUND && line <= file->starts.count; line++)
        file->concerns[line] = true;
}

static void find_concerns(const gw_report *r) {
    for (uint32_t i = 0; i < r->facts.count; i++) {
        const gw_func *f = r->facts.at[i].f, *p = f->primal;
        concern(r, p->loc);
        if (f->request < r->s->requests.count) concern(r, r->s->requests.at[f->request].loc);
        for (gw_op op = 1; op < p->ops.count; op++) concern(r, gw_op_at(p, op)->loc);
    }
    for (uint32_t i = 0; i < r->accesses.count; i++) concern(r, r->accesses.at[i].access->loc);
    for (uint32_t i = 0; i < r->files.count; i++) {
        const gw_report_file *file = &r->files.at[i];
        uint32_t last = 0;
        for (uint32_t line = 1; line <= file->starts.count; line++) {
            if (!file->concerns[line]) continue;
            if (last && line - last <= GAP) memset(file->concerns + last, true, line - last);
            last = line;
        }
    }
}

static bool gather(gw_report *r) {
    bool good = true;
    for (uint32_t i = 0; i < r->s->funcs.count; i++) {
        gw_facts facts;
        if (!gw_facts_has(r->s->funcs.at[i])) continue;
        gw_facts_collect(r->s->funcs.at[i], &facts);
        gw_push(&r->facts, facts);
    }
    for (uint32_t i = 0; i < r->facts.count; i++) {
        const gw_facts *facts = &r->facts.at[i];
        for (uint32_t k = 0; k < facts->accesses.count; k++)
            gw_push(&r->accesses, ((gw_report_access){facts, &facts->accesses.at[k], r->accesses.count + 1}));
        good = good && add_files(r, facts);
    }
    if (good) find_concerns(r);
    return good;
}

/* ---- the summary ---- */
static void put_counts(const gw_report *r, const gw_facts *facts) {
    uint32_t kinds = 0;
    for (unsigned how = 0; how < WAYS; how++) {
        uint32_t n = 0;
        const char *word = "";
        for (uint32_t i = 0; i < facts->accesses.count; i++)
            if (gw_op_at(facts->f, facts->accesses.at[i].op)->attr == how)
                n++, word = gw_cstr(r->s, facts->accesses.at[i].how);
        if (n)
            gw_report_add(r->out,
                          kinds++ ? " <span class=\"chip k k%u\">%s %u</span>"
                                  : "<span class=\"chip k k%u\">%s %u</span>",
                          how, word, n);
    }
    if (!kinds) gw_text_add(r->out, "none");
}

static const char *registers(const gw_report *r, const gw_func *p) {
    for (uint32_t i = 0; i < r->measures.count; i++) {
        const gw_measure *m = &r->measures.at[i];
        if (m->loc.line == p->loc.line && strcmp(gw_cstr(r->s, m->metric), "registers") == 0 &&
            strcmp(gw_cstr(r->s, m->loc.file), gw_report_base(gw_cstr(r->s, p->loc.file))) == 0)
            return gw_cstr(r->s, m->value);
    }
    return NULL;
}

/* How many kernels a launch runs: halves, that of the records (pack.c), those that sum what stands in rows,
 * accumulators and copies. */
static void put_kernels(const gw_report *r, const gw_facts *facts) {
    const gw_func *f = facts->f;
    bool into[GW_INTO_ACCUMULATOR + 1] = {false};
    for (uint32_t i = 0; i < facts->accesses.count; i++) {
        into[gw_way(gw_op_at(f, facts->accesses.at[i].op)->attr)->into] = true;
    }
    const char *measured = registers(r, f->primal);
    gw_report_add(r->out, "<td data-label=\"Kernels\"><span>%u%s%s%s%s%s</span></td>",
                  1u + gw_is_split(f) + (f->pack != 0), into[GW_INTO_ROW] ? ", sums of rows behind" : "",
                  into[GW_INTO_ACCUMULATOR] ? ", exact sums rounded behind" : "",
                  into[GW_INTO_COPY] ? ", sums of copies behind" : "", measured ? ", registers " : "",
                  measured ? measured : "");
}

static void put_summary_row(const gw_report *r, uint32_t index) {
    const gw_facts *facts = &r->facts.at[index];
    const gw_func *f = facts->f;
    gw_text tape = {0};
    uint32_t checked = 0;
    for (uint32_t i = 0; i < facts->assumptions.count; i++) checked += facts->assumptions.at[i].checked;
    gw_facts_tape_bytes(facts, &tape);
    gw_report_add(r->out, "<tr><td data-label=\"Derivative\"><a href=\"#f%u\"><code>%s</code></a></td>",
                  index + 1, gw_cstr(r->s, f->name));
    if (f->kind == GW_FUNC_KERNEL) put_kernels(r, facts);
    else
        gw_report_add(r->out, "<td data-label=\"Kernels\">%s</td>",
                      f->kind == GW_FUNC_HOST ? "none: on the host" : "none: called by kernels");
    gw_report_add(r->out, "<td data-label=\"Tape\">%s</td><td data-label=\"Accesses\"><span>", tape.at);
    put_counts(r, facts);
    gw_report_add(r->out,
                  "</span></td><td class=\"num\" data-label=\"Checked\">%u</td><td class=\"num\" "
                  "data-label=\"Not checked\">%u</td></tr>\n",
                  checked, facts->assumptions.count - checked);
    gw_text_free(&tape);
}

static void put_summary(const gw_report *r) {
    gw_text_add(r->out, "<h2 id=\"summary\">Summary</h2>\n<table class=\"sum\"><thead><tr><th "
                        "scope=\"col\">Derivative</th><th scope=\"col\">Kernels</th>"
                        "<th scope=\"col\">Tape</th><th scope=\"col\">Adjoint accesses</th><th "
                        "scope=\"col\">Assumptions checked</th>"
                        "<th scope=\"col\">Not checked</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < r->facts.count; i++) put_summary_row(r, i);
    gw_text_add(r->out, "</tbody></table>\n");
    gw_text_add(r->out, "<dl class=\"key\">\n");
    for (unsigned how = 0; how < WAYS; how++) {
        const char *word = NULL;
        for (uint32_t i = 0; i < r->accesses.count && !word; i++)
            if (gw_report_how(&r->accesses.at[i]) == how) word = gw_cstr(r->s, r->accesses.at[i].access->how);
        if (!word) continue;
        gw_report_add(r->out, "<dt><span class=\"chip k k%u\">", how);
        gw_report_letter(r->out, how);
        gw_report_add(r->out, " %s</span></dt><dd>%s</dd>\n", word, gw_report_says(how));
    }
    gw_text_add(r->out, "</dl>\n");
    bool choices = false;
    for (uint32_t i = 0; i < r->accesses.count; i++) choices |= r->accesses.at[i].access->decision->choice != 0;
    if (choices)
        gw_text_add(r->out, "<p class=\"by\">Numbers behind a choice: estimated issue slots of a warp for one "
                            "addition; the least is taken.</p>\n");
}

/* ---- the page ---- */
static void put_head(const gw_report *r) {
    const char *path = gw_cstr(r->s, r->s->source_file), *base = gw_report_base(path);
    gw_report_add(r->out,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                  "'unsafe-inline'; img-src data:\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s: gradients</title>\n<link "
                  "rel=\"icon\" href=\"data:,\">\n<style>\n",
                  base);
    gw_report_style(r->out);
    gw_report_add(r->out,
                  "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#summary\">To the "
                  "summary</a>\n<header>\n<h1>Gradients of %s</h1>\n"
                  "<p class=\"by\">How each adjoint access is made safe, and why: <code>%s</code></p>\n<nav "
                  "aria-label=\"Contents\"><ul>"
                  "<li><a href=\"#summary\">Summary</a></li>",
                  base, path);
    for (uint32_t i = 0; i < r->facts.count; i++)
        gw_report_add(r->out, "<li><a href=\"#f%u\">%s</a></li>", i + 1, gw_cstr(r->s, r->facts.at[i].f->name));
    for (uint32_t i = 0; i < r->files.count; i++)
        gw_report_add(r->out, "<li><a href=\"#s%u\">%s</a></li>", r->files.at[i].number,
                      gw_report_base(gw_cstr(r->s, r->files.at[i].path)));
    gw_text_add(r->out, "</ul></nav>\n</header>\n<main>\n");
}

static void put_page(const gw_report *r) {
    put_head(r);
    put_summary(r);
    gw_text_add(r->out, "<h2 id=\"derivatives\">Derivatives</h2>\n");
    for (uint32_t i = 0; i < r->facts.count; i++) gw_report_function(r, i);
    for (uint32_t i = 0; i < r->files.count; i++) gw_report_source(r, &r->files.at[i]);
    gw_text_add(r->out, "</main>\n<footer>Written by Gradwright " GW_VERSION ".</footer>\n</body>\n</html>\n");
}

bool gw_report_page(gw_run *run, const char *profile, gw_text *out) {
    gw_report r = {.s = run->session, .out = out};
    bool good = gather(&r) && (!profile || gw_report_profile(&r, run, profile));
    if (good) put_page(&r);
    for (uint32_t i = 0; i < r.facts.count; i++) gw_facts_free(&r.facts.at[i]);
    for (uint32_t i = 0; i < r.files.count; i++) {
        free(r.files.at[i].text);
        free(r.files.at[i].concerns);
        gw_vec_free(&r.files.at[i].starts);
    }
    gw_vec_free(&r.facts);
    gw_vec_free(&r.accesses);
    gw_vec_free(&r.files);
    gw_vec_free(&r.measures);
    return good;
}
