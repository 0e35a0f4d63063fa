// What programs of others do beside their work: they tell the time, print, write files, check for errors. Calls
// that are passed over leave the values and derivatives as they are, and a gradient says nothing of its own.
#include "../support/expect.cuh"
#include "../support/library_names.cuh"
#include "stopwatch.h"

#include <gradwright/program.h>

#include <cassert>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <malloc.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/time.h>
#include <unistd.h>

__global__ void square(double *v, const double *u, double p, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = p * u[i] * u[i];
}

// ---- checks of errors, as samples have them ----
static void check_call(cudaError_t code, const char *file, int line) {
    if (code == cudaSuccess) return;
    fprintf(stderr, "failed: %s %s %d\n", cudaGetErrorString(code), file, line);
    exit((int)code);
}
#define CHECK(call) check_call((call), __FILE__, __LINE__)
template <class T> void check_value(T result, char const *const what, const char *const file, int const line) {
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d \"%s\"\n", file, line,
                static_cast<unsigned int>(result), what);
        exit(EXIT_FAILURE);
    }
}
#define CHECK_VALUE(val) check_value((val), #val, __FILE__, __LINE__)
#define CHECK_THROW(call)                                                                                      \
    do {                                                                                                       \
        cudaError_t status_ = (call);                                                                          \
        if (status_ != cudaSuccess)                                                                            \
            throw std::runtime_error(std::string(#call " at ") + __FILE__ + ":" + std::to_string(__LINE__) +   \
                                     cudaGetErrorString(status_));                                             \
    } while (0)
static void check_text(const std::string &what) {
    cudaError_t last = cudaGetLastError();
    if (last != cudaSuccess) {
        std::cerr << what << ": " << cudaGetErrorString(last) << std::endl;
        std::abort();
    }
}
static bool failed(cudaError_t code, const char *where = __builtin_FUNCTION()) {
    if (code == cudaSuccess) return false;
    std::cerr << "in " << where << " " << cudaGetErrorName(code) << '\n';
    return true;
}
GW_GRADIENT("y wrt x, p")
void checks(double *y, const double *x, double p, int n) {
    double *v;
    CHECK(cudaMalloc((void **)&v, n * sizeof(double)));
    CHECK_VALUE(cudaMemset(v, 0, n * sizeof(double)));
    square<<<1, 64>>>(v, x, p, n);
    CHECK_THROW(cudaGetLastError());
    check_text("square, of " + std::to_string(n));
    check_text(n > 3 ? "many: " + std::to_string(n) : std::string("few"));
    if (failed(cudaDeviceSynchronize())) throw std::logic_error("no device");
    assert(n > 0 && "some elements");
    if (n > 1000) {
        std::ostringstream text;
        text << "too many: " << n << std::endl;
        throw std::invalid_argument(text.str());
    }
    CHECK(cudaMemcpy(y, v, n * sizeof(double), cudaMemcpyDeviceToDevice));
    CHECK(cudaFree(v));
}

// ---- clocks ----
struct stopwatch {
    std::chrono::high_resolution_clock::time_point begun;
    stopwatch() : begun(std::chrono::high_resolution_clock::now()) {}
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::high_resolution_clock::now() - begun).count();
    }
};
static double wall() {
    struct timeval now;
    gettimeofday(&now, nullptr);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}
GW_GRADIENT("y wrt x, p")
void clocks(double *y, const double *x, double p, int n) {
    const auto start = std::chrono::steady_clock::now();
    const double before = wall();
    const clock_t ticks = clock();
    struct timespec spec;
    clock_gettime(CLOCK_MONOTONIC, &spec);
    stopwatch watch;
    cudaEvent_t first, last;
    cudaEventCreate(&first);
    cudaEventCreate(&last);
    double times[3], longest = 0;
    for (int t = 0; t < 3; t++) {
        const auto one = std::chrono::system_clock::now();
        cudaEventRecord(first);
        square<<<1, 64>>>(y, t ? y : x, p, n);
        cudaEventRecord(last);
        cudaEventSynchronize(last);
        float ms = 0;
        cudaEventElapsedTime(&ms, first, last);
        times[t] = std::chrono::duration<double, std::milli>(std::chrono::system_clock::now() - one).count();
        if (times[t] > longest) longest = times[t];
        longest += ms;
    }
    const auto end = std::chrono::steady_clock::now();
    const long spent = (long)std::chrono::duration_cast<std::chrono::microseconds>(end - start).count();
    if (spent > 1000000) printf("slow: %ld\n", n / spent);
    const time_t now = time(nullptr);
    std::cerr << "at " << std::put_time(localtime(&now), "%c") << "\n";
    fprintf(stderr, "%f %f %f %ld %g\n", wall() - before, (double)(clock() - ticks) / CLOCKS_PER_SEC,
            longest / times[0], spec.tv_sec, watch.seconds());
    cudaEventDestroy(first);
    cudaEventDestroy(last);
}

