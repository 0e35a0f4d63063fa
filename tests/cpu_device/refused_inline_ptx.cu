// refused: error: inline PTX that the CPU device does not know: 'ld.global.cg.u32 $0, [$1]'
// refused: refused_inline_ptx.cu:5:
__global__ void load(unsigned int *out, const unsigned int *in) {
    unsigned int v;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(in));
    *out = v;
}
int main() {}
