/* Fibers: Boost.Context's switch where it is installed, else the C library's swapcontext, which also
 * saves the signal mask by a system call and is thirty times slower.
 *
 * A stack is mapped once and reused; the page below it is not accessible, so that an overflow stops
 * the program. AddressSanitizer, where the program has it, is told of every switch. */
#include "fiber.h"
#include <stdint.h>
#include <sys/mman.h>

enum { guard_size = 64 * 1024, stack_size = 1024 * 1024 };

/* AddressSanitizer's, null where the program is built without it. */
#define WEAK __attribute__((weak))
WEAK void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom, size_t size);
WEAK void __sanitizer_finish_switch_fiber(void *fake_stack, const void **old_bottom, size_t *old_size);
WEAK void __asan_unpoison_memory_region(const volatile void *start, size_t size);

/* On the new stack, first thing: `before` is the fiber that was left. */
static void arrived(void *fake_stack, gw_cpu_fiber *before) {
    if (__sanitizer_finish_switch_fiber)
        __sanitizer_finish_switch_fiber(fake_stack, &before->bottom, &before->size);
}

#ifdef GW_CPU_FCONTEXT

/* Boost.Context's interface in C: what a switch hands over. */
typedef struct transfer {
    void *context; /* of the side that was left */
    void *data;
} transfer;
extern transfer jump_fcontext(void *to, void *data);
extern void *make_fcontext(void *top, size_t size, void (*entry)(transfer));

typedef struct change {
    gw_cpu_fiber *from, *to;
} change;

static void start(transfer t) {
    const change c = *(change *)t.data;
    c.from->context = t.context;
    arrived(NULL, c.from);
    c.to->body();
}

void gw_cpu_fiber_switch(gw_cpu_fiber *from, gw_cpu_fiber *to) {
    change c = {from, to};
    if (__sanitizer_start_switch_fiber) __sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->size);
    const transfer t = jump_fcontext(to->context, &c);
    gw_cpu_fiber *before = ((change *)t.data)->from;
    before->context = t.context;
    arrived(from->fake_stack, before);
}

static void prepare(gw_cpu_fiber *fiber) {
    fiber->context = make_fcontext((char *)fiber->mapping + guard_size + fiber->size, fiber->size, start);
}

#else

static _Thread_local gw_cpu_fiber *left, *entered;

static void start(void) {
    arrived(NULL, left);
    entered->body();
}

void gw_cpu_fiber_switch(gw_cpu_fiber *from, gw_cpu_fiber *to) {
    left = from;
    entered = to;
    if (__sanitizer_start_switch_fiber) __sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->size);
    swapcontext(&from->context, &to->context);
    arrived(from->fake_stack, left);
}

static void prepare(gw_cpu_fiber *fiber) {
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = (char *)fiber->mapping + guard_size;
    fiber->context.uc_stack.ss_size = fiber->size;
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, start, 0);
}

#endif

bool gw_cpu_fiber_create(gw_cpu_fiber *fiber, void (*body)(void), unsigned int color) {
    void *mapping = mmap(NULL, guard_size + stack_size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (mapping == MAP_FAILED) return false;
    if (mprotect(mapping, guard_size, PROT_NONE) != 0) {
        munmap(mapping, guard_size + stack_size);
        return false;
    }
    fiber->body = body;
    fiber->mapping = mapping;
    fiber->color = color;
    gw_cpu_fiber_restart(fiber);
    return true;
}

void gw_cpu_fiber_restart(gw_cpu_fiber *fiber) {
    fiber->bottom = (char *)fiber->mapping + guard_size;
    /* Stacks that started at one distance from their mappings would share few sets of the caches. */
    fiber->size = stack_size - fiber->color % 64 * 1088;
    fiber->fake_stack = NULL;
    if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(fiber->bottom, fiber->size);
    prepare(fiber);
}

void gw_cpu_fiber_free(gw_cpu_fiber *fiber) { munmap(fiber->mapping, guard_size + stack_size); }
