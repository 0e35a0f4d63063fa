/* modes.c - forward mode by the dot product, and other orders of threads (contract: check_private.h). */
#include "check_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERS = 4 };

void gw_check_forward(gw_check *c) {
    double *direction = calloc(c->count + 1, sizeof *direction), *out = calloc(c->count + 1, sizeof *out),
           *seeds = malloc((c->count + 1) * sizeof *seeds);
    const bool good = direction && out && seeds;
    for (size_t i = 0; good && i < c->count; i++)
        if (gw_check_param_at(c, i)->role != GW_CHECK_RESULT)
            direction[i] = (double)(float)(gw_check_uniform(&c->random, -1, 1) * c->scale[i]);
    gw_check_restore(c);
    if (good) gw_check_put_shadows(c, direction);
    if (good && gw_check_run(c, c->f->forward, "forward") && !c->once) {
        gw_check_get_shadows(c, out);
        gw_check_seeds(c, seeds);
        const gw_check_sides is = gw_check_dot(c->count, seeds, out, c->gradient, direction);
        const double error = is.size > 0 ? fabs(is.forward - is.reverse) / is.size : 0;
        const bool agrees = error <= c->tolerance / 10; /* NaN does not */
        gw_check_compare(c, "forward", agrees ? "ok" : "fail", "", is.forward, is.reverse, error,
                         agrees ? "" : "<s, tangents of what comes out> is not <gradient, tangents>");
    }
    free(direction), free(out), free(seeds);
}

/* The mean of what the parameter's cells hold: what a sum in another order may be off beside. */
static double mean_of(const gw_check *c, size_t param, const double *numbers) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->places[i].param == param) sum += fabs(numbers[i]), count++;
    return count ? sum / (double)count : 0;
}

/* False behind a result. */
static bool same(gw_check *c, const double *got, const double *want, const char *prefix, bool *bits) {
    size_t param = SIZE_MAX;
    double mean = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (c->places[i].param != param) mean = mean_of(c, c->places[i].param, want);
        param = c->places[i].param;
        *bits = *bits && got[i] == want[i];
        const double off = fabs(got[i] - want[i]);
        if (off <= c->tolerance / 10 * (fabs(want[i]) + mean)) continue;
        char cell[GW_CHECK_NAME];
        gw_check_name(c, i, prefix, cell);
        gw_check_compare(c, "orders", "fail", cell, got[i], want[i], off / (fabs(want[i]) + mean),
                         "in another order of threads it is another number: a race");
        return false;
    }
    return true;
}

static bool runs_alike(gw_check *c, const double *seeds, double *numbers, bool *bits) {
    gw_check_restore(c);
    if (!gw_check_run(c, c->f->primal, "primal")) return false;
    gw_check_get_values(c, numbers);
    if (!same(c, numbers, c->middle, "", bits)) return false;
    gw_check_restore(c);
    gw_check_put_shadows(c, seeds);
    if (!gw_check_run(c, c->f->gradient, "gradient")) return false;
    gw_check_get_shadows(c, numbers);
    return same(c, numbers, c->gradient, "d_", bits);
}

void gw_check_orders(gw_check *c) {
    double *numbers = malloc((c->count + 1) * sizeof *numbers), *seeds = malloc((c->count + 1) * sizeof *seeds);
    bool good = numbers && seeds, bits = true;
    if (good) gw_check_seeds(c, seeds);
    for (unsigned order = 1; good && order <= ORDERS; order++) {
        char text[16];
        snprintf(text, sizeof text, "%u", order);
        if (c->device->orders_threads) setenv("GW_CPU_SEED", text, 1);
        good = runs_alike(c, seeds, numbers, &bits);
    }
    if (c->device->orders_threads) unsetenv("GW_CPU_SEED");
    const char *words = c->device->orders_threads ? "4 orders of threads" : "4 runs";
    char all[80];
    snprintf(all, sizeof all, "%s%s", words, bits ? ", the same bits" : ", not the same bits");
    if (good) gw_check_say(c, "orders", "ok", "", all);
    free(numbers);
    free(seeds);
}
