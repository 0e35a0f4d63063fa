#if !defined(__CUDA_FP16_H__)
#error "the toolkit's cuda_fp16.h is read"
#endif
