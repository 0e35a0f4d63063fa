/*
 * gradwright.c - the command: options in, gradient out. Everything it does is a call of the library
 * (driver.h), so the plugin and gwcc do the same.
 */
#include "plugin/driver/driver.h"

#include "analysis/ir/diagnostics.h"

#include <stdlib.h>

enum { DONE = 0, FAILED = 1, WRONG_USAGE = 2 };

static int generate(const gw_settings *t) {
    gw_run run = {0};
    bool ok = gw_generate_write(&run, t, gw_generate(&run, t));
    gw_diag_print(run.session, stderr);
    if (ok && t->options.explain && !t->check && !t->options.dump && !t->options.stop_after) {
        bool stdout_is_taken =
            t->options.output ? t->options.output[0] == '-' && !t->options.output[1] : !t->source;
        gw_explain(run.session, stdout_is_taken ? stderr : stdout);
    }
    gw_generate_free(&run);
    return ok ? DONE : FAILED;
}

int main(int argc, char **argv) {
    gw_settings t;
    gw_settings_start(&t);
    char *error = gw_settings_read(&t, argc - 1, (const char *const *)argv + 1);
    int status = DONE;
    if (error) {
        fprintf(stderr, "gradwright: error: %s\n'gradwright --help' lists the options\n", error);
        status = WRONG_USAGE;
    } else if (t.help) {
        gw_settings_help(stdout);
    } else if (t.version) {
        puts("gradwright " GW_BUILD);
    } else if (t.list_passes) {
        gw_list_passes(stdout);
    } else {
        error = gw_check_begin(&t);
        if (!error) error = gw_settings_complete(&t);
        if (error) fprintf(stderr, "gradwright: error: %s\n", error);
        status = error ? FAILED : generate(&t);
    }
    free(error);
    gw_settings_free(&t);
    if (fflush(stdout) != 0 && status == DONE) {
        perror("gradwright: error: cannot write to standard output");
        status = FAILED;
    }
    return status;
}
