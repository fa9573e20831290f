/* The same rows into the same file, straight through SQLite's C interface: what the store is measured beside.
 *
 * peer STORE TABLE [--batch N] [--commits] [--history-from N] [--fill] < ROWS
 *
 * Opens a file that the store created, reads the table's columns from it, and inserts rows given as lines of
 * tab-separated columns: the id of a change set, then the table's columns but for the version. Durable: WAL,
 * synchronous=FULL, a commit a row or a batch. Prints a line of JSON.
 */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What the store counts for a change beside its fields. */
enum { HISTORY_OVERHEAD = 180, COLUMN_LIMIT = 64, FILL_CHUNK = 100000 };

struct options {
    const char *store, *table;
    size_t batch;
    bool commits;        /* its commit with each row; the total and the last numbers with each batch */
    size_t history_from; /* with a change in the history for each row, from this one on */
    bool fill;           /* fast and not durable, for making a large store */
};

struct table {
    int columns;
    char *name[COLUMN_LIMIT];
    char type[COLUMN_LIMIT]; /* 'I', 'R' or 'T', by column */
    char *insert;
};

struct value {
    union {
        sqlite3_int64 integer;
        double real;
        const char *text;
    };
    int length;
};

struct rows {
    size_t count, capacity;
    struct value *values; /* count * (columns + 1); the change set's id is the first of each */
    char **lines;
};

struct statements {
    sqlite3_stmt *begin, *row, *commit_row, *change, *total, *number, *commit;
};

/* The state from which the next row is made. */
struct position {
    sqlite3_int64 commit, next_change, history_size;
};

static sqlite3 *database;

static void fail(const char *what) {
    fprintf(stderr, "peer: %s: %s\n", what, database ? sqlite3_errmsg(database) : "no database");
    exit(1);
}

static void run(const char *sql) {
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) fail(sql);
    return statement;
}

static void finish(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_sql(statement));
    sqlite3_reset(statement);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static sqlite3_int64 milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (sqlite3_int64)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static struct options parse(int count, char **arguments) {
    struct options options = {.batch = 1, .history_from = SIZE_MAX};
    if (count < 3) {
        fprintf(stderr, "usage: peer STORE TABLE [--batch N] [--commits] [--history-from N] [--fill] < ROWS\n");
        exit(2);
    }
    options.store = arguments[1];
    options.table = arguments[2];
    for (int index = 3; index < count; index++) {
        if (strcmp(arguments[index], "--batch") == 0 && index + 1 < count) {
            options.batch = strtoul(arguments[++index], NULL, 10);
        } else if (strcmp(arguments[index], "--commits") == 0) {
            options.commits = true;
        } else if (strcmp(arguments[index], "--history-from") == 0 && index + 1 < count) {
            options.history_from = strtoul(arguments[++index], NULL, 10);
        } else if (strcmp(arguments[index], "--fill") == 0) {
            options.fill = true;
        } else {
            fprintf(stderr, "peer: what is %s?\n", arguments[index]);
            exit(2);
        }
    }
    if (options.batch == 0) options.batch = 1;
    return options;
}

/* The settings that are no part of the file are those of the store's own connection. */
static void open_store(const struct options *options) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(options->store, &database, flags, NULL) != SQLITE_OK) fail(options->store);
    if (options->fill) {
        run("PRAGMA journal_mode=DELETE; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-4194304");
        return;
    }
    run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF");
    run("PRAGMA cache_size=-65536; PRAGMA wal_autocheckpoint=4000");
}

static struct table read_table(const char *name) {
    struct table table = {0};
    sqlite3_stmt *statement = prepare("SELECT name, type FROM pragma_table_info(?1) ORDER BY cid");
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    sqlite3_str *names = sqlite3_str_new(database), *marks = sqlite3_str_new(database);
    while (sqlite3_step(statement) == SQLITE_ROW && table.columns < COLUMN_LIMIT) {
        sqlite3_str_appendf(names, "%s\"%w\"", table.columns ? ", " : "", sqlite3_column_text(statement, 0));
        sqlite3_str_appendf(marks, "%s?", table.columns ? ", " : "");
        table.name[table.columns] = sqlite3_mprintf("%s", sqlite3_column_text(statement, 0));
        table.type[table.columns++] = (char)sqlite3_column_text(statement, 1)[0];
    }
    sqlite3_finalize(statement);
    if (table.columns < 2) fail("no such table");
    char *name_list = sqlite3_str_finish(names), *mark_list = sqlite3_str_finish(marks);
    table.insert = sqlite3_mprintf("INSERT INTO \"%w\" (%s) VALUES (%s)", name, name_list, mark_list);
    sqlite3_free(name_list);
    sqlite3_free(mark_list);
    return table;
}

static struct value value_of(char *text, char type) {
    struct value value = {.length = (int)strlen(text)};
    switch (type) {
    case 'I': value.integer = strtoll(text, NULL, 10); break;
    case 'R': value.real = strtod(text, NULL); break;
    default: value.text = text;
    }
    return value;
}

