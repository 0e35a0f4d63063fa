/*
 * frontend/call/memory.c - memcpy, memmove, memset and bzero of numbers and structs of such; std::copy,
 * std::fill and their _n; copies to shared memory that a thread waits for, and those that a group makes
 * together; loads and stores that say how they are cached.
 *
 * They become loops over elements of the type that the pointers lead to. Sound because a count of bytes is
 * taken only where it is, as it stands, a multiple of the element's size; a fill only of zeros, which is 0 in
 * every type that is left; and a memmove inside of one array only by way of a copy. std::copy goes upward, as
 * the library says it does. A copy that is waited for is made at once: that is one of the orders that the
 * primal may take, and a kernel that tells them apart has a race.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/object.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/query.h"

#include <string.h>

typedef struct memory_call {
    gw_lowering *L;
    CXCursor call;
    const gw_cursors *arguments;
    const char *name; /* for people: "memcpy", "std::fill" */
    gw_place result;
} memory_call;

static void refuse(memory_call *c, const char *what, const char *way_out) {
    char *text = gw_format("%s %s", c->name, what);
    gw_front_refuse(c->L, c->call, text, way_out);
    free(text);
}

/* ---- elements ---- */
/* Pointers in a struct of the function's own are known each, and moved and cleared as such. */
static bool is_plain(gw_unit *u, gw_shape s, bool is_own) {
    const gw_shape_data *d = gw_front_shape_at(u, s);
    const bool is_kept = d->kind != GW_SHAPE_POINTER && (!d->has_pointer || is_own);
    return s != GW_T_VOID && d->kind != GW_SHAPE_OPAQUE && is_kept;
}

/* The first element that the argument leads to; of rows, the first number. */
static gw_place elements(memory_call *c, uint32_t argument) {
    gw_lowering *L = c->L;
    CXCursor e = c->arguments->at[argument];
    gw_place p = {0};
    if (gw_front_kind_of(L, e) != GW_SHAPE_POINTER && gw_front_kind_of(L, e) != GW_SHAPE_ARRAY)
        refuse(c, "on anything but pointers", "assign element by element");
    else
        p = gw_front_pointer(L, e);
    while (!L->failed && gw_front_shape_kind(L->u, p.shape) == GW_SHAPE_ARRAY && p.kind == GW_PLACE_MEMORY) {
        p = gw_front_element(L, p, gw_int(&L->b, GW_T_I32, 0));
        if (!L->failed) gw_front_row_mark(L, &p);
    }
    bool known = p.kind == GW_PLACE_SLOTS || p.kind == GW_PLACE_MEMORY || p.kind == GW_PLACE_CHOICE;
    if (!L->failed && (!known || !is_plain(L->u, p.shape, p.kind == GW_PLACE_SLOTS)))
        refuse(c, "of anything but numbers and structs of such", "assign element by element");
    return p;
}

static gw_value elements_in(memory_call *c, uint32_t argument, gw_shape element) {
    gw_lowering *L = c->L;
    gw_value bytes = gw_front_scalar(L, c->arguments->at[argument]);
    gw_value count = L->failed ? 0 : gw_front_elements_in(L, bytes, element);
    if (!count)
        refuse(c, "of a size that is not written as a multiple of the element's",
               "write it as n * sizeof(element)");
    return count;
}

/* ---- moving them ---- */
static bool has_object(const gw_lowering *L, const gw_place *p, gw_object o) {
    if (p->kind != GW_PLACE_CHOICE) return p->kind == GW_PLACE_MEMORY && p->object == o;
    for (uint32_t i = 0; i < p->count; i++)
        if (has_object(L, &L->candidates.at[p->slot + i], o)) return true;
    return false;
}

static bool may_overlap(const gw_lowering *L, const gw_place *x, const gw_place *y) {
    if (x->kind != GW_PLACE_CHOICE) return x->kind == GW_PLACE_MEMORY && has_object(L, y, x->object);
    for (uint32_t i = 0; i < x->count; i++)
        if (may_overlap(L, &L->candidates.at[x->slot + i], y)) return true;
    return false;
}

