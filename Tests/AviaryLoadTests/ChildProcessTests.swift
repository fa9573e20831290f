import Foundation
import TestSupport
import Testing

@testable import AviaryLoad

@Suite("Child processes of the load harness") struct ChildProcessTests {
    @Test("The whole output is read")
    func longOutput() async throws {
        let text = try await LaunchedProcess.run("/bin/sh", ["-c", "head -c 3000000 /dev/zero | tr '\\0' x"])
        #expect(text.utf8.count == 3_000_000)
    }

    @Test(
        "Reading takes linear time",
        .enabled(if: Explore.isOn, "It measures a time; AVIARY_EXPLORE=1 runs it."))
    func longerOutput() async throws {
        let begun = ContinuousClock.now
        let text = try await LaunchedProcess.run("/bin/sh", ["-c", "head -c 30000000 /dev/zero | tr '\\0' x"])
        #expect(text.utf8.count == 30_000_000)
        #expect(ContinuousClock.now - begun < .seconds(30))
    }

    @Test("A child process receives all of its input")
    func reported() async throws {
        let child = LaunchedProcess(executable: "/bin/sh", arguments: ["-c", "echo ready; cat"], hasInput: true)
        try await child.start()
        #expect(await child.readLine() == Data("ready".utf8))
        let long = String(repeating: "x", count: 1_000_000)
        await child.send(Data(long.utf8))
        #expect(await child.read() == long)
        #expect(await child.exitStatus() == 0)
    }

    @Test(
        "Lines are read one at a time, and the remaining output can be read afterwards")
    func lines() async throws {
        let long = String(repeating: "x", count: 300_000)
        let script = "printf 'one\\ntwo\\n'; printf thr; sleep 0.1; echo ee; echo; cat; printf end"
        let child = LaunchedProcess(executable: "/bin/sh", arguments: ["-c", script], hasInput: true)
        try await child.start()
        await child.send(Data("\(long)\n".utf8))
        var lines: [String] = []
        for _ in 0..<5 { lines.append(String(decoding: try #require(await child.readLine()), as: UTF8.self)) }
        #expect(lines == ["one", "two", "three", "", long])
        #expect(await child.read() == "end")
        #expect(await child.readLine() == nil)
    }

    @Test("A client process that fails to start ends the run with advice")
    func noClient() async throws {
        let error = await #expect(throws: LoadTestError.self) {
            _ = try await ClientProcess.start(2, executable: "/bin/false")
        }
        #expect(error?.description.contains("client process") == true)
    }
}
