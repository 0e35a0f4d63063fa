#pragma once
#include <gradwright/runtime.h>
