extension Person {
    /// Changes the title of an own record.
    mutating func edit() async {
        guard let record = records.randomElement(),
              let page = await openEditor("\(plan.listPath)/\(record)", as: .editOpen)
        else { return }
        let title = newTitle()
        let write = Write(record: record, change: .edit(title: title))
        let outcome = await send(page.save.settingTitle(title), for: write, as: .editSave)
        if outcome == .unknown { forget(record) }
    }

    mutating func delete() async {
        guard let record = records.randomElement(),
              let answer = await open("\(plan.listPath)/delete?id=\(record)", as: .deleteAsk)
        else { return }
        let forms = FormReader.forms(in: answer.body)
        guard let form = forms.first(where: { $0["changeset"] != nil && $0["id"] == record }) else {
            incidents.add(.unexpected, record: record, "The question before a delete has no form; the record may be missing.")
            return
        }
        // Whatever comes of it, this record is not touched again.
        forget(record)
        _ = await send(form, for: Write(record: record, change: .delete), as: .deleteConfirm)
    }

    private mutating func forget(_ record: String) {
        records.removeAll { $0 == record }
    }
}
