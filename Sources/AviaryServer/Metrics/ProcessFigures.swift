import AviaryMetrics
import CoreMetrics
import Foundation

/// What the system tells of a process.
struct ProcessFigures: Sendable {
    let residentMemory: Int
    let cpuTime: Double
    /// In Unix time.
    let startTime: Double
    /// What tells the process from a later one of the same id.
    let startTicks: UInt64
    /// In seconds.
    var uptime: Double { max(0, Date().timeIntervalSince1970 - startTime) }
    /// Nil where only the process itself may see them.
    let openDescriptors: Int?
    let descriptorLimit: Int?

    /// Nil when there is no such process, or the system does not tell.
    init?(_ pid: Int32) {
        guard let text = ProcessFile.text("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        // The name in parentheses may hold anything; the third field follows it.
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
        // Not readable for another user's process: then the others are still worth telling.
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

/// A file of `/proc`, which says of itself that it is empty.
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

/// What this process records, and the ledger's idea of it. One for the process, as swift-metrics has it.
enum ProcessMetrics {
    static let registry: MetricsRegistry = {
        let registry = MetricsRegistry(MetricDescription.all)
        // What the application and the libraries record comes along, unless the application has another place for it:
        // swift-metrics takes no second.
        if MetricsSystem.factory is NOOPMetricsHandler { MetricsSystem.bootstrap(registry) }
        return registry
    }()

    /// Before anything is recorded: what was made earlier records nothing.
    static func begin() {
        _ = registry
    }

    static let http = HTTPMetrics(registry)
    static let reporter = MetricsReporter(registry, identity: identity)

    private static var identity: MetricsReporter.Identity {
        .init(process: getpid(), start: ProcessFigures(getpid())?.startTicks ?? 0)
    }

    /// Whether the process that reported is still there, and is not another one with its id.
    static func isAlive(_ identity: MetricsReporter.Identity) -> Bool {
        if let figures = ProcessFigures(identity.process) { return figures.startTicks == identity.start }
        return identity.start == 0 && kill(identity.process, 0) == 0
    }
}
