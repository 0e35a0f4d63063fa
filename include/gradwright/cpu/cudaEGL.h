/* Not on the CPU device. */
#error "graphics are not shared with the CPU device: <cudaEGL.h> is not there"