// ---- functions that are elsewhere: of them the derivative knows the declaration ----
struct laps {
    double total;
    int count;
};
typedef struct lap_log lap_log;
extern "C" {
lap_log *open_log(const char *name, int lines);
void start_lap(laps *l);
double end_lap(laps *l, lap_log *to);
long long ticks_elsewhere(void);
void show_lap(const char *what, const double *values, double seconds);
}
GW_GRADIENT("y wrt x, p")
void elsewhere(double *y, const double *x, double p, int n) {
    lap_log *log = open_log("laps", 3);
    laps l = {0, 0};
    start_lap(&l);
    const long long before = ticks_elsewhere();
    square<<<1, 64>>>(y, x, p, n);
    show_lap("a lap", y, end_lap(&l, log) / l.count);
    if (ticks_elsewhere() - before > 100) printf("slow: %f\n", l.total);
}

// ---- the timers of samples ----
GW_GRADIENT("y wrt x, p")
void timers(double *y, const double *x, double p, int n) {
    StopWatchInterface *timer = nullptr;
    if (!sdkCreateTimer(&timer)) exit(1);
    if (!timer) exit(2);
    sdkStartTimer(&timer);
    double q = p / 2, *number = &q;
    start_and_double(timer, &number);
    square<<<1, 64>>>(y, x, q, n);
    printf("%f %f\n", sdkGetTimerValue(&timer), timer->getTime());
    sdkDeleteTimer(&timer);
}

// ---- text and files ----
struct settings {
    int n;
    double p;
};
static std::ostream &operator<<(std::ostream &to, const settings &s) { return to << s.n << " of " << s.p; }
static void log_line(const char *level, const std::string &text, int depth = 0) {
    for (int i = 0; i < depth; i++) std::cerr << "  ";
    std::cerr << "[" << level << "] " << text << std::endl;
}
static const char *name_of(int kind) { return kind == 0 ? "zero" : kind == 1 ? "one" : "many"; }
GW_GRADIENT("y wrt x, p")
void text(double *y, const double *x, double p, int n) {
    const char *verbose = getenv("PROGRAM_PASSED_VERBOSE");
    char name[64], line[32] = "a line";
    int printed = 0;
    snprintf(name, sizeof name, "%s_%d.txt", "run", n);
    std::string path = std::string("/nonexistent/") + name;
    FILE *file = fopen(path.c_str(), "w");
    if (file) fprintf(file, "%d numbers\n", n);
    std::ofstream out(path);
    if (!out) log_line("warning", "no file " + path, 1);
    for (int t = 0; t < 2; t++) {
        square<<<1, 64>>>(y, t ? y : x, p, n);
        out << "step " << std::setw(4) << t << ", " << std::setprecision(3) << p << "\n";
        if (verbose && verbose[0] == '1') std::cout << name_of(t) << ' ' << settings{n, p} << std::endl;
        std::cerr << ++printed;
        if (printed > 1) puts(line);
    }
    double last;
    cudaMemcpy(&last, y, sizeof last, cudaMemcpyDeviceToHost);
    printf("%s %f after %d\n", name, last, printed);
    out.close();
    if (file) fclose(file);
    fflush(stdout);
    if (printed == 2) square<<<1, 64>>>(y, y, 1, n);
    usleep(1);
}

