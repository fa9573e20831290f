import AviaryDomain
import AviaryHTTP
import AviaryIPC
import AviaryMetrics
import AviaryRuntime
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

// The metrics that a server reports besides those of HTTP. The table in docs/operating.md explains the same ones.
extension MetricDescription {
    static let buildInfo = MetricDescription("aviary_build_info", .gauge, "Always 1; the labels say what serves.")
    static let storeInfo = MetricDescription(
        "aviary_store_info", .gauge, "Always 1; the labels say where the store is."
    )
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

    // These are only there for a store in a database.
    static let databaseUp = MetricDescription(
        "aviary_database_up", .gauge, "1 when the server of the database answers.")
    static let databasePrimary = MetricDescription(
        "aviary_database_primary", .gauge, "1 when the server takes changes, 0 when it is a replica.")
    static let databaseConnections = MetricDescription(
        "aviary_database_connections", .gauge, "Connections of all clients to the server.")
    static let databaseConnectionLimit = MetricDescription(
        "aviary_database_connection_limit", .gauge, "How many connections the server permits to ordinary roles.")
    static let databaseSize = MetricDescription("aviary_database_bytes", .gauge, "Size of the database.")
    static let databaseReplicas = MetricDescription(
        "aviary_database_replicas", .gauge, "Servers that follow the primary, by whether commits wait for them.")
    static let databaseReplicaLag = MetricDescription(
        "aviary_database_replica_lag_bytes", .gauge, "Log that a replica has not applied.")

    static let all: [MetricDescription] = [
        requests, refusedRequests, requestDuration, requestsInFlight, connections, buildInfo, storeInfo, refusedSeries,
        processReady, processRestarts,
        processReplacements, workers, cpuTime, residentMemory, openDescriptors, descriptorLimit, startTime, storeUp,
        storeCommits, storeBatches, storeBatchSize,
        storeFlush, storeQueue, storeWait, storeWork, storeLastCommit, storeFileSize, storeLogSize, storeHistorySize,
        storeFileCheck,
        databaseUp, databasePrimary, databaseConnections, databaseConnectionLimit, databaseSize, databaseReplicas,
        databaseReplicaLag,
        backupLast, backupProblem, dataCheckLast, dataCheckProblems, dataCheckUnfinished,
    ]
}

extension StoreStatus {
    func add(to snapshot: inout MetricSnapshot) {
        snapshot.set(Double(commits), .storeCommits)
        snapshot.set(Double(batches), .storeBatches)
        snapshot.set(Double(waiting), .storeQueue)
        snapshot.set(Double(lastCommit), .storeLastCommit)
        let state = FileCheckReport(fileCheck).state
        for each in FileCheckReport.State.allCases {
            snapshot.set(each == state ? 1 : 0, .storeFileCheck, [MetricLabel("state", each.rawValue)])
        }
        guard let measures else { return }
        snapshot.set(.histogram(HistogramValue(measures.flushes)), .storeFlush)
        snapshot.set(.histogram(HistogramValue(measures.batchSizes)), .storeBatchSize)
        snapshot.set(Double(measures.historySize), .storeHistorySize)
        for (name, times) in (measures.work ?? [:]).sorted(by: { $0.key < $1.key }) {
            let labels = [MetricLabel("work", name)]
            snapshot.set(.histogram(HistogramValue(times.waits)), .storeWait, labels)
            snapshot.set(.histogram(HistogramValue(times.durations)), .storeWork, labels)
        }
    }
}

extension DatabaseState {
    func add(to snapshot: inout MetricSnapshot) {
        snapshot.set(report == nil ? 0 : 1, .databaseUp)
        guard let report else { return }
        snapshot.set(report.isReplica ? 0 : 1, .databasePrimary)
        snapshot.set(Double(report.connections), .databaseConnections)
        snapshot.set(Double(report.connectionLimit), .databaseConnectionLimit)
        snapshot.set(Double(report.size), .databaseSize)
        let synchronous = report.replicas.count { $0.isSynchronous == true }
        for (state, count) in [("synchronous", synchronous), ("other", report.replicas.count - synchronous)] {
            snapshot.set(Double(count), .databaseReplicas, [MetricLabel("state", state)])
        }
        for replica in report.replicas {
            guard let name = replica.name, let lag = replica.lagBytes else { continue }
            snapshot.set(Double(lag), .databaseReplicaLag, [MetricLabel("replica", name)])
        }
    }
}

