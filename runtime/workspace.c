/*
 * workspace.c - sizes of workspaces, saturating.
 *
 * A wrapped size would be a small workspace that passes the check of `f_grad_launch` and is then overrun by
 * the kernel; SIZE_MAX instead fails at the allocation. 64-bit slot counts are narrowed the same way where
 * size_t has 32 bits.
 */
#include "gradwright/runtime.h"

size_t gw_size_add(size_t a, size_t b) {
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

size_t gw_size_max(size_t a, size_t b) { return a > b ? a : b; }

size_t gw_size_mul(size_t a, size_t b) {
    return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

static size_t narrow(uint64_t value) {
    return value > SIZE_MAX ? SIZE_MAX : (size_t)value;
}

size_t gw_workspace_size(uint64_t slots4, uint64_t slots8, uint64_t threads) {
    size_t thread_bytes = gw_size_add(gw_size_mul(narrow(slots4), 4), gw_size_mul(narrow(slots8), 8));
    return gw_size_mul(thread_bytes, narrow(threads));
}
