#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>

struct aviary_libpq aviary_libpq;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static void load(void) {
#ifdef __APPLE__
    void *library = dlopen("libpq.5.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
#endif
    if (!library) {
        failure = "it is not installed";
        return;
    }
#define AVIARY_LIBPQ_SYMBOL(result, name, parameters, call) \
    if (!(aviary_libpq.name = (result(*) parameters)dlsym(library, #name))) failure = "it is older than version 14";
    AVIARY_LIBPQ(AVIARY_LIBPQ_SYMBOL)
}

const char *aviary_load_libpq(void) {
    pthread_once(&once, load);
    return failure;
}
