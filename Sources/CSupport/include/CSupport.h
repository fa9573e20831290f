#pragma once
#include <sys/types.h>

/// Starts a program with a clean set of descriptors.
///
/// `descriptors[i]` becomes descriptor 3 + i of the child; standard input, output and error are shared; everything
/// else is closed. The child has a process group of its own, so that a terminal's Ctrl-C reaches only its parent,
/// and begins with no signal blocked or ignored.
///
/// Returns 0, or an `errno` value.
int aviary_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[],
                 const int *descriptors, int count);

/// Who is at the other end of a Unix socket: Linux's `struct ucred`, which Swift's C library module leaves out.
struct aviary_peer {
    pid_t process;
    uid_t user;
    gid_t group;
};

/// Accepts a connection that does not block and is closed on exec; -1 with `errno` set when there is none.
int aviary_accept(int descriptor);
