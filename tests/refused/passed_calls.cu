// What calls that are passed over give or write must not reach a result.
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <gradwright/gradwright.h>
#include <iostream>
#include <numeric>
#include <string>

#include "../support/library_names.cuh"

__global__ void scale(double *y, const double *x, double by) { y[threadIdx.x] = by * x[threadIdx.x] * x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") void by_time(double *y, const double *x, double seconds, bool unset, const double *read) {
    double by[8];
    for (int i = 0; i < 8; i++)
        by[i] = read[i];
    if (unset) scale<<<1, 4>>>(y, x, seconds);
    cudaMemcpy(y + 4, by, 4 * sizeof(double), cudaMemcpyHostToDevice);
}
static std::ostream &loud(std::ostream &to) { return to << "!"; }
GW_GRADIENT("y wrt x") void by_lambdas(double *y, const double *x, int n) {
    double by[2] = {1, 2}, sum = 0;
    const auto hook = [&](const std::string &) { sum *= 2; };
    for (double b : by)
        sum += b;
    hook("begin");
    loud(std::cout);
    scale<<<1, 4>>>(y, x, sum);
}
struct numbered {
    int name;
    double by;
};
GW_GRADIENT("y wrt x, by") void by_parameters(double *y, const double *x, double by, int calls, double sum) {
    const numbered one = {1, by};
    if (calls == 0 && one.name == 1) scale<<<1, 4>>>(y, x, one.by * sum);
}
GW_GRADIENT("y wrt x") void by_cases(double *y, const double *x, int n) {
    switch (n) {
    case 0:
        scale<<<1, 4>>>(y, x, 3);
        break;
    case 1:
        scale<<<1, 4>>>(y, x, 7);
        exit(1);
    }
}
#else
GW_GRADIENT("y wrt x") void by_time(double *y, const double *x) {
    const double begun = (double)clock();
    scale<<<1, 4>>>(y, x, (double)clock() - begun);
}
GW_GRADIENT("y wrt x") void by_chrono(double *y, const double *x) {
    const auto begun = std::chrono::steady_clock::now();
    for (int t = 0; t < 9; t++) {
        scale<<<1, 4>>>(y, x, t);
        if (std::chrono::steady_clock::now() - begun > std::chrono::seconds(1)) break;
    }
}
GW_GRADIENT("y wrt x") void by_environment(double *y, const double *x) {
    if (!getenv("NO_SCALE")) scale<<<1, 4>>>(y, x, 1);
}
GW_GRADIENT("y wrt x") void by_text(double *y, const double *x, int n) {
    char name[16];
    snprintf(name, sizeof name, "%d", n);
    if (strcmp(name, "3") == 0) scale<<<1, 4>>>(y, x, 1);
}
GW_GRADIENT("y wrt x") void by_character(double *y, const double *x, int n) {
    const char *name = n ? "some" : "none";
    if (name[0] == 's') scale<<<1, 4>>>(y, x, 1);
}
GW_GRADIENT("y wrt x") void by_string(double *y, const double *x, int n) {
    std::string name = std::to_string(n);
    if (name == "3") scale<<<1, 4>>>(y, x, 1);
}
GW_GRADIENT("y wrt x") void from_a_file(double *y, const double *x, FILE *file) {
    int n = 1;
    if (fscanf(file, "%d", &n) != 1) printf("nothing read\n");
    scale<<<1, 4>>>(y, x, n);
}
GW_GRADIENT("y wrt x") void from_a_stream(double *y, const double *x) {
    std::ifstream file("numbers");
    double by[3] = {1, 2, 3};
    file >> by[1];
    scale<<<1, 4>>>(y, x, by[1]);
}
GW_GRADIENT("y wrt x") void bytes_of_a_file(double *y, const double *x, FILE *file) {
    double by[8];
    fread(by, sizeof(double), 8, file);
    cudaMemcpy(y, by, sizeof by, cudaMemcpyHostToDevice);
    scale<<<1, 4>>>(y, x, 1);
}
GW_GRADIENT("y wrt x") void into_a_buffer(double *y, const double *x, FILE *file) {
    double *by = new double[100];
    fread(by, sizeof(double), 100, file);
    cudaMemcpy(y, by, 100 * sizeof(double), cudaMemcpyHostToDevice);
    scale<<<1, 4>>>(y, x, 1);
    delete[] by;
}
struct line {
    char *text;
};
GW_GRADIENT("y wrt x") void into_a_pointer(double *y, const double *x, FILE *file) {
    line one = {nullptr};
    fread(&one, sizeof one, 1, file);
    scale<<<1, 4>>>(y, x, 1);
}
GW_GRADIENT("y wrt x") void into_an_output(double *y, const double *x, char *text) {
    scale<<<1, 4>>>(y, x, 1);
    sprintf(text, "done");
}
static std::ostream &loud(std::ostream &to) { return to << "!"; }
GW_GRADIENT("y wrt x") void by_a_function(double *y, const double *x) {
    scale<<<1, 4>>>(y, x, 1);
    std::cout << loud;
}
GW_GRADIENT("y wrt x") void by_a_lambda(double *y, const double *x, int n) {
    double by[2] = {1, 2}, sum = 0;
    const std::string all = std::accumulate(by, by + 2, std::string(), [&](std::string to, double b) {
        sum += b;
        return to + " ";
    });
    scale<<<1, 4>>>(y, x, sum);
}
GW_GRADIENT("y wrt x") void by_characters(double *y, const double *x, int n) {
    int count = 0;
    printf("%d%n\n", n, &count);
    scale<<<1, 4>>>(y, x, count);
}
GW_GRADIENT("y wrt x") __global__ void clocked(double *y, const double *x) {
    const long long begun = clock64();
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
    y[threadIdx.x] *= (double)(clock64() - begun);
}
GW_GRADIENT("y wrt x") void by_end(double *y, const double *x) {
    FILE *file = fopen("log", "w");
    if (!file) return;
    scale<<<1, 4>>>(y, x, 1);
}
// Through a pointer to a member the call writes to those behind it, too.
struct header {
    double first, second;
};
struct table {
    double key[2], value;
};
GW_GRADIENT("y wrt x") void behind_a_member(double *y, const double *x, FILE *file) {
    header h = {1, 2};
    fread(&h.first, sizeof(double), 2, file);
    scale<<<1, 4>>>(y, x, h.second);
}
GW_GRADIENT("y wrt x") void behind_an_array(double *y, const double *x, FILE *file) {
    table t = {{1, 2}, 3};
    fread(t.key, sizeof(double), 3, file);
    scale<<<1, 4>>>(y, x, t.value);
}
GW_GRADIENT("y wrt x") void given_to_a_stream(double *y, const double *x, FILE *file) {
    double room = 2;
    setvbuf(file, (char *)&room, _IOFBF, sizeof room);
    fprintf(file, "here");
    scale<<<1, 4>>>(y, x, room);
}
GW_GRADIENT("y wrt x") void counted_by_place(double *y, const double *x, int n) {
    int count = 0;
    printf("%1$d%2$n\n", n, &count);
    scale<<<1, 4>>>(y, x, count);
}
static void log_line(const char *format, int n, int *to) { printf(format, n, to); }
GW_GRADIENT("y wrt x") void counted_by_helper(double *y, const double *x, int n) {
    int count = 0;
    log_line("%d%n", n, &count);
    scale<<<1, 4>>>(y, x, count);
}
GW_GRADIENT("y wrt x") void steps_in_a_choice(double *y, const double *x) {
    std::ifstream in("numbers");
    int k = 1;
    std::cerr << (in ? std::to_string(k++) : std::string("none"));
    scale<<<1, 4>>>(y, x, k);
}
GW_GRADIENT("y wrt x") void made_by_statements(double *y, const double *x, int n) {
    std::cerr << ({
        n++;
        std::string("some");
    });
    scale<<<1, 4>>>(y, x, n);
}
static void terminate(double *y, const double *x) { scale<<<1, 4>>>(y, x, 5); }
GW_GRADIENT("y wrt x") void by_own_terminate(double *y, const double *x) {
    FILE *file = fopen("numbers", "r");
    if (file) terminate(y, x);
    scale<<<1, 4>>>(y, x, 1);
}
GW_GRADIENT("y wrt x") void ends_sometimes(double *y, const double *x, int n) {
    FILE *file = fopen("numbers", "r");
    if (!file) {
        if (n > 4) {
            scale<<<1, 4>>>(y, x, 3);
            return;
        }
        exit(1);
    }
    scale<<<1, 4>>>(y, x, 2);
}
GW_GRADIENT("y wrt x") void ends_one_turn(double *y, const double *x, int n) {
    for (int t = 0; t < n; t++) {
        if (!fopen("numbers", "r")) {
            switch (t) {
            case 1:
                continue;
            }
            exit(1);
        }
        scale<<<1, 4>>>(y, x, t);
    }
}
GW_GRADIENT("y wrt x") void entered_by_case(double *y, const double *x, int n) {
    switch (n) {
    case 0:
        if (!fopen("numbers", "r")) {
        case 1:
            scale<<<1, 4>>>(y, x, 7);
            exit(1);
        }
        scale<<<1, 4>>>(y, x, 3);
    }
}
GW_GRADIENT("y wrt x") void by_own_setbuf(double *y, const double *x) {
    double by = 1;
    setbuf(&by);
    scale<<<1, 4>>>(y, x, by);
}
static double factor = 1;
static std::function<void(const std::string &)> hook = [](const std::string &) { factor = 2; };
GW_GRADIENT("y wrt x") void by_a_hook(double *y, const double *x) {
    hook("begin");
    scale<<<1, 4>>>(y, x, factor);
}
GW_GRADIENT("y wrt x") void by_an_invoked_hook(double *y, const double *x) {
    std::invoke(hook, std::string("begin"));
    scale<<<1, 4>>>(y, x, factor);
}
// What is left from call to call, and what initialises it.
GW_GRADIENT("y wrt x") void in_first_call(double *y, const double *x) {
    static int calls = 0;
    if (calls++ == 0) scale<<<1, 4>>>(y, x, 1);
}
static double &so_far() {
    static double sum = 0;
    return sum;
}
GW_GRADIENT("y wrt x, by") void by_sum(double *y, const double *x, double by) {
    so_far() += by;
    scale<<<1, 4>>>(y, x, so_far());
}
GW_GRADIENT("y wrt x") void by_initializer(double *y, const double *x) {
    int k = 1;
    static int first = k++;
    printf("%d\n", first);
    scale<<<1, 4>>>(y, x, k);
}
GW_GRADIENT("y wrt x") void into_a_static(double *y, const double *x) {
    static double *made = nullptr;
    if (!made) cudaMalloc(&made, 4 * sizeof(double));
    scale<<<1, 4>>>(made, x, 1);
    scale<<<1, 4>>>(y, made, 1);
}
struct named {
    std::string name;
    double by;
};
GW_GRADIENT("y wrt x, by") void by_name(double *y, const double *x, double by) {
    named one = {"one", by};
    if (one.name == "one") scale<<<1, 4>>>(y, x, one.by);
}
__global__ void scale_by(double *y, const double *x, named one) { y[threadIdx.x] = one.by * x[threadIdx.x]; }
GW_GRADIENT("y wrt x, by") void named_argument(double *y, const double *x, double by) {
    scale_by<<<1, 4>>>(y, x, named{"one", by});
}
static void log_listed(const char *format, ...) {
    va_list all;
    va_start(all, format);
    vprintf(format, all);
    va_end(all);
}
GW_GRADIENT("y wrt x") void counted_in_list(double *y, const double *x, int n) {
    int count = 0;
    log_listed("%d%n", n, &count);
    scale<<<1, 4>>>(y, x, count);
}
static double sum_of(int n, ...) {
    va_list all;
    va_start(all, n);
    const double sum = va_arg(all, double);
    va_end(all);
    return sum;
}
GW_GRADIENT("y wrt x, by") void by_list(double *y, const double *x, double by) {
    scale<<<1, 4>>>(y, x, sum_of(1, by));
}
// Pointers into text, by which it may be written.
GW_GRADIENT("y wrt x") void by_part(double *y, const double *x) {
    char text[8] = "a=b", *at = strchr(text, '=');
    if (at) *at = 3;
    scale<<<1, 4>>>(y, x, text[1]);
}
GW_GRADIENT("y wrt x") void by_end_of_number(double *y, const double *x) {
    char *end, text[8] = "12 ";
    printf("%ld\n", strtol(text, &end, 10));
    *end = 7;
    scale<<<1, 4>>>(y, x, text[2]);
}
GW_GRADIENT("y wrt x") void where_found(double *y, const double *x, const char *text) {
    scale<<<1, 4>>>(y, x, strstr(text, "scale") ? 3 : 1);
}
GW_GRADIENT("y wrt x") void by_number(double *y, const double *x, const char *text) {
    scale<<<1, 4>>>(y, x, strtod(text, nullptr));
}
#endif
// obeys: unsupported no-rule
// says: passed_calls.cu:57:34: error: what clock gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     const double begun = (double)clock();
// says:                                  ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:61:24: error: what std::chrono::steady_clock::now gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     const auto begun = std::chrono::steady_clock::now();
// says:                        ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:68:10: error: what getenv gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     if (!getenv("NO_SCALE")) scale<<<1, 4>>>(y, x, 1);
// says:          ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:73:9: error: what strcmp gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     if (strcmp(name, "3") == 0) scale<<<1, 4>>>(y, x, 1);
// says:         ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:76:24: error: a string cannot be differentiated yet [unsupported]
// says:     const char *name = n ? "some" : "none";
// says:                        ^
// says:   way out: keep text out of the function
// says: passed_calls.cu:81:9: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     if (name == "3") scale<<<1, 4>>>(y, x, 1);
// says:         ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:85:9: error: what fscanf gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     if (fscanf(file, "%d", &n) != 1) printf("nothing read\n");
// says:         ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:91:5: error: what std::basic_istream::operator>> gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     file >> by[1];
// says:     ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:96:5: error: what fread gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     fread(by, sizeof(double), 8, file);
// says:     ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:102:11: error: memory that is not the function's own, which the call may write to, cannot be differentiated yet [unsupported]
// says:     fread(by, sizeof(double), 100, file);
// says:           ^
// says:   way out: call it outside of the function
// says: passed_calls.cu:112:11: error: a pointer to this, which the call may write to, cannot be differentiated yet [unsupported]
// says:     fread(&one, sizeof one, 1, file);
// says:           ^
// says:   way out: call it outside of the function
// says: passed_calls.cu:117:13: error: memory that is not the function's own, which the call may write to, cannot be differentiated yet [unsupported]
// says:     sprintf(text, "done");
// says:             ^
// says:   way out: call it outside of the function
// says: passed_calls.cu:122:18: error: a function that is given to a function of the library cannot be differentiated yet [unsupported]
// says:     std::cout << loud;
// says:                  ^
// says:   way out: call it directly
// says: passed_calls.cu:126:72: error: a function that is given to a function of the library cannot be differentiated yet [unsupported]
// says:     const std::string all = std::accumulate(by, by + 2, std::string(), [&](std::string to, double b) {
// says:                                                                        ^
// says:   way out: call it directly
// says: passed_calls.cu:134:5: error: what printf gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     printf("%d%n\n", n, &count);
// says:     ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:138:29: error: what clock64 gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     const long long begun = clock64();
// says:                             ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:144:10: error: what fopen gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     if (!file) return;
// says:          ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:156:5: error: what fread gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     fread(&h.first, sizeof(double), 2, file);
// says:     ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:161:13: error: a pointer to a member, behind which the call may write, cannot be differentiated yet [unsupported]
// says:     fread(t.key, sizeof(double), 3, file);
// says:             ^
// says:   way out: call it outside of the function
// says: passed_calls.cu:166:5: error: what setvbuf gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     setvbuf(file, (char *)&room, _IOFBF, sizeof room);
// says:     ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:172:5: error: what printf gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     printf("%1$d%2$n\n", n, &count);
// says:     ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:175:60: error: what printf gives, which the result depends on, cannot be differentiated yet [unsupported]
// says: static void log_line(const char *format, int n, int *to) { printf(format, n, to); }
// says:                                                            ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:184:19: error: what std::basic_ios::operator bool gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     std::cerr << (in ? std::to_string(k++) : std::string("none"));
// says:                   ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:188:18: error: an expression of this kind, whose value is only printed, cannot be differentiated yet [unsupported]
// says:     std::cerr << ({
// says:                  ^
// says:   way out: print it outside of the function
// says: passed_calls.cu:197:9: error: what fopen gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     if (file) terminate(y, x);
// says:         ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:202:10: error: what fopen gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     if (!file) {
// says:          ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:213:14: error: what fopen gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:         if (!fopen("numbers", "r")) {
// says:              ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:227:9: error: a case label inside another statement cannot be differentiated yet [unsupported]
// says:         case 1:
// says:         ^
// says:   way out: put case labels directly into the switch
// says: passed_calls.cu:236:5: error: function 'setbuf' has neither a body nor a derivative rule [no-rule]
// says:     setbuf(&by);
// says:     ^
// says:   way out: define it in this translation unit, use a function of the math table, or write its derivative: GW_DERIVATIVE_OF("pullback of setbuf"), or have it made of differences: GW_NUMERIC("setbuf wrt ...")
// says: passed_calls.cu:240:49: error: a std::function cannot be differentiated yet [unsupported]
// says: static std::function<void(const std::string &)> hook = [](const std::string &) { factor = 2; };
// says:                                                 ^
// says:   way out: make it of a lambda or function where the variable is declared
// says: passed_calls.cu:246:17: error: a function that is given to a function of the library cannot be differentiated yet [unsupported]
// says:     std::invoke(hook, std::string("begin"));
// says:                 ^
// says:   way out: call it directly
// says: passed_calls.cu:251:16: error: a static local variable cannot be differentiated yet [unsupported]
// says:     static int calls = 0;
// says:                ^
// says:   way out: pass it as a parameter
// says: passed_calls.cu:255:19: error: a static local variable cannot be differentiated yet [unsupported]
// says:     static double sum = 0;
// says:                   ^
// says:   way out: pass it as a parameter
// says: passed_calls.cu:264:16: error: a static local variable cannot be differentiated yet [unsupported]
// says:     static int first = k++;
// says:                ^
// says:   way out: pass it as a parameter
// says: passed_calls.cu:269:20: error: a static local variable cannot be differentiated yet [unsupported]
// says:     static double *made = nullptr;
// says:                    ^
// says:   way out: pass it as a parameter
// says: passed_calls.cu:280:9: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     if (one.name == "one") scale<<<1, 4>>>(y, x, one.by);
// says:         ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:284:30: error: 'named', passed to a kernel by value, which holds other things than numbers and pointers, cannot be differentiated yet [unsupported]
// says:     scale_by<<<1, 4>>>(y, x, named{"one", by});
// says:                              ^
// says:   way out: pass a struct of at most 128 members of plain types, or a pointer to it
// says: passed_calls.cu:294:5: error: what log_listed gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     log_listed("%d%n", n, &count);
// says:     ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:300:24: error: this expression cannot be differentiated yet [unsupported]
// says:     const double sum = va_arg(all, double);
// says:                        ^
// says:   way out: write it with plain operators and calls
// says: passed_calls.cu:309:33: error: what strchr gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     char text[8] = "a=b", *at = strchr(text, '=');
// says:                                 ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:315:21: error: what strtol gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     printf("%ld\n", strtol(text, &end, 10));
// says:                     ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:320:27: error: what strstr gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     scale<<<1, 4>>>(y, x, strstr(text, "scale") ? 3 : 1);
// says:                           ^
// says:   way out: call it outside of the function, and pass what it gives
// says: passed_calls.cu:323:27: error: what strtod gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     scale<<<1, 4>>>(y, x, strtod(text, nullptr));
// says:                           ^
// says:   way out: call it outside of the function, and pass what it gives
