namespace {
int fits() {
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
    // x
}

class tool {
    int more(int a,
             int b) const {
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
        if (a) {}
    }
};
}
