import Foundation
import TestSupport
import Testing

extension FailingStores {
    @Suite("Kills during large deletes and their undos")
    struct LongDeleteKillTests {
        @Test("A large delete and its undo end as if no process had been killed, and others lose nothing")
        func killed() async throws {
            let kills = Explore.times(5, exploring: 30)
            var random = TestSeed.generator(41)
            try await TestDirectory.use { directory in
                let herd = try await Herd(animals: 2100, in: directory)
                let writer = SideWriter()
                let browser = Browser(herd.killed.server)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    // A browser of its own, whose connections end with other kills.
                    let other = Browser(herd.killed.server)
                    group.addTask { try await writer.run(other) }
                    defer { writer.end() }
                    var (deleteKills, undoKills, rounds) = (0, 0, 0)
                    while deleteKills < kills || undoKills < kills {
                        let victims = KilledServer.Victim.allCases
                        if try await herd.change(
                            .delete, as: browser, killing: victims[rounds % 3], at: LongChangeMoment(&random))
                        {
                            deleteKills += 1
                        }
                        // Another victim than that of the delete.
                        if try await herd.change(
                            .undo, as: browser, killing: victims[(rounds + 1) % 3], at: LongChangeMoment(&random))
                        {
                            undoKills += 1
                        }
                        rounds += 1
                        guard rounds < 5 * kills else {
                            Issue.record("Most changes ended before the kill: \(deleteKills) and \(undoKills) did not.")
                            break
                        }
                    }
                }
                try await herd.killed.complete()
                try writer.expectStored(in: herd.killed.file)
                try await herd.killed.expectGoodData()
            }
        }
    }
}

/// A category with many animals, which is deleted and restored.
private struct Herd {
    enum Step {
        case delete, undo
    }

    let killed: KilledServer
    private let category: String
    /// The rows of the animals, which an undo must restore.
    private let animals: [[String]]

    private static let query = "SELECT id, name, diet, category FROM Animal WHERE name LIKE 'Herd %' ORDER BY id"

    /// Fills a store and starts a server.
    init(animals count: Int, in directory: TestDirectory) async throws {
        let lines = (0..<count).map { "Herd \($0),\($0.isMultiple(of: 3) ? "carnivorous" : "omnivorous"),Herd\r\n" }
        let path = directory.path("herd.csv")
        try Data(("name,diet,category\r\n" + lines.joined()).utf8).write(to: URL(filePath: path))
        let run = try await Program.zoo.run(
            ["import", "Animal", path, "--create-related", "--data", directory.data], in: directory)
        try #require(run.exitCode == 0, "\(run.errors)")
        killed = try await KilledServer(in: directory)
        category = try #require(try killed.file.rows("SELECT id FROM AnimalCategory").first?.first)
        animals = try killed.file.rows(Self.query)
        try #require(animals.count == count)
    }

    /// Returns the numbers of the deletes of the herd and of their undos. Each has an entry for each animal, and one
    /// for the category.
    private func commits() throws -> [String] {
        try killed.file.rows("SELECT number FROM aviary_commit WHERE changes = \(animals.count + 1) ORDER BY number")
            .flatMap { $0 }
    }

    /// Deletes the herd or undoes this, and kills a process at a moment of the change.
    ///
    /// - Returns: False if the change had ended before the kill, which was therefore left out.
    func change(
        _ step: Step, as browser: Browser, killing victim: KilledServer.Victim, at moment: LongChangeMoment
    ) async throws -> Bool {
        try await killed.complete()
        let before = try commits()
        let token = try #require(try await browser.getThroughKills("/admin").csrf)
        // A form that is sent again is carried out once.
        let changeSet = UUID().uuidString.lowercased()
        let path: String, form: Form
        switch step {
        case .delete:
            path = "/admin/animal-categories/delete"
            form = Form(["csrf": token, "id": category, "allow": "\(animals.count)", "changeset": changeSet])
        case .undo:
            path = "/admin/undo/\(try #require(before.last))"
            form = Form(["csrf": token, "changeset": changeSet])
        }
        let isOver = { try LongChangeProgress(killed.file) == nil && commits().count > before.count }
        async let request: Void = send(form, to: path, as: browser) {
            try LongChangeProgress(killed.file) != nil || commits().count > before.count
        }
        let isUnderWay = try await moment.wait(in: killed.file, isOver: isOver)
        if isUnderWay { try await killed.kill(victim) }
        try await request
        try await killed.complete()
        try await eventually("the \(step) ended by itself after a kill of \(victim) at \(moment)") {
            try await expectAllOrNothing(step, as: browser)
            return try isOver()
        }
        #expect(try commits().count == before.count + 1, "\(step), \(victim) at \(moment)")
        #expect(
            try killed.file.rows(Self.query) == (step == .delete ? [] : animals), "\(step), \(victim) at \(moment)")
        let categories = try killed.file.rows("SELECT id, name FROM AnimalCategory")
        #expect(categories == (step == .delete ? [] : [[category, "Herd"]]), "\(step), \(victim) at \(moment)")
        try killed.expectTotals(of: "Animal", "AnimalCategory")
        #expect(try !killed.file.tables().contains("aviary_pending"))
        return isUnderWay
    }

    /// Sends the form until an answer says that it was carried out, or the change has begun.
    private func send(
        _ form: Form, to path: String, as browser: Browser, until hasBegun: @Sendable () throws -> Bool
    ) async throws {
        try await eventually("\(path) was carried out") {
            let answer = try? await browser.post(path, form)  // a kill may end the connection
            return try answer?.status == 303 || hasBegun()
        }
    }

    /// Expects that a list shows the category before the commit of a delete and not afterwards, and the other way
    /// round for an undo.
    private func expectAllOrNothing(_ step: Step, as browser: Browser) async throws {
        let earlier = try LongChangeProgress(killed.file)
        guard let list = try? await browser.get("/admin/animal-categories"), list.status == 200 else { return }
        // Between the two, the change may have been committed.
        guard let earlier, let later = try LongChangeProgress(killed.file), earlier.isCommitted == later.isCommitted
        else { return }
        #expect((list.rows(named: "Herd") == 1) == (earlier.isCommitted == (step == .undo)), "\(step): \(later)")
    }
}
