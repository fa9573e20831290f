import Foundation

extension Person {
    /// Changes the title of an own record: the sheet, the draft that is kept meanwhile, Save.
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
        // Whatever comes of it, this record is not touched again.
        forget(record)
        guard let form = await askToDelete(record, as: .deleteAsk) else { return }
        _ = await send(form, for: Write(record: record, change: .delete), as: .deleteConfirm)
    }

    /// Deletes an own record, and takes it back with the button that the list then shows.
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
        // As the page's script does: with an id of its own it counts once, however often it is sent.
        undo.fields.append(FormField(name: "changeset", value: UUID().uuidString.lowercased()))
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
