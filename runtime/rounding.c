/* rounding.c - reports of rounding errors (contract: gradwright/rounding.h). */
#include "gradwright/rounding.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double part_of(gw_error_table table, const double *terms, size_t i) {
    return terms[i] * table.rows[i].weight;
}

/* Whether row k comes before row i: it is greater, or as great and above. */
static int is_before(gw_error_table table, const double *terms, size_t k, size_t i) {
    const double a = part_of(table, terms, k), b = part_of(table, terms, i);
    return a > b || (a == b && k < i);
}

static void print_row(FILE *out, const gw_error_row *row, double part) {
    fprintf(out, "  %12.4g  %s:%u  %s%s%s\n", part, row->file, row->line, row->type, row->name[0] ? " " : "",
            row->name);
}

void gw_error_print(FILE *gw_out, gw_error_table gw_table, const double *gw_terms) {
    double sum = 0;
    for (size_t place = 0; place < gw_table.count; place++)
        for (size_t i = 0; i < gw_table.count; i++) {
            size_t before = 0;
            for (size_t k = 0; k < gw_table.count; k++) before += is_before(gw_table, gw_terms, k, i) ? 1u : 0u;
            const double part = part_of(gw_table, gw_terms, i);
            if (before == place && part > 0) print_row(gw_out, &gw_table.rows[i], part);
        }
    for (size_t i = 0; i < gw_table.count; i++) sum += part_of(gw_table, gw_terms, i);
    fprintf(gw_out, "  %12.4g  in all\n", sum);
}

/* ---- advice ---- */
static int is_of(const gw_error_row *row, const gw_error_row *variable) {
    return strcmp(row->name, variable->name) == 0;
}

static int can_be_float(const gw_error_row *row) {
    return row->name[0] && strcmp(row->type, "double") == 0 && row->weight == row->unit;
}

/* What the bound grows by if the variable is a float: each value that is put there is rounded once more. */
static double cost_of(gw_error_table table, const double *terms, size_t variable) {
    double cost = 0;
    for (size_t i = 0; i < table.count; i++)
        if (is_of(&table.rows[i], &table.rows[variable])) cost += terms[i] * (FLT_EPSILON / 2);
    return cost;
}

double gw_error_advise(gw_error_table gw_table, const double *gw_terms, double gw_tolerance,
                       unsigned char *gw_as_float) {
    double bound = 0;
    memset(gw_as_float, 0, gw_table.count);
    for (size_t i = 0; i < gw_table.count; i++) bound += part_of(gw_table, gw_terms, i);
    for (;;) {
        size_t least = gw_table.count;
        double cost = HUGE_VAL;
        for (size_t i = 0; i < gw_table.count; i++) {
            if (gw_as_float[i] || !can_be_float(&gw_table.rows[i])) continue;
            const double own = cost_of(gw_table, gw_terms, i);
            if (own < cost) least = i, cost = own;
        }
        if (least == gw_table.count || !(bound + cost <= gw_tolerance)) return bound;
        bound += cost;
        for (size_t i = 0; i < gw_table.count; i++)
            if (is_of(&gw_table.rows[i], &gw_table.rows[least])) gw_as_float[i] = 1;
    }
}
