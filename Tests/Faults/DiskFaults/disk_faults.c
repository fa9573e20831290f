// A preloaded library between the store and its disk. It records what SQLite writes and flushes, and injects faults
// on request. Calls for other files than the store's pass through unchanged.
//
//   DISK_FAULTS_STORE            path of the database; includes its -wal, -journal and -shm
//   DISK_FAULTS_LEDGER           path of the ledger, whose lines are recorded in order with the disk operations
//   DISK_FAULTS_TRACE            file that the records are appended to
//   DISK_FAULTS_FAIL_SYNC        n: the n-th flush reports EIO, and its data may be lost
//   DISK_FAULTS_HIDE_FAILURE     any value: a failed flush reports success, like a program that ignores the error (a
//                                planted bug)
//   DISK_FAULTS_IGNORE_SYNC      any value: the log is never flushed, as with synchronous=NORMAL (a planted bug)
//   DISK_FAULTS_EXIT_AFTER_SYNC  n: the process exits right after the n-th flush
//   DISK_FAULTS_TEAR_WRITE       n: the n-th write writes half of its data, and the process exits
//   DISK_FAULTS_SPACE            file with the maximum total size of the store's files in bytes
//   DISK_FAULTS_RATE             n: each call fails with a probability of n in 10,000; DISK_FAULTS_SEED is the seed
//   DISK_FAULTS_CALM             n: the first n calls do not fail randomly
//
// Writes and flushes are counted from 1. The -shm file need not survive a crash, so it is neither counted nor recorded.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { exit_code = 86 };

enum file { other = 0, database = 'd', wal = 'w', journal = 'j', shared_memory = 'm', ledger = 'l' };

// The kinds are W write, T truncation, U unlink, S flush, F failed flush, E injected error. The offset of S is the
// length of the trace when the flush began: the flush covers no record after it.
struct record {
    uint8_t kind, file;
    uint16_t reserved;
    uint32_t length;
    uint64_t offset;
};

static struct {
    const char *store, *ledger, *space;
    int trace, ignores_sync, hides_failure;
    long fail_sync, exit_after_sync, tear_write, rate, calm;
    uint64_t seed;
} settings = {.trace = -1};

static long calls, syncs, writes;
static uint64_t draws;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

__attribute__((constructor)) static void configure(void) {
    settings.store = getenv("DISK_FAULTS_STORE");
    settings.ledger = getenv("DISK_FAULTS_LEDGER");
    settings.space = getenv("DISK_FAULTS_SPACE");
    settings.ignores_sync = getenv("DISK_FAULTS_IGNORE_SYNC") != NULL;
    settings.hides_failure = getenv("DISK_FAULTS_HIDE_FAILURE") != NULL;
    settings.fail_sync = number("DISK_FAULTS_FAIL_SYNC");
    settings.exit_after_sync = number("DISK_FAULTS_EXIT_AFTER_SYNC");
    settings.tear_write = number("DISK_FAULTS_TEAR_WRITE");
    settings.rate = number("DISK_FAULTS_RATE");
    settings.calm = number("DISK_FAULTS_CALM");
    settings.seed = (uint64_t)number("DISK_FAULTS_SEED");
    const char *trace = getenv("DISK_FAULTS_TRACE");
    if (trace) settings.trace = open(trace, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static enum file file_at(const char *path) {
    if (settings.ledger && strcmp(path, settings.ledger) == 0) return ledger;
    size_t length = settings.store ? strlen(settings.store) : 0;
    if (length == 0 || strncmp(path, settings.store, length) != 0) return other;
    const char *suffix = path + length;
    if (*suffix == 0) return database;
    if (strcmp(suffix, "-wal") == 0) return wal;
    if (strcmp(suffix, "-journal") == 0) return journal;
    return strcmp(suffix, "-shm") == 0 ? shared_memory : other;
}

static enum file file_of(int descriptor) {
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return other;
    path[length] = 0;
    return file_at(path);
}

static int must_survive(enum file file) {
    return file == database || file == wal || file == journal;
}

// A record is one write to a file in append mode, so that records of several threads do not mix.
static void record(char kind, enum file file, uint64_t offset, const void *data, size_t length) {
    if (settings.trace < 0) return;
    struct record head = {(uint8_t)kind, (uint8_t)file, 0, (uint32_t)length, offset};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)data, length}};
    syscall(SYS_writev, settings.trace, parts, length ? 2 : 1);
}

static uint64_t trace_length(void) {
    struct stat status;
    return settings.trace >= 0 && fstat(settings.trace, &status) == 0 ? (uint64_t)status.st_size : 0;
}

// SplitMix64 over a counter: the faults of a run depend only on its seed and the order of its calls.
static uint64_t draw(void) {
    uint64_t value = settings.seed + 0x9E3779B97F4A7C15u * __atomic_add_fetch(&draws, 1, __ATOMIC_RELAXED);
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

static int is_unlucky(void) {
    if (settings.rate == 0 || __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) <= settings.calm) return 0;
    return draw() % 10000 < (uint64_t)settings.rate;
}

