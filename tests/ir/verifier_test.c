/*
 * verifier_test.c - each rule of the IR is broken once, and the verifier must name it and the op. Rules
 * that the text cannot break (links between handles) are broken in memory.
 */
#include "analysis/ir/ir.h"
#include "analysis/text/text.h"

#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(const char *name, const char *have, const char *wanted) {
    bool ok = wanted ? have && strstr(have, wanted) : !have;
    if (ok) return;
    printf("%s:\n  wanted: %s\n  have:   %s\n", name, wanted ? wanted : "legal", have ? have : "legal");
    failures++;
}

/* ---- rules that a text can break: objects and parameters, body, what is said ---- */
typedef struct rule {
    const char *head, *body, *says; /* says NULL: legal */
} rule;

#define HOLDER                                                                                               \
    "object h: pointer holder param h \"holder *\" = h object r: pointer *f32 const param r "                 \
    "\"float *const *\" = r "
#define CELLS                                                                                                  \
    "object p: pointer f32 param p \"float *\" = p object t: tape f32 object l: local [2]f32 "                 \
    "object c: pointer f32 const param c \"const float *\" = c object s: struct pair param s \"pair\" = s "
#define SHARED "object s: shared [4]f32 "
#define VALUES "%i: i32 = const 1\n%b: bool = const true\n%x: f32 = const 1.5\n%d: f64 = const 2\n"
#define LANES VALUES "%m: u32 = const 1\n"
#define TEXTURE VALUES "%t: u64 = const 1\n"
#define ATOMIC "object k: pointer i32 param k \"int *\" = k object q: pointer f32 param q \"float *\" = q "
#define ADDRESS "%a: u64 = address l[%i] reads writes\n"

