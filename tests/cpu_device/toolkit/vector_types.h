#if !defined(__VECTOR_TYPES_H__)
#error "the toolkit's vector_types.h is read"
#endif
