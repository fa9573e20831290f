import Foundation

/// A program that runs beside this one. Its standard error is this one's.
actor ChildProcess {
    private let process = Process()
    private let output = Pipe()
    private let lines: AsyncStream<Data>
    private let linesEnd: AsyncStream<Data>.Continuation
    /// What was read together with a line before it.
    private var unread = Data()
    private var status: Int32?
    private var waiting: [CheckedContinuation<Int32, Never>] = []

    private let input: Pipe?

    /// - Parameter isTold: it reads from its standard input what is sent to it.
    init(executable: String, arguments: [String], isTold: Bool = false) {
        input = isTold ? Pipe() : nil
        (lines, linesEnd) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = output
    }

    var pid: Int32 { process.processIdentifier }

    func start() throws(LoadTestError) {
        process.terminationHandler = { [weak self] process in
            let status = process.terminationStatus
            Task { await self?.end(status) }
        }
        do {
            try process.run()
        } catch {
            throw LoadTestError(
                "\(process.executableURL?.path ?? "The program") could not be started: \(error). Check that it may be run."
            )
        }
        readOutput(dup(output.fileHandleForReading.fileDescriptor))
    }

    /// All that it will read. On a thread of its own: a pipe takes only so much before somebody reads.
    func send(_ data: Data) {
        guard let input else { return }
        Thread.detachNewThread {
            try? input.fileHandleForWriting.write(contentsOf: data)  // it ended: its exit code says more
            try? input.fileHandleForWriting.close()
        }
    }

    /// On a thread of its own, to the end: a handle's readability handler at times misses the end of a pipe, and whoever
    /// reads then waits for ever.
    private func readOutput(_ descriptor: Int32) {
        let linesEnd = linesEnd
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let count = Foundation.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                linesEnd.yield(Data(buffer.prefix(count)))
            }
            close(descriptor)
            linesEnd.finish()
        }
    }

    /// Everything that it prints until `isComplete`, or until it prints no more. What is asked after every piece must be short.
    func read(until isComplete: @Sendable (String) -> Bool) async -> String {
        var data = Data()
        for await chunk in lines {
            data += chunk
            if isComplete(String(decoding: data, as: UTF8.self)) { break }
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The next line that it prints, without its end; nil behind the last. One that nothing ends is a line too.
    func readLine() async -> Data? {
        var line = Data()
        if let rest = take(lineOf: unread, into: &line) {
            unread = rest
            return line
        }
        unread = Data()
        for await chunk in lines {
            guard let rest = take(lineOf: chunk, into: &line) else { continue }
            unread = rest
            return line
        }
        return line.isEmpty ? nil : line
    }

    /// What stands behind the line's end; nil when it does not end here.
    private func take(lineOf chunk: Data, into line: inout Data) -> Data? {
        guard let end = chunk.firstIndex(of: UInt8(ascii: "\n")) else {
            line += chunk
            return nil
        }
        line += chunk[..<end]
        return Data(chunk[(end + 1)...])
    }

    /// Everything that it prints to its end, from where it was read to before.
    func read() async -> String {
        var data = unread
        unread = Data()
        for await chunk in lines { data += chunk }
        return String(decoding: data, as: UTF8.self)
    }

    /// Waits for its end and tells the exit code.
    func exitStatus() async -> Int32 {
        if let status { return status }
        return await withCheckedContinuation { waiting.append($0) }
    }

    private func end(_ status: Int32) {
        self.status = status
        for waiter in waiting { waiter.resume(returning: status) }
        waiting = []
    }

    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }
}

extension ChildProcess {
    /// Runs a program to its end.
    ///
    /// - Parameter accepted: exit codes with which it has done what it was asked.
    /// - Returns: what it printed.
    static func run(
        _ executable: String, _ arguments: [String], accepting accepted: Set<Int32> = [0]
    ) async throws(LoadTestError) -> String {
        let child = ChildProcess(executable: executable, arguments: arguments)
        try await child.start()
        let text = await child.read()
        let status = await child.exitStatus()
        guard accepted.contains(status) else {
            throw LoadTestError(
                "\(arguments.joined(separator: " ")) ended with exit code \(status); what it said stands above.")
        }
        return text
    }
}
