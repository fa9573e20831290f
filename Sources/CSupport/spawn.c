#define _GNU_SOURCE 1
#include "CSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

enum { FIRST = 3, MOST = 8 };

int aviary_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[],
                 const int *descriptors, int count, int output) {
    if (count < 0 || count > MOST) return EINVAL;

    // Copies above the range that is assigned: dup2 from 4 to 3 and then from 3 to 4 would lose one of them.
    int copies[MOST];
    for (int i = 0; i < count; i++) {
        copies[i] = fcntl(descriptors[i], F_DUPFD_CLOEXEC, FIRST + MOST);
        if (copies[i] < 0) {
            int error = errno;
            while (i-- > 0) close(copies[i]);
            return error;
        }
    }

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    // First, while nothing else has been put at its place.
    if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    for (int i = 0; i < count; i++) posix_spawn_file_actions_adddup2(&actions, copies[i], FIRST + i);
#if defined(__linux__)
    posix_spawn_file_actions_addclosefrom_np(&actions, FIRST + count);
#endif

    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

    int error = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    for (int i = 0; i < count; i++) close(copies[i]);
    return error;
}

int aviary_open_program(const char *path) {
#if defined(__linux__)
    return open(path, O_PATH | O_CLOEXEC);
#else
    (void)path;
    errno = ENOSYS;
    return -1;
#endif
}

int aviary_pipe(int ends[2]) {
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC);
#else
    if (pipe(ends) != 0) return -1;
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}
