/*
 * report_private.h - what the files of the report share (rewriters/report*.c): one page of HTML, complete in
 * itself, that says in the user's own source what --explain says in a table. All it tells are facts
 * (report/findings_private.h); here is only their form.
 *
 *   report.c          the page: head, summary, functions, sources
 *   report/source.c   a file's text with its accesses marked
 *   report/access.c   accesses of a line: proof, or what stands against one, cost, what may help
 *   report/function.c one derivative: assumptions, tape
 *   report/profile.c  measured costs
 *   report/text.c     escaping, marks of the ways in which an access is made safe
 *   report/style.c    the style sheet
 */
#ifndef GW_REPORT_PRIVATE_H
#define GW_REPORT_PRIVATE_H
#include "analysis/ir/rungs.h"
#include "rewriters/report/findings_private.h"
#include "analysis/ir/run.h"

/* An access, in the order of the page; its anchor is a<number>. */
typedef struct gw_report_access {
    const gw_facts *facts;
    const gw_access_fact *access;
    uint32_t number;
} gw_report_access;

/* A file of the user's; its anchor is s<number>, that of a line s<number>-<line>. */
typedef struct gw_report_file {
    gw_str path;
    uint32_t number;
    char *text;
    size_t count;
    GW_VEC(size_t) starts; /* of its lines */
    bool *concerns;        /* by line, from 1: part of what is differentiated */
} gw_report_file;

typedef struct gw_measure {
    gw_loc loc;    /* line of a file without its folders; column 0: nothing more is known */
    uint16_t code; /* of the op that was emitted there; 0 likewise */
    gw_str metric, value;
} gw_measure;

typedef struct gw_report {
    gw_session *s;
    gw_text *out;
    GW_VEC(gw_facts) facts;
    GW_VEC(gw_report_access) accesses;
    GW_VEC(gw_report_file) files;
    GW_VEC(gw_measure) measures; /* of lines of the user's files */
} gw_report;

/* ---- report/text.c ---- */
/* Text as HTML shows it: markup escaped, what is no UTF-8 replaced. */
void gw_report_escape(gw_text *out, const char *text, size_t count);
void gw_report_text(gw_text *out, const char *text);
/* Formats with HTML between the values; %s are escaped. Only %s and %u. */
void gw_report_add(gw_text *out, const char *format, ...);
/* "A": what marks a way beside its colour; the class of that colour is k<way>. */
void gw_report_letter(gw_text *out, unsigned how);
const char *gw_report_says(unsigned how);
unsigned gw_report_how(const gw_report_access *a);
/* No other thread comes there. */
static inline bool gw_report_is_owned(unsigned how) {
    return how == GW_ACCUMULATE_PLAIN || how == GW_ACCUMULATE_LOCAL || how == GW_ACCUMULATE_POSTED;
}
/* Link to the line, as far as the page shows it. */
void gw_report_place(const gw_report *r, gw_loc loc, const char *text);

/* ---- report/profile.c ---- */
/* Reads measured costs; those of lines of the emitted text go to the lines that these came from. False after a
 * diagnostic. */
bool gw_report_profile(gw_report *r, const gw_run *run, const char *path);

/* ---- the parts of the page ---- */
void gw_report_style(gw_text *out);
void gw_report_entries(const gw_report *r, const gw_report_access *const *list, uint32_t count);
void gw_report_function(const gw_report *r, uint32_t index);
void gw_report_source(const gw_report *r, const gw_report_file *file);
const gw_report_file *gw_report_file_of(const gw_report *r, gw_str path);
const char *gw_report_base(const char *path); /* without its folders */
#endif
