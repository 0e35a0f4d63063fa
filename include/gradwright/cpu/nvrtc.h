/* Not on the CPU device. */
#error "the CPU device compiles no code at run time: <nvrtc.h> is not there"
