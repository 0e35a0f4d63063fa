// As cuRAND's header declares them; surfaces are the CPU device's own.
#ifndef GW_TESTS_DEVICE_CODE_H
#define GW_TESTS_DEVICE_CODE_H
struct curandStateXORWOW {
    unsigned int d, v[5];
};
typedef curandStateXORWOW curandState;
__device__ float curand_normal(curandState *);
#endif