/* of a kernel */
static const rule kernel_rules[] = {
    {SHARED, VALUES "barrier\n%y: i32 = barrier count %i\nclear s\nstore s[%i], %x\nret", NULL},
    {"", VALUES "%y: i32 = barrier\nret", "it has 1 results instead of 0"},
    {"", VALUES "keep %x\nrepeat %b\nret", NULL},
    {"", VALUES "%y: f32 = keep %x\nret", "it has 1 results instead of 0"},
    {"", VALUES "repeat %x, %d\nret", "it has 2 operands instead of 1"},
    {"", VALUES "%y: i32 = barrier and\nret", "it has 0 operands instead of 1"},
    {"", VALUES "%y: i32 = barrier and %x\nret", "operand 0 is of type f32 instead of i32"},
    {"", VALUES "barrier attr 7\nret", "no such barrier: 7"},
    {CELLS, VALUES "clear l\nret", "it needs a shared object"},
    {SHARED, VALUES "settle s[%i]\nsettle_all s\nret", NULL},
    {CELLS, VALUES "settle p[%i], %x\nret", "it has 2 operands instead of 1"},
    {CELLS, VALUES "settle t\nret", "a tape is reached by push and pop only"},
    {CELLS, VALUES "settle_all p\nret", "it needs a shared object"},
    /* lanes of a warp */
    {"", LANES "%y: f32 = warp up %m, %x, %m, %i\n%z: u32 = warp ballot %m, %i\nsyncwarp %m\nret", NULL},
    {"", LANES "%y: f32 = warp attr 99 %m\nret", "what the lanes do"},
    {"", LANES "%y: f32 = warp up %m, %x, %m\nret", "it has 3 operands instead of 4"},
    {"", LANES "warp up %m, %x, %m, %i\nret", "it has 0 results instead of 1"},
    {"", LANES "%y: f32 = warp up %i, %x, %m, %i\nret", "operand 0 is of type i32 instead of u32"},
    {"", LANES "%y: f32 = warp up %m, %x, %i, %i\nret", "operand 2 is of type i32 instead of u32"},
    {"", LANES "%y: f64 = warp shfl %m, %x, %i, %i\nret", "result 0 is of type f64 instead of f32"},
    {"", LANES "%y: i32 = warp ballot %m, %i\nret", "result 0 is of type i32 instead of u32"},
    {"", LANES "syncwarp %i\nret", "operand 0 is of type i32 instead of u32"},
    /* textures */
    {"", TEXTURE "%y: f32 = texture planes 4 3 %t, %x, %x, %i\nret", NULL},
    {"", TEXTURE "%y: f32 = texture cube 1 0 %t, %x\nret", "what the texture is"},
    {"", TEXTURE "%y: f32 = texture line 3 0 %t, %x\nret", "no such channel or axis"},
    {"", TEXTURE "%y: f32 = texture line 2 2 %t, %x\nret", "no such channel or axis"},
    {"", TEXTURE "%y: f32 = texture_slope line 1 0 1 %t, %x\nret", "no such channel or axis"},
    {"", TEXTURE "%y: f32 = texture plane 1 0 %t, %x\nret", "it has 2 operands instead of 3"},
    {"", TEXTURE "%y: f32 = texture line 1 0 %x, %x\nret", "operand 0 is of type f32 instead of u64"},
    {"", TEXTURE "%y: f32 = texture line 1 0 %t, %i\nret", "operand 1 is of type i32 instead of f32"},
    {"", TEXTURE "%y: f32 = texture element 1 0 %t, %x\nret", "operand 1 is of type f32 instead of i32"},
    {"", TEXTURE "%y: f64 = texture line 1 0 %t, %x\nret", "result 0 is of type f64 instead of f32"},
    {"", TEXTURE "%y: i32 = texture_cell line 1 0 %t, %i, %x\nret",
     "its texture is no parameter that has a shadow"},
    /* atomic operations */
    {ATOMIC,
     VALUES "atomic k[%i], %i add\n%y: i32 = atomic k[%i], %i add_block\n%z: i32 = atomic k[%i], %i, %y "
            "compare_and_swap\n"
            "atomic q[%i], %x add\natomic q[%i], %x float_max\n%g: f32 = atomic q[%i] take\nret",
     NULL},
    {ATOMIC, VALUES "atomic k[%i], %i\nret", "no such way to accumulate: 0"},
    {ATOMIC, VALUES "atomic k[%i], %i attr 99\nret", "no such way to accumulate: 99"},
    {ATOMIC, VALUES "atomic k[%i] add\nret", "it has 1 operands instead of 2"},
    {ATOMIC, VALUES "atomic k[%i], %i compare_and_swap\nret", "it has 2 operands instead of 3"},
    {ATOMIC, VALUES "atomic k[%i], %i, %x compare_and_swap\nret", "operand 2 is of type f32 instead of i32"},
    {ATOMIC, VALUES "atomic k[%i], %x add\nret", "operand 1 is of type f32 instead of i32"},
    {ATOMIC, VALUES "%y: f32 = atomic k[%i], %i add\nret", "result 0 is of type f32 instead of i32"},
    {ATOMIC, VALUES "%y: i32, %z: i32 = atomic k[%i], %i add\nret", "it has 2 results instead of 1"},
    {ATOMIC, VALUES "atomic q[%i], %x max\nret", "there is no 'max' of floating-point cells"},
    {ATOMIC, VALUES "atomic q[%i], %x compare_and_swap\nret", "it has 2 operands instead of 3"},
    {CELLS, VALUES "atomic c[%i], %x add\nret", "the object is const"},
    {"object s: shared *f32 ", "ret", "shared object 's' is not a kernel's, or holds a pointer"},
};

