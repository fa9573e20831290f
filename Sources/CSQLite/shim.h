#pragma once
#include <sqlite3.h>

// Variadic C functions and function-pointer macros cannot be imported; these give them a fixed signature.

/// Binds text that SQLite copies before the call returns (`SQLITE_TRANSIENT`).
static inline int aviary_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    // A null pointer would bind NULL where an empty text is meant.
    return sqlite3_bind_text(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Binds bytes that SQLite copies before the call returns (`SQLITE_TRANSIENT`).
static inline int aviary_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Refuses SQL that changes the schema's table, shadow tables or the file's pages by hand (`SQLITE_DBCONFIG_DEFENSIVE`).
static inline void aviary_defend(sqlite3 *database, int on) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, on, (int *)0);
}

/// Keeps the `-wal` and `-shm` files when the last connection closes, so that read-only connections can open.
static inline int aviary_persist_wal(sqlite3 *database) {
    int on = 1;
    return sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
}

/// Whether the open transaction holds references that point nowhere: nothing but zero may be committed.
static inline int aviary_has_dangling_references(sqlite3 *database) {
    int current = 0, highest = 0;
    sqlite3_db_status(database, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0);
    return current != 0;
}

/// Gives a function's result as text that SQLite copies before the call returns (`SQLITE_TRANSIENT`).
static inline void aviary_result_text(sqlite3_context *context, const void *bytes, int count) {
    sqlite3_result_text(context, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT);
}

/// Registers a function of one argument whose result depends on nothing else, and which the schema cannot call.
static inline int aviary_create_function(
    sqlite3 *database, const char *name, void (*call)(sqlite3_context *, int, sqlite3_value **)
) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    return sqlite3_create_function_v2(database, name, 1, flags, 0, call, 0, 0, 0);
}
