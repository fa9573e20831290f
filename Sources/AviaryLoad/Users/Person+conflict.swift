extension Person {
    /// How often somebody chooses anew before they give up.
    private static let mostRounds = 5

    /// Edits the record that all edit. Who is told of somebody else's change keeps their own text, once they have seen the
    /// other; what may not happen is that one goes without being seen.
    mutating func editShared() async {
        guard let record = shared, var page = await openEditor("\(listPath)/\(record)", as: .conflictOpen) else {
            return
        }
        var operation = Operation.conflictSave
        for _ in 0..<Self.mostRounds {
            let title = newTitle()
            let edit = SharedEdit(record: record, title: title, base: page.base)
            switch await sendShared(page.choosingOwn.settingTitle(title), edit, as: operation) {
            case .done: return
            case .conflict(let next): page = next
            case .over: return
            }
            operation = .conflictResolve
        }
        // Gives up: the draft that the conflict left in the browser goes.
        // counted as it is sent
        _ = try? await browser.post(page.discard.fields, to: page.discard.action, as: .conflictCancel)
    }

    private enum SharedOutcome {
        case done, conflict(EditorPage), over
    }

    private mutating func sendShared(_ form: Form, _ edit: SharedEdit, as operation: Operation) async -> SharedOutcome {
        ledger.shared.begin(edit)
        let deadline = ContinuousClock.now + Self.patience
        var mayHaveHappened = false
        repeat {
            do {
                let answer = try await browser.post(form.fields, to: form.action, as: operation)
                switch answer.status {
                case 303 where !answer.asksForSignIn:
                    ledger.settle(edit, as: .acknowledged)
                    return .done
                case 409:
                    ledger.settle(edit, as: mayHaveHappened ? .unknown : .refused)
                    ledger.noteConflict()
                    if !mayHaveHappened, let page = EditorPage(answer.body), page.record == edit.record {
                        return .conflict(page)
                    }
                    if !mayHaveHappened {
                        incidents.add(
                            .unexpected, record: edit.record, "A conflict came without both versions to choose from.")
                    }
                    return .over
                case _ where answer.saysNothingChanged: break
                case 500...: mayHaveHappened = true
                default:
                    incidents.add(
                        .unexpected, record: edit.record,
                        "POST \(form.action) was refused with status \(answer.status).")
                    ledger.settle(edit, as: mayHaveHappened ? .unknown : .refused)
                    return .over
                }
            } catch {
                mayHaveHappened = true
            }
            if mayHaveHappened { ledger.noteUnknown() }
            if !expectsInterruptions {
                incidents.add(
                    .unexpected, record: edit.record, "POST \(form.action) failed, though nothing was killed.")
            }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { break }  // cancelled
            ledger.noteRetry()
        } while ContinuousClock.now < deadline
        ledger.settle(edit, as: mayHaveHappened ? .unknown : .refused)
        return .over
    }
}

extension EditorPage {
    /// The version that Save is held against: the one that was opened, or the one that a conflict showed.
    fileprivate var base: Int64 {
        (save[".against"] ?? save["version"]).flatMap { Int64($0) } ?? 0
    }

    /// Where both versions stand side by side, one's own.
    fileprivate var choosingOwn: Form {
        var form = save
        for choice in save.choices where choice.value == "mine" && save[choice.name] == nil {
            form.fields.append(choice)
        }
        return form
    }
}
