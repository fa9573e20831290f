import ServiceLifecycle

/// Says that the process serves, as the last part of it to start: by then signals are caught and sockets are served, so
/// whoever was told may end the process at once and still sees it end in good order.
struct ReadinessService: Service {
    let report: @Sendable () -> Void

    func run() async throws {
        report()
        try await gracefulShutdown()
    }
}
