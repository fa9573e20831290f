import AviaryHTTP
import AviaryMetrics

// The metrics that a server reports besides those of HTTP. The table in docs/operating.md explains the same ones.
extension MetricDescription {
    static let buildInfo = MetricDescription("aviary_build_info", .gauge, "Always 1; the labels say what serves.")
    static let refusedSeries = MetricDescription(
        "aviary_metrics_refused_series_total", .counter,
        "How often a series was asked for that is not kept: there are too many, or its name is taken."
    )

    static let processReady = MetricDescription(
        "aviary_process_ready", .gauge, "1 when the process serves, 0 while it starts.")
    static let processRestarts = MetricDescription(
        "aviary_process_restarts_total", .counter, "How often a process in this place was started again."
    )
    static let processReplacements = MetricDescription(
        "aviary_process_replacements_total", .counter, "How often a deploy gave the process's place to another program."
    )
    static let workers = MetricDescription(
        "aviary_workers", .gauge,
        "Workers that serve, that take over as soon as they are ready, and that were told to end."
    )
    static let cpuTime = MetricDescription("process_cpu_seconds_total", .counter, "User and system time.")
    static let residentMemory = MetricDescription("process_resident_memory_bytes", .gauge, "Memory that is in use.")
    static let openDescriptors = MetricDescription("process_open_fds", .gauge, "Open file descriptors.")
    static let descriptorLimit = MetricDescription("process_max_fds", .gauge, "How many file descriptors may be open.")
    static let startTime = MetricDescription(
        "process_start_time_seconds", .gauge, "When the process began, in Unix time.")

    static let storeUp = MetricDescription(
        "aviary_store_up", .gauge, "1 when the store answers; else only this worker is told of.")
    static let storeCommits = MetricDescription("aviary_store_commits_total", .counter, "Change sets stored.")
    static let storeBatches = MetricDescription(
        "aviary_store_batches_total", .counter, "Transactions that stored them.")
    static let storeBatchSize = MetricDescription(
        "aviary_store_batch_size", .histogram, "Change sets in a transaction.")
    static let storeFlush = MetricDescription(
        "aviary_store_flush_seconds", .histogram, "Time that a transaction took to reach the disk.")
    static let storeQueue = MetricDescription("aviary_store_queue_depth", .gauge, "Writes that wait for the store.")
    static let storeWait = MetricDescription(
        "aviary_store_wait_seconds", .histogram, "Time that work waited in the store's queue before it began.")
    static let storeWork = MetricDescription(
        "aviary_store_work_seconds", .histogram, "Time that the store worked, without the flush.")
    static let storeLastCommit = MetricDescription(
        "aviary_store_last_commit", .gauge, "Number of the last commit on disk.")
    static let storeFileSize = MetricDescription("aviary_store_file_bytes", .gauge, "Size of the store's file.")
    static let storeLogSize = MetricDescription("aviary_store_wal_bytes", .gauge, "Size of the write-ahead log's file.")
    static let storeHistorySize = MetricDescription(
        "aviary_store_history_bytes", .gauge, "What the history of changes takes.")
    static let storeFileCheck = MetricDescription(
        "aviary_store_file_check", .gauge, "1 for what is known of the store's file, 0 for all else."
    )

    static let backupLast = MetricDescription(
        "aviary_backup_last_success_timestamp_seconds", .gauge,
        "When the server's own last backup was taken, in Unix time; 0 when none was."
    )
    static let backupProblem = MetricDescription(
        "aviary_backup_problem", .gauge, "1 for what is wrong with the server's own backups, 0 for all else."
    )

    static let dataCheckLast = MetricDescription(
        "aviary_data_check_last_timestamp_seconds", .gauge,
        "When the server's own last check of its data ended, in Unix time; 0 when none did."
    )
    static let dataCheckProblems = MetricDescription(
        "aviary_data_check_problems", .gauge, "How many problems the server's own last check of its data found."
    )
    static let dataCheckUnfinished = MetricDescription(
        "aviary_data_check_unfinished", .gauge, "1 when the server's own last check of its data came to no end, else 0."
    )

    static let all: [MetricDescription] = [
        requests, refusedRequests, requestDuration, requestsInFlight, connections, buildInfo, refusedSeries,
        processReady, processRestarts,
        processReplacements, workers, cpuTime, residentMemory, openDescriptors, descriptorLimit, startTime, storeUp,
        storeCommits, storeBatches, storeBatchSize,
        storeFlush, storeQueue, storeWait, storeWork, storeLastCommit, storeFileSize, storeLogSize, storeHistorySize,
        storeFileCheck,
        backupLast, backupProblem, dataCheckLast, dataCheckProblems, dataCheckUnfinished,
    ]
}
