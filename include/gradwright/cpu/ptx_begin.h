/* What follows holds PTX in `asm volatile (...)`, in functions that a kernel here cannot call. The host's
 * compiler would refuse the operands where they stand; so the text becomes an error of the assembler, where
 * one is called. */
#pragma push_macro("volatile")
#undef volatile
#define volatile(...) (".error \"PTX, which the CPU device does not have\"")
