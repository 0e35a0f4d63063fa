/* results.c - a line of the file of results for each check, fields parted by tabs (contract:
 * check_private.h). */
#include "check_private.h"

#include <math.h>
#include <string.h>

void gw_check_name(const gw_check *c, size_t place, const char *prefix, char *out) {
    const gw_check_place *p = &c->places[place];
    const gw_check_param *param = &c->f->params[p->param];
    const char *member = param->cells[p->cell].name;
    if (param->role == GW_CHECK_ARRAY)
        snprintf(out, GW_CHECK_NAME, "%s%s[%zu]%s", prefix, param->name, p->element, member);
    else
        snprintf(out, GW_CHECK_NAME, "%s%s%s", prefix, param->name, member);
}

static void line(gw_check *c, const char *check, const char *result, const char *cell, const char *numbers,
                 const char *words) {
    fprintf(c->results, "%s\t%s\t%s\t%s\t%s\t%s\t", c->f->name, c->f->request, check, result, cell, numbers);
    for (const char *w = words; *w; w++)
        fputc(strchr("\t\r\n", *w) ? ' ' : *w, c->results);
    fputc('\n', c->results);
    fflush(c->results);
    if (strcmp(result, "fail") == 0) c->failed = true;
}

void gw_check_say(gw_check *c, const char *check, const char *result, const char *cell, const char *words) {
    line(c, check, result, cell, "\t\t", words);
}

void gw_check_compare(gw_check *c, const char *check, const char *result, const char *cell, double got,
                      double expected, double error, const char *words) {
    char numbers[120];
    snprintf(numbers, sizeof numbers, "%.9g\t%.9g\t%.2e", got, expected, error);
    line(c, check, result, cell, numbers, words);
}

void gw_check_begin(const gw_check *c, const char *what) {
    fprintf(c->results, "%s\t%s\t%s\tbegins\t\t\t\t\t\n", c->f->name, c->f->request, what);
    fflush(c->results);
}
