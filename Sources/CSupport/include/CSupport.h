#pragma once
#include <sys/types.h>

/// Starts a program with a clean set of descriptors.
///
/// `descriptors[i]` becomes descriptor 3 + i of the child, and `output`, unless it is -1, its standard output; standard
/// input, output and error are shared otherwise; everything else is closed. The child has a process group of its own, so that a terminal's Ctrl-C reaches only its parent,
/// and begins with no signal blocked or ignored.
///
/// Returns 0, or an `errno` value.
int aviary_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[],
                 const int *descriptors, int count, int output);

/// A descriptor of the file itself, from which it can be started later, whatever has its name by then. -1 with `errno`
/// set when there is none, ENOSYS where the system has no such thing. Closed on exec.
int aviary_open_program(const char *path);

/// A pipe whose ends are closed on exec; -1 with `errno` set when there is none.
int aviary_pipe(int ends[2]);

/// Who is at the other end of a Unix socket: Linux's `struct ucred`, which Swift's C library module leaves out.
struct aviary_peer {
    pid_t process;
    uid_t user;
    gid_t group;
};

/// Accepts a connection that does not block and is closed on exec; -1 with `errno` set when there is none.
int aviary_accept(int descriptor);
