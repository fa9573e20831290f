import AviaryDomain

extension StatusReport {
    /// For a terminal: a line for each process, and what the store says of itself below its own.
    var text: String {
        var lines = [line("supervisor", supervisor.pid, [], supervisor.uptime, supervisor.memory)]
        if state != "serving" { lines.append(line("state", [state])) }
        if let store {
            lines.append(
                line("store", store.pid, lives(store.restarts, store.replacements), store.uptime, store.memory))
            lines += details(of: store)
        } else {
            lines.append(line("store", ["is not there; if it is not being started again, the log says why"]))
        }
        for worker in workers {
            let state = worker.ready ? [] : ["not ready yet"]
            lines.append(
                line(
                    "worker", worker.pid, lives(worker.restarts, worker.replacements) + state, worker.uptime,
                    worker.memory
                ))
        }
        for (name, processes) in [("coming", coming), ("leaving", leaving)] {
            lines += processes.map { line(name, $0.pid, [], $0.uptime, $0.memory) }
        }
        if let backups {
            lines.append(line("backups", [backups.lastSuccess.map { "last \($0)" } ?? "none yet", backups.lastFile]))
            if let warning = backups.warning { lines.append(line("", ["warning: \(warning)"])) }
        }
        if let dataCheck {
            let result = dataCheck.problemCount == 0 ? "ok" : "\(dataCheck.problemCount) problems"
            lines.append(line("data check", dataCheck.last.map { ["\(result), checked \($0)"] } ?? ["none yet"]))
            lines += dataCheck.problems.map { line("", [$0]) }
            if dataCheck.problemCount == 0, let warning = dataCheck.warning {
                lines.append(line("", ["warning: \(warning)"]))
            }
            if dataCheck.problemCount > 0 { lines.append(line("", [DataCheckReport.advice])) }
        }
        return lines.joined(separator: "\n")
    }

    private func details(of store: Store) -> [String] {
        guard store.answers else { return [line("", ["does not answer"])] }
        var lines = [
            line(
                "",
                [
                    "\(store.commits ?? 0) commits since it began",
                    store.commitsPerSecond.map { "\($0) in the last second" },
                    "\(store.waiting ?? 0) waiting",
                ]),
            line(
                "",
                [
                    "file " + Words.size(store.fileBytes), "write-ahead log " + Words.size(store.logBytes),
                    store.historyBytes.map { "history " + Words.size($0) }, "last commit \(store.lastCommit ?? 0)",
                ]),
        ]
        if let check = store.fileCheck { lines.append(line("file check", [check.text])) }
        return lines
    }

    private func lives(_ restarts: Int, _ replacements: Int) -> [String] {
        ["\(restarts) restarts"] + (replacements == 0 ? [] : ["\(replacements) replacements"])
    }

    private func line(_ name: String, _ pid: Int32, _ parts: [String], _ uptime: Double?, _ memory: Int?) -> String {
        line(name, ["\(pid)"] + parts + [uptime.map { "up " + Amount.duration($0) }, memory.map(Words.size)])
    }

    private func line(_ name: String, _ parts: [String?]) -> String {
        // Names of files and what a hook said are others' texts.
        (name.padding(to: 12) + parts.compactMap { $0 }.joined(separator: ", ")).printable
    }
}

extension String {
    fileprivate func padding(to length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - count))
    }
}

/// Amounts as people read them.
enum Amount {
    /// The two largest units: `45 s`, `12 min 5 s`, `3 d 4 h`.
    static func duration(_ seconds: Double) -> String {
        let total = Int(max(0, seconds))
        let parts = [(total / 86_400, "d"), (total / 3600 % 24, "h"), (total / 60 % 60, "min"), (total % 60, "s")]
        guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0 s" }
        return parts[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
