#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension Supervisor {
    func start(_ id: MemberID, _ role: Role, _ program: ProgramID) -> FleetEvent {
        guard let image = images[program] else { return .notStarted(id, .impossible(reason: "its program is gone")) }
        let continuation = continuation
        do {
            let process = try ChildProcess(
                image: image,
                arguments: role == .store ? plan.storeArguments : plan.workerArguments,
                environment: plan.environment,
                socket: role == .store ? plan.storeSocket : plan.workerSocket,
                death: death.read,
                more: role == .store ? plan.storeLock : plan.metricsSocket
            ) { event in
                switch event {
                case .ready: continuation.yield(.ready(id))
                case .ended(let end): continuation.yield(.ended(id, end))
                }
            }
            children[id] = process
            return .started(id, pid: process.pid)
        } catch {
            return .notStarted(id, error.failure)
        }
    }

    func ask(_ program: ProgramID, attempt: Int = 1) -> FleetEvent? {
        guard !hasStoppedAsking else {
            return .judged(program, .unusable(reason: "nobody waits for its answer any more"))
        }
        let continuation = continuation
        do throws(StartError) {
            if images[program] == nil { images[program] = try ProgramImage(path: plan.program) }
            guard let image = images[program] else { return .judged(program, .unusable(reason: "its program is gone")) }
            let inquiry = try ProgramInquiry(image, arguments: plan.inquiryArguments, environment: plan.environment)
            self.inquiry = inquiry
            inquiry.answer { continuation.yield(.judged(program, $0)) }
        } catch {
            if case .noRoom = error.failure, attempt < Self.mostAttempts {
                askAgain(program, attempt: attempt + 1)
            } else {
                return .judged(program, .unusable(reason: "the new program cannot be started: \(error.reason)"))
            }
        }
        return nil
    }

    /// A file that is still being written, or a system without room, is different a moment later.
    private func askAgain(_ program: ProgramID, attempt: Int) {
        Task {
            try? await Task.sleep(for: Self.pauseBeforeAttempt)  // never cancelled
            if let event = self.ask(program, attempt: attempt) { self.continuation.yield(event) }
        }
    }

    func stopAsking() {
        hasStoppedAsking = true
        inquiry?.stop()
    }

    private static let mostAttempts = 10
    private static let pauseBeforeAttempt: Duration = .milliseconds(200)
}

extension ChildProcess {
    func send(_ signal: Signal) {
        switch signal {
        case .drain: send(SIGTERM)
        case .atOnce: send(SIGINT)
        case .kill: send(SIGKILL)
        }
        // A stopped process does not see the others until it goes on.
        if signal != .kill { send(SIGCONT) }
    }
}

extension ProgramImage {
    /// The program that runs here, whatever lies at its path by now.
    convenience init(own path: String) throws(StartError) {
        do {
            try self.init(path: "/proc/self/exe", name: path)
        } catch {
            try self.init(path: path)  // no /proc
        }
    }
}
