import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import Testing

@Suite("Rows are deleted, or the reason why not is told")
struct DeletionTests {
    private let adelie = category("Adelie Penguin (Pygoscelis adeliae)")
    private let gentoo = category("Gentoo penguin (Pygoscelis papua)")

    @Test("A single row is told by its name")
    func single() async throws {
        let records = RecordsInMemory(categorySchema, [adelie, gentoo])
        let outcome = try await delete([adelie.id], in: records)
        #expect(
            outcome == .deleted(ids: [adelie.id], message: "Deleted “Adelie Penguin (Pygoscelis adeliae)”", commit: 1))
        #expect(await records.records == [gentoo])
    }

    @Test("Several rows are told by their number")
    func several() async throws {
        let outcome = try await delete([adelie.id, gentoo.id], in: RecordsInMemory(categorySchema, [adelie, gentoo]))
        #expect(outcome == .deleted(ids: [adelie.id, gentoo.id], message: "Deleted 2 animal categories", commit: 1))
    }

    @Test("A row that is gone already is no error")
    func gone() async throws {
        let outcome = try await delete([adelie.id], in: RecordsInMemory(categorySchema))
        #expect(outcome == .deleted(ids: [adelie.id], message: "Deleted 1 animal category", commit: 1))
    }

    @Test("The store is told who deletes, under which id and how many may go along")
    func submission() async throws {
        let records = RecordsInMemory(categorySchema, [adelie])
        let changeSet = UUID.version7()
        _ = try await list(records).delete([adelie.id], changeSet: changeSet, cascadeLimit: 7, schema: try zooSchema())
        #expect(await records.deletions == [Deletion(changeSet: changeSet, author: "ada", cascadeLimit: 7)])
    }

    @Test("A delete that takes other records along is asked first, and nothing is gone")
    func question() async throws {
        let plan = DeletePlan(requested: 1, cascades: ["Animal": 152], nullifies: [:])
        let records = RecordsInMemory(categorySchema, [adelie], refusal: .needsConfirmation(plan))
        guard case .question(let question) = try await delete([adelie.id], in: records) else {
            Issue.record("There was no question.")
            return
        }
        #expect(question.title == "Delete 1 animal category?")
        #expect(
            question.lines == ["152 animals that belong to “Adelie Penguin (Pygoscelis adeliae)” will be deleted too."])
        #expect(question.confirm == "Delete all 153")
        #expect(question.allow == 152)
        #expect(await records.records == [adelie])
    }

    @Test("Nobody is asked to confirm what would be refused: what stands against it is told at once")
    func foreseen() async throws {
        let plan = DeletePlan(requested: 1, cascades: ["Animal": 152], nullifies: [:])
        let records = RecordsInMemory(categorySchema, [adelie], refusal: .needsConfirmation(plan))
        await records.set(
            plan: DeletePlan(
                requested: 1, cascades: ["Animal": 152], nullifies: [:],
                obstacles: [.referrers(model: "Animal", count: 2)]))
        #expect(
            try await delete([adelie.id], in: records)
                == .refused(
                    reason:
                        "Not deleted: 2 animals still refer to “Adelie Penguin (Pygoscelis adeliae)”. Delete or change them first.",
                    isTemporary: false
                ))
    }

    @Test(
        "What a rule denies is refused for good, with who is in the way",
        arguments: [
            (
                1,
                "Not deleted: 1 animal still refers to “Adelie Penguin (Pygoscelis adeliae)”. Delete or change it first."
            ),
            (
                3,
                "Not deleted: 3 animals still refer to “Adelie Penguin (Pygoscelis adeliae)”. Delete or change them first."
            ),
        ])
    func denied(count: Int, reason: String) async throws {
        let refusal = StoreError.deleteDenied(model: "AnimalCategory", referencedBy: "Animal", count: count)
        let records = RecordsInMemory(categorySchema, [adelie], refusal: refusal)
        #expect(try await delete([adelie.id], in: records) == .refused(reason: reason, isTemporary: false))
    }

    @Test("Who is in the way is named, also of what only goes along")
    func deniedDeeper() async throws {
        let animals = [animal("Kea"), animal("Tui")]
        let records = RecordsInMemory(
            categorySchema, [adelie], refusal: .deleteDenied(model: "Nest", referencedBy: "Animal", count: 3))
        await records.set(
            plan: DeletePlan(
                requested: 1, cascades: ["Nest": 2], nullifies: [:],
                obstacles: [.referrers(model: "Animal", count: 3, first: animals.map(\.id))]
            ))
        let list = try ListViewModel(
            configuration: categories, query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)),
            repository: records,
            principal: .ada, others: { $0 == "Animal" ? RecordsInMemory(animalSchema, animals) : nil }
        )
        let outcome = try await list.delete(
            [adelie.id], changeSet: .version7(), cascadeLimit: 2, schema: try zooSchema())
        guard case .refused(let reason, isTemporary: false, let links) = outcome else {
            Issue.record("\(outcome)"); return
        }
        #expect(
            reason.hasPrefix(
                "Not deleted: 3 animals (“Kea”, “Tui” and 1 more) still refer to “Adelie Penguin (Pygoscelis adeliae)”."
            ))
        #expect(
            links
                == zip(["“Kea”", "“Tui”"], animals).map {
                    LinkedText.Link($0, href: "/admin/animals/\($1.id.canonicalText)")
                })
    }

    @Test("A store that takes no changes now is a matter of time, and its own words stay inside")
    func unavailable() async throws {
        let records = RecordsInMemory(categorySchema, [adelie], refusal: .unavailable("disk I/O error at /srv/data"))
        #expect(
            try await delete([adelie.id], in: records)
                == .refused(
                    reason: "Not deleted: the server can’t save changes right now. Try again in a moment.",
                    isTemporary: true
                ))
    }

    @Test("Rows that cannot be read are not deleted")
    func unreadable() async throws {
        let records = RecordsInMemory(categorySchema, [adelie], isReadable: false)
        #expect(
            try await delete([adelie.id], in: records)
                == .refused(
                    reason: "Couldn’t load the animal categories. Nothing was deleted.", isTemporary: true
                ))
        #expect(await records.records == [adelie])
    }

    @Test(
        "An id that stood for something else before is refused",
        arguments: [StoreError.alreadySaved(commit: 1), .alreadyDiscarded])
    func reused(refusal: StoreError) async throws {
        let records = RecordsInMemory(categorySchema, [adelie], refusal: refusal)
        #expect(
            try await delete([adelie.id], in: records)
                == .refused(
                    reason: "Not deleted: this request was already answered. Reload the page and try again.",
                    isTemporary: false
                ))
    }

    @Test("Whoever may not delete what goes along deletes nothing, whatever number their form allows")
    func forbiddenCascade() async throws {
        let wing = Record(id: .version7(), version: 1, values: [.text("Gulls")])
        let records = RecordsInMemory(Wing.schema, [wing])
        await records.set(plan: DeletePlan(requested: 1, cascades: ["Bird": 2], nullifies: [:]))
        let list = try ListViewModel(
            configuration: ModelConfiguration(schema: Wing.schema, columns: ["name"]),
            query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)), repository: records,
            principal: .with(.allow(.delete, on: Wing.self), .allow(.view, on: Bird.self))
        )
        let outcome = try await list.delete(
            [wing.id], changeSet: .version7(), cascadeLimit: 1_000_000, schema: try Schema([Wing.schema, Bird.schema])
        )
        guard case .refused(let reason, isTemporary: false, _) = outcome else { Issue.record("\(outcome)"); return }
        #expect(reason.contains("2 birds would be deleted too, but your role doesn’t allow this."))
        #expect(await records.deletions.isEmpty)
    }

    @Test("So it is with what goes along by a link")
    func forbiddenLinks() async throws {
        let ring = Record(id: .version7(), version: 1, values: [.text("Blue 7")])
        let records = RecordsInMemory(Ring.schema, [ring])
        await records.set(plan: DeletePlan(requested: 1, cascades: ["Ringer": 2], nullifies: [:]))
        let list = try ListViewModel(
            configuration: ModelConfiguration(schema: Ring.schema, columns: ["name"]),
            query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)), repository: records,
            principal: .with(.allow(.delete, on: Ring.self), .allow(.view, on: Ringer.self))
        )
        let outcome = try await list.delete(
            [ring.id], changeSet: .version7(), cascadeLimit: 1_000_000,
            schema: try Schema([Ring.schema, Ringer.schema])
        )
        guard case .refused(let reason, isTemporary: false, _) = outcome else { Issue.record("\(outcome)"); return }
        #expect(reason.contains("2 ringers would be deleted too, but your role doesn’t allow this."))
        #expect(await records.deletions.isEmpty)
    }

    @Test("Whoever may not delete is refused; whoever may not view is not told that there is anything")
    func forbidden() async throws {
        let records = RecordsInMemory(categorySchema, [adelie])
        await #expect(throws: AccessError.forbidden) {
            try await self.list(records, as: .with(.allow([.view], onModelNamed: "AnimalCategory")))
                .delete([adelie.id], changeSet: .version7(), cascadeLimit: 0, schema: try zooSchema())
        }
        #expect(throws: AccessError.hidden) { try list(records, as: .with()) }
        #expect(await records.deletions.isEmpty)
    }

    private func list(_ records: RecordsInMemory, as principal: Principal = .ada) throws -> ListViewModel {
        try ListViewModel(
            configuration: categories, query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)),
            repository: records, principal: principal
        )
    }

    private func delete(_ ids: [UUID], in records: RecordsInMemory) async throws -> DeleteOutcome? {
        guard let schema = try? zooSchema() else { return nil }  // the first test of the suite would say why
        return try await list(records).delete(ids, changeSet: .version7(), cascadeLimit: 0, schema: schema)
    }
}