/* By way of a copy of all of them. */
static void move_overlapping(memory_call *c, gw_place to, gw_place from, gw_value count) {
    gw_lowering *L = c->L;
    int64_t n;
    if (gw_const_int(L->f, count, &n) && n > 0 && n <= UINT32_MAX) {
        gw_place all = gw_front_temp(L, gw_front_array_of(L->u, to.shape, (uint32_t)n), 0);
        if (L->failed) return;
        gw_place kept = gw_front_element(L, all, gw_int(&L->b, GW_T_I32, 0));
        gw_front_each(L, kept, from, false, count, gw_front_copy_bits, c->call);
        gw_front_each(L, to, kept, false, count, gw_front_copy_bits, c->call);
    } else if (L->f->kind == GW_FUNC_HOST) {
        gw_place kept = gw_front_allocate(L, to.shape, count, false, c->call);
        if (!L->failed) gw_front_each(L, kept, from, false, count, gw_front_copy_bits, c->call);
        if (!L->failed) gw_front_each(L, to, kept, false, count, gw_front_copy_bits, c->call);
    } else {
        refuse(c, "inside of one array", "write the loop in the direction that is meant");
    }
}

/* ---- the functions ---- */
/* The places of a call f(to, from, bytes, ...), and how many elements those bytes are; 0 after a refusal. */
static gw_value read_copy(memory_call *c, gw_place *to, gw_place *from) {
    gw_lowering *L = c->L;
    *to = elements(c, 0), *from = elements(c, 1);
    if (!L->failed && to->shape != from->shape) refuse(c, "between types", "assign element by element");
    return L->failed ? 0 : elements_in(c, 2, to->shape);
}

static void copy_bytes(memory_call *c) {
    gw_lowering *L = c->L;
    gw_place to, from;
    gw_value count = read_copy(c, &to, &from);
    if (L->failed) return;
    if (strcmp(c->name, "memmove") == 0 && may_overlap(L, &to, &from))
        move_overlapping(c, to, from, count);
    else
        gw_front_each(L, to, from, false, count, gw_front_copy_bits, c->call);
    c->result = to;
}

/* Those behind the first `kept` are not read, and become 0. */
static void copy_some(memory_call *c, gw_place to, gw_place from, int64_t count, gw_value kept) {
    gw_lowering *L = c->L;
    for (int64_t i = 0; i < count && !L->failed; i++) {
        const gw_value index = gw_int(&L->b, gw_typeof(L->f, kept), i);
        const gw_value reads = gw_binary(&L->b, GW_OP_LT, index, kept);
        gw_branch yes = gw_front_branch_begin(L);
        gw_front_copy_bits(L, gw_front_at_index(L, to, index), gw_front_at_index(L, from, index), c->call);
        gw_front_branch_end(L, &yes);
        gw_branch no = gw_front_branch_begin(L);
        gw_front_set_zero(L, gw_front_at_index(L, to, index), (gw_place){0}, c->call);
        gw_front_branch_end(L, &no);
        gw_front_branch_join(L, reads, &yes, &no);
    }
}

/* __pipeline_memcpy_async(to, from, bytes, zeros): the last `zeros` bytes become 0. */
static void copy_filled(memory_call *c) {
    gw_lowering *L = c->L;
    gw_place to, from;
    gw_value count = read_copy(c, &to, &from), zeros = 0;
    const bool fills = !L->failed && !gw_front_is_default_argument(c->arguments->at[3]);
    if (fills) zeros = elements_in(c, 3, to.shape);
    if (L->failed) return;
    int64_t number, none = 0;
    if (!zeros || (gw_const_int(L->f, zeros, &none) && !none))
        gw_front_each(L, to, from, false, count, gw_front_copy_bits, c->call);
    else if (!gw_const_int(L->f, count, &number) || number > GW_FRONT_AT_ONCE)
        refuse(c, "of a size that is no constant, with a part that is filled", "copy 4, 8 or 16 bytes");
    else
        copy_some(c, to, from, number, gw_binary(&L->b, GW_OP_SUB, count, zeros));
}