static const rule rules[] = {
    {"", "ret", NULL},
    {"", VALUES "barrier\nret", "it stands in a function that is no kernel"},
    {SHARED, "ret", "shared object 's' is not a kernel's, or holds a pointer"},
    {"object s: pointer f32 sized param s \"float *\" = s ", "ret", "sized but neither local nor shared"},
    /* operands and results */
    {"", VALUES "%y: f32 = add %x\nret", "it has 1 operands instead of 2"},
    {"", VALUES "%y: f32 = add %x, %d\nret", "operand 1 is of type f64 instead of f32"},
    {"", VALUES "%y: f64 = add %x, %x\nret", "result 0 is of type f64 instead of f32"},
    {"", VALUES "add %x, %x\nret", "it has 0 results instead of 1"},
    {"", VALUES "%y: f32 = lt %x, %x\nret", "result 0 is of type f32 instead of bool"},
    {"", VALUES "%y: bool = add %b, %b\nret", "it is not defined on bool"},
    {"", VALUES "%y: f32 = rem %x, %x\nret", "it is not defined on f32"},
    {"", VALUES "%y: f32 = and %x, %x\nret", "it is not defined on f32"},
    {"", VALUES "%y: bool = and %b, %b\n%z: i32 = and %i, %i\nret", NULL},
    {"", VALUES "%y: i32 = sqrt %i\nret", "it is not defined on i32"},
    {"", VALUES "%y: f32 = isnan %x\nret", "result 0 is of type f32 instead of bool"},
    {"", VALUES "%y: i32 = shl %i, %b\nret", "operand 1 is of type bool, which is no integer"},
    {"", VALUES "%y: f32 = select %i, %x, %x\nret", "operand 0 is of type i32 instead of bool"},
    {"", VALUES "%y: f32 = select %b, %x, %d\nret", "operand 2 is of type f64 instead of f32"},
    {"", VALUES "%y: f64 = select %b, %x, %x\nret", "result 0 is of type f64 instead of f32"},
    {"", VALUES "%y: f64 = cast %i\nret", NULL},
    {"", "%y: u8 = const 256\nret", "the value does not fit u8"},
    {"", "%y: u8 = const 255\n%z: i8 = const -128\nret", NULL},
    {"", "%y: i8 = const 128\nret", "the value does not fit i8"},
    {"", "%y: i32 = special threadIdx.x\nret", "result 0 is of type i32 instead of u32"},
    {"", VALUES "%y: f32 = mul %x, %x exit\nret", "a 'mul' cannot be 'exit'"},
    {"", VALUES "%y: f32 = mul %x, %x stale\nret", "a 'mul' cannot be 'stale'"},
    {CELLS, VALUES "store p[%i], %x fast\nret", "a 'store' cannot be 'fast'"},
    {"", VALUES "%y: f32 = mul %x, %x back\nret", "a 'mul' cannot be 'back'"},
    {"", VALUES "%y: f32 = mul %x, %x unsure\nret", "a 'mul' cannot be 'unsure'"},
    /* memory */
    {CELLS, VALUES "%y: f32 = load p[%i]\nstore p[%i], %y\naccum p[%i], %y atomic\nret", NULL},
    {CELLS, VALUES "%y: f64 = load p[%i]\nret", "result 0 is of type f64 instead of f32"},
    {CELLS, VALUES "%y: f32 = load p\nret", "the path '' reaches no scalar of the object"},
    {CELLS, VALUES "%y: f32 = load p[%i].x\nret", "the path '[].x' reaches no scalar of the object"},
    {CELLS, VALUES "%y: f32 = load p[%i][%i]\nret", "the path '[][]' reaches no scalar of the object"},
    {CELLS, VALUES "%y: f32 = load p[%x]\nret", "operand 0 is of type f32, which is no integer"},
    {CELLS, VALUES "%y: f32 = load s.x\nret", NULL},
    {CELLS, VALUES "%y: f32 = load s.z\nret", "the path '.z' reaches no scalar of the object"},
    {CELLS, VALUES "%y: f32 = load s[%i].x\nret", "reaches no scalar"},
    {CELLS, VALUES "store p[%i]\nret", "it has 1 operands instead of 2"},
    {CELLS, VALUES "store p[%i], %d\nret", "operand 1 is of type f64 instead of f32"},
    {CELLS, VALUES "store c[%i], %x\nret", "the object is const"},
    /* pointers in memory: h holds some, r leads to rows */
    {HOLDER, VALUES "%y: f32 = load h[%i].grid[%i]\nret", NULL},
    {HOLDER, VALUES "%y: f32 = load h[%i].rows[%i][%i].x\nret", NULL},
    {HOLDER, VALUES "%y: f32 = load r[%i][%i]\nstore r[%i][%i], %y\nret", NULL},
    {HOLDER, VALUES "%y: bool = load h[%i].grid.\"?\"\n%z: bool = load r.\"?\"\nret", NULL},
    {HOLDER, VALUES "store h[%i].grid.\"?\", %b\nret",
     "a pointer can only be set to null, and a vector's size only be loaded"},
    {HOLDER, VALUES "%n: bool = const false\nstore h[%i].grid.\"?\", %n\nret", NULL},
    {CELLS, VALUES "%y: bool = load s.x.\"?\"\nret", "reaches no scalar"},
    {HOLDER, VALUES "%y: f32 = load h[%i].grid\nret", "the path '[].grid' reaches no scalar of the object"},
    {HOLDER, VALUES "%y: f32 = load h[%i].none[%i]\nret",
     "the path '[].none[]' reaches no scalar of the object"},
    {HOLDER, VALUES "%y: f32 = load r[%i]\nret", "the path '[]' reaches no scalar of the object"},
    {HOLDER, VALUES "store h[%i].grid[%i], %x\nret", "the object is const"},
    {HOLDER "object d: pointer holder shadow h param d \"holder *\" = d ",
     VALUES "accum d[%i].grid[%i], %x\nret", NULL},
    {"object l: local holder ", "ret", "local object 'l' holds a pointer"},
    {CELLS, VALUES "store t, %x\nret", "a tape is reached by push and pop only"},
    {CELLS, VALUES "store p[%i], %x attr 99\nret", "no such way to accumulate: 99"},
    {CELLS "object n: global i32 ", VALUES "accum n, %i\nret", "only floating-point cells accumulate"},
    {CELLS, "declare p\nret", "it needs a local object"},
    {CELLS, VALUES "declare l\nstore l[%i], %x\nret", NULL},
    {CELLS, VALUES "push l, %x\nret", "it needs a tape object"},
    {CELLS, VALUES "push t, %d\nret", "operand 0 is of type f64 instead of f32"},
    {CELLS, VALUES "push t, %x\n%y: f64 = pop t\nret", "result 0 is of type f64 instead of f32"},
    /* control */
    {"", VALUES "if %i { yield } else { yield }\nret", "operand 0 is of type i32 instead of bool"},
    {"", VALUES "if %b { yield } else { ret }\nret", "its region 1 does not end in a yield"},
    {"", VALUES "if %b { yield %x } else { yield }\nret", "it has 1 operands instead of 0"},
    {"", VALUES "%y: f32 = if %b { yield %x } else { yield %d }\nret",
     "operand 0 is of type f64 instead of f32"},
    {"", VALUES "if %b { yield } else { %z: i32 = const 1\n}\nret", "its region 1 does not end in a yield"},
    {"", VALUES "if %b (%k: i32) { yield } else { yield }\nret", "the regions of an if have no arguments"},
    {"", VALUES "yield\nret", "it does not stand at the end of its region"},
    {"", VALUES "yield", "a body ends in ret"},
    {"", VALUES, "its body does not end in a ret"},
    {"", VALUES "if %b { %z: i32 = const 1\nyield } else { yield }\n%w: i32 = neg %z\nret",
     "(value 5) is not defined here"},
    {"", VALUES "for lt %i, %i, %i (%k: i32) { yield }\nret", NULL},
    {"", VALUES "for eq %i, %i, %i (%k: i32) { yield }\nret", "its comparison is not ne, lt, le, gt or ge"},
    {"", VALUES "for lt %i, %i (%k: i32) { yield }\nret", "it has no lower bound, upper bound and step"},
    {"", VALUES "for lt %x, %x, %x (%k: f32) { yield }\nret", "operand 0 is of type f32, which is no integer"},
    {"", VALUES "%u: u32 = const 1\nfor lt %i, %u, %i (%k: i32) { yield }\nret",
     "operand 1 is of type u32 instead of i32"},
    {"", VALUES "for lt %i, %i, %i { yield }\nret", "its region 0 has 0 arguments instead of 1"},
    {"", VALUES "for lt %i, %i, %i (%k: i64) { yield }\nret", "its counter is not of the type of its bounds"},
    {"", VALUES "for lt %i, %i, %i, %x (%k: i32) { yield }\nret", "it has 0 results instead of 1"},
    {"", VALUES "%y: f64 = for lt %i, %i, %i, %x (%k: i32, %c: f64) { yield %c }\nret",
     "operand 3 is of type f32 instead of f64"},
    {"", VALUES "%y: f32 = for lt %i, %i, %i, %x (%k: i32, %c: f64) { yield %x }\nret",
     "argument 1 of its region 0 is not of the type"},
    {"", VALUES "for lt %i, %i, %i exit (%k: i32) { yield }\nret", "it has 0 operands instead of 1"},
    {"", VALUES "for lt %i, %i, %i exit (%k: i32) { yield %x }\nret",
     "operand 0 is of type f32 instead of bool"},
    {"", VALUES "for lt %i, %i, %i exit (%k: i32) { yield %b }\nret", NULL},
    {"", VALUES "%y: i32 = while %i (%k: i32) { yield %b } do (%l: i32) { yield %l }\nret", NULL},
    {"", VALUES "%y: i32 = while %i (%k: i32) { yield } do (%l: i32) { yield %l }\nret",
     "it has 0 operands instead of 1"},
    {"", VALUES "%y: i32 = while %i (%k: i32) { yield %k } do (%l: i32) { yield %l }\nret",
     "operand 0 is of type i32 instead of bool"},
    {"", VALUES "%y: i32 = while %i (%k: i32) { } do (%l: i32) { yield %l }\nret",
     "its condition does not end in a yield"},
    {"", VALUES "%y: i32 = while %i { yield %b } do (%l: i32) { yield %l }\nret",
     "its region 0 has 0 arguments instead of 1"},
    {"", VALUES "%y: i32 = while %i (%k: i32) { yield %b } do (%l: i32) { yield }\nret",
     "it has 0 operands instead of 1"},
    {CELLS, VALUES "while { store p[%i], %x\nyield %b } do { yield }\nret",
     "a loop's condition must not write"},
    {CELLS, VALUES "while { if %b { store p[%i], %x\nyield } else { yield }\nyield %b } do { yield }\nret",
     "a loop's condition must not write"},
    {CELLS, VALUES "while { %y: f32 = load p[%i]\nyield %b } do { yield }\nret", NULL},
    /* calls: @other takes an int and a pointer and returns a float */
    {CELLS, VALUES ADDRESS "%y: f32 = call other(%i, %a)\nret", NULL},
    {CELLS, VALUES "%y: f32 = call other(%i, %i)\nret", "operand 1 is no address"},
    {CELLS, VALUES ADDRESS "%y: f32 = call other(%a, %a)\nret", "operand 0 is an address instead of a value"},
    {CELLS, VALUES ADDRESS "%y: f32 = call other(%x, %a)\nret", "operand 0 is of type f32 instead of i32"},
    {CELLS, VALUES "%y: f32 = call other()\nret", "it has 0 operands instead of 2"},
    {CELLS, VALUES ADDRESS "%y: f64 = call other(%i, %a)\nret", "result 0 is of type f64 instead of f32"},
    {CELLS, VALUES ADDRESS "ret", "its call does not follow"},
    {CELLS, VALUES ADDRESS "%n: f32 = neg %x\n%y: f32 = call other(%i, %a)\nret", "its call does not follow"},
    {CELLS, VALUES "%y: f32 = load p[%i] reads\nret", "a 'load' cannot be 'reads'"},
    {"", VALUES "%y: f64, %z: f64 = call unknown()\nret", "it has 2 results instead of 1"},
    {"", VALUES "%y: f64 = call \"\"()\nret", "it names no function"},
    /* functions, objects, parameters */
    {"returns f32 \"float\" ", VALUES "ret", "it has 0 operands instead of 1"},
    {"returns f32 \"float\" ", VALUES "ret %d", "operand 0 is of type f64 instead of f32"},
    {"returns f32 \"float\" ", VALUES "ret %x", NULL},
    {"returns pair \"pair\" ", "ret", "it does not return a scalar"},
    {"returns f16 \"half\" ", VALUES "ret %x", "it does not return a scalar"},
    {"object g: pointer bf16 param g \"__nv_bfloat16 *\" = g ",
     VALUES "%y: f32 = load g[%i]\nstore g[%i], %y\nret", NULL},
    {"object g: pointer f16 param g \"half *\" = g ", VALUES "%y: f16 = load g[%i]\nret",
     "a value is of scalar type"},
    {"", VALUES "ret %x", "it has 1 operands instead of 0"},
    {"object o: pointer f32 ", "ret", "object 'o' belongs to 0 parameters"},
    {"object o: pointer f32 param a \"float *\" = o param b \"float *\" = o ", "ret",
     "object 'o' belongs to 2 parameters"},
    {"object o: local f32 param a \"float *\" = o ", "ret", "parameter 'a' is a local object"},
    {"object o: tape pair ", "ret", "tape 'o' does not hold scalars"},
    {"object o: global f32 zeroed ", "ret", "object 'o' is zeroed but not local"},
    {"object o: global f32 in_array ", "ret", "object 'o' is in an array but no slot of the tape"},
    {"object o: local void ", "ret", "object 'o' has no type"},
    {"object o: local f32 object d: local f32 shadow o ", "ret", NULL},
    {"param a \"int\" = %i ", VALUES "ret", "parameter 'a' is no argument of the body"},
    {"object o: pointer f32 param a \"float *\" = o size_of o ", "ret",
     "parameter 'a' is the size of no container"},
    {"object o: pointer f32 reference container param a \"vector &\" = o ", "ret", NULL},
    {"object o: pointer f32 param a \"float *\" = o adjoint 0 ", "ret",
     "parameter 'a' is an adjoint, and there is no primal"},
    {"assume 1 \"x\" ", "ret", "assumption 1 is no operand of its ret"},
    /* the tape */
    {CELLS, VALUES "push t, %x\n%y: f32 = pop t\nret", NULL},
    {CELLS "object u: tape f32\n", VALUES "push t, %x\npush u, %x\n%y: f32 = pop u\n%z: f32 = pop t\nret",
     NULL},
    {CELLS "object u: tape f32\n", VALUES "push t, %x\npush u, %x\n%y: f32 = pop t\n%z: f32 = pop u\nret",
     "slots are not popped in the reverse order of their pushes"},
    {CELLS, VALUES "reserve %i attr 4\nret", "operand 0 is of type i32 instead of u64"},
    {CELLS, "%n: u64 = const 2\nreserve %n\nret", "it says 0 bytes"},
    {CELLS, "%n: u64 = const 2\nreserve %n attr 4\nret", NULL},
    {CELLS, VALUES "push t, %x\nret", "slot 't' is pushed here and not popped"},
    {CELLS, VALUES "%y: f32 = pop t\nret", "slot 't' is popped here and not pushed"},
    {CELLS, VALUES "%y: f32 = pop t\npush t, %x\nret",
     "slot 't' is popped before and pushed here in one region"},
    {CELLS, VALUES "if %b { push t, %x\nyield } else { yield }\n%y: f32 = pop t\nret",
     "it pops slot 't' unlike it was pushed"},
    {CELLS,
     VALUES "if %b { push t, %x\nyield } else { yield }\nif %b { %y: f32 = pop t\nyield } else { yield }\nret",
     NULL},
    {CELLS,
     VALUES "if %b { push t, %x\nyield } else { yield }\nif %b { yield } else { %y: f32 = pop t\nyield }\nret",
     NULL},
    {CELLS,
     VALUES "if %b { push t, %x\nyield } else { yield }\nif %b { %y: f32 = pop t\n%z: f32 = pop t\nyield } "
            "else { yield }\nret",
     "unlike it was pushed"},
    {CELLS, VALUES "if %b { push t, %x\nyield } else { %y: f32 = pop t\nyield }\nret",
     "one side of it pushes the slot and the other pops it"},
    {CELLS, VALUES "for lt %i, %i, %i (%k: i32) { push t, %x\nyield }\n%y: f32 = pop t\nret",
     "unlike it was pushed"},
    {CELLS,
     VALUES
     "for lt %i, %i, %i (%k: i32) { push t, %x\nyield }\nwhile { yield %b } do { %y: f32 = pop t\nyield }\nret",
     NULL},
    {CELLS,
     VALUES "for lt %i, %i, %i (%k: i32) { push t, %x\nyield }\nif %b { while { yield %b } do { %y: f32 = pop "
            "t\nyield }\nyield } else { yield }\nret",
     NULL},
    {CELLS, VALUES "for lt %i, %i, %i (%k: i32) { push t, %x\n%y: f32 = pop t\nyield }\nret", NULL},
    {CELLS,
     VALUES "push t, %x\nfor lt %i, %i, %i (%k: i32) { push t, %x\nyield }\nwhile { yield %b } do { %y: f32 = "
            "pop t\nyield }\n%z: f32 = pop t\nret",
     NULL},
    {CELLS,
     VALUES "push t, %x\nfor lt %i, %i, %i (%k: i32) { push t, %x\nyield }\n%z: f32 = pop t\nwhile { yield %b "
            "} do { %y: f32 = pop t\nyield }\nret",
     "unlike it was pushed"},
};

