/*
 * loops_test.c - what passes over loops make of a function, and what they leave alone: of host functions, with
 * small arrays, facts/repeats.c, invariant.c, unroll.c, scalars.c; of kernels, with barriers, barriers_idle.c.
 * Both sides are IR text; one that must stay as it is has no second.
 */
#include "analysis/clean/clean.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/text/text.h"

#include <stdlib.h>
#include <string.h>

typedef bool pass(gw_func *f);

typedef struct row {
    const char *name;
    pass *run;
    const char *before, *after; /* NULL: as before */
} row;

#define LOOP(lo, hi, iv) "for lt " lo ", " hi ", %1 (" iv ": i32) {\n"

static const row rows[] = {
    /* arrays that an iteration fills before it reads them begin their life in it */
    {"filled", gw_narrow_lifetimes,
     "declare part " LOOP("%0", "%n", "%t")
         LOOP("%0", "%n", "%i") "%v: f64 = load x[%i] store part[%i], %v yield }\n"
                                "%w: f64 = load part[%0] store y[%t], %w yield } ret",
     LOOP("%0", "%n", "%t") "declare part " LOOP("%0", "%n",
                                                 "%i") "%v: f64 = load x[%i] store part[%i], %v yield }\n"
                                                       "%w: f64 = load part[%0] store y[%t], %w yield } ret"},
    {"one side of a branch", gw_narrow_lifetimes,
     "declare part if %b { store part[%0], %c yield } else { yield } ret",
     "if %b { declare part store part[%0], %c yield } else { yield } ret"},
    {"cells that depend on the iteration", gw_narrow_lifetimes,
     "declare part " LOOP("%0", "%n",
                          "%t") "store part[%t], %c %w: f64 = load part[%0] store y[%t], %w yield } ret",
     NULL},
    {"a count that depends on the iteration", gw_narrow_lifetimes,
     "declare part " LOOP("%0", "%n", "%t")
         LOOP("%t", "%n", "%i") "store part[%i], %c yield }\n"
                                "%w: f64 = load part[%1] store y[%t], %w yield } ret",
     NULL},
    {"a condition that depends on the iteration", gw_narrow_lifetimes,
     "declare part " LOOP("%0", "%n",
                          "%t") "%e: bool = lt %t, %1 if %e { store part[%0], %c yield } else { yield }\n"
                                "%w: f64 = load part[%0] store y[%t], %w yield } ret",
     NULL},
    {"stored before the loop", gw_narrow_lifetimes,
     "declare part store part[%0], %c " LOOP("%0", "%n", "%t") "%w: f64 = load part[%0] store part[%0], %c\n"
                                                               "store y[%t], %w yield } ret",
     NULL},
    {"read after the loop", gw_narrow_lifetimes,
     "declare part " LOOP("%0", "%n",
                          "%t") "store part[%0], %c yield } %w: f64 = load part[%0] store y[%0], %w ret",
     NULL},
    {"starts as zero", gw_narrow_lifetimes,
     "declare zeros " LOOP("%0", "%n", "%t") "%w: f64 = load zeros[%0] store y[%t], %w yield } ret", NULL},
    {"both sides of a branch", gw_narrow_lifetimes,
     "declare part if %b { store part[%0], %c yield } else { store part[%1], %c yield } ret", NULL},

    /* what is the same in all iterations is computed before them */
    {"pure", gw_hoist_invariants, LOOP("%0", "%n", "%t") "%v: f64 = exp %c store y[%t], %v yield } ret",
     "%v: f64 = exp %c " LOOP("%0", "%n", "%t") "store y[%t], %v yield } ret"},
    {"a load, where the loop runs", gw_hoist_invariants,
     LOOP("%0", "%n", "%t") "%v: f64 = load x[%n] store y[%t], %v yield } ret",
     "%g: bool = lt %0, %n if %g { %v: f64 = load x[%n] " LOOP("%0", "%n", "%t") "store y[%t], %v yield }\n"
                                                                                 "yield } else { yield } ret"},
    {"a load of a cell that was accessed", gw_hoist_invariants,
     "store x[%n], %c " LOOP("%0", "%n", "%t") "%v: f64 = load x[%n] store y[%t], %v yield } ret",
     "store x[%n], %c %v: f64 = load x[%n] " LOOP("%0", "%n", "%t") "store y[%t], %v yield } ret"},
    {"a load of an object that the loop stores to", gw_hoist_invariants,
     LOOP("%0", "%n", "%t") "%v: f64 = load y[%n] store y[%t], %v yield } ret", NULL},
    {"a division that may trap", gw_hoist_invariants,
     LOOP("%0", "%n", "%t") "%q: i32 = div %1, %n store y[%q], %c yield } ret", NULL},
    {"an addition that may overflow", gw_hoist_invariants,
     LOOP("%0", "%n", "%t") "%q: i32 = add %n, %1 store y[%q], %c yield } ret", NULL},
    {"the same where the loop runs for sure", gw_hoist_invariants,
     LOOP("%0", "%2", "%t") "%q: i32 = add %n, %1 store y[%q], %c yield } ret",
     "%q: i32 = add %n, %1 " LOOP("%0", "%2", "%t") "store y[%q], %c yield } ret"},
    {"an op that only some iterations run", gw_hoist_invariants,
     LOOP("%0", "%n",
          "%t") "%e: bool = lt %t, %1 if %e { %v: f64 = exp %c store y[%t], %v yield } else { yield }\n"
                "yield } ret",
     NULL},

    /* short loops over small arrays are written out */
    {"two iterations", gw_unroll_loops,
     "%r: f64 = for lt %0, %2, %1, %c (%t: i32, %s: f64) {\n%v: f64 = load part[%t] %u: f64 = add %s, %v yield "
     "%u }\n"
     "store y[%0], %r ret",
     "%i: i32 = const 0 %v: f64 = load part[%i] %u: f64 = add %c, %v\n"
     "%j: i32 = const 1 %w: f64 = load part[%j] %r: f64 = add %u, %w store y[%0], %r ret"},
    {"no array of the function's own", gw_unroll_loops, LOOP("%0", "%2", "%t") "store y[%t], %c yield } ret",
     NULL},
    {"a count that is not known", gw_unroll_loops, LOOP("%0", "%n", "%t") "store part[%t], %c yield } ret",
     NULL},
    {"a large array", gw_unroll_loops, LOOP("%0", "%2", "%t") "store large[%t], %c yield } ret", NULL},

    /* cells at constant indices are values */
    {"straight", gw_split_arrays,
     "declare part store part[%0], %c store part[%1], %n2 %v: f64 = load part[%0] store y[%0], %v ret",
     "store y[%0], %c ret"},
    {"a branch", gw_split_arrays,
     "declare part if %b { store part[%0], %c yield } else { yield } %v: f64 = load part[%0] store y[%0], %v "
     "ret",
     "%v: f64 = if %b { yield %c } else { yield %z }\n"
     "store y[%0], %v ret"},
    {"an index that is not constant", gw_split_arrays,
     "declare part store part[%n], %c %v: f64 = load part[%0] store y[%0], %v ret", NULL},

    /* barriers that part no two accesses of memory that threads share */
    {"at the begin and the end", gw_barriers_drop_idle,
     "barrier store s[%0], %c barrier %v: f64 = load s[%1] barrier ret",
     "store s[%0], %c barrier %v: f64 = load s[%1] ret"},
    {"two in a row", gw_barriers_drop_idle,
     "store s[%0], %c barrier %d: f64 = exp %c barrier %v: f64 = load s[%1] ret",
     "store s[%0], %c barrier %d: f64 = exp %c %v: f64 = load s[%1] ret"},
    {"of a thread's own", gw_barriers_drop_idle,
     "store s[%0], %c barrier store part[%0], %c barrier %v: f64 = load s[%1] ret",
     "store s[%0], %c barrier store part[%0], %c %v: f64 = load s[%1] ret"},
    {"of what nobody changes", gw_barriers_drop_idle,
     "store s[%0], %c barrier %v: f64 = load x[%0] barrier %w: f64 = load s[%1] ret",
     "store s[%0], %c barrier %v: f64 = load x[%0] %w: f64 = load s[%1] ret"},
    {"both needed", gw_barriers_drop_idle,
     "store s[%0], %c barrier %v: f64 = load s[%1] barrier store s[%0], %v ret", NULL},
    {"memory of the caller", gw_barriers_drop_idle, "store y[%0], %c barrier %v: f64 = load y[%1] ret", NULL},
    {"behind a branch that ends with one", gw_barriers_drop_idle,
     "store s[%0], %c if %b { barrier %v: f64 = load s[%1] barrier yield } else { yield } barrier store s[%0], "
     "%c ret",
     NULL},
    {"behind a branch of which both sides end with one", gw_barriers_drop_idle,
     "store s[%0], %c if %b { barrier %v: f64 = load s[%1] barrier yield } else { barrier yield } barrier "
     "store s[%0], %c ret",
     "store s[%0], %c if %b { barrier %v: f64 = load s[%1] barrier yield } else { barrier yield } store s[%0], "
     "%c ret"},
    {"behind a branch of which a side ends with none", gw_barriers_drop_idle,
     "if %b { store s[%0], %c barrier yield } else { store s[%1], %c yield } barrier %v: f64 = load s[%1] ret",
     NULL},
    {"at a loop's begin and end", gw_barriers_drop_idle,
     "store s[%0], %c barrier " LOOP(
         "%0", "%n", "%t") "barrier store s[%t], %c barrier %v: f64 = load s[%1] barrier yield } ret",
     "store s[%0], %c barrier " LOOP("%0", "%n",
                                     "%t") "store s[%t], %c barrier %v: f64 = load s[%1] barrier yield } ret"},
    {"at a loop's end, and read behind it", gw_barriers_drop_idle,
     LOOP("%0", "%n", "%t") "store s[%t], %c barrier yield } %v: f64 = load s[%1] ret", NULL},
    {"in a loop, of the iteration before", gw_barriers_drop_idle,
     LOOP("%0", "%n", "%t") "%v: f64 = load s[%1] barrier store s[%t], %v yield } ret", NULL},
    {"in a loop that may not run", gw_barriers_drop_idle,
     "store s[%0], %c " LOOP("%0", "%n", "%t") "barrier yield } barrier %v: f64 = load s[%1] ret", NULL},
    {"of two loops, the inner one with work", gw_barriers_drop_idle,
     LOOP("%0", "%n", "%t") "barrier " LOOP("%0", "%n", "%i") "store s[%i], %c yield } barrier yield } ret",
     LOOP("%0", "%n", "%t") LOOP("%0", "%n", "%i") "store s[%i], %c yield } barrier yield } ret"},
    {"one that counts", gw_barriers_drop_idle, "barrier %k: i32 = barrier count %n barrier ret",
     "%k: i32 = barrier count %n ret"},
};