// ---- functions of the program's own, named like some that are passed over, or end the process ----
static void terminate(double *y, const double *x, double p, int n) { square<<<1, 64>>>(y, x, p, n); }
namespace mylog {
inline void abort() {}
} // namespace mylog
GW_GRADIENT("y wrt x, p")
void own_names(double *y, const double *x, double p, int n) {
    double by[2] = {3, 4}, half = 0.5;
    rewind(by, 2);
    sleep(&half);
    if (n > 2) terminate(y, x, p * by[1] * half, n);
    if (n > 3) mylog::abort();
    square<<<1, 64>>>(y, y, p, n);
}
// The branch has a return that is a lambda's, and a break that is its own loop's.
GW_GRADIENT("y wrt x, p")
void ends(double *y, const double *x, double p, int n) {
    FILE *file = fopen("/dev/null", "r");
    if (!file) {
        const auto code = [](int k) { return k + 1; };
        for (int i = 0; i < n; i++)
            if (i > 1) break;
        exit(code(n));
    }
    square<<<1, 64>>>(y, x, p, n);
    fclose(file);
}
// What the arms of a choice do beside making text.
static double stepped(double &k) { return k += 1; }
GW_GRADIENT("y wrt x, p")
void choices(double *y, const double *x, double p, int n) {
    double k = 1, l = 2, all[2] = {0, 0};
    int e = 0;
    std::vector<double> kept;
    std::ostringstream out;
    out << (n > 2 ? std::to_string(std::exchange(k, 3.0)) : std::string("none"));
    std::string said = n > 3 ? std::to_string(std::frexp(4.0, &e)) : "none";
    said += n > 9 ? std::to_string(stepped(l)) : n > 4 ? std::to_string(stepped(k)) : "none";
    out << (n > 1 ? (kept.push_back(p), std::to_string(kept[0])) : throw std::logic_error("few"));
    const char *word = (n > 0 ? (e *= 2, "some") : "none");
    out << word << (n > 1 ? (e++, n > 2 ? (k += 1, "many") : "a few") : "one");
    k -= 1, e = (e - 1) / 2;
    const std::string &last = n > 4 ? (std::swap(all[0], l), said) : std::string("none");
    square<<<1, 64>>>(y, x, kept[0] * k * e * all[0] / 24, n); // by 4, 3 and 2
    out << last;
}
// A file that is there: the program writes it, its gradient does not.
GW_GRADIENT("y wrt x, p")
void into_a_file(double *y, const double *x, double p, int n) {
    const char *name = getenv("PROGRAM_PASSED_FILE");
    double all[64];
    square<<<1, 64>>>(y, x, p, n);
    cudaMemcpy(all, y, n * sizeof(double), cudaMemcpyDeviceToHost);
    FILE *file = name ? fopen(name, "ab") : nullptr;
    if (!file) {
        perror("no file");
        exit(1);
    }
    fwrite(all, sizeof(double), n, file);
    for (int i = 0; i < n; i++)
        fprintf(file, "%d: %g\n", i, all[i]);
    fclose(file);
    std::ofstream(name, std::ios::app) << "in all " << n << std::endl;
    square<<<1, 64>>>(y, y, p, n);
}
// Strings that helpers return, in structs, in braces; what is done while they are made is done.
struct job {
    std::string name;
    double p;
    int n;
    std::string where = "here";
    double weights[2] = {0.25, 4};
};
class stage {
    std::string name_;
    double factor_;