static void test_rules(const rule *list, size_t count, const char *kind) {
    for (size_t i = 0; i < count; i++) {
        char *text = gw_format(
            "gradwright_ir 1\nstruct pair { x: f32, y: f32 }\n"
            "struct holder { grid: *const f32, rows: [2]*pair, none: *void }\nfunc @f %s primal {\n%s\nbody "
            "{\n%s\n}\n}\n"
            "func @other host primal { returns f32 \"float\" object o: pointer f32 param n \"int\" = %%n "
            "param o \"float *\" = o body (%%n: i32) { %%x: f32 = const 0\nret %%x } }\n",
            kind, list[i].head, list[i].body);
        gw_session *s = gw_session_new();
        bool ok = gw_parse_session(s, text, "rule");
        expect(list[i].body, ok ? NULL : gw_cstr(s, s->diagnostics.at[0].message), list[i].says);
        gw_session_free(s);
        free(text);
    }
}

/* Derivatives need a primal and a request, and BOUND and CHECK return what they are for. */
static const rule forms[] = {
    {"grad of @f request 0", "ret", NULL},
    {"grad of @f request 1", "ret", "a derivative has a primal and a request"},
    {"grad request 0", "ret", "a derivative has a primal and a request"},
    {"bound of @f request 0", "%u: u64 = const 1\nret %u, %u", NULL},
    {"bound of @f request 0", "%u: u64 = const 1\nret %u", "it has 1 operands instead of 2"},
    {"check of @f request 0", "%b: bool = const true\nret %b", "it has 1 operands instead of 0"},
    {"grad of @f request 0", "%b: bool = const true origin #9\nret", "the primal has no op #9"},
    {"grad of @f request 0", "%b: bool = const true origin #1\nret", NULL},
    {"grad of @g request 0", "ret", "a function is not its own derivative"},
    {"grad of @h request 0", "ret", "no function '@h'1'"},
};

