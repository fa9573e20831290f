import Foundation
import TestSupport
import Testing

@testable import AviaryRuntime

@Suite("Schema probe of a new program")
struct SchemaProbeTests {
    /// Returns the compatibility of a program that is a shell script.
    private func compatibility(of script: String, within patience: Duration = Patience.bound) async throws
        -> CompatibilityResult
    {
        let path = FileManager.default.temporaryDirectory.appending(path: "aviary-program-\(UUID().uuidString)").path
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }  // the system cleans its temporary directory too
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        let probe = try await start {
            try SchemaProbe(
                ProgramImage(path: path), arguments: ["migrate", "--dry-run", "--json", "--data", "/the data"],
                environment: ["PATH": "/usr/bin:/bin"]
            )
        }
        return await withCheckedContinuation { continuation in
            probe.answer(within: patience) { continuation.resume(returning: $0) }
        }
    }

    /// Starts the probe, with retries.
    ///
    /// Another test may have started a process while the script was open for writing; the file is busy then.
    private func start(_ start: () throws -> SchemaProbe) async throws -> SchemaProbe {
        while true {
            do {
                return try start()
            } catch let error as StartError where error.failure == .noRoom(reason: "Text file busy") {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    @Test("The printed plan is the result of the probe", arguments: [SchemaChangeKind.none, .additive, .exclusive])
    func fits(change: SchemaChangeKind) async throws {
        let compatibility = try await compatibility(
            of: #"echo '{"change":"\#(change.rawValue)","steps":["add \"Animal\".\"age\""]}'"#)
        #expect(compatibility == .fits(change, steps: ["add \"Animal\".\"age\""]))
    }

    @Test("The program gets the arguments of the plan and inherits no other descriptors")
    func arguments() async throws {
        let compatibility = try await compatibility(
            of: #"""
                for d in 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$d ] && open="$open$d"; done
                printf '{"change":"none","steps":["%s","%s"]}' "$*" "$open"
                """#)
        // The third file is the script itself, which the shell has open at a descriptor of its own from 10 on.
        #expect(compatibility == .fits(.none, steps: ["migrate --dry-run --json --data /the data", ""]))
    }

    @Test("A program rejects the schema with a reason and exit code 1")
    func refuses() async throws {
        let compatibility = try await compatibility(
            of: #"printf '%s' '{"change":"refused","steps":[],"reason":"one\ntwo"}'; exit 1"#)
        #expect(compatibility == .refused(reason: "one; two"))
    }

    @Test(
        "Any other output or exit code makes the program unusable",
        arguments: [
            "", "echo hello", "exit 1", "kill -SEGV $$", #"echo '{"change":"none","steps":[]}'; exit 1"#,
            #"echo '{"change":"refused","steps":[],"reason":"no"}'"#, #"echo '{"change":"sideways","steps":[]}'"#,
            #"echo '{"change":"none","steps":[]}'; echo more"#,
        ])
    func unusable(script: String) async throws {
        guard case .unusable = try await compatibility(of: script) else { Issue.record("used"); return }
    }

    @Test(
        "A program that is too slow, prints too much or does not end is unusable",
        arguments: [
            "exec sleep 60", "exec yes", #"echo '{"change":"none","steps":[]}'; exec >/dev/null; exec sleep 60"#,
        ])
    func late(script: String) async throws {
        guard case .unusable(let reason) = try await compatibility(of: script, within: .milliseconds(500)) else {
            Issue.record("used"); return
        }
        #expect(reason.contains("did not tell"))
    }

    @Test(
        "Stopping a probe ends its processes, even if another process holds its output",
        .timeLimit(.minutes(Patience.minutes)),
        arguments: [
            "sleep 3600 & echo $! > $F; exec sleep 3600",
            "setsid sh -c 'echo $$ > $F; exec sleep 3600' & exec sleep 3600",
        ])
    func stop(script: String) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "aviary-program-\(UUID().uuidString)").path
        let file = path + ".child"
        try Data("#!/bin/sh\nF='\(file)'; export F\n\(script)\n".utf8).write(to: URL(filePath: path))
        defer {
            // The system cleans its temporary directory too.
            try? FileManager.default.removeItem(atPath: path)
            try? FileManager.default.removeItem(atPath: file)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        let probe = try await start {
            try SchemaProbe(ProgramImage(path: path), arguments: [], environment: ["PATH": "/usr/bin:/bin"])
        }
        let group = probe.pid
        // Both time limits are longer than the test: only the stop ends the probe.
        async let answer = withCheckedContinuation { continuation in
            probe.answer(within: .seconds(3600)) { continuation.resume(returning: $0) }
        }
        defer { probe.stop() }
        try await eventually("it has started a process of its own") { child(toldIn: file) != nil }
        let pid = try #require(child(toldIn: file))
        // A process that has left the group does not end with it.
        defer { if isAnyoneAlive(in: pid) { kill(-pid, SIGKILL) } }
        probe.stop()
        let compatibility = await answer
        guard case .unusable = compatibility else { Issue.record("\(compatibility)"); return }
        try await eventually("nobody is left in its group") { !isAnyoneAlive(in: group) }
    }

    private func child(toldIn file: String) -> pid_t? {
        // The file does not exist until the program has written it.
        (try? String(contentsOfFile: file, encoding: .utf8)).flatMap {
            $0.hasSuffix("\n") ? pid_t($0.dropLast()) : nil
        }
    }

    /// Returns whether a process of the group is alive.
    ///
    /// Orphans that have ended wait for their new parent and do not count.
    private func isAnyoneAlive(in group: pid_t) -> Bool {
        // Without /proc there are no processes to check.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.contains { name in
            guard Int32(name) != nil, let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return false }
            // The state, the parent and the group follow the name.
            let fields = text[text.index(after: end)...].split(separator: " ")
            return fields.count > 2 && fields[0] != "Z" && Int32(fields[2]) == group
        }
    }

    @Test("The probe starts the file that was opened, even if another file has taken its name")
    func pinned() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "aviary-program-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }  // the system cleans its temporary directory too
        func put(_ change: String) throws {
            try Data("#!/bin/sh\necho '{\"change\":\"\(change)\",\"steps\":[]}'\n".utf8).write(
                to: URL(filePath: path + ".new"))
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path + ".new")
            try #require(rename(path + ".new", path) == 0)
        }
        try put("none")
        let image = try ProgramImage(path: path)
        try put("exclusive")
        let probe = try await start { try SchemaProbe(image, arguments: [], environment: [:]) }
        let compatibility = await withCheckedContinuation { continuation in
            probe.answer { continuation.resume(returning: $0) }
        }
        #expect(compatibility == .fits(.none, steps: []))
    }

    @Test("A missing or non-executable program is an error that cannot be retried", arguments: [false, true])
    func missing(exists: Bool) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "aviary-program-\(UUID().uuidString)").path
        if exists { try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: path)) }
        defer { try? FileManager.default.removeItem(atPath: path) }  // the file may not exist
        let error = #expect(throws: StartError.self) {
            try SchemaProbe(ProgramImage(path: path), arguments: [], environment: [:])
        }
        guard case .impossible = error?.failure else { Issue.record("\(String(describing: error))"); return }
    }
}
