bool gw_new(const char *line) {
    return strncmp(line, "if (", 4) == 0;
}
