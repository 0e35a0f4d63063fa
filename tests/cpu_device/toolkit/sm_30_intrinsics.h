#if !defined(__SM_30_INTRINSICS_H__)
#error "the toolkit's sm_30_intrinsics.h is read"
#endif