extension HistogramValue {
    fileprivate init(_ counts: BucketCounts) {
        self.init(bounds: counts.bounds, counts: counts.counts, sum: counts.sum)
    }
}

extension BackupState {
    /// Adds the state of the backups.
    ///
    /// - Parameter state: The state; nil when the server takes no scheduled backups. The problems are 0 then.
    static func add(_ state: BackupState?, to snapshot: inout MetricSnapshot, at now: Date) {
        snapshot.set(state?.lastSuccess?.timeIntervalSince1970 ?? 0, .backupLast)
        let problems = [
            ("failed", state?.failure != nil), ("late", state?.isLate(at: now) == true),
            ("hook", state?.hookFailure != nil),
        ]
        for (problem, isThere) in problems {
            snapshot.set(isThere ? 1 : 0, .backupProblem, [MetricLabel("problem", problem)])
        }
    }
}

extension ProcessStatus {
    /// The processes with their names in the metrics.
    var named: [(name: String, process: Process)] {
        let supervising = Process(pid: supervisor, restarts: 0, isReady: true)
        if let store, store.pid == supervisor { return [("server", supervising)] }
        return [("supervisor", supervising)] + (store.map { [("store", $0)] } ?? [])
            + workers.enumerated().map { ("worker-\($0.element.number ?? $0.offset + 1)", $0.element) }
    }

    func add(to snapshot: inout MetricSnapshot) {
        for (state, count) in [
            ("serving", workers.count(where: \.isReady)), ("coming", coming.count), ("leaving", leaving.count),
        ] {
            snapshot.set(Double(count), .workers, [MetricLabel("state", state)])
        }
        for (name, process) in named {
            let labels = [MetricLabel("process", name)]
            snapshot.set(process.isReady ? 1 : 0, .processReady, labels)
            snapshot.set(Double(process.restarts), .processRestarts, labels)
            snapshot.set(Double(process.replacements), .processReplacements, labels)
            ProcessMetricsSample(process.pid)?.add(to: &snapshot, as: name)
        }
    }
}

extension DataCheckState {
    /// Adds the state of the data checks.
    ///
    /// - Parameter state: The state; nil when the server makes no scheduled checks.
    static func add(_ state: DataCheckState?, to snapshot: inout MetricSnapshot) {
        snapshot.set(state?.last?.endedAt.timeIntervalSince1970 ?? 0, .dataCheckLast)
        snapshot.set(Double(state?.last?.problemCount ?? 0), .dataCheckProblems)
        snapshot.set(state?.failure == nil ? 0 : 1, .dataCheckUnfinished)
    }
}

/// A middleware that counts requests, measures their time and, with an access log, writes a line for each.
struct MetricsMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let metrics: HTTPMetrics
    /// The access log; nil when there is none.
    let accessLog: Logger?
    var clients = ClientAddresses(trustedProxies: [])

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let began = ContinuousClock.now
        metrics.began()
        var status = HTTPResponse.Status.internalServerError.code
        var size: Int?
        defer {
            let duration = ContinuousClock.now - began
            metrics.ended(route: context.route, method: request.method, status: status, after: duration)
            accessLog?.info(
                "request",
                metadata: [
                    "client": "\(client(of: request, context)?.description ?? "-")",
                    "method": "\(request.method)", "route": "\(context.route)",
                    "status": .stringConvertible(status),
                    "ms": .stringConvertible((duration.milliseconds * 1000).rounded() / 1000),
                    "bytes": size.map(Logger.MetadataValue.stringConvertible) ?? "-", "request": "\(context.id)",
                ])
        }
        let response = try await next(request, context)
        (status, size) = (response.status.code, response.body.contentLength)
        return response
    }

    private func client(of request: Request, _ context: Context) -> IPAddress? {
        clients.client(of: request, peer: context.peer?.ipAddress.flatMap(IPAddress.init))
    }
}
