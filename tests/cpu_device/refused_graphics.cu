// refused: graphics are not shared with the CPU device: <cuda_gl_interop.h> is not there
#include <cuda_gl_interop.h>
int main() {}
