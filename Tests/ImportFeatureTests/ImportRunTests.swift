import AviaryDomain
import Foundation
import Synchronization
import Testing

@testable import ImportFeature

@Suite("Resuming an import")
struct ImportRunTests {
    @Test(
        "An import does not set or match a property that the role cannot set",
        arguments: [true, false])
    func fixed(areHidden: Bool) async throws {
        let role = Role(
            "keeper", .allowEverywhere(.view, .add, .edit),
            .properties(["category"], ofModelNamed: "Animal", areHidden: areHidden))
        let fixture = try ImportFixture(role: role)
        try await fixture.add("Kea", to: "Parrots")
        let job = try await fixture.resume(
            "name,category\nKaka,Parrots\n", ["related": "true"], to: fixture.target())
        #expect(job.state == .done && job.stored.inserted == ["Animal": 1])
        let animals = try await fixture.records(Animal.schema).fetchAll()
        let kaka = try #require(animals.first { $0.title(in: Animal.schema) == "Kaka" })
        #expect(kaka.value("category", in: Animal.schema) == .null)
        let name = Role(
            "keeper", .allowEverywhere(.view, .add, .edit),
            .properties(["name"], ofModelNamed: "Animal", areHidden: areHidden))
        let other = try ImportFixture(role: name)
        try await other.add("Kea")
        let found = try await other.resume("name\nKea\n", ["match": "name"], to: other.target())
        #expect(found.stored.unchanged == 0 && found.stored.commits.isEmpty)
    }

    @Test("A batch that arrives while it is resent is stored once, and later lines refer to its records")
    func whileSending() async throws {
        let fixture = try ImportFixture(), sent = fixture.sent, turn = Turn()
        let target = fixture.target(sending: { if turn.isNow { try await fixture.add("Kea", to: "Parrots", as: sent) } }
        )
        let job = try await fixture.resume(
            "name,category\nKea,Parrots\nKaka,Parrots\n", ["related": "true"], to: target
        ) { job in
            job.sent = ImportJob.SentBatch(changeSet: sent, report: fixture.report(to: 2))
        }
        #expect(job.state == .done && job.sent == nil && job.stored.commits.count == 2)
        #expect(job.stored.inserted == ["Animal": 2] && job.stored.lastLine == 3)
        #expect(try await fixture.records(Category.schema).count() == 1)
        #expect(try await fixture.records(Animal.schema).count() == 2)
    }