/* The line's columns are id, then all after the version, which is the second of the table. */
static void read_row(struct rows *rows, const struct table *table, char *line) {
    struct value *values = rows->values + rows->count * (size_t)(table->columns + 1);
    char *rest = line;
    values[0] = value_of(strsep(&rest, "\t\n"), 'T');
    for (int column = 0; column < table->columns; column++) {
        if (column == 1) continue;
        char *text = strsep(&rest, "\t\n");
        if (!text || !rest) {
            fprintf(stderr, "peer: a line has fewer columns than the table\n");
            exit(1);
        }
        values[column + 1] = value_of(text, table->type[column]);
    }
    rows->count++;
}

/* False when there are no more. */
static bool read_rows(struct rows *rows, const struct table *table, size_t limit) {
    for (size_t index = 0; index < rows->count; index++) free(rows->lines[index]);
    rows->count = 0;
    while (rows->count < limit) {
        if (rows->count == rows->capacity) {
            rows->capacity = rows->capacity ? 2 * rows->capacity : 4096;
            rows->values = realloc(rows->values, rows->capacity * (size_t)(table->columns + 1) * sizeof *rows->values);
            rows->lines = realloc(rows->lines, rows->capacity * sizeof *rows->lines);
            if (!rows->values || !rows->lines) fail("out of memory");
        }
        char *line = NULL;
        size_t size = 0;
        if (getline(&line, &size, stdin) < 0) {
            free(line);
            break;
        }
        rows->lines[rows->count] = line;
        read_row(rows, table, line);
    }
    return rows->count > 0;
}

static struct statements prepare_all(const struct table *table) {
    return (struct statements){
        .begin = prepare("BEGIN IMMEDIATE"),
        .row = prepare(table->insert),
        .commit_row = prepare("INSERT INTO aviary_commit (number, change_set, fingerprint, author, time, undoes,"
                              " first_change, changes, unrecorded) VALUES (?, ?, ?, 'benchmark', ?, NULL, ?, ?, 0)"),
        .change = prepare("INSERT INTO aviary_change (number, \"commit\", model, record, kind, fields)"
                          " VALUES (?, ?, ?, ?, 0, ?)"),
        .total = prepare("UPDATE aviary_total SET records = records + ? WHERE model = ?"),
        .number = prepare("INSERT OR REPLACE INTO aviary_meta (key, value) VALUES (?, ?)"),
        .commit = prepare("COMMIT"),
    };
}

static void insert_row(sqlite3_stmt *statement, const struct table *table, const struct value *values, sqlite3_int64 commit) {
    for (int column = 0; column < table->columns; column++) {
        const struct value *value = values + column + 1;
        int parameter = column + 1;
        if (column == 1) sqlite3_bind_int64(statement, parameter, commit);
        else if (table->type[column] == 'I') sqlite3_bind_int64(statement, parameter, value->integer);
        else if (table->type[column] == 'R') sqlite3_bind_double(statement, parameter, value->real);
        else sqlite3_bind_text(statement, parameter, value->text, value->length, SQLITE_STATIC);
    }
    finish(statement);
}

static void insert_commit(
    sqlite3_stmt *statement, const struct value *id, const struct position *position, int changes
) {
    unsigned char fingerprint[32];
    sqlite3_randomness(sizeof fingerprint, fingerprint);
    sqlite3_bind_int64(statement, 1, position->commit);
    sqlite3_bind_text(statement, 2, id->text, id->length, SQLITE_STATIC);
    sqlite3_bind_blob(statement, 3, fingerprint, sizeof fingerprint, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 4, milliseconds());
    sqlite3_bind_int64(statement, 5, position->next_change);
    sqlite3_bind_int(statement, 6, changes);
    finish(statement);
}

/* The rows' texts hold nothing that JSON would have to escape. */
static void insert_change(
    sqlite3_stmt *statement, const struct options *options, const struct table *table, const struct value *values,
    struct position *position
) {
    sqlite3_str *fields = sqlite3_str_new(database);
    for (int column = 2; column < table->columns; column++) {
        const struct value *value = values + column + 1;
        sqlite3_str_appendf(fields, "%c\"%s\":", column == 2 ? '{' : ',', table->name[column]);
        if (table->type[column] == 'I') sqlite3_str_appendf(fields, "%lld", value->integer);
        else if (table->type[column] == 'R') sqlite3_str_appendf(fields, "%.15g", value->real);
        else sqlite3_str_appendf(fields, "\"%s\"", value->text);
    }
    sqlite3_str_appendchar(fields, 1, '}');
    int length = sqlite3_str_length(fields);
    char *text = sqlite3_str_finish(fields);
    sqlite3_bind_int64(statement, 1, position->next_change++);
    sqlite3_bind_int64(statement, 2, position->commit);
    sqlite3_bind_text(statement, 3, options->table, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 4, values[1].text, values[1].length, SQLITE_STATIC);
    sqlite3_bind_text(statement, 5, text, length, SQLITE_STATIC);
    finish(statement);
    sqlite3_free(text);
    position->history_size += HISTORY_OVERHEAD + length;
}

