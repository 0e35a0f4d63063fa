/* all.c - all checks of all functions of a harness (contract: check.h). */
#include "check_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { RESULTS = 1, INPUTS, SEED, HOW, WORDS };

static void check(gw_check *c) {
    if (!gw_check_prepare(c)) return;
    c->tolerance = c->epsilon > 1e-10 ? 1e-3 : 1e-6;
    if (!gw_check_reverse(c)) return;
    if (!c->once) gw_check_differences(c);
    if (c->f->forward) gw_check_forward(c);
    if (!c->once) gw_check_orders(c);
    if (!c->failed) gw_check_say(c, c->once ? "races" : "bounds", "ok", "", "");
}

int gw_check_main(int count, char **words, const gw_check_function *functions, size_t function_count,
                  const gw_check_device *device) {
    FILE *results = count == WORDS ? fopen(words[RESULTS], "w") : NULL;
    bool failed = !results;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (!results) fprintf(stderr, "gwcheck: the harness cannot write its results: %s\n", strerror(errno));
    for (size_t i = 0; results && i < function_count; i++) {
        gw_check c = {.f = &functions[i], .device = device, .results = results, .inputs = words[INPUTS]};
        c.seed = strtoull(words[SEED], NULL, 10);
        c.once = strcmp(words[HOW], "once") == 0;
        /* what the device says of a race stands behind its function's line */
        if (c.once) fprintf(stderr, "%s%s: %s\n", GW_CHECK_MARK, functions[i].name, functions[i].request);
        check(&c);
        failed = failed || c.failed;
        gw_check_release(&c);
        if (c.failed) device->reset();
    }
    if (results) fputs("end\n", results);
    if (results && fclose(results) != 0) failed = true;
    return failed;
}
