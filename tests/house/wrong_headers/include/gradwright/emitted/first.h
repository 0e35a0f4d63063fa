#pragma once
#include "second.h"
int one;
int two;
int three;
