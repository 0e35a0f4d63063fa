#include "unguarded.h"
double marked(const mark &m) { return m.at * m.at; }
