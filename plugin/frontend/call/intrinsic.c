/*
 * frontend/call/intrinsic.c - functions that are known by name: mathematics, loads, prints, and what is
 * refused.
 *
 * A name of intrin.def is never inlined, even where a header shows a body; its precision is that of the call's
 * result, so the overloads of <cmath> and CUDA need no rows of their own. A function of the user's main file is
 * the user's, whatever its name.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include <fnmatch.h>
#include <string.h>

static const struct {
    const char *name;
    gw_opcode op;
    gw_type type;
    bool fast;
} mathematics[] = {
#define GW_INTRIN(spelling, OP, type, fast) {spelling, GW_OP_##OP, GW_T_##type, fast},
#include "analysis/ir/intrin.def"
};

static const struct {
    const char *name;
    int place; /* 0: returned; else the argument that points to it */
    gw_opcode op;
    gw_type type;
    bool fast;
} results[] = {
#define GW_INTRIN_RESULT(spelling, place, OP, type, fast) {spelling, place, GW_OP_##OP, GW_T_##type, fast},
#include "analysis/ir/intrin.def"
};

static const struct {
    const char *name;
    gw_opcode op;
} tests[] = {
#define GW_INTRIN_TEST(spelling, OP) {spelling, GW_OP_##OP},
#include "analysis/ir/intrin.def"
};

/* Conversions: an optional rounding, then a cast to the result. */
static const struct {
    const char *name;
    gw_opcode rounding;
} conversions[] = {
#define GW_INTRIN_CAST(spelling, OP) {spelling, GW_OP_##OP},
#include "analysis/ir/intrin.def"
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

/* Calls without a derivative: only what they check is lost. Copies that are waited for are made at once
 * (memory.c). */
static const char *const dropped[] = {"__trap",
                                      "__pipeline_commit",
                                      "__pipeline_wait_prior",
                                      "__builtin_assume",
                                      "__builtin_unreachable",
                                      "__builtin_prefetch",
                                      "__builtin_trap"};

/* Patterns of names that are refused. */
static const struct {
    const char *name, *what, *way_out;
} refused[] = {
    {"__shfl*", "a shuffle without a mask", "use __shfl_sync and its kin"},
    {"atomic*", "such an atomic operation",
     "let each thread write a cell of its own and reduce in a second kernel"},
    {"__atomic*", "an atomic operation",
     "let each thread write a cell of its own and reduce in a second kernel"},
    {"__threadfence*", "a memory fence", "split the kernel where its threads meet"},
    {"tex*Lod", "a fetch from a level of a mip-map",
     "fetch from a texture object of the level's array (cudaGetMipmappedArrayLevel)"},
    {"tex*Grad", "a fetch from a level of a mip-map",
     "fetch from a texture object of the level's array (cudaGetMipmappedArrayLevel)"},
    {"texCubemap*", "a fetch from a cube map", "find the face in the kernel, and fetch it by tex2DLayered"},
    {"tex2Dgather", "tex2Dgather", "fetch the four texels by tex2D, with point filtering"},
    {"surf*read", "a surface access", "read and write an array"},
    {"surf*write", "a surface access", "read and write an array"},
    {"malloc", "memory without a type", "assign it to a pointer to its elements at once"},
    {"calloc", "memory without a type", "assign it to a pointer to its elements at once"},
    {"realloc", "memory that grows", "allocate it in its final size"},
    {"aligned_alloc", "memory without a type", "assign it to a pointer to its elements at once"},
    {"posix_memalign", "memory without a type", "assign what aligned_alloc gives to a pointer to its elements"},
    {"qsort", "a sort of what is not known by its type",
     "pass a pointer to the elements and sizeof of one; in C++ call std::sort"},
    {"bsearch", "a search in what is not known by its type",
     "pass a pointer to the elements and sizeof of one; in C++ call std::lower_bound"},
    {"free", "this use of free()", "call it as a statement"},
    {"curand[A-Z]*", "a random number",
     "draw it in a kernel of its own and pass it as an input: drawn again, it is another"},
    {"longjmp", "a jump", "return a status instead"},
    {"*setjmp", "a place that longjmp comes back to", "return a status instead"},
#define GW_INTRIN_REFUSED(pattern, what, way_out) {pattern, what, way_out},
#include "analysis/ir/intrin.def"
};

enum { MOST_ARGUMENTS = 4 };
#define LENGTH(a) (sizeof(a) / sizeof *(a))

static bool listed(const char *name, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0) return true;
    return false;
}

static gw_value argument(gw_lowering *L, CXCursor call, unsigned i) {
    return gw_front_scalar(L, clang_Cursor_getArgument(call, i));
}

/* The type of an op's operands: a row's integer type, that of the call where it is a float, else (an integer
 * made of a float) that of the argument. GW_T_VOID: the call does not fit the row. */