static void test_forms(void) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char *text = gw_format(
            "gradwright_ir 1\nrequest \"f\" \"wrt x\" for @f\nfunc @f host primal { body { #1: ret } }\n"
            "func @g host %s { body {\n%s\n} }\n",
            forms[i].head, forms[i].body);
        gw_session *s = gw_session_new();
        bool ok = gw_parse_session(s, text, "form");
        expect(forms[i].head, ok ? NULL : gw_cstr(s, s->diagnostics.at[0].message), forms[i].says);
        gw_session_free(s);
        free(text);
    }
}

/* ---- links ---- */
typedef struct broken {
    gw_func *f;
    gw_op constant, sum, branch, ret;
} broken;

static void break_opcode(broken *b) { gw_op_at(b->f, b->sum)->code = GW_OP_COUNT; }
static void break_object(broken *b) { gw_op_at(b->f, b->sum)->object = 7; }
static void break_origin(broken *b) { gw_op_at(b->f, b->sum)->origin = 1; }
static void break_regions(broken *b) { gw_op_at(b->f, b->branch)->regions = 1; }
static void break_shared(broken *b) {
    gw_op_at(b->f, b->branch)->region[1] = gw_op_at(b->f, b->branch)->region[0];
}
static void break_parent(broken *b) {
    gw_region_at(b->f, gw_op_at(b->f, b->branch)->region[0])->parent = b->ret;
}
static void break_list(broken *b) { gw_op_at(b->f, b->sum)->prev = b->ret; }
static void break_cycle(broken *b) { gw_op_at(b->f, b->ret)->next = b->sum; }
static void break_last(broken *b) { gw_region_at(b->f, b->f->entry)->last = b->sum; }
static void break_next(broken *b) { gw_op_at(b->f, b->ret)->next = 1000; }
static void break_operand_slice(broken *b) { gw_op_at(b->f, b->sum)->first_operand = UINT32_MAX; }
static void break_operand(broken *b) { gw_set_operand(b->f, b->sum, 0, 1000); }
static void break_none(broken *b) { gw_set_operand(b->f, b->sum, 0, 0); }
static void break_itself(broken *b) { gw_set_operand(b->f, b->sum, 0, gw_result(b->f, b->sum, 0)); }
static void break_dead(broken *b) { gw_op_remove(b->f, b->constant); }
static void break_results(broken *b) { gw_op_at(b->f, b->sum)->first_result = 1000; }
static void break_value(broken *b) { gw_value_at(b->f, gw_result(b->f, b->sum, 0))->op = b->ret; }
static void break_type(broken *b) { gw_value_at(b->f, gw_result(b->f, b->sum, 0))->type = GW_T_VOID; }
static void break_args(broken *b) { gw_region_at(b->f, b->f->entry)->args = 1; }
static void break_entry(broken *b) { b->f->entry = 99; }
static void break_reserved(broken *b) { b->f->ops.count = 0; }
static void break_nothing(broken *b) { gw_op_at(b->f, b->sum)->note = 0; }

