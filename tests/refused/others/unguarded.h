#ifdef OBEYED
#pragma once
#endif
struct mark {
    double at;
};
double marked(const mark &m);
