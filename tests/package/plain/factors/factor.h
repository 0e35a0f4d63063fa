#ifdef NDEBUG
#define FACTOR 7
#else
#define FACTOR 5
#endif
