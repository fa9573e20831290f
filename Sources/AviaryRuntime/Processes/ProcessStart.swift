import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// When a process began: with its number it names one process, also after the number was given to another.
enum ProcessStart {
    /// In the system's ticks since it began; nil when there is no such process or the system does not tell.
    static func ticks(of pid: Int32) -> UInt64? {
        // These files have no size to go by.
        guard let handle = FileHandle(forReadingAtPath: "/proc/\(pid)/stat"),
            let data = try? handle.readToEnd()  // it ended meanwhile: there is no such process
        else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        // The name in parentheses may hold anything.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }

    static func exists(_ pid: Int32) -> Bool {
        pid > 0 && (kill(pid, 0) == 0 || errno == EPERM)
    }
}
