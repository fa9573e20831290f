import Foundation

extension VirtualUser {
    /// Edits the title of an own record: opens the sheet, keeps a draft, saves.
    mutating func edit() async {
        guard let record = records.randomElement(), let page = await openEditor("\(listPath)/\(record)", as: .editOpen)
        else { return }
        let title = newTitle()
        let typed = page.save.settingTitle(title)
        await keep(page, typed, as: .editKeep)
        let outcome = await send(typed, for: Write(record: record, change: .edit(title: title)), as: .editSave)
        if outcome == .unknown { forget(record) }
    }

    mutating func delete() async {
        guard let record = records.randomElement() else { return }
        // The user does not touch this record again, whatever the outcome.
        forget(record)
        guard let form = await askToDelete(record, as: .deleteAsk) else { return }
        _ = await send(form, for: Write(record: record, change: .delete), as: .deleteConfirm)
    }

    /// Deletes an own record, and undoes the delete with the button that the list shows.
    mutating func deleteAndUndo() async {
        guard let record = records.randomElement() else { return }
        forget(record)
        guard let form = await askToDelete(record, as: .undoAsk), let title = ledger.title(of: record) else { return }
        var news: String?
        guard
            await send(form, for: Write(record: record, change: .delete), as: .undoDelete, leadsTo: &news)
                == .acknowledged,
            let answer = await open(news ?? listPath, as: .undoList)
        else { return }
        guard var undo = FormReader.forms(in: answer.body).first(where: { $0.action.hasPrefix("/admin/undo/") }) else {
            incidents.add(.unexpected, record: record, "“\(title)” was deleted, and the list offers no undo.")
            return
        }
        // The script of the page adds an id too, so that the undo counts once even if it is sent several times.
        undo.fields.append(URLEncodedField(name: "changeset", value: UUID().uuidString.lowercased()))
        if await send(undo, for: Write(record: record, change: .restore(title: title)), as: .undoUndo) == .acknowledged
        {
            records.append(record)
        }
    }

    private mutating func askToDelete(_ record: String, as operation: Operation) async -> Form? {
        guard let answer = await open("\(listPath)/delete?id=\(record)", as: operation) else { return nil }
        if let form = FormReader.forms(in: answer.body).first(where: { $0["changeset"] != nil && $0["id"] == record }) {
            return form
        }
        incidents.add(
            .unexpected, record: record, "The question before a delete has no form; the record may be missing.")
        return nil
    }

    private mutating func forget(_ record: String) {
        records.removeAll { $0 == record }
    }
}

extension VirtualUser {
    var newPath: String { listPath + "/new" }

    /// The percentage of adds after which the user opens the list; `shareThatRepeats` is the percentage after which
    /// the user presses Save twice.
    private static let shareThatLooks = 10
    private static let shareThatRepeats = 4

    mutating func add() async {
        guard let page = await openEditor(newPath, as: .addOpen) else { return }
        let title = newTitle()
        let form = page.save.settingTitle(title)
        let write = Write(record: page.record, change: .add(title: title))
        guard await send(form, for: write, as: .addSave) == .acknowledged else { return }
        records.append(page.record)
        if Int.random(in: 0..<100) < Self.shareThatRepeats { await repeatSave(form, record: page.record) }
        if Int.random(in: 0..<100) < Self.shareThatLooks { _ = await open(listPath, as: .list) }
    }

    /// Sends the same form a second time, like an impatient user. The server must return the first result and store
    /// nothing twice.
    private mutating func repeatSave(_ form: Form, record: String) async {
        // No answer arrived, so there is nothing to check.
        let answer = try? await browser.post(form.fields, to: form.action, as: .addSave)
        if let answer, answer.status != 303, answer.status != 503, !(expectsOutages && answer.isUnavailable) {
            incidents.add(
                .unexpected, record: record,
                "The same form again was answered with status \(answer.status), not as the first time.")
        }
    }

    /// Saves a form without the required title, which the server must reject.
    mutating func addRefused() async {
        guard let page = await openEditor(newPath, as: .addOpen) else { return }
        let write = Write(record: page.record, change: .add(title: ""))
        _ = await send(page.save.settingTitle(""), for: write, as: .refusedSave, refusal: 422)
    }

    mutating func cancelDraft() async {
        guard let page = await openEditor(newPath, as: .draftOpen) else { return }
        let title = newTitle()
        await keep(page, page.save.settingTitle(title), as: .draftKeep)
        let write = Write(record: page.record, change: .cancelDraft(title: title))
        guard await send(page.discard, for: write, as: .draftDiscard) == .acknowledged,
            let fresh = await openEditor(newPath, as: .draftOpen)
        else { return }
        if fresh.record == page.record || fresh.save.title == title {
            incidents.add(.orphaned, record: page.record, "“\(title)” was a draft, cancelled, and is offered again.")
        }
    }

    /// Sends the input to be kept as a draft, as the page's script does during input.
    mutating func keep(_ page: EditorPage, _ typed: Form, as operation: Operation) async {
        do {
            let answer = try await browser.post(typed.fields, to: page.keepAction, as: operation, script: true)
            if answer.status != 204, !(expectsOutages && answer.isUnavailable) {
                incidents.add(.unexpected, record: page.record, "A draft was kept with status \(answer.status).")
            }
        } catch {
            if !expectsOutages {
                incidents.add(.unexpected, record: page.record, "A draft was not kept: \(error)")
            }
        }
    }
}

extension VirtualUser {
    /// The maximum number of conflicts that a user resolves before giving up.
    private static let mostRounds = 5

    /// Edits the record that all users edit.
    ///
    /// A user that gets a conflict keeps its own text after seeing the other user's text. The server must never
    /// overwrite a text that the author has not seen.
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
        // The user gives up and discards the draft that the conflict left. The recorder counts a failure of the
        // request.
        _ = try? await browser.post(page.discard.fields, to: page.discard.action, as: .conflictCancel)
    }

    private enum SharedOutcome {
        case done, conflict(EditorPage), over
    }

    private mutating func sendShared(_ form: Form, _ edit: SharedEdit, as operation: Operation) async -> SharedOutcome {
        ledger.shared.begin(edit)
        let deadline = ContinuousClock.now + patience
        var mayHaveHappened = false
        repeat {
            var isExplained = expectsOutages
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
                case 500...:
                    mayHaveHappened = true
                    isExplained = isExplained && answer.isUnavailable
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
            if mayHaveHappened { ledger.recordUnknownOutcome() }
            if !isExplained {
                incidents.add(
                    .unexpected, record: edit.record, "POST \(form.action) failed, which no outage explains.")
            }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { break }  // cancelled
            ledger.noteRetry()
        } while ContinuousClock.now < deadline
        incidents.add(
            .unexpected, record: edit.record, "POST \(form.action) found no end in \(Int(patience.seconds)) s.")
        ledger.settle(edit, as: mayHaveHappened ? .unknown : .refused)
        return .over
    }
}

extension EditorPage {
    /// The version that Save is compared with: the version that was opened, or the one that a conflict showed.
    fileprivate var base: Int64 {
        (save[".against"] ?? save["version"]).flatMap { Int64($0) } ?? 0
    }

    /// The form with the user's own version chosen in every conflict.
    fileprivate var choosingOwn: Form {
        var form = save
        for choice in save.choices where choice.value == "mine" && save[choice.name] == nil {
            form.fields.append(choice)
        }
        return form
    }
}
