/// What own actions do.
extension Person {
    /// Asks for a page, again while the server is away because of a kill.
    mutating func ask(_ path: String, as operation: Operation) async throws -> Answer {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let mayRepeat = expectsInterruptions && .now < deadline
            do {
                let answer = try await browser.get(path, as: operation)
                guard mayRepeat, answer.isAway else { return answer }
            } catch {
                guard mayRepeat else { throw error }
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Sends a form. One that is entered counts once, however often it arrives: it is sent again while the server is away
    /// because of a kill.
    mutating func submit(_ form: Form, as operation: Operation) async throws -> Answer {
        let writes = writes(of: form)
        for write in writes { ledger.begin(write) }
        let deadline = ContinuousClock.now + Self.patience
        var mayHaveHappened = false
        while true {
            let mayRepeat = expectsInterruptions && !writes.isEmpty && .now < deadline
            do {
                let answer = try await browser.post(form.fields, to: form.action, as: operation)
                guard mayRepeat, answer.isAway else {
                    // A repeat that is refused says nothing about the first time.
                    settle(writes, as: answer.outcome == .refused && mayHaveHappened ? .unknown : answer.outcome)
                    return answer
                }
                mayHaveHappened = mayHaveHappened || answer.outcome == .unknown
            } catch {
                guard mayRepeat else {
                    settle(writes, as: .unknown)
                    throw error
                }
                mayHaveHappened = true
            }
            if mayHaveHappened { ledger.noteUnknown() }
            try await Task.sleep(for: Self.pause)
            ledger.noteRetry()
        }
    }

    /// What a form does to records of the model that is loaded; nothing for any other form.
    private func writes(of form: Form) -> [Write] {
        let path = form.action.prefix { $0 != "?" }
        if path == listPath + "/delete", form["changeset"] != nil {
            return form.fields.filter { $0.name == "id" }.map { Write(record: $0.value, change: .delete) }
        }
        guard let record = form["id"], let version = form["version"], let title = form.title else { return [] }
        if path == listPath, version.isEmpty { return [Write(record: record, change: .add(title: title))] }
        return path == "\(listPath)/\(record)" ? [Write(record: record, change: .edit(title: title))] : []
    }

    private mutating func settle(_ writes: [Write], as outcome: WriteOutcome) {
        for write in writes {
            ledger.settle(write, as: outcome)
            switch (write.change, outcome) {
            case (.add, .acknowledged): records.append(write.record)
            case (.delete, .acknowledged), (_, .unknown): records.removeAll { $0 == write.record }
            default: break
            }
        }
    }
}