/* gw_copied_together(to, from, bytes, rank, threads): a thread of a group copies every so many elements. */
static void copy_together(memory_call *c) {
    gw_lowering *L = c->L;
    gw_place to, from;
    const gw_value count = read_copy(c, &to, &from);
    if (L->failed) return;
    const gw_value rank = gw_front_scalar(L, c->arguments->at[3]),
                   step = gw_front_scalar(L, c->arguments->at[4]);
    if (!L->failed) gw_front_each_of(L, to, from, false, (gw_value[]){rank, count, step}, gw_front_copy_bits,
                                     c->call);
}

static void set_bytes(memory_call *c) {
    gw_lowering *L = c->L;
    gw_place to = elements(c, 0);
    int64_t value = 1;
    gw_value v = L->failed ? 0 : gw_front_scalar(L, c->arguments->at[1]);
    if (!L->failed && (!gw_const_int(L->f, v, &value) || value != 0))
        refuse(c, "with anything but 0", "assign element by element");
    gw_value count = L->failed ? 0 : elements_in(c, 2, to.shape);
    if (!L->failed) gw_front_each(L, to, (gw_place){0}, false, count, gw_front_set_zero, c->call);
    c->result = to;
}

static void clear_bytes(memory_call *c) {
    gw_lowering *L = c->L;
    gw_place to = elements(c, 0);
    gw_value count = L->failed ? 0 : elements_in(c, 1, to.shape);
    if (!L->failed) gw_front_each(L, to, (gw_place){0}, false, count, gw_front_set_zero, c->call);
}

static gw_value distance(memory_call *c, const gw_place *first) {
    gw_lowering *L = c->L;
    gw_place last = elements(c, 1);
    gw_value count = L->failed ? 0 : gw_front_compare(L, &last, first, GW_OP_SUB);
    if (!L->failed && !count) refuse(c, "over a range whose length cannot be told", "use indices");
    return count;
}

/* The number of elements from `first`: the argument behind it, or that one's distance. */
static gw_value length(memory_call *c, const gw_place *first, bool counted) {
    if (c->L->failed) return 0;
    return counted ? gw_front_scalar(c->L, c->arguments->at[1]) : distance(c, first);
}

static void copy_range(memory_call *c, bool counted) {
    gw_lowering *L = c->L;
    gw_place from = elements(c, 0);
    gw_value count = length(c, &from, counted);
    gw_place to = L->failed ? from : elements(c, 2);
    if (L->failed) return;
    gw_front_each(L, to, from, false, count, gw_front_copy_action(GW_ASSIGNED), c->call);
    c->result = gw_front_advance(L, to, gw_cast(&L->b, GW_T_I64, count), false);
}
static void copy_to_end(memory_call *c) { copy_range(c, false); }
static void copy_counted(memory_call *c) { copy_range(c, true); }

/* std::copy_backward and std::move_backward: to what ends there. */
static void copy_backward(memory_call *c) {
    gw_lowering *L = c->L;
    const gw_place from = elements(c, 0);
    const gw_value count = L->failed ? 0 : distance(c, &from);
    const gw_place end = L->failed ? from : elements(c, 2);
    if (L->failed) return;
    c->result = gw_front_advance(L, end, gw_cast(&L->b, GW_T_I64, count), true);
    if (may_overlap(L, &c->result, &from))
        move_overlapping(c, c->result, from, count);
    else
        gw_front_each(L, c->result, from, false, count, gw_front_copy_action(GW_ASSIGNED), c->call);
}

static void fill_range(memory_call *c, bool counted) {
    gw_lowering *L = c->L;
    gw_place to = elements(c, 0);
    gw_value count = length(c, &to, counted);
    if (L->failed) return;
    bool code = gw_front_copies_by_code(L->u, to.shape, GW_ASSIGNED);
    gw_place value = code ? gw_front_place(L, c->arguments->at[2]) : gw_front_temp(L, to.shape, 0);
    if (!L->failed && !code) gw_front_initialize(L, value, c->arguments->at[2]);
    if (L->failed) return;
    gw_front_each(L, to, value, true, count, gw_front_copy_action(GW_ASSIGNED), c->call);
    c->result = gw_front_advance(L, to, gw_cast(&L->b, GW_T_I64, count), false);
}
static void fill_to_end(memory_call *c) { fill_range(c, false); }
static void fill_counted(memory_call *c) { fill_range(c, true); }

