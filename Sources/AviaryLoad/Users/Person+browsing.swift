extension Person {
    /// Looks at one more page: mostly the next, at times a record, another order, or the first page again.
    mutating func browse() async {
        switch Int.random(in: 0..<100) {
        case 0..<55: await list(links.next ?? plan.listPath, as: .list)
        case 55..<85:
            guard let record = links.records.randomElement() else { return await list(plan.listPath, as: .list) }
            await look(at: record)
        case 85..<95: await list(links.sorts.randomElement() ?? plan.listPath, as: .sort)
        default: await list(plan.listPath, as: .list)
        }
    }

    private mutating func list(_ path: String, as operation: Operation) async {
        guard let answer = await open(path, as: operation) else { return }
        links = ListLinks(ListPage(answer.body))
    }

    /// Others may have deleted it by now: a record that is gone is no error, but must be said to be gone.
    private mutating func look(at record: String) async {
        let status = try? await browser.get(record, as: .record).status  // told by the count of failed requests
        switch status {
        case 200: return
        case 404 where plan.scenario == .mixed: links = ListLinks()
        case 503 where expectsInterruptions, nil where expectsInterruptions: return
        default:
            let answer = status.map { "status \($0)" } ?? "nothing"
            incidents.add(.unexpected, "GET \(record) was answered with \(answer).")
        }
    }
}
