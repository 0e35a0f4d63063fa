static void four(int x, bool a, bool b, bool c, bool d) {}
static void five(int x, bool a, bool b, bool c,
                 bool d, bool e) {}
