#pragma once
struct cell {
    double x;
};
