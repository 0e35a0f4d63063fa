/* report.c - results as a table, as JSON, as JUnit's XML (contract: gwcheck_private.h). */
#include "plugin/gwcheck/gwcheck_private.h"

#include <string.h>

static const char *const results[GWCHECK_RESULTS] = {"ok", "fail", "kink", "note", "skip", "begins"};

enum { FIELDS = 9, RESULT = 3 };

/* In the order of a line of the file of results; its RESULT is none of them. */
static char **field(gwcheck_row *row, unsigned i) {
    char **const fields[FIELDS] = {&row->function, &row->request,  &row->check, NULL,       &row->cell,
                                   &row->got,      &row->expected, &row->error, &row->words};
    return fields[i];
}

static void free_row(gwcheck_row *row) {
    for (unsigned i = 0; i < FIELDS; i++)
        if (i != RESULT) free(*field(row, i));
}

static gwcheck_result read_result(const char *at, size_t n) {
    unsigned i = 0;
    while (i + 1 < GWCHECK_RESULTS && (strlen(results[i]) != n || memcmp(results[i], at, n) != 0))
        i++;
    return (gwcheck_result)i;
}

static void read_line(gwcheck_report *r, const char *at, const char *end) {
    gwcheck_row row = {0};
    for (unsigned i = 0; i < FIELDS; i++) {
        size_t n = 0;
        while (at + n < end && at[n] != '\t')
            n++;
        if (i == RESULT)
            row.result = read_result(at, n);
        else
            *field(&row, i) = gw_format("%.*s", (int)n, at);
        at += n + (at + n < end);
    }
    if (row.result != GWCHECK_BEGINS) {
        gw_push(&r->rows, row);
        return;
    }
    free(r->last), free(r->function);
    r->last = gw_strdup(row.check);
    r->function = gw_strdup(row.function);
    free_row(&row);
}

bool gwcheck_report_read(gwcheck_report *r, const char *path) {
    size_t count;
    const char *error;
    char *text = gw_file_text(path, &count, &error);
    r->ended = false;
    for (const char *at = text, *end; at && *at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, "\n");
        if (memchr(at, '\t', (size_t)(end - at)))
            read_line(r, at, end);
        else
            r->ended = true;
    }
    free(text);
    return r->ended;
}

void gwcheck_report_add(gwcheck_report *r, const char *function, const char *request, const char *check,
                        gwcheck_result result, const char *words) {
    const char *const texts[FIELDS] = {function, request, check, "", "", "", "", "", words};
    gwcheck_row row = {.result = result};
    for (unsigned i = 0; i < FIELDS; i++)
        if (i != RESULT) *field(&row, i) = gw_strdup(texts[i]);
    gw_push(&r->rows, row);
}

void gwcheck_report_free(gwcheck_report *r) {
    for (uint32_t i = 0; i < r->rows.count; i++)
        free_row(&r->rows.at[i]);
    gw_vec_free(&r->rows);
    free(r->last), free(r->function);
}

static unsigned count(const gwcheck_report *r, gwcheck_result result) {
    unsigned n = 0;
    for (uint32_t i = 0; i < r->rows.count; i++)
        n += r->rows.at[i].result == result;
    return n;
}

bool gwcheck_report_fails(const gwcheck_report *r) { return count(r, GWCHECK_FAIL) != 0; }

static bool same_function(const gwcheck_row *a, const gwcheck_row *b) {
    return strcmp(a->function, b->function) == 0 && strcmp(a->request, b->request) == 0;
}

/* Rows of one function together, in the order in which it came first. */
static bool is_first(const gwcheck_report *r, uint32_t at) {
    for (uint32_t i = 0; i < at; i++)
        if (same_function(&r->rows.at[i], &r->rows.at[at])) return false;
    return true;
}

static void table_row(const gwcheck_row *row, FILE *out) {
    const bool compared = *row->got != 0;
    fprintf(out, "    %-13s %-5s %-14s", row->check, results[row->result], row->cell);
    if (compared) fprintf(out, " %14s %14s %9s", row->got, row->expected, row->error);
    fprintf(out, "%s%s\n", *row->words ? "  " : "", row->words);
}

