/*
 * both.cuh - requests of tests: the gradient and the forward derivative, and what a form of the test asks for
 * beside them.
 */
#ifndef GW_TESTS_BOTH_CUH
#define GW_TESTS_BOTH_CUH

#define JOINED(request) GW_GRADIENT(request) GW_DERIVATIVE(request)
#ifdef GW_TEST_SECOND
#define BOTH(request) JOINED(request) GW_HVP(request)
#define JOINED_COARSE(request, n) BOTH(request) GW_COARSEN(n)
#elif defined(GW_TEST_DIRECTIONS)
#define BOTH(request) JOINED(request) GW_DERIVATIVES(4, request)
#define JOINED_COARSE(request, n) BOTH(request) GW_COARSEN(n)
#elif defined(GW_TEST_SPLIT)
#define BOTH(request) JOINED(request) GW_SPLIT_GRADIENT(request)
#define JOINED_COARSE(request, n) BOTH(request) // its halves need a tape, which coarsened ones do not read
#else
#define BOTH(request) JOINED(request)
#define JOINED_COARSE(request, n) JOINED(request) GW_COARSEN(n)
#endif

#endif
