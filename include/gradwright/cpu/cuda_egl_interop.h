/* Not on the CPU device. */
#error "graphics are not shared with the CPU device: <cuda_egl_interop.h> is not there"