    @Test(
        "A batch that arrives after the outcome was requested is counted as a commit of the import",
        arguments: ["", "name"],
        ["", "Kaka\n"])
    func beforeReading(match: String, rest: String) async throws {
        let fixture = try ImportFixture(), sent = fixture.sent, turn = Turn()
        let target = fixture.target(asked: { if turn.isNow { try await fixture.add("Kea", as: sent) } })
        let job = try await fixture.resume("name\nKea\n" + rest, ["match": match], to: target) { job in
            job.sent = ImportJob.SentBatch(changeSet: sent, report: fixture.report(to: 2))
        }
        let count = rest.isEmpty ? 1 : 2
        #expect(job.state == .done && job.sent == nil)
        #expect(
            job.stored.commits.count == count && job.stored.inserted == ["Animal": count] && job.stored.unchanged == 0)
        #expect(try await fixture.records(Animal.schema).count() == count)
    }

    @Test(
        "A rejected batch may still arrive if it was sent before, but not if it was sent for the first time",
        arguments: [true, false])
    func refused(isSentBefore: Bool) async throws {
        let fixture = try ImportFixture(), sent = fixture.sent
        let target = fixture.target(sending: {
            throw StoreError.missingReference(model: "Animal", property: "category")
        })
        let job = try await fixture.resume("name\nKea\n", to: target) { job in
            if isSentBefore { job.sent = ImportJob.SentBatch(changeSet: sent, report: fixture.report(to: 2)) }
        }
        #expect(job.state == .failed && job.reason?.contains("points to a record that does not exist") == true)
        #expect(job.sent?.changeSet == (isSentBefore ? sent : nil) && job.hasStoredNothing != isSentBefore)
    }

    @Test("A line that becomes invalid between the check and the save is reported by number")
    func wrongMeanwhile() async throws {
        let fixture = try ImportFixture(), turn = Turn(2)
        let commit = try await fixture.add("Kea")
        let target = fixture.target(lookingUp: { if $0 == .text("Kaka"), turn.isNow { try await fixture.add("Kaka") } })
        let job = try await fixture.resume("name\nKea\nKaka\n", to: target) {
            $0.stored = fixture.report(to: 2, by: [commit])
        }
        #expect(job.state == .failed && job.reason == nil && job.stored.commits == [commit])
        #expect(job.problems.map(\.line) == [3] && job.wrongLines?.count == 1)
    }

    @Test("An import does not resume after a restore")
    func restoredMeanwhile() async throws {
        let fixture = try ImportFixture(), turn = Turn(), epoch = try fixture.epoch()
        let target = fixture.target(epoch: { turn.isNow ? epoch : "another" })
        let job = try await fixture.resume("name\nKea\nKaka\n", to: target) {
            $0.stored = fixture.report(to: 2, by: [1])
        }
        #expect(job.state == .failed && job.reason?.contains("A backup was restored") == true)
        #expect(try await fixture.records(Animal.schema).count() == 0)
    }

    @Test("A restore during an import ends it, and no later batch is stored")
    func restoredWhileRunning() async throws {
        let fixture = try ImportFixture(), epoch = try fixture.epoch(), asked = Mutex(0)
        // When it is requested, at its start and before its first batch, nothing is restored yet.
        let target = fixture.target(epoch: {
            asked.withLock { asked in
                asked += 1
                return asked <= 3 ? epoch : "another"
            }
        })
        let lines = (0..<1200).map { "Kea \($0)\n" }.joined()
        let job = try await fixture.resume("name\n" + lines, to: target)
        #expect(job.state == .failed && job.reason?.contains("A backup was restored") == true)
        #expect(job.stored.commits.count == 1)
        #expect(try await fixture.records(Animal.schema).count() == 500)
    }

    @Test("A restore after the last batch of an import is reported, too")
    func restoredAtTheEnd() async throws {
        let fixture = try ImportFixture(), epoch = try fixture.epoch(), asked = Mutex(0)
        let target = fixture.target(epoch: {
            asked.withLock { asked in
                asked += 1
                return asked <= 3 ? epoch : "another"
            }
        })
        let job = try await fixture.resume("name\nKea\n", to: target)
        #expect(job.state == .failed && job.reason?.contains("A backup was restored") == true)
        #expect(job.stored.commits.count == 1)
    }

    @Test("A disabled account stores no further batch, and the report shows what is stored")
    func disabledMeanwhile() async throws {
        let fixture = try ImportFixture(), turn = Turn(2)
        let lines = (0..<1200).map { "Kea \($0)\n" }.joined()
        let job = try await fixture.resume("name\n" + lines, to: fixture.target(isGood: { !turn.isNow }))
        #expect(job.state == .failed && job.sent == nil)
        #expect(job.stored.commits.count == 1 && job.stored.lastLine == 501)
        #expect(job.reason == AccountEndedError().description)
        #expect(try await fixture.records(Animal.schema).count() == 500)
    }

    @Test("A disabled account does not resend a batch")
    func disabledBefore() async throws {
        let fixture = try ImportFixture(), sent = fixture.sent
        let job = try await fixture.resume("name\nKea\n", to: fixture.target(isGood: { false })) { job in
            job.sent = ImportJob.SentBatch(changeSet: sent, report: fixture.report(to: 2))
        }
        #expect(job.state == .failed && job.reason == AccountEndedError().description)
        #expect(job.sent?.changeSet == sent, "it may still arrive")
        #expect(try await fixture.records(Animal.schema).count() == 0)
    }

    @Test("An unreadable store prevents resuming without an error")
    func unreadable() async throws {
        let fixture = try ImportFixture()
        #expect(try await fixture.canGoOn(to: fixture.target()))
        #expect(try await !fixture.canGoOn(to: fixture.target(epoch: { throw StoreError.unanswered })))
    }

    @Test(
        "A server continues an interrupted import behind its stored lines, unless the account is disabled",
        arguments: [
            true, false,
        ])
    func byItself(isDisabled: Bool) async throws {
        let fixture = try ImportFixture()
        let commit = try await fixture.add("Kea")
        let job = try await fixture.continueInterrupted(
            "name\nKea\nKaka\n", to: fixture.target(), isDisabled: isDisabled
        ) { $0.stored = fixture.report(to: 2, by: [commit]) }
        #expect(job.state == (isDisabled ? .failed : .done) && !job.continuesByItself)
        #expect(job.reason == (isDisabled ? AccountEndedError().description : nil))
        #expect(try await fixture.records(Animal.schema).count() == (isDisabled ? 1 : 2))
    }

    @Test("An import that the store cannot take now continues by itself, and after three attempts only on request")
    func unavailable() async throws {
        let fixture = try ImportFixture()
        let target = fixture.target(sending: { throw StoreError.unavailable("it starts") })
        var job = try await fixture.continueInterrupted("name\nKea\n", to: target)
        for attempt in 2...4 {
            #expect(job.state == (attempt == 4 ? .failed : .interrupted) && job.continuesByItself == (attempt < 4))
            job = try await fixture.continueInterrupted("name\nKea\n", to: target) { [job] in $0 = job }
        }
        let done = try await fixture.resume("name\nKea\n", to: fixture.target()) { [job] in $0 = job }
        #expect(done.state == .done && done.stored.inserted == ["Animal": 1])
    }

    @Test("An import whose server has stored a batch since its last attempt has its attempts again")
    func attempts() {
        var job = ImportJob(
            of: "file", form: [], at: Date(),
            owner: ImportJob.Owner(account: UUID(), epoch: 1, model: "Animal", language: nil))
        for _ in 0..<3 {
            #expect(job.continuesByItself)
            job.resume(byItself: true)
        }
        #expect(!job.continuesByItself)
        job.sent = ImportJob.SentBatch(changeSet: UUID(), report: ImportReport())
        job.settle(commit: 7)
        #expect(job.continuesByItself)
        // So does one whose check came further each time.
        for lines in 1...20 {
            job.progress = ImportProgress(.checking, done: lines * 256)
            job.resume(byItself: true)
            #expect(job.continuesByItself)
        }
        for _ in 0..<2 { job.resume(byItself: true) }
        #expect(!job.continuesByItself)
    }
}
