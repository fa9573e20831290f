extension Person {
    var newPath: String { listPath + "/new" }

    /// How many of those who save look at the list that they are led to, and press Save twice.
    private static let shareThatLooks = 10
    private static let shareThatRepeats = 4

    mutating func add() async {
        guard let page = await openEditor(newPath, as: .addOpen) else { return }
        let title = newTitle()
        let form = page.save.settingTitle(title)
        let write = Write(record: page.record, change: .add(title: title))
        guard await send(form, for: write, as: .addSave) == .acknowledged else { return }
        records.append(page.record)
        if Int.random(in: 0..<100) < Self.shareThatRepeats { await saveAgain(form, record: page.record) }
        if Int.random(in: 0..<100) < Self.shareThatLooks { _ = await open(listPath, as: .list) }
    }

    /// The same form a second time, as from an impatient finger: the first result again, and nothing twice.
    private mutating func saveAgain(_ form: Form, record: String) async {
        // lost: nothing to learn
        let status = try? await browser.post(form.fields, to: form.action, as: .addSave).status
        if let status, status != 303, status != 503 {
            incidents.add(
                .unexpected, record: record,
                "The same form again was answered with status \(status), not as the first time.")
        }
    }

    /// A form without the title that it must have.
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

    /// Lets what is typed be kept in the browser, as the page's script does while somebody types.
    mutating func keep(_ page: EditorPage, _ typed: Form, as operation: Operation) async {
        do {
            let answer = try await browser.post(typed.fields, to: page.keepAction, as: operation, script: true)
            if answer.status != 204, !(expectsInterruptions && answer.status >= 500) {
                incidents.add(.unexpected, record: page.record, "A draft was kept with status \(answer.status).")
            }
        } catch {
            if !expectsInterruptions {
                incidents.add(.unexpected, record: page.record, "A draft was not kept: \(error)")
            }
        }
    }
}
