#error "cooperative groups are not supported by the CPU device yet"
