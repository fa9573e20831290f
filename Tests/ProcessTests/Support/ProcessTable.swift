import Foundation
import Testing

/// A process as the system reports it.
struct ProcessEntry: Sendable, Hashable {
    let pid: pid_t
    let parent: pid_t
    /// The state: `R`, `S`, `T` for stopped, `Z` for a zombie, and others.
    let state: Character

    var isZombie: Bool { state == "Z" }
    var isStopped: Bool { state == "T" }
}

/// The processes in `/proc`.
enum ProcessTable {
    static func all() -> [ProcessEntry] {
        // Without /proc there are no entries.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.compactMap(entry)
    }

    /// Returns the process, or nil when there is none.
    static func entry(_ pid: pid_t) -> ProcessEntry? {
        guard let text = text("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        // The name in parentheses may contain any character; the state and the parent follow it.
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 1, let state = fields[0].first, let parent = pid_t(fields[1]) else { return nil }
        return ProcessEntry(pid: pid, parent: parent, state: state)
    }

    static func children(of pid: pid_t) -> [ProcessEntry] {
        all().filter { $0.parent == pid }
    }

    /// Returns the processes, other than this one, that were started with the text in an argument.
    static func mentioning(_ text: String) -> [ProcessEntry] {
        all().filter {
            $0.pid != getpid() && !$0.isZombie && self.text("/proc/\($0.pid)/cmdline")?.contains(text) == true
        }
    }

    /// Returns the open files of a process whose name has the suffix, and whether they are open for writing.
    static func openFiles(of pid: pid_t, named suffix: String) -> [(path: String, isWritable: Bool)] {
        let directory = "/proc/\(pid)/fd"
        // The process has ended and has no open files.
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return descriptors.compactMap { descriptor in
            guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: directory + "/" + descriptor),
                path.hasSuffix(suffix),
                let flags = text("/proc/\(pid)/fdinfo/\(descriptor)")?.firstMatch(of: /flags:\s*([0-7]+)/),
                let bits = Int32(flags.1, radix: 8)
            else { return nil }
            return (path, bits & O_ACCMODE != O_RDONLY)
        }
    }

    /// Returns the resident memory in KiB; nil when there is no such process.
    static func residentMemory(of pid: pid_t) -> Int? {
        text("/proc/\(pid)/status")?.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) }
    }

    /// Returns the largest resident memory so far in KiB; nil when there is no such process.
    static func highestMemory(of pid: pid_t) -> Int? {
        text("/proc/\(pid)/status")?.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) }
    }

    /// Returns the environment that the process was started with.
    static func environment(of pid: pid_t) throws -> [String] {
        try #require(text("/proc/\(pid)/environ"), "There is no process \(pid).").split(separator: "\0").map(
            String.init)
    }

    private static func text(_ path: String) -> String? {
        // Files in /proc have no size, so they are read to the end.
        guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.readToEnd() else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