/* __ldg and its kin of structs (those of numbers: intrinsic.c): what is there now. */
static void load_object(memory_call *c) {
    gw_lowering *L = c->L;
    gw_place from = gw_front_pointer(L, c->arguments->at[0]);
    if (!L->failed) c->result = gw_front_temp(L, from.shape, 0);
    if (!L->failed) gw_front_copy(L, c->result, from);
}

/* __stcg and its kin. */
static void store_object(memory_call *c) {
    gw_lowering *L = c->L;
    gw_place to = gw_front_pointer(L, c->arguments->at[0]);
    if (!L->failed) gw_front_copy_argument(L, to, c->arguments->at[1]);
}

static const struct {
    const char *name; /* as the text below spells it */
    bool in_std;
    uint32_t arguments;
    void (*action)(memory_call *c);
    const char *called; /* for people, where it is our own name for a part of something */
} rows[] = {
    {"memcpy", false, 3, copy_bytes, NULL},
    {"memmove", false, 3, copy_bytes, NULL},
    {"memset", false, 3, set_bytes, NULL},
    {"bzero", false, 2, clear_bytes, NULL},
    {"std::copy", true, 3, copy_to_end, NULL},
    {"std::copy_n", true, 3, copy_counted, NULL},
    {"std::copy_backward", true, 3, copy_backward, NULL},
    {"std::move_backward", true, 3, copy_backward, NULL},
    {"std::fill", true, 3, fill_to_end, NULL},
    {"std::fill_n", true, 3, fill_counted, NULL},
    {"__pipeline_memcpy_async", false, 4, copy_filled, NULL},
    {"gw_copied_together", false, 5, copy_together, "memcpy_async"},
    {"__ldg", false, 1, load_object, NULL},
    {"__ldca", false, 1, load_object, NULL},
    {"__ldcg", false, 1, load_object, NULL},
    {"__ldcs", false, 1, load_object, NULL},
    {"__ldcv", false, 1, load_object, NULL},
    {"__ldlu", false, 1, load_object, NULL},
    {"__stwb", false, 2, store_object, NULL},
    {"__stcg", false, 2, store_object, NULL},
    {"__stcs", false, 2, store_object, NULL},
    {"__stwt", false, 2, store_object, NULL},
};

/* "memcpy" of __builtin_memcpy, and of the form of it that fortified headers call, which has an argument
 * more. */
static const char *plain_name(const char *name, bool *checked) {
    static const char builtin[] = "__builtin_", bars[] = "__";
    *checked = false;
    if (strncmp(name, builtin, strlen(builtin)) != 0) return name;
    name += strlen(builtin);
    size_t n = strlen(name);
    *checked = strncmp(name, bars, strlen(bars)) == 0 && n > 6 && strcmp(name + n - 4, "_chk") == 0;
    return *checked ? name + strlen(bars) : name;
}

bool gw_front_memory(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                     gw_place *result) {
    bool in_std = gw_front_in_namespace(callee, "std"), checked;
    const char *spelled = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    const char *name = plain_name(spelled, &checked);
    /* a builtin stands where it is used */
    bool users = clang_Location_isFromMainFile(clang_getCursorLocation(callee));
    if (users && name == spelled) return false;
    memory_call c = {.L = L, .call = call, .arguments = arguments};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *plain = rows[i].in_std ? rows[i].name + strlen("std::") : rows[i].name;
        if (strncmp(name, plain, strlen(plain)) != 0 ||
            strcmp(name + strlen(plain), checked ? "_chk" : "") != 0)
            continue;
        if ((rows[i].in_std && !in_std) || arguments->count != rows[i].arguments + checked) continue;
        if (rows[i].action == load_object && gw_front_kind_of(L, call) != GW_SHAPE_STRUCT) continue;
        c.name = rows[i].called ? rows[i].called : rows[i].name;
        rows[i].action(&c);
        *result = c.result;
        return true;
    }
    return false;
}
