import AviaryData
import AviaryDomain
import Foundation
import Testing

@testable import ActivityFeature

@Suite("Undoing a commit")
struct UndoTests {
    private func undo(
        _ commit: Int64, _ fixture: ActivityFixture, _ role: Role = .admin, as name: String = "ada"
    ) async throws -> UndoOutcome {
        try await UndoViewModel(commit: commit, scope: fixture.scope(role, as: name), history: fixture.history).undo()
    }

    private func obstacles(_ outcome: UndoOutcome) -> [String] {
        guard case .refused(let obstacles) = outcome else { return ["\(outcome)"] }
        return obstacles.map(\.sentence)
    }

    @Test("Undo restores a deleted record with everything that the deletion cascaded to")
    func deleted() async throws {
        let fixture = try ActivityFixture()
        let parrots = Category(name: "Parrots")
        let kea = Animal(name: "Kea", category: parrots)
        try await fixture.submit(.insert(parrots), .insert(kea))
        let commit = try await fixture.submit(.delete(model: "Category", id: parrots.id.uuid))
        #expect(try await fixture.find(kea) == nil)
        #expect(
            try await undo(commit, fixture) == .undone(commit: commit + 1, message: "Restored “Kea” and “Parrots”"))
        #expect(try await fixture.find(kea) != nil)
        #expect(try await fixture.find(parrots) != nil)
    }

    @Test("Undo removes an added record and reverts a changed one")
    func others() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        let added = try await fixture.submit(.insert(kea))
        let changed = try await fixture.update(kea, ["name": .text("Kaka")])
        #expect(try await undo(changed, fixture) == .undone(commit: 3, message: "Undid the changes to “Kea”"))
        #expect(try await fixture.find(kea)?.title(in: Animal.schema) == "Kea")
        #expect(try await undo(added, fixture) == .undone(commit: 4, message: "Removed “Kea” again"))
        #expect(try await fixture.find(kea) == nil)
    }

    @Test(
        "Undo reverts only properties that the role can set, and is rejected if none is left",
        arguments: [true, false])
    func fixed(areHidden: Bool) async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        let both = try await fixture.update(kea, ["name": .text("Kaka"), "diet": .text("carnivorous")])
        let keeper = Role(
            "keeper", .allowEverywhere(.view, .add, .edit, .delete), .task(.activity),
            .properties(["diet"], ofModelNamed: "Animal", areHidden: areHidden))
        _ = try await undo(both, fixture, keeper)
        let record = try #require(try await fixture.find(kea))
        #expect(record.value("name", in: Animal.schema) == .text("Kea"))
        #expect(record.value("diet", in: Animal.schema) == .text("carnivorous"))
        let one = try await fixture.update(kea, ["diet": .text("herbivorous")])
        #expect(
            obstacles(try await undo(one, fixture, keeper)) == ["Your role doesn’t allow changing any of these fields."]
        )
        #expect(try await fixture.find(kea)?.value("diet", in: Animal.schema) == .text("herbivorous"))
        #expect(try await undo(one, fixture) == .undone(commit: one + 1, message: "Undid the changes to “Kea”"))
        let deleted = try await fixture.submit(.delete(model: "Animal", id: kea.id.uuid))
        _ = try await undo(deleted, fixture, keeper)
        #expect(try await fixture.find(kea)?.value("diet", in: Animal.schema) == .text("carnivorous"))
    }

    @Test("Undo is idempotent")
    func repeated() async throws {
        let fixture = try ActivityFixture()
        let commit = try await fixture.submit(.insert(Animal(name: "Kea")))
        let model = try await UndoViewModel(commit: commit, scope: fixture.scope(), history: fixture.history)
        let first = await model.undo(as: model.commit.changeSet.next)
        #expect(await model.undo(as: model.commit.changeSet.next) == first)
    }

    @Test("A rejected undo names the fields and records of its obstacles, and changes nothing")
    func refused() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea"), parrots = Category(name: "Parrots")
        try await fixture.submit(.insert(kea), .insert(parrots))
        let first = try await fixture.update(kea, ["diet": .text("carnivorous")])
        let second = try await fixture.update(
            kea, ["diet": .text("herbivorous"), "category": .text(parrots.id.uuid.canonicalText)])
        let outcome = try await undo(first, fixture)
        #expect(obstacles(outcome) == ["Diet of “Kea” has been changed since then."])
        guard case .refused(let texts) = outcome else { return }
        #expect(texts.first?.href == "/admin/activity/\(second)")
        guard case .refused = try await undo(1, fixture) else {
            Issue.record("The first commit was undone.")
            return
        }
        #expect(try await fixture.find(kea) != nil)
    }

    @Test("A value in use names the record that has it")
    func taken() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        let deleted = try await fixture.submit(.delete(model: "Animal", id: kea.id.uuid))
        try await fixture.submit(.insert(Animal(name: "Kea")))
        #expect(obstacles(try await undo(deleted, fixture)) == ["“Kea” now has the same name."])
    }

    @Test("A deleted record is named in the obstacle, with a link to its history")
    func gone() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        try await fixture.submit(.insert(kea))
        let commit = try await fixture.update(kea, ["diet": .text("carnivorous")])
        try await fixture.submit(.delete(model: "Animal", id: kea.id.uuid))
        let outcome = try await undo(commit, fixture)
        #expect(obstacles(outcome) == ["“Kea” has been deleted since then."])
        guard case .refused(let texts) = outcome else { return }
        #expect(texts.first?.href == "/admin/activity?model=animals&record=\(kea.id.uuid.canonicalText)")
    }

    @Test("A secret value cannot be undone and is not shown")
    func secret() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea", chip: "s3cret")
        try await fixture.submit(.insert(kea))
        let commit = try await fixture.update(kea, ["chip": .text("other")])
        let sentences = obstacles(try await undo(commit, fixture))
        #expect(sentences == ["Chip of “Kea” is secret, so the history doesn’t contain its values."])
    }

    @Test("An obstacle with a hidden record does not name the record")
    func hidden() async throws {
        let fixture = try ActivityFixture()
        let words = UndoObstacleFormatter(scope: fixture.scope(.keeper), titles: RecordTitles())
        let text = words.text(.deletedSince(model: "Category", id: .version7()))
        #expect(text == UndoObstacleText("A record you can’t view has been deleted since then."))
    }

    @Test("A commit with only hidden records is not found")
    func nothing() async throws {
        let fixture = try ActivityFixture()
        let commit = try await fixture.submit(.insert(Category(name: "Parrots")))
        for number in [commit, 99, 0, -1, .max] {
            await #expect(throws: AccessError.hidden) { _ = try await undo(number, fixture, .keeper) }
        }
    }

    @Test("Undo requires the permissions for the reverse changes")
    func forbidden() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        let added = try await fixture.submit(.insert(kea), .insert(Category(name: "Parrots")))
        let feeder = Role(
            "feeder", .allow(.view, .edit, on: Animal.self), .allow(.view, on: Category.self), .task(.activity))
        // Removing an animal requires more than the permission to edit it. A part that is not visible counts too.
        for role in [feeder, .viewer, .keeper] {
            await #expect(throws: AccessError.forbidden) { _ = try await undo(added, fixture, role) }
        }
        #expect(try await fixture.find(kea) != nil)
    }

    @Test("Without the activity permission, only one's own commits can be undone")
    func own() async throws {
        let fixture = try ActivityFixture()
        let others = try await fixture.submit(.insert(Animal(name: "Kea")), by: "bob")
        let own = try await fixture.submit(.insert(Animal(name: "Kaka")), by: "ada")
        await #expect(throws: AccessError.forbidden) { _ = try await undo(others, fixture, .worker) }
        #expect(try await undo(own, fixture, .worker) == .undone(commit: 3, message: "Removed “Kaka” again"))
    }

    @Test("Without the activity permission, a response does not reveal commits of others")
    func stepsOfOthers() async throws {
        let fixture = try ActivityFixture()
        let animal = try await fixture.submit(.insert(Animal(name: "Kea")), by: "bob")
        try await fixture.accounts.add(
            Account(name: "eve", role: "viewer", passwordHash: nil, createdAt: fixture.now), by: "bob")
        let account = try #require(
            try await fixture.history.commits(HistoryQuery(author: "bob", limit: 1)).first?.number)
        #expect(account > animal)
        for number in [animal, account, account + 1, 0] {
            for role in [Role.viewer, .worker] {
                await #expect(throws: AccessError.forbidden) { _ = try await undo(number, fixture, role) }
            }
        }
    }

    private struct StoppingWriter: ChangeWriter {
        func write(_ request: WriteRequest) async throws(StoreError) -> Receipt? { throw .stopped }
    }

    @Test("An undo that a person stopped is no failure: the page says that nothing was undone and leads back")
    func stopped() async throws {
        let fixture = try ActivityFixture()
        let kea = Animal(name: "Kea")
        let commit = try await fixture.submit(.insert(kea))
        let model = try await UndoViewModel(
            commit: commit, scope: fixture.scope(), history: fixture.history(writer: StoppingWriter()))
        #expect(await model.undo() == .stopped)
        let page = UndoStoppedView(backHref: "/admin/animals")
        #expect(page.words.contains("Undo stopped Nothing was undone. All records are as they were before. Go back"))
        #expect(page.html.contains(#"href="/admin/animals""#) && !page.words.contains("Can’t undo"))
    }

    @Test("Account changes cannot be undone")
    func accounts() async throws {
        let fixture = try ActivityFixture()
        let account = Account(name: "bob", role: "admin", passwordHash: nil, createdAt: fixture.now)
        try await fixture.accounts.add(
            Account(name: "eve", role: "admin", passwordHash: nil, createdAt: fixture.now), by: "ada")
        try await fixture.accounts.add(account, by: "ada")
        try await fixture.accounts.setRole("viewer", of: account.id.uuid, by: "ada")
        await #expect(throws: AccessError.forbidden) { _ = try await undo(3, fixture, .admin) }
    }
}

extension UUID {
    /// Another identifier, always the same.
    fileprivate var next: UUID {
        var bytes = withUnsafeBytes(of: uuid, Array.init)
        bytes[15] &+= 1
        return NSUUID(uuidBytes: bytes) as UUID
    }
}
