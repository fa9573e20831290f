import Foundation
import TestSupport
import Testing

@testable import AviaryRuntime

@Suite("Shell commands")
struct ShellCommandTests {
    private let environment = ["PATH": "/usr/bin:/bin", "WORD": "kea"]

    private func run(
        _ command: String, grace: Duration = .seconds(5), while continues: @escaping @Sendable () -> Bool = { true }
    ) async -> ShellCommand.End {
        let command = ShellCommand(command, environment: environment, grace: grace)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: command.run(while: continues)) }
        }
    }

    @Test(
        "The result says how the command ended",
        arguments: [
            ("test \"$WORD\" = kea", ShellCommand.End.exited(0)), ("exit 7", .exited(7)),
            ("kill -9 $$", .killed(signal: 9)),
            ("no-such-command-at-all 2>/dev/null", .exited(127)), ("read line; test $? = 1", .exited(0)),
        ])
    func ends(command: String, end: ShellCommand.End) async {
        #expect(await run(command) == end)
    }

    @Test(
        "Ending a command also ends its child processes, by force if necessary",
        arguments: [
            "sleep 600 & echo $! > $F; wait",
            "(trap '' TERM; echo $(exec sh -c 'echo $PPID') > $F; while :; do sleep 1; done) & wait",
        ])
    func group(command: String) async throws {
        let file = FileManager.default.temporaryDirectory.path + "/aviary-shell-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: file) }  // the file is temporary
        func child() -> Int32? {
            // The file does not exist until the command has written it.
            (try? String(contentsOfFile: file, encoding: .utf8)).flatMap {
                Int32($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        let end = await run("F=\(file); " + command, grace: .milliseconds(300)) {
            !FileManager.default.fileExists(atPath: file)
                || ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").isEmpty
        }
        #expect(end == .ended)
        let pid = try #require(child())
        // A zombie whose parent has ended waits for the system.
        try await eventually("what it started has ended") { kill(pid, 0) != 0 || isZombie(pid) }
    }

    private func isZombie(_ pid: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)  // the process may have ended
        return status.map { $0.contains(") Z ") } ?? true
    }
}
