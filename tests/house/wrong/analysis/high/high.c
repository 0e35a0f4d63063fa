#include "analysis/low/low.h"
#include "analysis/low/own_private.h"
#include "low.h"
int gw_high(int x) { return x; }
int gw_entry(int x) { return x; }