static gw_type operand_type(gw_lowering *L, CXCursor call, gw_opcode op, gw_type row, gw_type result) {
    if (op == GW_OP_IABS || (op == GW_OP_FABS && gw_type_is_integer(row))) return result; /* abs, by overload */
    if (gw_type_is_integer(row)) return row;
    if (gw_op_rows[op].typing != GW_TYPING_INT) return gw_type_is_float(result) ? result : GW_T_VOID;
    gw_shape first = gw_front_shape_of(L, clang_Cursor_getArgument(call, 0));
    return first < GW_T_SCALARS && gw_type_is_float(first) ? first : GW_T_F64;
}

/* The type of a function's first parameter. */
static gw_shape first_parameter(gw_lowering *L, CXCursor callee) {
    return gw_front_shape(L->u, clang_getCanonicalType(clang_getArgType(clang_getCursorType(callee), 0)));
}

/* The first arguments of a call, each evaluated once. */
static bool read_arguments(gw_lowering *L, CXCursor call, int count, gw_value *values) {
    for (int k = 0; k < count && !L->failed; k++)
        values[k] = argument(L, call, (unsigned)k);
    return !L->failed;
}

/* An op on them; in the IR its integer operand, if it has one, stands behind the other. */
static gw_value apply(gw_lowering *L, gw_opcode op, gw_type type, bool fast, const gw_value *arguments) {
    uint32_t count = (uint32_t)gw_op_rows[op].operands;
    bool with_integer = gw_op_rows[op].typing == GW_TYPING_SHIFT;
    bool exchanged = gw_op_is_exchanged(op);
    gw_value v[MOST_ARGUMENTS];
    for (uint32_t k = 0; k < count; k++) {
        v[k] = arguments[exchanged ? 1 - k : k];
        if (!with_integer || k == 0)
            v[k] = gw_cast(&L->b, type, v[k]);
        else if (gw_type_bits(gw_typeof(L->f, v[k])) < 32)
            v[k] = gw_cast(&L->b, GW_T_I32, v[k]);
    }
    if (!gw_op_is_function(op) && count == 2) return gw_binary(&L->b, op, v[0], v[1]);
    gw_type result = gw_op_rows[op].typing == GW_TYPING_INT ? GW_T_I32 : type;
    return gw_pure(&L->b, op, result, fast ? GW_OP_FAST : 0, v, count);
}

/* The row's spelling is that of the function: with std:: before it if std alone has it. Where one spelling has
 * rows of several integer types, the overload's type tells them apart. */
static bool is_row(gw_lowering *L, CXCursor callee, const char *name, size_t row) {
    const char *spelling = mathematics[row].name;
    const bool in_std = strncmp(spelling, "std::", strlen("std::")) == 0;
    if (strcmp(name, spelling + (in_std ? strlen("std::") : 0)) != 0) return false;
    if (in_std && !gw_front_in_namespace(callee, "std")) return false;
    if (!gw_type_is_integer(mathematics[row].type)) return true;
    bool alone = true;
    for (size_t i = 0; i < LENGTH(mathematics); i++)
        if (i != row && strcmp(mathematics[i].name, spelling) == 0) alone = false;
    return alone || first_parameter(L, callee) == mathematics[row].type;
}

