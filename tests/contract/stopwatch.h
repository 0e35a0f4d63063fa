// Timers behind an interface, as NVIDIA's samples have them in a header of theirs.
#ifndef TESTS_CONTRACT_STOPWATCH_H
#define TESTS_CONTRACT_STOPWATCH_H
#include <ctime>

class StopWatchInterface {
  public:
    virtual ~StopWatchInterface() {}
    virtual void start() = 0;
    virtual float getTime() = 0;
};

class ProcessorWatch : public StopWatchInterface {
  public:
    void start() override { begun = clock(); }
    float getTime() override { return (float)(clock() - begun) / CLOCKS_PER_SEC; }

  private:
    clock_t begun = 0;
};

inline bool sdkCreateTimer(StopWatchInterface **timer) {
    *timer = new ProcessorWatch();
    return *timer != nullptr;
}
inline bool sdkStartTimer(StopWatchInterface **timer) {
    if (*timer) (*timer)->start();
    return true;
}
inline float sdkGetTimerValue(StopWatchInterface **timer) { return *timer ? (*timer)->getTime() : 0.0f; }
// No timer's function, so it is no less than what it does.
inline void start_and_double(StopWatchInterface *timer, double *const *number) {
    timer->start();
    **number *= 2;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
#endif
