/* Not on the CPU device. */
#error "graphics are not shared with the CPU device: <cudaGL.h> is not there"