  public:
    stage(const std::string &name, double factor) : name_(name), factor_(factor) {}
    double factor() const { return factor_; }
    const std::string &name() const { return name_; }
};
static std::string label(const job &j, int &asked) {
    std::string made = "job " + j.name;
    asked++;
    if (j.n > 3) return made + "...";
    made += std::to_string(j.n);
    return made;
}
static job make_job(double p, int n) {
    job made;
    made.name = std::string{"no "} + std::to_string(n);
    made.p = p;
    made.n = n;
    return made;
}
GW_GRADIENT("y wrt x, p")
void jobs(double *y, const double *x, double p, int n) {
    int asked = 0, made = 1;
    job first = make_job(p, n), all[2] = {first, {"second", p, n}};
    std::vector<job> kept(2);
    kept[1] = all[1];
    const stage half("half", 0.5), twice = stage(std::string{std::to_string(made++)}, 2);
    std::cerr << label(first, asked) << label(all[1], asked) << std::string{kept[1].name} << half.name();
    const auto total = [first, text = twice.name()] { return std::cerr << text, first.p; };
    square<<<1, 64>>>(y, x, total() * half.factor() * twice.factor() * asked / made, n);
    square<<<1, 64>>>(y, y, kept[n % 2].p * all[n % 2].weights[0] * all[n % 2].weights[1], n);
}
// What a static local variable holds from call to call is only printed.
static double count_call(double by) {
    static int calls = 0;
    static double sum;
    static std::string last = "none";
    static const auto begun = std::chrono::steady_clock::now();
    sum += by;
    last = std::to_string(++calls) + last;
    if (calls > 1) std::cerr << last << sum << (std::chrono::steady_clock::now() > begun);
    return by;
}
GW_GRADIENT("y wrt x, p")
void statics(double *y, const double *x, double p, int n) {
    square<<<1, 64>>>(y, x, count_call(p), n);
    square<<<1, 64>>>(y, y, count_call(p), n);
}
// Functions that print as many arguments as they are given.
template <class... A> static void log_all(const A &...all) { (std::cerr << ... << all) << std::endl; }
template <class... A> static void log_as(const char *format, A &&...all) {
    char line[128];
    snprintf(line, sizeof line, format, std::forward<A>(all)...);
    fputs(line, stderr);
}
static void log_listed(const char *format, ...) {
    va_list all;
    va_start(all, format);
    vfprintf(stderr, format, all);
    va_end(all);
}
GW_GRADIENT("y wrt x, p")
void variadic(double *y, const double *x, double p, int n) {
    double k = 1;
    srand(n);
    log_all("p ", p, ' ', n, std::string(" numbers"));
    log_as("%d %s %g\n", n, "numbers", p);
    log_listed("%g %s\n", k++, "numbers");
    square<<<1, 64>>>(y, x, p * k / 2, n);
}
// Text that is searched and read, and written by what that gives.
GW_GRADIENT("y wrt x, p")
void parsed(double *y, const double *x, double p, int n) {
    char line[64], copy[64] = "a=12";
    const char *given = getenv("PROGRAM_PASSED_FILE"), *kind = n > 2 ? "some=1" : "none=2";
    char *end = nullptr;
    snprintf(line, sizeof line, "n=%d", n);
    char *at = strchr(line, '=');
    if (at) printf("%ld %s\n", strtol(at + 1, &end, 10), end);
    if (at) *at = 0;
    if (char *last = strrchr(copy, '=')) *last = ' ', printf("%s\n", copy);
    const char *slash = given ? strrchr(given, '/') : nullptr;
    printf("%s %s %f\n", slash ? slash + 1 : "none", strstr(kind, "="), strtod(kind + 5, nullptr));
    char *own = strdup(line);
    for (char *c = own; *c; c++)
        *c = (char)toupper(*c);
    if (strncasecmp(own, "N", 1) == 0 && !isdigit(own[0])) puts(own);
    free(own);
    square<<<1, 64>>>(y, x, p, n);
}
// ---- functions of text alone ----
static int after(char mark, const char *text) {
    int at = 0;
    while (text[at] == mark) at++;
    return at;
}
inline bool has_flag(const int argc, const char **argv, const char *flag) {
    bool found = false;
    for (int i = 1; i < argc; i++) {
        const char *text = &argv[i][after('-', argv[i])], *equal = strchr(text, '=');
        const int length = static_cast<int>(equal == 0 ? strlen(text) : equal - text);
        if (length == (int)strlen(flag) && !strncmp(text, flag, length)) found = true;
    }
    return found;
}
namespace options {
int number_of(const char *text, int other) {
    const int n = atoi(text);
    return n > 0 ? n : other;
}
}
GW_GRADIENT("y wrt x, p")
void by_flags(double *y, const double *x, double p, int n, const int argc, const char **argv,
              const char *rounds) {
    const int cells = has_flag(argc, argv, "half") ? n / 2 : n;
    for (int i = 0; i < options::number_of(rounds, 2); i++)
        square<<<1, 64>>>(y + i * n, x, has_flag(argc, argv, "$100%") ? 100 : p, cells);
}

#include "program_passed.grad.cuh"

