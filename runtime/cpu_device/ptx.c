/* What device code's inline PTX calls here (plugin/clang_plugin/ptx.cpp): the place of a thread, clocks, and a
 * few operations. */
#include "block.h"

#define PTX(type, name, ...)                                                                                   \
    GW_CPU_API type gw_cpu_ptx_##name(__VA_ARGS__);                                                            \
    type gw_cpu_ptx_##name(__VA_ARGS__)

static unsigned int rank(void) {
    const uint3 t = gw_cpu_thread_index;
    return t.x + gw_cpu_block_size.x * (t.y + gw_cpu_block_size.y * t.z);
}

PTX(unsigned int, laneid, void) { return rank() % 32; }
PTX(unsigned int, warpid, void) { return rank() / 32; }
PTX(unsigned int, lanemask_eq, void) { return 1u << rank() % 32; }
PTX(unsigned int, lanemask_lt, void) { return (1u << rank() % 32) - 1; }
PTX(unsigned int, lanemask_le, void) { return gw_cpu_ptx_lanemask_lt() | gw_cpu_ptx_lanemask_eq(); }
PTX(unsigned int, lanemask_gt, void) { return ~gw_cpu_ptx_lanemask_le(); }
PTX(unsigned int, lanemask_ge, void) { return ~gw_cpu_ptx_lanemask_lt(); }
PTX(unsigned int, smid, void) { return 0; }
PTX(unsigned int, clock, void) { return (unsigned int)gw_cpu_now_nanoseconds(); }
PTX(uint64_t, clock64, void) { return gw_cpu_now_nanoseconds(); }
PTX(uint64_t, globaltimer, void) { return gw_cpu_now_nanoseconds(); }

/* The position of the highest bit that is set. */
PTX(unsigned int, bfind_u32, unsigned int x) { return x ? 31u - (unsigned int)__builtin_clz(x) : ~0u; }

/* The distances of four bytes, added up. */
PTX(unsigned int, vabsdiff4_add, unsigned int a, unsigned int b, unsigned int c) {
    for (unsigned int at = 0; at < 32; at += 8) {
        const unsigned int x = a >> at & 0xffu, y = b >> at & 0xffu;
        c += x > y ? x - y : y - x;
    }
    return c;
}
