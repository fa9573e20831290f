import AviaryDesign
import Foundation
import TestSupport
import Testing

@testable import AviaryDomain
@testable import BrowseFeature

@Suite("Deleting all records of a list")
struct BulkDeletionTests {
    /// Creates a delete that was asked about after all records were created. The order of ids of the same millisecond
    /// is random.
    private func deletion(allow: Int? = nil) -> BulkDeletion {
        BulkDeletion(changeSet: .version7(at: Date(timeIntervalSinceNow: 60)), allow: allow)
    }

    private func list(_ records: RecordsInMemory, _ principal: Principal = .ada) throws -> ListViewModel {
        try ListViewModel(
            configuration: categories, query: ListQuery(sort: ListOrder(property: "name", direction: .ascending)),
            repository: records, principal: principal)
    }

    private func delete(
        _ list: ListViewModel, _ deletion: BulkDeletion? = nil, isGood: Bool = true
    ) async throws -> DeleteOutcome {
        await list.delete(all: deletion ?? self.deletion(), schema: try zooSchema(), isGood: { isGood })
    }

    private func records(_ count: Int) -> RecordsInMemory {
        RecordsInMemory(categorySchema, (0..<count).map { category("\($0)") })
    }

    @Test("All records are deleted by one change set, however many there are")
    func one() async throws {
        let records = records(12_003), deletion = deletion()
        guard case .deleted(let ids, let message, _) = try await delete(list(records), deletion) else {
            Issue.record("They were not deleted.")
            return
        }
        #expect(ids.count == 12_003 && message == "Deleted 12,003 animal categories")
        #expect(await records.records.isEmpty)
        #expect(
            await records.deletions
                == [AviaryDomain.Deletion(changeSet: deletion.changeSet, author: "ada", cascadeLimit: .max)])
    }

    @Test("A record that cannot be deleted keeps all of them, and the answer names what prevents it")
    func refused() async throws {
        let all = (0..<700).map { category("\($0)") }
        let records = RecordsInMemory(categorySchema, all)
        await records.deny([all[333].id])
        guard case .refused(let reason, isTemporary: false, _) = try await delete(list(records)) else {
            Issue.record("It was not refused.")
            return
        }
        #expect(reason.contains("1 animal still refers to these animal categories"), "\(reason)")
        #expect(await records.records.count == 700)
    }

    @Test("Records that were created after the question are kept")
    func later() async throws {
        let records = records(3), deletion = deletion()
        let late = Record(
            id: .version7(at: Date(timeIntervalSinceNow: 120)), version: 1, values: [.text("late")])
        await records.add(late)
        _ = try await delete(list(records), deletion)
        #expect(await records.records == [late])
    }

    @Test("A disabled account deletes nothing")
    func ended() async throws {
        let records = records(3)
        #expect(
            try await delete(list(records), isGood: false)
                == .refused(reason: AccountEndedError().description, isTemporary: false))
        #expect(await records.deletions.isEmpty)
    }

    @Test("A role that cannot delete deletes nothing")
    func forbidden() async throws {
        let records = records(3)
        let list = try list(records, .with(.allow([.view], onModelNamed: "AnimalCategory")))
        #expect(
            try await delete(list) == .refused(reason: "Your role doesn’t allow this.", isTemporary: false))
        #expect(await records.deletions.isEmpty)
    }

    @Test("A delete that was stopped is no failure")
    func stopped() async throws {
        let records = RecordsInMemory(categorySchema, [category("a")], refusal: .stopped)
        #expect(try await delete(list(records)) == .stopped)
    }

    @Test("A delete that takes along more than was agreed to asks again")
    func grown() async throws {
        let plan = DeletePlan(requested: 1, cascades: ["Animal": 3], nullifies: [:])
        let records = RecordsInMemory(categorySchema, [category("a")], refusal: .needsConfirmation(plan))
        guard case .question = try await delete(list(records), deletion(allow: 2)) else {
            Issue.record("There was no question.")
            return
        }
        #expect(await records.deletions.map(\.cascadeLimit) == [2])
    }

    @Test("A list without records deletes nothing")
    func nothing() async throws {
        let records = RecordsInMemory(categorySchema)
        #expect(
            try await delete(list(records))
                == .refused(reason: "No animal categories match any more. Nothing was deleted.", isTemporary: false))
    }

    @Test("The delete survives a round trip through its fields, and others are none")
    func fields() throws {
        for deletion in [BulkDeletion(), BulkDeletion(allow: 0), BulkDeletion(allow: 12)] {
            #expect(BulkDeletion(deletion.fields) == deletion)
        }
        #expect(BulkDeletion(try FormEncoding.decode("changeset=x&allow=2".utf8)) == nil)
        #expect(BulkDeletion([]) == nil)
    }

    private func words(_ view: some BatchView) -> String {
        var html = HTML()
        view.render(into: &html, csrf: "token")
        return String(decoding: html.bytes, as: UTF8.self)
    }

    private func question(
        _ count: Int?, _ effects: DeleteQuestion?, policy: HistoryPolicy = HistoryPolicy(), isNameWrong: Bool = false
    ) throws -> BulkDeletionQuestion {
        BulkDeletionQuestion(
            list: try list(records(0)), deletion: BulkDeletion(), count: count, effects: effects,
            schema: try zooSchema(), policy: policy, isNameWrong: isNameWrong)
    }

    @Test("The question has the number, what goes with the records, and how long the delete can be undone")
    func question() throws {
        let effects = DeleteQuestion(
            plan: DeletePlan(requested: 16_000, cascades: ["Animal": 152], nullifies: [:]), title: nil,
            model: categorySchema, schema: try zooSchema(), principal: .ada)
        let view = try question(16_000, effects)
        #expect(view.title == "Delete all 16,000 animal categories?")
        let html = words(view)
        #expect(html.contains("152 animals that belong to them will be deleted too."))
        #expect(
            html.contains("You can undo this in Activity for 365 days, unless the history exceeds 1,024 MiB before."))
        #expect(html.contains(#"name="allow" value="152""#) && html.contains(#"name="changeset""#))
    }

    @Test("A question about too many records to plan allows whatever delete rules take along")
    func unplanned() throws {
        let html = words(try question(900_000, nil))
        #expect(html.contains("Delete all 900,000 animal categories?"))
        #expect(!html.contains(#"name="allow""#))
    }

    @Test("Records that cannot be deleted are named in place of the question")
    func prevented() throws {
        let effects = DeleteQuestion(
            plan: DeletePlan(
                requested: 9, cascades: [:], nullifies: [:], obstacles: [.referrers(model: "Animal", count: 2)]),
            title: nil, model: categorySchema, schema: try zooSchema(), principal: .ada)
        let html = words(try question(9, effects))
        #expect(html.contains("2 animals still refer to these animal categories. Delete or change them first."))
        #expect(!html.contains("<form"))
    }

    @Test("A question about records without history says that the delete cannot be undone")
    func withoutHistory() throws {
        let policy = HistoryPolicy().excluding("AnimalCategory")
        #expect(words(try question(9, nil, policy: policy)).contains("This can’t be undone"))
    }

    @Test("The pages have a button for what can be done: stop, continue, undo or none")
    func pages() throws {
        func page(_ state: BulkDeletionView.State) throws -> String {
            words(BulkDeletionView(list: try list(records(0)), deletion: BulkDeletion(), state: state))
        }
        let running = try page(.running(progress: "3,000 of 12,000 records checked.", canBeStopped: true))
        #expect(running.contains(#"name="stop" value="1""#) && running.contains("You can leave this page."))
        #expect(try !page(.running(progress: "", canBeStopped: false)).contains("<form"))
        #expect(try page(.interrupted(reason: "away")).contains("Continue"))
        #expect(try page(.stopped).contains(">Nothing was deleted.</p>"))
        let done = try page(.done(result: "Deleted 16,000 animal categories", undo: .done))
        #expect(done.contains(">Deleted 16,000 animal categories. Everything has been undone since then.</p>"))
    }
}
