/* Fibers: stacks of their own that one operating system thread switches between. */
#ifndef GW_CPU_FIBER_H
#define GW_CPU_FIBER_H

#include <stdbool.h>
#include <stddef.h>
#ifndef GW_CPU_FCONTEXT
#include <ucontext.h>
#endif

typedef struct gw_cpu_fiber {
#ifdef GW_CPU_FCONTEXT
    void *context; /* where it goes on */
#else
    ucontext_t context;
#endif
    void (*body)(void); /* null for the thread's own stack */
    void *mapping;
    unsigned int color;
    const void *bottom; /* of the stack; of a thread's own stack known once it was left */
    size_t size;
    void *fake_stack; /* AddressSanitizer's */
} gw_cpu_fiber;

/* A stack for the body, which must never return; consecutive fibers have consecutive colours. False if there is
   no memory. */
bool gw_cpu_fiber_create(gw_cpu_fiber *fiber, void (*body)(void), unsigned int color);
/* Forgets what runs on the stack: the next switch starts the body anew. */
void gw_cpu_fiber_restart(gw_cpu_fiber *fiber);
void gw_cpu_fiber_free(gw_cpu_fiber *fiber);
/* Leaves `from`, which is running, for `to`; returns when something switches to `from`. */
void gw_cpu_fiber_switch(gw_cpu_fiber *from, gw_cpu_fiber *to);

#endif
