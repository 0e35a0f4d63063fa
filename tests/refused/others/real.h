#pragma once
#ifndef REAL
#define REAL double
#endif
inline REAL rounded(REAL x) { return x; }
