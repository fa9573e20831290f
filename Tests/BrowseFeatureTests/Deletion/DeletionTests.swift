import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import Testing

@Suite("Deleting records")
struct DeletionTests {
    private let adelie = category("Adelie Penguin (Pygoscelis adeliae)")
    private let gentoo = category("Gentoo penguin (Pygoscelis papua)")

    @Test("The message names a single deleted record")
    func single() async throws {
        let records = RecordsInMemory(categorySchema, [adelie, gentoo])
        let outcome = try await delete([adelie.id], in: records)
        #expect(
            outcome == .deleted(ids: [adelie.id], message: "Deleted “Adelie Penguin (Pygoscelis adeliae)”", commit: 1))
        #expect(await records.records == [gentoo])
    }

    @Test("The message counts several deleted records")
    func several() async throws {
        let outcome = try await delete([adelie.id, gentoo.id], in: RecordsInMemory(categorySchema, [adelie, gentoo]))
        #expect(outcome == .deleted(ids: [adelie.id, gentoo.id], message: "Deleted 2 animal categories", commit: 1))
    }

    @Test("Deleting a missing record is not an error")
    func gone() async throws {
        let outcome = try await delete([adelie.id], in: RecordsInMemory(categorySchema))
        #expect(outcome == .deleted(ids: [adelie.id], message: "Deleted 1 animal category", commit: 1))
    }

    @Test("The store receives the author, the change set and the cascade limit")
    func submission() async throws {
        let records = RecordsInMemory(categorySchema, [adelie])
        let changeSet = UUID.version7()
        _ = try await list(records).delete([adelie.id], changeSet: changeSet, cascadeLimit: 7, schema: try zooSchema())
        #expect(await records.deletions == [Deletion(changeSet: changeSet, author: "ada", cascadeLimit: 7)])
    }

    @Test("A delete with a cascade asks for confirmation first")
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

    @Test("A delete with an obstacle is rejected without asking for confirmation")
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
        "A delete rule rejects the delete and reports the number of referring records",
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

    @Test("A rejected cascade names the referring records")
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

    @Test("An unavailable store is reported as temporary, without internal details")
    func unavailable() async throws {
        let records = RecordsInMemory(categorySchema, [adelie], refusal: .unavailable("disk I/O error at /srv/data"))
        #expect(
            try await delete([adelie.id], in: records)
                == .refused(
                    reason: "Not deleted: the server can’t save changes right now. Try again in a moment.",
                    isTemporary: true
                ))
    }

    @Test("Records that cannot be read are not deleted")
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
        "A change set id that is already in use is rejected",
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

    @Test("A cascade that the role does not allow is rejected, whatever limit the form contains")
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

    @Test("A cascade through links that the role does not allow is rejected")
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

    @Test("A role that cannot delete is rejected, and a role that cannot view gets a hidden error")
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
        guard let schema = try? zooSchema() else { return nil }  // another test reports it
        return try await list(records).delete(ids, changeSet: .version7(), cascadeLimit: 0, schema: schema)
    }
}