static const char head[] =
    "\nobject y: pointer f64 object x: pointer f64 object part: local [4]f64\n"
    "object zeros: local [4]f64 zeroed object large: local [64]f64\n"
    "param y \"double *\" = y param x \"double *\" = x param n \"int\" = %n param b \"bool\" = %b\n"
    "body (%n: i32, %b: bool) {\n";
static const char values[] = "%z: f64 = const 0 %0: i32 = const 0 %1: i32 = const 1 %2: i32 = const 2 %c: f64 "
                             "= const 1.5 %n2: f64 = const 2.5\n";

static bool starts_op(const char *body, const char *at, int depth) {
    static const char *const words[] = {"store ", "declare ", "yield", "ret", "for ", "if ", "barrier"};
    const char *before = at;
    while (before > body && before[-1] == ' ') before--;
    if (depth || (before > body && before[-1] == '=')) return false;
    size_t n = 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789");
    if (*at == '%') return at[n] == ':';
    if (*at == '}') return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((at == body || at[-1] == ' ') && strncmp(at, words[i], strlen(words[i])) == 0) return true;
    return false;
}

/* One op stands on one line. */
static char *in_lines(const char *body) {
    gw_text out = {0};
    int depth = 0;
    for (const char *at = body; *at; at++) {
        if (starts_op(body, at, depth)) gw_text_add(&out, "\n");
        depth += (*at == '(') - (*at == ')');
        char one[2] = {*at, 0};
        gw_text_add(&out, one);
    }
    return out.at;
}

