import AviaryHTTP
import AviaryMetrics
import CoreMetrics
import Foundation

/// The system's figures about a process.
package struct ProcessMetricsSample: Sendable {
    package let residentMemory: Int
    let cpuTime: Double
    /// The start time in Unix time.
    let startTime: Double
    /// The start time in clock ticks, which distinguishes the process from a later one with the same id.
    let startTicks: UInt64
    /// The time since the start, in seconds.
    package var uptime: Double { max(0, Date().timeIntervalSince1970 - startTime) }
    /// The number of open descriptors; nil where only the process itself may see them.
    let openDescriptors: Int?
    let descriptorLimit: Int?

    /// Reads the figures, or returns nil when there is no such process or the system does not report them.
    package init?(_ pid: Int32) {
        guard let text = ProcessFile.text("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        // The name in parentheses may contain any character; the third field follows it.
        let fields = text[text.index(after: end)...].split(separator: " ")
        func field(_ number: Int) -> UInt64? {
            fields.indices.contains(number - 3) ? UInt64(fields[number - 3]) : nil
        }
        guard let user = field(14), let system = field(15), let start = field(22), let pages = field(24) else {
            return nil
        }
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        residentMemory = Int(pages) * sysconf(Int32(_SC_PAGESIZE))
        cpuTime = Double(user + system) / ticks
        startTicks = start
        startTime = Self.bootTime + Double(start) / ticks
        // Another user's process does not allow this read. The other figures are still useful.
        openDescriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
        descriptorLimit = ProcessFile.text("/proc/\(pid)/limits")?
            .firstMatch(of: /Max open files +([0-9]+)/).flatMap { Int($0.1) }
    }

    private static let bootTime: Double =
        ProcessFile.text("/proc/stat")?
        .firstMatch(of: /btime ([0-9]+)/).flatMap { Double($0.1) } ?? 0

    func add(to snapshot: inout MetricSnapshot, as name: String) {
        let labels = [MetricLabel("process", name)]
        snapshot.set(Double(residentMemory), .residentMemory, labels)
        snapshot.set(cpuTime, .cpuTime, labels)
        snapshot.set(startTime, .startTime, labels)
        if let openDescriptors { snapshot.set(Double(openDescriptors), .openDescriptors, labels) }
        if let descriptorLimit { snapshot.set(Double(descriptorLimit), .descriptorLimit, labels) }
    }
}

/// A file of `/proc`. Its reported size is zero.
private enum ProcessFile {
    private static let largest = 64 * 1024

    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count < largest {
            let count = read(descriptor, &part, part.count)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The metrics that this process records, and its identity for the ledger.
///
/// There is one registry per process, as in swift-metrics.
package enum ProcessMetrics {
    static let registry: MetricsRegistry = {
        let registry = MetricsRegistry(MetricDescription.all)
        // The registry also receives the metrics of the application and the libraries, unless the application has
        // set up another backend: swift-metrics can be configured only once.
        if MetricsSystem.factory is NOOPMetricsHandler { MetricsSystem.bootstrap(registry) }
        return registry
    }()

    /// Sets up the registry.
    ///
    /// Call it before anything is recorded, because metrics that were created earlier record nothing.
    package static func begin() {
        _ = registry
    }

    static let http = HTTPMetrics(registry)
    static let reporter = MetricsReporter(registry, identity: identity)

    private static var identity: MetricsReporter.Identity {
        .init(process: getpid(), start: ProcessMetricsSample(getpid())?.startTicks ?? 0)
    }

    /// Returns whether the process that reported still exists, and is not another one with the same id.
    static func isAlive(_ identity: MetricsReporter.Identity) -> Bool {
        if let figures = ProcessMetricsSample(identity.process) { return figures.startTicks == identity.start }
        return identity.start == 0 && kill(identity.process, 0) == 0
    }
}
