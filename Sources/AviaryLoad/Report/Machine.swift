import Foundation

/// What the run was made on.
struct Machine: Sendable, Encodable {
    let processor: String
    let cores: Int
    let memory: Double
    let system: String

    static var current: Machine {
        let process = ProcessInfo.processInfo
        // other systems have none
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return Machine(
            processor: model?.trimmingCharacters(in: .whitespaces) ?? "unknown processor",
            cores: process.activeProcessorCount, memory: Double(process.physicalMemory) / 1_073_741_824,
            system: process.operatingSystemVersionString
        )
    }
}
