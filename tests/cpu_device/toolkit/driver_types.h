#if !defined(__DRIVER_TYPES_H__)
#error "the toolkit's driver_types.h is read"
#endif
