/*
 * frontend_intrinsic.c - functions that are known by name: mathematics, loads, prints, and what is refused.
 *
 * A name of intrin.def is never inlined, even where a header shows a body; its precision is that of the call's
 * result, so the overloads of <cmath> and CUDA need no rows of their own. A function of the user's main file is
 * the user's, whatever its name.
 */
#include "frontend_lower.h"

#include <string.h>

static const struct {
    const char *name;
    gw_opcode op;
    gw_type type;
    bool fast;
} mathematics[] = {
#define GW_INTRIN(spelling, OP, type, fast) {spelling, GW_OP_##OP, GW_T_##type, fast},
#include "gradwright/ir/intrin.def"
#undef GW_INTRIN
};

static const struct {
    const char *name;
    gw_opcode op;
} tests[] = {
    {"isnan", GW_OP_ISNAN},        {"isinf", GW_OP_ISINF},        {"isfinite", GW_OP_ISFINITE},
    {"signbit", GW_OP_SIGNBIT},    {"__isnanf", GW_OP_ISNAN},     {"__isinff", GW_OP_ISINF},
    {"__finitef", GW_OP_ISFINITE}, {"__signbitf", GW_OP_SIGNBIT},
};

/* Conversions: an optional rounding, then a cast to the result. */
static const struct {
    const char *name;
    gw_opcode rounding;
} conversions[] = {
    {"__int2float_rn", GW_OP_NONE},
    {"__uint2float_rn", GW_OP_NONE},
    {"__int2double_rn", GW_OP_NONE},
    {"__uint2double_rn", GW_OP_NONE},
    {"__ll2float_rn", GW_OP_NONE},
    {"__ll2double_rn", GW_OP_NONE},
    {"__double2float_rn", GW_OP_NONE},
    {"__float2int_rz", GW_OP_NONE},
    {"__float2uint_rz", GW_OP_NONE},
    {"__double2int_rz", GW_OP_NONE},
    {"__float2int_rn", GW_OP_RINT},
    {"__float2int_rd", GW_OP_FLOOR},
    {"__float2int_ru", GW_OP_CEIL},
    {"__float2uint_rn", GW_OP_RINT},
    {"__double2int_rn", GW_OP_RINT},
    {"lrint", GW_OP_RINT},
    {"lrintf", GW_OP_RINT},
    {"llrint", GW_OP_RINT},
    {"llrintf", GW_OP_RINT},
    {"lround", GW_OP_ROUND},
    {"lroundf", GW_OP_ROUND},
};

/* Minimum and maximum by overload; on floats CUDA's are fmin and fmax, std's are comparisons. */
static const struct {
    const char *name;
    bool max;
} extremes[] = {
    {"min", false},   {"max", true},   {"umin", false},   {"umax", true},
    {"llmin", false}, {"llmax", true}, {"ullmin", false}, {"ullmax", true},
};

static const char *const loads[] = {"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"};

/* Calls without a derivative: only what they print or check is lost. */
static const char *const dropped[] = {"printf",
                                      "vprintf",
                                      "puts",
                                      "putchar",
                                      "fprintf",
                                      "fflush",
                                      "assert",
                                      "__assert_fail",
                                      "__assertfail",
                                      "__assert_rtn",
                                      "__builtin_assume",
                                      "__builtin_unreachable",
                                      "__builtin_prefetch"};

/* Names (or their beginnings, with *) that are refused. */
static const struct {
    const char *name, *what, *way_out;
} refused[] = {
    {"__syncthreads*", "a barrier", "split the kernel where its threads meet"},
    {"__syncwarp", "a barrier", "split the kernel where its threads meet"},
    {"__shfl*", "a warp shuffle", "exchange values through global memory and a second kernel"},
    {"__ballot*", "a warp vote", "decide in each thread by itself"},
    {"__any*", "a warp vote", "decide in each thread by itself"},
    {"__all*", "a warp vote", "decide in each thread by itself"},
    {"__activemask", "a warp vote", "decide in each thread by itself"},
    {"__match_*", "a warp vote", "decide in each thread by itself"},
    {"__reduce_*", "a warp reduction", "reduce in a second kernel"},
    {"atomic*", "an atomic operation", "let each thread write a cell of its own and reduce in a second kernel"},
    {"__atomic*", "an atomic operation",
     "let each thread write a cell of its own and reduce in a second kernel"},
    {"__threadfence*", "a memory fence", "split the kernel where its threads meet"},
    {"tex1D*", "a texture access", "read from global memory"},
    {"tex2D*", "a texture access", "read from global memory"},
    {"tex3D*", "a texture access", "read from global memory"},
    {"surf*read", "a surface access", "read from global memory"},
    {"malloc", "memory without a type", "assign it to a pointer to its elements at once"},
    {"calloc", "memory without a type", "assign it to a pointer to its elements at once"},
    {"realloc", "memory that grows", "allocate it in its final size"},
    {"aligned_alloc", "aligned memory", "use malloc"},
    {"free", "this use of free()", "call it as a statement"},
    {"memcpy", "a copy of raw memory", "assign element by element"},
    {"memset", "a fill of raw memory", "assign element by element"},
    {"memmove", "a copy of raw memory", "assign element by element"},
    {"__builtin_memcpy", "a copy of raw memory", "assign element by element"},
    {"clock*", "a clock", "read clocks outside the function"},
    {"curand*", "a random number", "pass random numbers as inputs"},
    {"__float_as_*", "a cast that reinterprets bits", "keep integers and floats apart"},
    {"__int_as_float", "a cast that reinterprets bits", "keep integers and floats apart"},
    {"__longlong_as_double", "a cast that reinterprets bits", "keep integers and floats apart"},
    {"__double_as_longlong", "a cast that reinterprets bits", "keep integers and floats apart"},
    {"longjmp", "a jump", "return a status instead"},
};

