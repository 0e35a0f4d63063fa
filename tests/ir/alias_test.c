/*
 * alias_test.c - facts/address.c on two stores: whether their indices are one, never one, or may be either.
 * What wraps may meet what it seems to be apart from.
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/text/text.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct row {
    const char *name, *values, *x, *y;
    gw_alias expected;
} row;

static const row rows[] = {
    {"one value", "", "%i", "%i", GW_ALIAS_MUST},
    {"two values", "", "%i", "%n", GW_ALIAS_MAY},
    {"apart by a constant", "%a: i32 = add %i, %1", "%a", "%i", GW_ALIAS_NO},
    {"there and back", "%a: i32 = add %i, %1 %b: i32 = sub %a, %1", "%b", "%i", GW_ALIAS_MUST},

    /* a signed sum does not wrap: it may be widened before or after */
    {"widened behind the sum", "%a: i32 = add %i, %1 %x: i64 = cast %a %y: i64 = cast %i", "%x", "%y",
     GW_ALIAS_NO},
    {"widened in front of one",
     "%a: i32 = add %i, %1 %x: i64 = cast %a %w: i64 = cast %i %y: i64 = add %w, %l1", "%x", "%y",
     GW_ALIAS_MUST},
    {"widened, and not", "%x: i64 = cast %i", "%x", "%i", GW_ALIAS_MUST},
    {"less one, widened, and one more", "%a: i32 = sub %i, %1 %w: i64 = cast %a %x: i64 = add %w, %l1", "%x",
     "%i", GW_ALIAS_MUST},
    {"widened, 2^32 further", "%w: i64 = cast %i %x: i64 = add %w, %far", "%x", "%i", GW_ALIAS_NO},

    /* an unsigned one does: u + 1 may be 0 */
    {"2^32 apart, and all are unsigned", "%a: u32 = add %u, %most %b: u32 = add %a, %u1", "%b", "%u",
     GW_ALIAS_MUST},
    {"unsigned, widened behind the sum", "%a: u32 = add %u, %u1 %x: i64 = cast %a %y: i64 = cast %u", "%x",
     "%y", GW_ALIAS_MAY},
    {"unsigned, widened on both ways",
     "%a: u32 = sub %u, %u1 %x: i64 = cast %a %w: i64 = cast %u "
     "%y: i64 = add %w, %all",
     "%x", "%y", GW_ALIAS_MAY},
    {"unsigned, taken for signed",
     "%a: u32 = add %u, %u1 %b: i32 = cast %a %x: i64 = cast %b %c: i32 = cast %u "
     "%w: i64 = cast %c %y: i64 = add %w, %l1",
     "%x", "%y", GW_ALIAS_MAY},
    {"unsigned, and widened", "%x: i64 = cast %u", "%x", "%u", GW_ALIAS_MUST},
    {"unsigned, widened and one more", "%w: i64 = cast %u %x: i64 = add %w, %l1", "%x", "%u", GW_ALIAS_NO},
    {"unsigned, widened to both, and one more",
     "%w: i64 = cast %u %x: i64 = add %w, %l1 %y: u64 = cast %u", "%x", "%y", GW_ALIAS_NO},
    {"unsigned less one, and widened and 2^32 less one more", "%x: u32 = sub %u, %u1 %w: i64 = cast %u "
                                                             "%y: i64 = add %w, %all",
     "%x", "%y", GW_ALIAS_MAY},
    {"unsigned and most, and widened less one",
     "%x: u32 = add %u, %most %w: i64 = cast %u %y: i64 = sub %w, %l1", "%x", "%y", GW_ALIAS_MAY},

    /* a sign is as many high bits, which 64 bits keep */
    {"signed, widened without its sign", "%a: i32 = sub %i, %1 %x: u64 = cast %a %y: u64 = cast %i", "%x", "%y",
     GW_ALIAS_NO},
    {"as many bits, and one more", "%a: u64 = cast %l %x: i64 = cast %a %y: i64 = add %l, %l1", "%x", "%y",
     GW_ALIAS_NO},
    {"as many bits", "%a: u64 = cast %l %x: i64 = cast %a", "%x", "%l", GW_ALIAS_MUST},
    {"of a float", "%g: f64 = cast %i %x: i64 = cast %g", "%x", "%i", GW_ALIAS_MAY},
    {"cut", "%a: i64 = add %l, %l1 %x: i32 = cast %a %y: i32 = cast %l", "%x", "%y", GW_ALIAS_MAY},

    /* made twice by the same ops */
    {"a product, twice", "%a: i32 = mul %i, %n %b: i32 = mul %i, %n", "%a", "%b", GW_ALIAS_MUST},
    {"a product, twice, and a sum", "%a: i32 = mul %i, %n %b: i32 = mul %i, %n %c: i32 = add %b, %1", "%a",
     "%c", GW_ALIAS_NO},
    {"two products", "%a: i32 = mul %i, %n %b: i32 = mul %i, %i", "%a", "%b", GW_ALIAS_MAY},
    {"a product and a quotient", "%a: i32 = mul %i, %n %b: i32 = div %i, %n", "%a", "%b", GW_ALIAS_MAY},
    {"of one value, for two types", "%a: i32 = cast %l %b: u32 = cast %l", "%a", "%b", GW_ALIAS_MAY},
    {"what is loaded twice", "%a: i32 = load at[%0] %b: i32 = load at[%0]", "%a", "%b", GW_ALIAS_MAY},
    {"made of what is loaded twice",
     "%p: i32 = load at[%0] %a: i32 = mul %p, %n %q: i32 = load at[%0] "
     "%b: i32 = mul %q, %n",
     "%a", "%b", GW_ALIAS_MAY},
};