static int refuse(enum file file, uint64_t offset, int error) {
    record('E', file, offset, &error, sizeof error);
    errno = error;
    return -1;
}

// Returns the number of bytes for which there is space.
static size_t room(int descriptor, size_t count, off_t offset) {
    struct stat status;
    char text[32] = "", path[4096];
    int allowance = open(settings.space, O_RDONLY | O_CLOEXEC);
    if (allowance < 0 || fstat(descriptor, &status) != 0) return count;
    syscall(SYS_read, allowance, text, sizeof text - 1);
    close(allowance);
    off_t growth = offset + (off_t)count - status.st_size, left = atol(text);
    if (growth <= 0) return count;
    static const char *suffixes[] = {"", "-wal", "-journal", "-shm"};
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s%s", settings.store, suffixes[i]);
        if (stat(path, &status) == 0) left -= status.st_size;
    }
    if (growth <= left) return count;
    off_t fits = (off_t)count - growth + (left > 0 ? left : 0);
    return fits > 0 ? (size_t)fits : 0;
}

static ssize_t put(int descriptor, enum file file, const void *data, size_t count, off_t offset) {
    ssize_t done = syscall(SYS_pwrite64, descriptor, data, count, offset);
    if (done > 0 && file != shared_memory) record('W', file, (uint64_t)offset, data, (size_t)done);
    return done;
}

static ssize_t store_write(int descriptor, enum file file, const void *data, size_t count, off_t offset) {
    if (must_survive(file) && __atomic_add_fetch(&writes, 1, __ATOMIC_RELAXED) == settings.tear_write) {
        put(descriptor, file, data, count / 2, offset);
        _exit(exit_code);
    }
    if (settings.space) {
        size_t fits = room(descriptor, count, offset);
        if (fits == 0) return refuse(file, (uint64_t)offset, ENOSPC);
        count = fits;  // like a kernel: the caller writes the rest again
    }
    if (is_unlucky()) {
        switch (draw() % 4) {
        case 0: return refuse(file, (uint64_t)offset, EIO);
        case 1: return refuse(file, (uint64_t)offset, ENOSPC);
        case 2: put(descriptor, file, data, count / 2, offset); return refuse(file, (uint64_t)offset, EIO);
        default: count = count > 1 ? count / 2 : count;
        }
    }
    return put(descriptor, file, data, count, offset);
}

ssize_t pwrite64(int descriptor, const void *data, size_t count, off64_t offset) {
    enum file file = file_of(descriptor);
    if (file == other || file == ledger) return syscall(SYS_pwrite64, descriptor, data, count, offset);
    return store_write(descriptor, file, data, count, offset);
}

ssize_t pwrite(int descriptor, const void *data, size_t count, off_t offset) {
    return pwrite64(descriptor, data, count, offset);
}

// A line is recorded before it is written, and a flush after it is done: so an order that is correct in the trace was
// correct in the run.
ssize_t write(int descriptor, const void *data, size_t count) {
    if (file_of(descriptor) == ledger) record('W', ledger, 0, data, count);
    return syscall(SYS_write, descriptor, data, count);
}

ssize_t pread64(int descriptor, void *data, size_t count, off64_t offset) {
    if (settings.rate > 0) {
        enum file file = file_of(descriptor);
        if (file != other && file != ledger && is_unlucky()) return refuse(file, (uint64_t)offset, EIO);
    }
    return syscall(SYS_pread64, descriptor, data, count, offset);
}

ssize_t pread(int descriptor, void *data, size_t count, off_t offset) {
    return pread64(descriptor, data, count, offset);
}

static int flush(int descriptor, long call) {
    enum file file = file_of(descriptor);
    if (!must_survive(file)) return (int)syscall(call, descriptor);
    long index = __atomic_add_fetch(&syncs, 1, __ATOMIC_RELAXED);
    if (settings.ignores_sync && file == wal) return 0;
    uint64_t covered = trace_length();
    if (index == settings.fail_sync || is_unlucky()) {
        record('F', file, covered, NULL, 0);
        errno = EIO;
        return settings.hides_failure ? 0 : -1;
    }
    int result = (int)syscall(call, descriptor);
    record(result == 0 ? 'S' : 'F', file, covered, NULL, 0);
    if (index == settings.exit_after_sync) _exit(exit_code);
    return result;
}

int fdatasync(int descriptor) { return flush(descriptor, SYS_fdatasync); }
int fsync(int descriptor) { return flush(descriptor, SYS_fsync); }

int ftruncate64(int descriptor, off64_t length) {
    enum file file = file_of(descriptor);
    if (must_survive(file) && is_unlucky()) return refuse(file, (uint64_t)length, EIO);
    int result = (int)syscall(SYS_ftruncate, descriptor, length);
    if (result == 0 && must_survive(file)) record('T', file, (uint64_t)length, NULL, 0);
    return result;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

int unlink(const char *path) {
    int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    enum file file = file_at(path);
    if (result == 0 && must_survive(file)) record('U', file, 0, NULL, 0);
    return result;
}
