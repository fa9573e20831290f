#pragma once

// The part of libpq's interface that the store uses.
//
// The library is loaded when the first address of a database is parsed, so that neither a build nor a program with SQLite needs
// it. The declarations are those of libpq 14 and later, whose binary interface has had the number 5 since 2005. Every function
// requires that `aviary_load_libpq` has succeeded.

#include <stddef.h>

/// Loads libpq, once.
///
/// Returns a null pointer if the library is loaded, or else the reason why it is not.
const char *aviary_load_libpq(void);

typedef unsigned int Oid;
typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pg_cancel PGcancel;

typedef enum { CONNECTION_OK = 0, CONNECTION_BAD = 1 } ConnStatusType;

typedef enum {
    PGRES_EMPTY_QUERY = 0,
    PGRES_COMMAND_OK = 1,
    PGRES_TUPLES_OK = 2,
    PGRES_FATAL_ERROR = 7,
    PGRES_PIPELINE_SYNC = 10,
    PGRES_PIPELINE_ABORTED = 11,
} ExecStatusType;

typedef enum {
    PQTRANS_IDLE = 0,
    PQTRANS_ACTIVE = 1,
    PQTRANS_INTRANS = 2,
    PQTRANS_INERROR = 3,
    PQTRANS_UNKNOWN = 4,
} PGTransactionStatusType;

typedef struct {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} PQconninfoOption;

typedef void (*PQnoticeReceiver)(void *context, const PGresult *result);

// Each function: its result, its name, its parameters, and their names for the call.
#define AVIARY_LIBPQ(function) \
    function(PGconn *, PQconnectdbParams, (const char *const *keywords, const char *const *values, int expand), \
        (keywords, values, expand)) \
    function(void, PQfinish, (PGconn *connection), (connection)) \
    function(ConnStatusType, PQstatus, (const PGconn *connection), (connection)) \
    function(PGTransactionStatusType, PQtransactionStatus, (const PGconn *connection), (connection)) \
    function(const char *, PQparameterStatus, (const PGconn *connection, const char *name), (connection, name)) \
    function(int, PQserverVersion, (const PGconn *connection), (connection)) \
    function(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
    function(char *, PQhost, (const PGconn *connection), (connection)) \
    function(int, PQsocket, (const PGconn *connection), (connection)) \
    function(PQconninfoOption *, PQconninfoParse, (const char *address, char **error), (address, error)) \
    function(void, PQconninfoFree, (PQconninfoOption *options), (options)) \
    function(PGcancel *, PQgetCancel, (PGconn *connection), (connection)) \
    function(void, PQfreeCancel, (PGcancel *cancel), (cancel)) \
    function(int, PQcancel, (PGcancel *cancel, char *error, int size), (cancel, error, size)) \
    function(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *connection, PQnoticeReceiver receiver, void *context), \
        (connection, receiver, context)) \
    function(PGresult *, PQexec, (PGconn *connection, const char *sql), (connection, sql)) \
    function(int, PQenterPipelineMode, (PGconn *connection), (connection)) \
    function(int, PQpipelineSync, (PGconn *connection), (connection)) \
    function(int, PQsendFlushRequest, (PGconn *connection), (connection)) \
    function(int, PQflush, (PGconn *connection), (connection)) \
    function(int, PQisBusy, (PGconn *connection), (connection)) \
    function(int, PQconsumeInput, (PGconn *connection), (connection)) \
    function(int, PQsendPrepare, \
        (PGconn *connection, const char *name, const char *sql, int count, const Oid *types), \
        (connection, name, sql, count, types)) \
    function(int, PQsendDescribePrepared, (PGconn *connection, const char *name), (connection, name)) \
    function(int, PQsendQueryPrepared, \
        (PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, \
            const int *formats, int resultFormat), \
        (connection, name, count, values, lengths, formats, resultFormat)) \
    function(int, PQsendQueryParams, \
        (PGconn *connection, const char *sql, int count, const Oid *types, const char *const *values, \
            const int *lengths, const int *formats, int resultFormat), \
        (connection, sql, count, types, values, lengths, formats, resultFormat)) \
    function(PGresult *, PQgetResult, (PGconn *connection), (connection)) \
    function(ExecStatusType, PQresultStatus, (const PGresult *result), (result)) \
    function(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
    function(int, PQntuples, (const PGresult *result), (result)) \
    function(Oid, PQftype, (const PGresult *result, int column), (result, column)) \
    function(Oid, PQparamtype, (const PGresult *result, int parameter), (result, parameter)) \
    function(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column)) \
    function(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
    function(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
    function(char *, PQcmdStatus, (PGresult *result), (result)) \
    function(char *, PQcmdTuples, (PGresult *result), (result)) \
    function(void, PQclear, (PGresult *result), (result))

/// The functions of the loaded library.
struct aviary_libpq {
#define AVIARY_LIBPQ_POINTER(result, name, parameters, call) result(*name) parameters;
    AVIARY_LIBPQ(AVIARY_LIBPQ_POINTER)
#undef AVIARY_LIBPQ_POINTER
};

extern struct aviary_libpq aviary_libpq;

// These have the library's names, but no symbols: a program may link libpq itself.
#define AVIARY_LIBPQ_CALL(result, name, parameters, call) \
    static inline result name parameters { return aviary_libpq.name call; }
AVIARY_LIBPQ(AVIARY_LIBPQ_CALL)
#undef AVIARY_LIBPQ_CALL