/* The text that the printer makes of a body, after the pass if there is one, and cleaned if the pass leaves
 * what nobody needs; caller frees. */
static char *printed(const char *body, pass *run, bool clean, bool kernel) {
    char *lines = in_lines(body), *constants = in_lines(values);
    char *text = gw_format("gradwright_ir 1\nfunc @f %s%s%s%s\n}\n}\n",
                           kernel ? "kernel primal {\nobject s: shared [64]f64" : "host primal {", head,
                           constants, lines),
         *why = NULL;
    free(lines);
    free(constants);
    gw_session *s = gw_session_new();
    gw_text out = {0};
    bool good = gw_parse_session(s, text, "test");
    if (good && run) run(s->funcs.at[0]);
    if (good && clean) gw_clean(s->funcs.at[0]);
    if (!good) gw_diag_print(s, stdout);
    else if (!gw_verify(s->funcs.at[0], &why)) gw_text_addf(&out, "not legal: %s", why);
    else gw_print_func(s->funcs.at[0], &out);
    free(why);
    free(text);
    gw_session_free(s);
    return out.at ? out.at : gw_strdup("");
}

/* Names and numbers of values are not what is tested: %v.12 becomes %k, k counting from the first of them. */
static char *numbered(const char *text) {
    gw_text out = {0};
    GW_VEC(char *) seen = {0};
    for (const char *at = text; *at;) {
        size_t n = 1;
        if (*at == '%') {
            n += strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789._");
            char *name = gw_format("%.*s", (int)n, at);
            uint32_t k = 0;
            while (k < seen.count && strcmp(seen.at[k], name) != 0) k++;
            if (k == seen.count) gw_push(&seen, name);
            else free(name);
            gw_text_addf(&out, "%%%u", k);
        } else {
            char one[2] = {*at, 0};
            gw_text_add(&out, one);
        }
        at += n;
    }
    for (uint32_t i = 0; i < seen.count; i++) free(seen.at[i]);
    gw_vec_free(&seen);
    return out.at ? out.at : gw_strdup("");
}

int main(void) {
    int failures = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool clean = rows[i].run == gw_split_arrays, kernel = rows[i].run == gw_barriers_drop_idle;
        char *have = printed(rows[i].before, rows[i].run, clean, kernel);
        char *want = printed(rows[i].after ? rows[i].after : rows[i].before, NULL, clean, kernel);
        char *x = numbered(have), *y = numbered(want);
        if (!*y || strcmp(x, y) != 0) {
            printf("%s:\n--- have\n%s--- want\n%s", rows[i].name, x, y);
            failures++;
        }
        free(have);
        free(want);
        free(x);
        free(y);
    }
    return failures != 0;
}