static void insert_all(
    const struct options *options, const struct table *table, const struct statements *statements,
    const struct value *values, size_t number, struct position *position
) {
    bool has_history = number >= options->history_from;
    position->commit++;
    insert_row(statements->row, table, values, position->commit);
    if (options->commits) insert_commit(statements->commit_row, values, position, has_history);
    if (has_history) insert_change(statements->change, options, table, values, position);
}

static void write_number(sqlite3_stmt *statement, const char *key, sqlite3_int64 value) {
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, value);
    finish(statement);
}

static void write_sums(
    const struct statements *statements, const char *table, size_t added, const struct position *position
) {
    sqlite3_bind_int64(statements->total, 1, (sqlite3_int64)added);
    sqlite3_bind_text(statements->total, 2, table, -1, SQLITE_STATIC);
    finish(statements->total);
    write_number(statements->number, "commit", position->commit);
    write_number(statements->number, "next_change", position->next_change);
    write_number(statements->number, "history_size", position->history_size);
}

static sqlite3_int64 read_number(const char *key) {
    sqlite3_stmt *statement = prepare("SELECT value FROM aviary_meta WHERE key = ?");
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) != SQLITE_ROW) fail(key);
    sqlite3_int64 value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

static struct position read_position(void) {
    return (struct position){read_number("commit"), read_number("next_change"), read_number("history_size")};
}

static void insert_batch(
    const struct options *options, const struct table *table, const struct statements *statements,
    const struct rows *rows, size_t first, size_t count, struct position *position
) {
    /* A single row without anything else is a transaction of its own already. */
    bool has_transaction = options->batch > 1 || options->commits;
    if (has_transaction) finish(statements->begin);
    for (size_t index = first; index < first + count; index++) {
        insert_all(options, table, statements, rows->values + index * (size_t)(table->columns + 1), index, position);
    }
    if (options->commits) write_sums(statements, options->table, count, position);
    if (has_transaction) finish(statements->commit);
}

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static void report(const struct options *options, size_t rows, double seconds, double *latencies, size_t batches) {
    qsort(latencies, batches, sizeof *latencies, ascending);
    printf("{\"batch\":%zu,\"rows\":%zu,\"seconds\":%.3f,\"rowsPerSecond\":%.0f,\"p50Milliseconds\":%.3f,"
           "\"p99Milliseconds\":%.3f}\n",
           options->batch, rows, seconds, (double)rows / seconds,
           latencies[batches / 2] * 1000, latencies[batches * 99 / 100] * 1000);
}

static void measure(const struct options *options, const struct table *table) {
    struct rows rows = {0};
    if (!read_rows(&rows, table, SIZE_MAX)) fail("no rows");
    struct statements statements = prepare_all(table);
    double *latencies = calloc(rows.count, sizeof *latencies);
    if (!latencies) fail("out of memory");
    struct position position = read_position();
    size_t batches = 0;
    double start = now(), begun = start;
    for (size_t first = 0; first < rows.count; first += options->batch) {
        size_t left = rows.count - first;
        insert_batch(options, table, &statements, &rows, first, left < options->batch ? left : options->batch, &position);
        double ended = now();
        latencies[batches++] = ended - begun;
        begun = ended;
    }
    report(options, rows.count, begun - start, latencies, batches);
}

/* Rows in the order in which they would have come, so that the trees are those that the store itself would have made. */
static void fill(const struct options *options, const struct table *table) {
    struct rows rows = {0};
    struct statements statements = prepare_all(table);
    struct position position = read_position();
    size_t total = 0;
    double start = now();
    run("BEGIN IMMEDIATE");
    while (read_rows(&rows, table, FILL_CHUNK)) {
        for (size_t index = 0; index < rows.count; index++) {
            const struct value *values = rows.values + index * (size_t)(table->columns + 1);
            insert_all(options, table, &statements, values, total + index, &position);
        }
        total += rows.count;
    }
    write_sums(&statements, options->table, total, &position);
    run("COMMIT");
    printf("{\"rows\":%zu,\"seconds\":%.3f,\"rowsPerSecond\":%.0f}\n", total, now() - start, (double)total / (now() - start));
}

int main(int count, char **arguments) {
    struct options options = parse(count, arguments);
    open_store(&options);
    struct table table = read_table(options.table);
    if (options.fill) fill(&options, &table);
    else measure(&options, &table);
    for (sqlite3_stmt *left; (left = sqlite3_next_stmt(database, NULL));) sqlite3_finalize(left);
    if (sqlite3_close(database) != SQLITE_OK) fail("close");
    return 0;
}
