#define _GNU_SOURCE 1
#include "CSupport.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/socket.h>

int aviary_accept(int descriptor) {
#if defined(__linux__)
    return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
#else
    int connection = accept(descriptor, NULL, NULL);
    if (connection >= 0) {
        fcntl(connection, F_SETFD, FD_CLOEXEC);
        fcntl(connection, F_SETFL, O_NONBLOCK);
    }
    return connection;
#endif
}