#define LENGTH(a) (sizeof(a) / sizeof *(a))

static bool matches(const char *name, const char *pattern) {
    size_t n = strlen(pattern);
    return pattern[n - 1] == '*' ? strncmp(name, pattern, n - 1) == 0 : strcmp(name, pattern) == 0;
}

static bool listed(const char *name, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0) return true;
    return false;
}

static gw_value argument(gw_lowering *L, CXCursor call, unsigned i) {
    return gw_front_scalar(L, clang_Cursor_getArgument(call, i));
}

static gw_value mathematical(gw_lowering *L, CXCursor call, const char *name, gw_type type) {
    int count = clang_Cursor_getNumArguments(call);
    for (size_t i = 0; i < LENGTH(mathematics); i++) {
        if (strcmp(name, mathematics[i].name) != 0) continue;
        gw_opcode op = mathematics[i].op;
        if (op == GW_OP_IABS && gw_type_is_float(type)) op = GW_OP_FABS;
        if (count != gw_op_rows[op].operands || (op != GW_OP_IABS && !gw_type_is_float(type))) return 0;
        gw_value v[3];
        for (int k = 0; k < count; k++)
            v[k] = gw_cast(&L->b, type, argument(L, call, (unsigned)k));
        if (gw_op_rows[op].c_text[0] != '(' && count == 2) return gw_binary(&L->b, op, v[0], v[1]);
        uint16_t flags = mathematics[i].fast ? GW_OP_FAST : 0;
        return gw_pure(&L->b, op, type, flags, v, (uint32_t)count);
    }
    return 0;
}

static gw_value test(gw_lowering *L, CXCursor call, const char *name) {
    for (size_t i = 0; i < LENGTH(tests); i++) {
        if (strcmp(name, tests[i].name) != 0 || clang_Cursor_getNumArguments(call) != 1) continue;
        gw_value x = argument(L, call, 0);
        if (!gw_type_is_float(gw_typeof(L->f, x))) x = gw_cast(&L->b, GW_T_F64, x);
        return gw_unary(&L->b, tests[i].op, x);
    }
    return 0;
}

static gw_value conversion(gw_lowering *L, CXCursor call, const char *name, gw_type type) {
    for (size_t i = 0; i < LENGTH(conversions); i++) {
        if (strcmp(name, conversions[i].name) != 0 || clang_Cursor_getNumArguments(call) != 1) continue;
        gw_value x = argument(L, call, 0);
        if (conversions[i].rounding) x = gw_unary(&L->b, conversions[i].rounding, x);
        return gw_cast(&L->b, type, x);
    }
    return 0;
}

static gw_value extreme(gw_lowering *L, CXCursor call, CXCursor callee, const char *name, gw_type type) {
    if (clang_Cursor_getNumArguments(call) != 2 || type == GW_T_VOID || type >= GW_T_SCALARS) return 0;
    for (size_t i = 0; i < LENGTH(extremes); i++) {
        if (strcmp(name, extremes[i].name) != 0) continue;
        bool max = extremes[i].max;
        gw_value x = gw_cast(&L->b, type, argument(L, call, 0)), y = gw_cast(&L->b, type, argument(L, call, 1));
        if (!gw_type_is_float(type)) return gw_binary(&L->b, max ? GW_OP_IMAX : GW_OP_IMIN, x, y);
        if (!gw_front_in_namespace(callee, "std")) return gw_binary(&L->b, max ? GW_OP_FMAX : GW_OP_FMIN, x, y);
        gw_value other = max ? gw_binary(&L->b, GW_OP_LT, x, y) : gw_binary(&L->b, GW_OP_LT, y, x);
        return gw_select(&L->b, other, y, x);
    }
    return 0;
}