static const char head[] =
    "gradwright_ir 1\nfunc @f kernel primal {\nobject y: pointer f64 object at: pointer i32\n"
    "param y \"double *\" = y param at \"int *\" = at param i \"int\" = %i param n \"int\" = %n\n"
    "param u \"unsigned\" = %u param l \"long\" = %l\nbody (%i: i32, %n: i32, %u: u32, %l: i64) {\n";
static const char constants[] =
    "%0: i32 = const 0\n%1: i32 = const 1\n%u1: u32 = const 1\n%most: u32 = const 4294967295\n"
    "%l1: i64 = const 1\n%all: i64 = const 4294967295\n%far: i64 = const 4294967296\n%v: f64 = const 1.5\n";

/* Each op on a line of its own. */
static void add_lines(gw_text *out, const char *ops) {
    for (const char *at = ops; *at; at++) {
        const char *word = at + 1;
        while (*at == '%' && *word && *word != ' ' && *word != ',' && *word != ']' && *word != ':')
            word++;
        gw_text_addf(out, "%s%c", *at == '%' && *word == ':' ? "\n" : "", *at);
    }
}

static bool is_wrong(const row *r) {
    static const char *const words[] = {"never one", "maybe one", "one"};
    gw_text text = {0};
    gw_text_addf(&text, "%s%s", head, constants);
    add_lines(&text, r->values);
    gw_text_addf(&text, "\nstore y[%s], %%v\nstore y[%s], %%v\nret\n}\n}\n", r->x, r->y);
    gw_session *s = gw_session_new();
    bool wrong = !gw_parse_session(s, text.at, "test");
    if (wrong) {
        printf("%s:\n%s\n", r->name, text.at);
        gw_diag_print(s, stdout);
    } else {
        const gw_func *f = s->funcs.at[0];
        const gw_op second = gw_op_at(f, gw_last(f, f->entry))->prev, first = gw_op_at(f, second)->prev;
        const gw_alias one = gw_alias_ops(f, first, second), other = gw_alias_ops(f, second, first);
        wrong = one != r->expected || other != r->expected;
        if (wrong)
            printf("%s: %s, the other way %s; expected: %s\n", r->name, words[one], words[other],
                   words[r->expected]);
    }
    gw_session_free(s);
    gw_text_free(&text);
    return wrong;
}

int main(void) {
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        wrong += is_wrong(&rows[i]);
    return wrong != 0;
}
