/* Not on the CPU device. */
#error "the CPU device has no tensor cores: <mma.h> is not there"
