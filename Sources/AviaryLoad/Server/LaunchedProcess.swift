import Foundation

/// A child process. It inherits standard error.
actor LaunchedProcess {
    private let process = Process()
    private let output = Pipe()
    private let lines: AsyncStream<Data>
    private let linesEnd: AsyncStream<Data>.Continuation
    /// The data that was read together with the end of a line and not yet returned.
    private var unread = Data()
    private var status: Int32?
    private var waiting: [CheckedContinuation<Int32, Never>] = []

    private let input: Pipe?

    /// Creates a process without starting it.
    ///
    /// - Parameter hasInput: Pass true to write to the process's standard input.
    init(executable: String, arguments: [String], hasInput: Bool = false) {
        input = hasInput ? Pipe() : nil
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

    /// Sends all of the input of the process, then closes its standard input.
    ///
    /// A thread of its own writes the data, because a write to a full pipe blocks until the process reads.
    func send(_ data: Data) {
        guard let input else { return }
        Thread.detachNewThread {
            try? input.fileHandleForWriting.write(contentsOf: data)  // it ended: its exit code says more
            try? input.fileHandleForWriting.close()  // as above
        }
    }

    /// Reads the output to its end on a thread of its own.
    ///
    /// A file handle's readability handler at times misses the end of a pipe, and the reader then waits forever.
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

    /// Returns the output until `isComplete` returns true or the output ends.
    ///
    /// The method calls `isComplete` with the whole output after every chunk, so the output must be short.
    func read(until isComplete: @Sendable (String) -> Bool) async -> String {
        var data = Data()
        for await chunk in lines {
            data += chunk
            if isComplete(String(decoding: data, as: UTF8.self)) { break }
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns the next line of the output without its newline; nil after the last line. An unterminated last line
    /// counts as a line.
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

    /// Appends the part of a chunk that belongs to the line, and returns the rest; nil when the line does not end
    /// in the chunk.
    private func take(lineOf chunk: Data, into line: inout Data) -> Data? {
        guard let end = chunk.firstIndex(of: UInt8(ascii: "\n")) else {
            line += chunk
            return nil
        }
        line += chunk[..<end]
        return Data(chunk[(end + 1)...])
    }

    /// Returns the rest of the output, to its end.
    func read() async -> String {
        var data = unread
        unread = Data()
        for await chunk in lines { data += chunk }
        return String(decoding: data, as: UTF8.self)
    }

    /// Waits for the process to exit and returns its exit code.
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

extension LaunchedProcess {
    /// Runs a program to its end.
    ///
    /// - Parameter accepted: The exit codes that count as success.
    /// - Returns: The output of the program.
    static func run(
        _ executable: String, _ arguments: [String], accepting accepted: Set<Int32> = [0]
    ) async throws(LoadTestError) -> String {
        let child = LaunchedProcess(executable: executable, arguments: arguments)
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
