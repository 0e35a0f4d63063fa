// refused: 'cuModuleLoadData' is unavailable: the CPU device loads no PTX or other device code: its kernels are those of the program
#include <cuda.h>
int main() {
    CUmodule module;
    return cuModuleLoadData(&module, "");
}
