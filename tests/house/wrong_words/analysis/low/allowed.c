bool gw_low(const char *path, const char *reason) {
    /* strstr(reason, "in a comment") */
    if (strcmp(path, "[] (") == 0) return true;
    return strstr(reason, "the primal writes") != NULL;
}
