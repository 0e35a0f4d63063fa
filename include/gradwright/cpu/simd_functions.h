/* Two halves or four bytes of a word at once. */
#ifndef GW_CPU_SIMD_FUNCTIONS_H
#define GW_CPU_SIMD_FUNCTIONS_H

/* Each part of a and b as the type, and what becomes of the two, cut to the part's width. */
template <class Part, class Operation>
__host__ __device__ __forceinline__ unsigned int gw_cpu_parts(unsigned int a, unsigned int b,
                                                              Operation operation) {
    const unsigned int bits = 8 * sizeof(Part), ones = (1u << bits) - 1;
    unsigned int result = 0;
    for (unsigned int at = 0; at < 32; at += bits)
        result |= ((unsigned int)operation((int)(Part)(a >> at), (int)(Part)(b >> at)) & ones) << at;
    return result;
}
#define GW_CPU_PARTS(name, part, result)                                                                       \
    static __host__ __device__ __forceinline__ unsigned int name(unsigned int a, unsigned int b) {             \
        return gw_cpu_parts<part>(a, b, [](int x, int y) { return result; });                                  \
    }
/* `s` and `u` forms of halves (2) and bytes (4). */
#define GW_CPU_SIGNED(name, result)                                                                            \
    GW_CPU_PARTS(name##2, short, result)                                                                       \
    GW_CPU_PARTS(name##4, signed char, result)
#define GW_CPU_UNSIGNED(name, result)                                                                          \
    GW_CPU_PARTS(name##2, unsigned short, result)                                                              \
    GW_CPU_PARTS(name##4, unsigned char, result)
GW_CPU_UNSIGNED(__vadd, x + y)
GW_CPU_UNSIGNED(__vsub, x - y)
GW_CPU_SIGNED(__vmins, x < y ? x : y)
GW_CPU_UNSIGNED(__vminu, x < y ? x : y)
GW_CPU_SIGNED(__vmaxs, x > y ? x : y)
GW_CPU_UNSIGNED(__vmaxu, x > y ? x : y)
GW_CPU_SIGNED(__vabsdiffs, x > y ? x - y : y - x)
GW_CPU_UNSIGNED(__vabsdiffu, x > y ? x - y : y - x)
GW_CPU_SIGNED(__vhadds, (x + y) >> 1)
GW_CPU_UNSIGNED(__vhaddu, (x + y) >> 1)
GW_CPU_UNSIGNED(__vavgu, (x + y + 1) >> 1)
GW_CPU_SIGNED(__vavgs, (x + y + 1) >> 1)
GW_CPU_UNSIGNED(__vcmpeq, x == y ? -1 : 0)
GW_CPU_UNSIGNED(__vcmpne, x != y ? -1 : 0)
GW_CPU_SIGNED(__vcmpgts, x > y ? -1 : 0)
GW_CPU_UNSIGNED(__vcmpgtu, x > y ? -1 : 0)
GW_CPU_SIGNED(__vcmplts, x < y ? -1 : 0)
GW_CPU_UNSIGNED(__vcmpltu, x < y ? -1 : 0)
GW_CPU_SIGNED(__vcmpges, x >= y ? -1 : 0)
GW_CPU_UNSIGNED(__vcmpgeu, x >= y ? -1 : 0)
GW_CPU_SIGNED(__vcmples, x <= y ? -1 : 0)
GW_CPU_UNSIGNED(__vcmpleu, x <= y ? -1 : 0)
GW_CPU_UNSIGNED(__vseteq, x == y)
GW_CPU_UNSIGNED(__vsetne, x != y)
GW_CPU_PARTS(__vaddus2, unsigned short, x + y > 65535 ? 65535 : x + y)
GW_CPU_PARTS(__vaddus4, unsigned char, x + y > 255 ? 255 : x + y)
GW_CPU_UNSIGNED(__vsubus, x > y ? x - y : 0)
#undef GW_CPU_PARTS
#undef GW_CPU_SIGNED
#undef GW_CPU_UNSIGNED

/* The sum over the parts of their distances. */
static __host__ __device__ __forceinline__ unsigned int __vsadu4(unsigned int a, unsigned int b) {
    const unsigned int d = __vabsdiffu4(a, b);
    return (d & 0xffu) + (d >> 8 & 0xffu) + (d >> 16 & 0xffu) + (d >> 24);
}
static __host__ __device__ __forceinline__ unsigned int __vsadu2(unsigned int a, unsigned int b) {
    const unsigned int d = __vabsdiffu2(a, b);
    return (d & 0xffffu) + (d >> 16);
}

#endif