static bool sine_and_cosine(gw_lowering *L, CXCursor call, const char *name) {
    bool fast = strcmp(name, "__sincosf") == 0;
    if (!fast && strcmp(name, "sincosf") != 0 && strcmp(name, "sincos") != 0) return false;
    gw_value x = argument(L, call, 0);
    gw_place to[2];
    for (unsigned i = 0; i < 2; i++)
        to[i] = gw_front_pointer(L, clang_Cursor_getArgument(call, 1 + i));
    if (L->failed) return true;
    gw_type type = gw_typeof(L->f, x);
    gw_value sine = gw_pure(&L->b, GW_OP_SIN, type, fast ? GW_OP_FAST : 0, &x, 1);
    gw_value cosine = gw_pure(&L->b, GW_OP_COS, type, fast ? GW_OP_FAST : 0, &x, 1);
    gw_front_store(L, to[0], sine);
    gw_front_store(L, to[1], cosine);
    return true;
}

static gw_value builtin(gw_lowering *L, CXCursor call, const char *name, gw_type type) {
    int64_t integer = 0;
    double real = 0;
    bool is_real = false;
    if (strncmp(name, "__builtin_", 10) != 0) return 0;
    if (strcmp(name, "__builtin_expect") == 0) return argument(L, call, 0);
    if (type >= GW_T_SCALARS || !gw_front_evaluate(call, &integer, &real, &is_real)) return 0;
    return gw_front_constant(L, type, integer, real, is_real);
}

static void drop(gw_lowering *L, CXCursor call) {
    int count = clang_Cursor_getNumArguments(call);
    for (int i = 0; i < count; i++) {
        CXCursor a = clang_Cursor_getArgument(call, (unsigned)i);
        if (gw_front_shape_kind(L->u, gw_front_shape_of(L, a)) == GW_SHAPE_SCALAR) gw_front_effect(L, a);
    }
}

static bool by_effect(gw_lowering *L, CXCursor call, const char *name, gw_value *value) {
    if (listed(name, dropped, LENGTH(dropped))) {
        drop(L, call);
        return true;
    }
    if (listed(name, loads, LENGTH(loads)) && clang_Cursor_getNumArguments(call) == 1) {
        gw_place from = gw_front_pointer(L, clang_Cursor_getArgument(call, 0));
        if (gw_front_shape_kind(L->u, from.shape) != GW_SHAPE_SCALAR) return false;
        *value = gw_front_load(L, from);
        return true;
    }
    for (size_t i = 0; i < LENGTH(refused); i++) {
        if (!matches(name, refused[i].name)) continue;
        gw_front_refuse(L, call, refused[i].what, refused[i].way_out);
        return true;
    }
    return sine_and_cosine(L, call, name);
}

static bool is_library(gw_lowering *L, CXCursor callee) {
    CXSourceLocation at = clang_getCursorLocation(callee);
    if (clang_Location_isFromMainFile(at)) return false;
    gw_loc loc = gw_front_loc(L->u, at);
    return !loc.line || gw_front_in_namespace(callee, "") || gw_front_in_namespace(callee, "std") ||
           gw_front_in_namespace(callee, "__gnu_cxx");
}

bool gw_front_intrinsic(gw_lowering *L, CXCursor call, CXCursor callee, gw_value *value) {
    *value = 0;
    if (gw_front_in_namespace(callee, "cooperative_groups")) {
        gw_front_refuse(L, call, "a cooperative group", "split the kernel where its threads meet");
        return true;
    }
    if (!is_library(L, callee)) return false;
    CXString spelling = clang_getCursorSpelling(callee);
    const char *name = clang_getCString(spelling);
    const char *plain = strncmp(name, "__builtin_", 10) == 0 ? name + 10 : name;
    gw_type type = gw_front_shape_of(L, call);
    bool known = by_effect(L, call, name, value);
    if (!known) {
        if (type < GW_T_SCALARS) *value = mathematical(L, call, plain, type);
        if (!*value) *value = test(L, call, plain);
        if (!*value) *value = conversion(L, call, plain, type);
        if (!*value) *value = extreme(L, call, callee, name, type);
        if (!*value) *value = builtin(L, call, name, type);
        known = *value != 0;
    }
    clang_disposeString(spelling);
    return known;
}
