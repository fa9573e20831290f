extension Person {
    /// How long someone tries again before giving up: longer than a process takes to come back.
    static var patience: Duration { .seconds(30) }
    static var pause: Duration { .milliseconds(50) }

    /// Opens a page, again while the server is away.
    ///
    /// - Returns: nil when it did not come, or not as it must; then it has been noted.
    mutating func open(_ path: String, as operation: Operation) async -> Answer? {
        let deadline = ContinuousClock.now + Self.patience
        var reason = ""
        repeat {
            do {
                let answer = try await browser.get(path, as: operation)
                if answer.status == 200 { return answer }
                guard answer.status == 503 else {
                    incidents.add(.unexpected, "GET \(path) was answered with status \(answer.status).")
                    return nil
                }
                reason = "status 503"
            } catch {
                reason = error.description
            }
            if !expectsInterruptions {
                incidents.add(.unexpected, "GET \(path) failed (\(reason)), though nothing was killed.")
                return nil
            }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return nil }  // cancelled
        } while ContinuousClock.now < deadline
        incidents.add(.unexpected, "GET \(path) failed for \(Int(Self.patience.seconds)) s: \(reason).")
        return nil
    }

    mutating func openEditor(_ path: String, as operation: Operation) async -> EditorPage? {
        guard let answer = await open(path, as: operation) else { return nil }
        if let page = EditorPage(answer.body) { return page }
        incidents.add(.unexpected, "GET \(path) shows no form that can be saved.")
        return nil
    }
}
