// A preloaded library that kills the process before one of the changes of names by which a restore replaces a store's file:
// the calls of link, symlink, rename and unlink for a file of a store.
//
//   NAME_FAULTS_KILL_AT  n: the process is killed before the n-th of these calls, counted from 1
//
// Nothing is called between two of them that changes what the names lead to, so a kill at each is a kill at each step.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long kill_at, calls;

__attribute__((constructor)) static void configure(void) {
    const char *text = getenv("NAME_FAULTS_KILL_AT");
    kill_at = text ? atol(text) : 0;
}

static int is_of_store(const char *path) {
    const char *name = path ? strrchr(path, '/') : NULL;
    return name && strncmp(name, "/store", 6) == 0 && strstr(name, ".sqlite");
}

static void count(const char *one, const char *other) {
    if (kill_at == 0 || !(is_of_store(one) || is_of_store(other))) return;
    if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == kill_at) kill(getpid(), SIGKILL);
}

int link(const char *from, const char *to) {
    count(from, to);
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int symlink(const char *target, const char *path) {
    count(path, NULL);
    return (int)syscall(SYS_symlinkat, target, AT_FDCWD, path);
}

int rename(const char *from, const char *to) {
    count(from, to);
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
    count(path, NULL);
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