static const struct {
    const char *name;
    void (*apply)(broken *b);
    const char *says;
} links[] = {
    {"nothing", break_nothing, NULL},
    {"opcode", break_opcode, "no such op"},
    {"object", break_object, "no such object: 7"},
    {"origin", break_origin, "its origin is no op of the primal"},
    {"regions", break_regions, "it has 1 regions instead of 2"},
    {"shared", break_shared, "is missing or stands at two places"},
    {"parent", break_parent, "does not know its op"},
    {"list", break_list, "does not know its place in region"},
    {"cycle", break_cycle, "is not sound at op"},
    {"last", break_last, "does not know its last op"},
    {"next", break_next, "is not sound at op 1000"},
    {"operand slice", break_operand_slice, "its operands are outside of the function"},
    {"operand", break_operand, "operand 0 is no value"},
    {"no operand", break_none, "operand 0 is no value"},
    {"itself", break_itself, "is not defined here"},
    {"dead", break_dead, "is not defined here"},
    {"results", break_results, "its results are outside of the function"},
    {"value", break_value, "does not know where it is defined"},
    {"type", break_type, "is not of a scalar type"},
    {"arguments", break_args, "its arguments are outside of the function"},
    {"entry", break_entry, "region 99 is missing or stands at two places"},
    {"reserved", break_reserved, "handle 0 of an array is not reserved"},
};

