static const char unbounded[] = "no bound is known";
const char *gw_tool(const char *why) {
    if (why == NULL) return "";
    return why == unbounded ? "" : why;
}
