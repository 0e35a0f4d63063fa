/* Not on the CPU device. */
#error "graphics are not shared with the CPU device: <cuda_gl_interop.h> is not there"