static broken make(gw_session *s) {
    gw_func *f = gw_func_new(s, "f", GW_FUNC_HOST);
    gw_builder b = {.f = f, .region = f->entry};
    gw_value x = gw_real(&b, GW_T_F32, 1.5), y = gw_pure(&b, GW_OP_ADD, GW_T_F32, 0, (gw_value[]){x, x}, 2);
    gw_value c = gw_int(&b, GW_T_BOOL, 1);
    gw_op branch = gw_emit(&b, GW_OP_IF, GW_T_VOID, 0, &c, 1);
    for (int i = 0; i < 2; i++)
        gw_yield(&(gw_builder){.f = f, .region = gw_region_new(f, branch)}, NULL, 0);
    gw_op ret = gw_emit(&b, GW_OP_RET, GW_T_VOID, 0, NULL, 0);
    return (broken){f, gw_value_at(f, x)->op, gw_value_at(f, y)->op, branch, ret};
}

static void test_links(void) {
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        gw_session *s = gw_session_new();
        broken b = make(s);
        uint32_t ops = b.f->ops.count;
        links[i].apply(&b);
        char *why = NULL;
        gw_verify(b.f, &why);
        expect(links[i].name, why, links[i].says);
        free(why);
        b.f->ops.count = ops;
        gw_session_free(s);
    }
}

/* The message names function, op and its text; the diagnostic names the op's line in the dump. */
static void test_message(void) {
    gw_session *s = gw_session_new();
    bool ok = gw_parse_session(s,
                               "gradwright_ir 1\nfunc @f host primal {\n  body {\n    %x: f32 = const 1\n"
                               "      %y: f32 = add %x\n    ret\n  }\n}\n",
                               "dump.gwir");
    expect("message", ok ? NULL : gw_cstr(s, s->diagnostics.at[0].message),
           "function 'f': op 2 '%y.2: f32 = add %x.1': it has 1 operands instead of 2");
    gw_loc at = ok ? (gw_loc){0} : s->diagnostics.at[0].loc;
    expect("line",
           at.line == 5 && at.column == 7 && strcmp(gw_cstr(s, at.file), "dump.gwir") == 0 ? NULL
                                                                                           : "another place",
           NULL);
    gw_session_free(s);
}

int main(void) {
    test_rules(rules, sizeof rules / sizeof *rules, "host");
    test_rules(kernel_rules, sizeof kernel_rules / sizeof *kernel_rules, "kernel");
    test_forms();
    test_links();
    test_message();
    printf(failures ? "%d failures\n" : "passed\n", failures);
    return failures != 0;
}
