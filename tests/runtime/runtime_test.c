/* The C runtime by itself: error text for each thread, cut and cleared; statuses; saturating sizes. */
#include <gradwright/gradwright.h>
#include <gradwright/runtime.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                                                     \
    ((condition) ? (void)0 : (failures++, (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static void check_report(void) {
    CHECK(strcmp(gw_last_error(), "") == 0);
    CHECK(gw_report(GW_ERROR_LAUNCH, "grid %d of %s", 3, "f") == GW_ERROR_LAUNCH);
    CHECK(strcmp(gw_last_error(), "grid 3 of f") == 0);
    CHECK(gw_report(GW_ERROR_MEMORY, "%s", "later") == GW_ERROR_MEMORY);
    CHECK(strcmp(gw_last_error(), "later") == 0);
    CHECK(gw_report(GW_OK, NULL) == GW_OK);
    CHECK(strcmp(gw_last_error(), "") == 0);

    char text[3000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    CHECK(gw_report(GW_ERROR_CUDA, "%s", text) == GW_ERROR_CUDA);
    CHECK(strlen(gw_last_error()) == 1023);
    CHECK(strspn(gw_last_error(), "x") == 1023);
}

static void check_statuses(void) {
    CHECK(GW_OK == 0);
    CHECK(strcmp(gw_status_text(GW_OK), "no error") == 0);
#define GW_STATUS(NAME, value, text)                                                                         \
    CHECK((int)NAME == (value));                                                                             \
    CHECK(strcmp(gw_status_text(NAME), text) == 0);
#include "gradwright/status.def"
#undef GW_STATUS
    CHECK(strcmp(gw_status_text((gw_status)12345), "unknown status") == 0);
}

static void check_sizes(void) {
    static const struct {
        size_t a, b, sum, product;
    } rows[] = {
        {0, 0, 0, 0},
        {3, 5, 8, 15},
        {SIZE_MAX, 0, SIZE_MAX, 0},
        {0, SIZE_MAX, SIZE_MAX, 0},
        {SIZE_MAX, 1, SIZE_MAX, SIZE_MAX},
        {SIZE_MAX / 2, 2, SIZE_MAX / 2 + 2, SIZE_MAX - 1},
        {SIZE_MAX / 2 + 1, 2, SIZE_MAX / 2 + 3, SIZE_MAX},
        {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(gw_size_add(rows[i].a, rows[i].b) == rows[i].sum);
        CHECK(gw_size_mul(rows[i].a, rows[i].b) == rows[i].product);
    }
    CHECK(gw_workspace_size(0, 0, 1000) == 0);
    CHECK(gw_workspace_size(3, 0, 10) == 120);
    CHECK(gw_workspace_size(3, 2, 10) == 280);
    CHECK(gw_workspace_size(3, 2, 0) == 0);
    CHECK(gw_workspace_size(1000, 0, (uint64_t)1 << 32) == (size_t)4000 << 32);
    CHECK(gw_workspace_size(UINT64_MAX, 0, 1) == SIZE_MAX);
    CHECK(gw_workspace_size(0, (uint64_t)1 << 40, (uint64_t)1 << 40) == SIZE_MAX);
}

static void *report_here(void *text) {
    const char *before = gw_last_error();
    if (strcmp(before, "") != 0)
        return NULL;
    (void)gw_report(GW_ERROR_CUDA, "%s", (const char *)text);
    return strcmp(gw_last_error(), text) == 0 ? text : NULL;
}

static void check_threads(void) {
    pthread_t thread;
    char text[] = "another thread";
    void *result = NULL;
    CHECK(gw_report(GW_ERROR_LAUNCH, "%s", "this thread") == GW_ERROR_LAUNCH);
    CHECK(pthread_create(&thread, NULL, report_here, text) == 0);
    CHECK(pthread_join(thread, &result) == 0);
    CHECK(result == text);
    CHECK(strcmp(gw_last_error(), "this thread") == 0);
}

int main(void) {
    check_report();
    check_statuses();
    check_sizes();
    check_threads();
    if (failures == 0)
        puts("runtime: ok");
    return failures != 0;
}