namespace {

// What a run writes to the standard outputs, or to the file that it is told of: how many bytes.
template <class F> long bytes_written(F run) {
    char name[] = "/tmp/gw_passed_XXXXXX";
    const int to = mkstemp(name), out = dup(1), err = dup(2);
    setenv("PROGRAM_PASSED_FILE", name, 1);
    fflush(stdout), std::cout.flush();
    dup2(to, 1), dup2(to, 2);
    run();
    fflush(stdout), std::cout.flush();
    const long bytes = (long)lseek(to, 0, SEEK_END);
    dup2(out, 1), dup2(err, 2);
    close(to), close(out), close(err), unlink(name);
    return bytes;
}

typedef void program(double *, const double *, double, int);
typedef gw_status gradient(double *, const double *, double, int, double *, double *, double *);

// y = p^(2^k - 1) x^(2^k)
void compare(check::trial &trial, program *run, gradient *back, int steps, int last, bool talks) {
    enum { N = 5 };
    const double p = 0.75;
    std::vector<double> numbers;
    for (int i = 0; i < N; i++)
        numbers.push_back(0.5 + 0.125 * i);
    const std::vector<double> zeros((size_t)N, 0.0);
    check::array<double> y(zeros), x(numbers), z(zeros), d_y(std::vector<double>((size_t)N, 1.0)), d_x(zeros);
    double d_p = 0, want_p = 0;
    EXPECT((bytes_written([&] { run(z, x, p, N); }) > 0) == talks);
    EXPECT(bytes_written([&] { EXPECT_STATUS(back(y, x, p, N, d_y, d_x, &d_p), GW_OK); }) == 0);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < N; i++) {
        double value = numbers[i], by_x = 1, by_p = 0;
        for (int t = 0; t < steps + last; t++) {
            const double q = t < steps ? p : 1;
            by_p = 2 * q * value * by_p + (t < steps ? value * value : 0);
            by_x *= 2 * q * value;
            value *= q * value;
        }
        want_p += by_p;
        EXPECT(y.get()[i] == z.get()[i]);
        EXPECT_NEAR(y.get()[i], value, 1e-14);
        EXPECT_NEAR(d_x.get()[i], by_x, 1e-14);
    }
    EXPECT_NEAR(d_p, want_p, 1e-14);
}

// By other names, so that the derivative does not see the bodies.
extern "C" {
lap_log *there_open(const char *, int) __asm__("open_log");
lap_log *there_open(const char *, int) { return nullptr; }
void there_start(laps *l) __asm__("start_lap");
void there_start(laps *l) { l->total = 1, l->count = 2; }
double there_end(laps *l, lap_log *) __asm__("end_lap");
double there_end(laps *l, lap_log *) { return l->total; }
long long there_ticks(void) __asm__("ticks_elsewhere");
long long there_ticks(void) { return 0; }
void there_show(const char *, const double *, double) __asm__("show_lap");
void there_show(const char *what, const double *, double seconds) { printf("%s %f\n", what, seconds); }
}

#define COMPARE(NAME, STEPS, LAST, TALKS)                                                                      \
    gw_status NAME##_back(double *y, const double *x, double p, int n, double *d_y, double *d_x,               \
                          double *d_p) {                                                                       \
        return NAME##_grad(y, x, p, n, d_y, d_x, d_p);                                                         \
    }                                                                                                          \
    TEST(NAME) { compare(trial, NAME, NAME##_back, STEPS, LAST, TALKS); }
COMPARE(checks, 1, 0, false)
COMPARE(clocks, 3, 0, true)
COMPARE(elsewhere, 1, 0, true)
COMPARE(timers, 1, 0, true)
COMPARE(text, 2, 1, true)
COMPARE(own_names, 2, 0, false)
COMPARE(ends, 1, 0, false)
COMPARE(choices, 1, 0, false)
COMPARE(into_a_file, 2, 0, true)
COMPARE(jobs, 2, 0, true)
COMPARE(statics, 2, 0, true)
COMPARE(variadic, 1, 0, true)
COMPARE(parsed, 1, 0, true)

// y = p x^2 of the cells that the flags name, once or three times.
TEST(by_flags) {
    const char *const flags[][3] = {{"program", "--half", "3"}, {"program", "-halves", "x"},
                                    {"program", "$100%", "1"}};
    const int cells[] = {2, 4, 4}, rounds[] = {3, 2, 1};
    const double p[] = {0.75, 0.75, 100};
    for (size_t k = 0; k < 3; k++) {
        const std::vector<double> zeros((size_t)12, 0.0), numbers = {1, 2, 3, 4};
        check::array<double> y(zeros), x(numbers), d_y(std::vector<double>((size_t)12, 1.0)),
            d_x(std::vector<double>((size_t)4, 0.0));
        const char *argv[2] = {flags[k][0], flags[k][1]};
        double d_p = 0, sum = 0;
        EXPECT_STATUS(by_flags_grad(y, x, 0.75, 4, 2, argv, flags[k][2], d_y, d_x, &d_p), GW_OK);
        EXPECT_DEVICE_OK();
        for (int i = 0; i < 4; i++) {
            const double times = i < cells[k] ? rounds[k] : 0, at = numbers[(size_t)i];
            EXPECT(d_x.get()[(size_t)i] == times * 2 * p[k] * at);
            EXPECT(y.get()[(size_t)i] == (i < cells[k] ? p[k] * at * at : 0));
            sum += times * at * at;
        }
        EXPECT(d_p == (k == 2 ? 0 : sum));
    }
}

} // namespace
TEST_MAIN