static gw_value mathematical(gw_lowering *L, CXCursor call, CXCursor callee, const char *name, gw_type result) {
    int count = clang_Cursor_getNumArguments(call);
    for (size_t i = 0; i < LENGTH(mathematics); i++) {
        if (!is_row(L, callee, name, i)) continue;
        gw_opcode op = mathematics[i].op;
        if (op == GW_OP_IABS && gw_type_is_float(result)) op = GW_OP_FABS;
        gw_type type = operand_type(L, call, op, mathematics[i].type, result);
        if (count != gw_op_rows[op].operands || type == GW_T_VOID) return 0;
        gw_value v[MOST_ARGUMENTS];
        if (!read_arguments(L, call, count, v)) return 0;
        return gw_cast(&L->b, result, apply(L, op, type, mathematics[i].fast, v));
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

/* In the type of the first parameter, which names the overload. */
static gw_value one_result(gw_lowering *L, CXCursor call, size_t row, const gw_value *arguments) {
    gw_shape declared = first_parameter(L, clang_getCursorReferenced(call));
    bool overload = declared < GW_T_SCALARS && gw_type_is_float(declared);
    return apply(L, results[row].op, overload ? declared : results[row].type, results[row].fast, arguments);
}

/* sincos, modf and their kin: every result before the first store, since an argument may be where one goes. */
static bool several_results(gw_lowering *L, CXCursor call, const char *name, gw_value *value) {
    gw_value arguments[MOST_ARGUMENTS], made[LENGTH(results)];
    int read = 0;
    for (size_t i = 0; i < LENGTH(results); i++) {
        if (strcmp(name, results[i].name) != 0) continue;
        int wanted = gw_op_rows[results[i].op].operands;
        if (!read && !read_arguments(L, call, read = wanted, arguments)) return true;
        made[i] = one_result(L, call, i, arguments);
    }
    for (size_t i = 0; i < LENGTH(results) && !L->failed; i++) {
        if (strcmp(name, results[i].name) != 0) continue;
        if (!results[i].place) {
            *value = made[i];
            continue;
        }
        gw_place to = gw_front_pointer(L, clang_Cursor_getArgument(call, (unsigned)results[i].place));
        if (!L->failed) gw_front_store(L, to, made[i]);
    }
    return read != 0;
}

/* |a - b| + c: a number of no sign that all 32-bit differences fit. */
static gw_value sum_of_distance(gw_lowering *L, CXCursor call, const char *name) {
    const bool sign = strcmp(name, "__sad") == 0;
    gw_value v[3];
    if (!sign && strcmp(name, "__usad") != 0) return 0;
    for (unsigned i = 0; i < LENGTH(v); i++) {
        v[i] = gw_front_scalar(L, clang_Cursor_getArgument(call, i));
        if (L->failed) return 0;
        v[i] = gw_cast(&L->b, sign && i < 2 ? GW_T_I32 : GW_T_U32, v[i]);
    }
    gw_value most = gw_cast(&L->b, GW_T_U32, gw_binary(&L->b, GW_OP_IMAX, v[0], v[1])),
             least = gw_cast(&L->b, GW_T_U32, gw_binary(&L->b, GW_OP_IMIN, v[0], v[1]));
    return gw_binary(&L->b, GW_OP_ADD, gw_binary(&L->b, GW_OP_SUB, most, least), v[2]);
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
    if (gw_front_barrier(L, call, name, value) || gw_front_warp(L, call, name, value) ||
        gw_front_atomic(L, call, value) || gw_front_collective(L, call, name, value))
        return true;
    if (listed(name, loads, LENGTH(loads)) && clang_Cursor_getNumArguments(call) == 1) {
        gw_place from = gw_front_pointer(L, clang_Cursor_getArgument(call, 0));
        if (gw_front_shape_kind(L->u, from.shape) != GW_SHAPE_SCALAR) return false;
        *value = gw_front_load(L, from);
        return true;
    }
    if ((*value = gw_front_constant_bits(L, call, name)) || gw_front_reinterpret(L, call, name, value))
        return true;
    for (size_t i = 0; i < LENGTH(refused); i++) {
        if (fnmatch(refused[i].name, name, 0) != 0) continue;
        gw_front_refuse(L, call, refused[i].what, refused[i].way_out);
        return true;
    }
    return false;
}

bool gw_front_intrinsic(gw_lowering *L, CXCursor call, CXCursor callee, gw_value *value) {
    *value = 0;
    if (!gw_front_is_library(L->u, callee)) return false;
    CXString spelling = clang_getCursorSpelling(callee);
    const char *name = clang_getCString(spelling);
    const char *builtin = gw_front_builtin_name(name), *plain = builtin ? builtin : name;
    gw_type type = gw_front_shape_of(L, call);
    bool known = gw_front_random(L, call, callee, name);
    if (known) {
        clang_disposeString(spelling);
        return L->failed; /* else it is inlined */
    }
    known = by_effect(L, call, name, value) || several_results(L, call, plain, value);
    if (!known) {
        if (type < GW_T_SCALARS) *value = mathematical(L, call, callee, plain, type);
        if (!*value) *value = test(L, call, plain);
        if (!*value) *value = conversion(L, call, plain, type);
        if (!*value) *value = extreme(L, call, callee, name, type);
        if (!*value) *value = sum_of_distance(L, call, name);
        if (!*value) *value = gw_front_builtin(L, call, name, type);
        known = *value != 0;
    }
    clang_disposeString(spelling);
    return known;
}

static bool is_number(CXType type) {
    const CXType t = clang_getCanonicalType(clang_getNonReferenceType(type));
    return t.kind >= CXType_Bool && t.kind <= CXType_LongDouble;
}

bool gw_front_is_mathematics(gw_unit *u, CXCursor callee) {
    const CXType type = clang_getCursorType(callee);
    if (!gw_front_is_library(u, callee)) return false;
    for (int i = 0; i < clang_getNumArgTypes(type); i++)
        if (!is_number(clang_getArgType(type, (unsigned)i))) return false;
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(callee)));
    for (size_t i = 0; i < LENGTH(mathematics); i++)
        if (strcmp(mathematics[i].name, name) == 0) return true;
    for (size_t i = 0; i < LENGTH(extremes); i++)
        if (strcmp(extremes[i].name, name) == 0) return true;
    return false;
}
