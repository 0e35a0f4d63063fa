/* The place in the source that a call hands to the runtime, in code that is compiled; a parse sees CUDA's own
 * signatures, with no more arguments than the source writes. */
#ifndef GW_CPU_CALL_SITE_H
#define GW_CPU_CALL_SITE_H

#ifdef GW_CPU_CODEGEN
#define GW_CPU_SITE                                                                                            \
    const char *gw_file = __builtin_FILE(), unsigned int gw_line = __builtin_LINE(),                           \
               unsigned int gw_column = __builtin_COLUMN()
#define GW_CPU_AND_SITE           , GW_CPU_SITE
#define GW_CPU_SITE_OF_CALLER     gw_file, gw_line, gw_column
#define GW_CPU_PLACE              GW_CPU_SITE_OF_CALLER
#define GW_CPU_AND_SITE_OF_CALLER , GW_CPU_SITE_OF_CALLER
#else
#define GW_CPU_SITE
#define GW_CPU_AND_SITE
#define GW_CPU_SITE_OF_CALLER
#define GW_CPU_PLACE "", 0u, 0u
#define GW_CPU_AND_SITE_OF_CALLER
#endif

#endif