void gwcheck_report_table(const gwcheck_report *r, const char *source, FILE *out) {
    unsigned functions = 0;
    for (uint32_t i = 0; i < r->rows.count; i++) {
        if (!is_first(r, i)) continue;
        functions++;
        fprintf(out, "%s: %s\n    %-13s %-5s %-14s %14s %14s %9s\n", r->rows.at[i].function,
                r->rows.at[i].request, "check", "", "worst cell", "got", "expected", "error");
        for (uint32_t k = i; k < r->rows.count; k++)
            if (same_function(&r->rows.at[i], &r->rows.at[k])) table_row(&r->rows.at[k], out);
    }
    const unsigned failed = count(r, GWCHECK_FAIL), skipped = count(r, GWCHECK_SKIP);
    fprintf(out, "%s: %u gradient%s, ", source, functions, functions == 1 ? "" : "s");
    if (failed)
        fprintf(out, "%u check%s failed", failed, failed == 1 ? "" : "s");
    else
        fputs(skipped ? "what was checked agrees" : "all checks agree", out);
    if (skipped) fprintf(out, "; %u not checked", skipped);
    fputc('\n', out);
}

/* ---- files ---- */
static void json_text(gw_text *out, const char *text) {
    gw_text_add_char(out, '"');
    for (; *text; text++) {
        if (strchr("\"\\", *text))
            gw_text_addf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            gw_text_addf(out, "\\u%04x", (unsigned)*text);
        else
            gw_text_add_char(out, *text);
    }
    gw_text_add_char(out, '"');
}

/* As a number where JSON has one: not NaN. */
static void json_number(gw_text *out, const char *name, const char *number) {
    if (!*number) return;
    gw_text_addf(out, ", \"%s\": ", name);
    if (strpbrk(number, "ni"))
        json_text(out, number);
    else
        gw_text_add(out, number);
}

static void json_row(const gwcheck_row *row, gw_text *out) {
    const char *const names[] = {"function", "request", "check", "result", "cell", NULL};
    const char *const texts[] = {row->function, row->request, row->check, results[row->result], row->cell};
    gw_text_add(out, "    {");
    for (unsigned i = 0; names[i]; i++) {
        gw_text_addf(out, "%s\"%s\": ", i ? ", " : "", names[i]);
        json_text(out, texts[i]);
    }
    json_number(out, "got", row->got);
    json_number(out, "expected", row->expected);
    json_number(out, "error", row->error);
    gw_text_add(out, ", \"words\": ");
    json_text(out, row->words);
    gw_text_add(out, "}");
}

static bool write_text(const char *path, gw_text *text) {
    const bool good = gwcheck_write(path, text->at, text->count);
    gw_text_free(text);
    return good;
}

bool gwcheck_report_json(const gwcheck_report *r, const char *source, const char *path) {
    gw_text out = {0};
    gw_text_add(&out, "{\n  \"source\": ");
    json_text(&out, source);
    gw_text_addf(&out, ",\n  \"failed\": %u,\n  \"checks\": [", count(r, GWCHECK_FAIL));
    for (uint32_t i = 0; i < r->rows.count; i++) {
        gw_text_add(&out, i ? ",\n" : "\n");
        json_row(&r->rows.at[i], &out);
    }
    gw_text_add(&out, "\n  ]\n}\n");
    return write_text(path, &out);
}

static void xml(gw_text *out, const char *text) {
    static const struct {
        char c;
        const char *text;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
    for (; *text; text++) {
        unsigned i = 0;
        while (i < 4 && entities[i].c != *text)
            i++;
        if (i < 4)
            gw_text_add(out, entities[i].text);
        else if ((unsigned char)*text >= ' ')
            gw_text_add_char(out, *text);
    }
}

static void junit_row(const gwcheck_row *row, gw_text *out) {
    gw_text_add(out, "    <testcase classname=\"");
    xml(out, row->function);
    gw_text_add(out, "\" name=\"");
    xml(out, row->check);
    gw_text_add(out, *row->cell ? " " : "");
    xml(out, row->cell);
    gw_text_add(out, "\">");
    const bool failed = row->result == GWCHECK_FAIL, passed = row->result == GWCHECK_OK;
    if (!passed) {
        gw_text_add(out, failed ? "<failure message=\"" : "<skipped message=\"");
        xml(out, row->words);
        if (*row->got) gw_text_addf(out, " got %s, expected %s", row->got, row->expected);
        gw_text_add(out, "\"/>");
    }
    gw_text_add(out, "</testcase>\n");
}

bool gwcheck_report_junit(const gwcheck_report *r, const char *source, const char *path) {
    gw_text out = {0};
    const unsigned passed = count(r, GWCHECK_OK), failed = count(r, GWCHECK_FAIL);
    gw_text_add(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"");
    xml(&out, source);
    gw_text_addf(&out, "\" tests=\"%u\" failures=\"%u\" skipped=\"%u\">\n", r->rows.count, failed,
                 r->rows.count - passed - failed);
    for (uint32_t i = 0; i < r->rows.count; i++)
        junit_row(&r->rows.at[i], &out);
    gw_text_add(&out, "  </testsuite>\n</testsuites>\n");
    return write_text(path, &out);
}
