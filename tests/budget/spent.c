/* Runs a test's command and notes the processor time that it took.
 *
 * usage: spent FOLDER NAME COMMAND...
 *
 * The time is user and system seconds of the command and of all that it waited for, so it depends little on
 * what else the machine does. It goes to the file NAME in FOLDER, with the command's status. The status of
 * `spent` is that of the command. Where nothing can be noted the command runs all the same; the check of the
 * budget (budget.py) then finds no record, and says so. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_RUN = 127, SIGNALLED = 128 };

static double seconds(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }

static void note(const char *folder, const char *name, int status) {
    char path[4096];
    struct rusage used;
    mkdir(folder, 0777);
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path || getrusage(RUSAGE_CHILDREN, &used) != 0) return;
    FILE *file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "%.3f %d\n", seconds(used.ru_utime) + seconds(used.ru_stime), status);
    fclose(file);
}

/* What CTest ends by force takes the command with it. */
static void become(char **command) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execvp(command[0], command);
    fprintf(stderr, "spent: cannot run '%s': %s\n", command[0], strerror(errno));
    _exit(NOT_RUN);
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: spent FOLDER NAME COMMAND...\n");
        return 2;
    }
    const pid_t child = fork();
    if (child < 0) {
        perror("spent");
        return NOT_RUN;
    }
    if (child == 0) become(argv + 3);
    int state = 0;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR) return NOT_RUN;
    const int status = WIFEXITED(state) ? WEXITSTATUS(state) : SIGNALLED + WTERMSIG(state);
    note(argv[1], argv[2], status);
    if (WIFSIGNALED(state)) { /* CTest says of a test by which signal it ended */
        signal(WTERMSIG(state), SIG_DFL);
        raise(WTERMSIG(state));
    }
    return status;
}
