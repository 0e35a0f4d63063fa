#if !defined(__TEXTURE_TYPES_H__)
#error "the toolkit's texture_types.h is read"
#endif
