import AviaryDomain
import Foundation
import Testing

@testable import ActivityFeature

@Suite("The notice about a large delete or undo")
struct LongChangeNoticeTests {
    private func status(
        _ step: LongChangeStatus.Step, undoes: Int64? = nil, author: String = "ada",
        records: [String: Int] = ["Animal": 12_000]
    ) -> LongChangeStatus {
        LongChangeStatus(
            changeSet: .version7(), author: author, began: ActivityFixture.start, undoes: undoes, step: step,
            done: 3000, total: 12_000, records: records)
    }

    private func words(_ status: LongChangeStatus, as name: String = "ada") throws -> String {
        LongChangeNotice(status, in: try ActivityFixture().scope(as: name)).notice(csrf: "token").words
    }

    @Test("It says what is deleted, by whom and how far the store is")
    func progress() throws {
        let words = try words(status(.checking))
        #expect(words.contains("Deleting 12,000 animals."), "\(words)")
        #expect(words.contains("Started by ada. 3,000 of 12,000 records checked. You can leave this page."), "\(words)")
    }

    @Test("It says that a command began a change")
    func command() throws {
        #expect(try words(status(.preparing, author: "command line")).contains("Started from the command line."))
    }

    @Test("After the commit it says what readers see, and what is left to do")
    func committed() throws {
        let deleted = try words(status(.completing))
        #expect(deleted.contains("Deleted 12,000 animals. Started by ada. Nobody sees these records any more."))
        #expect(deleted.contains("3,000 of 12,000 records are cleaned up."))
        let undone = try words(status(.completing, undoes: 1207))
        #expect(undone.contains("Undid step 1207. Started by ada. Everybody sees the result."))
        #expect(try words(status(.stopping)).contains("Stopping a large change. Started by ada. Nothing was changed."))
        for words in [deleted, undone] { #expect(!words.contains("rows")) }
    }

    @Test("It says which step is undone")
    func undo() throws {
        #expect(try words(status(.preparing, undoes: 1207)).contains("Undoing step 1207."))
    }

    @Test("It has a button that stops the change until the change is committed")
    func stoppable() throws {
        #expect(try words(status(.preparing)).contains("Stop"))
        #expect(try words(status(.checking)).contains("Stop"))
        #expect(try !words(status(.completing)).contains("Stop"))
        let scope = try ActivityFixture().scope(as: "ada")
        #expect(!LongChangeNotice(status(.stopping), in: scope).canBeStopped)
    }

    @Test("Somebody else can stop it only with a role that may delete all records concerned")
    func permission() throws {
        let watcher = Role("watcher", .allowEverywhere(.view), .task(.activity))
        let scope = try ActivityFixture().scope(watcher, as: "bo")
        #expect(!LongChangeNotice(status(.preparing), in: scope).canBeStopped)
        #expect(LongChangeNotice(status(.preparing, author: "bo"), in: scope).canBeStopped)
        #expect(LongChangeNotice(status(.preparing), in: try ActivityFixture().scope(as: "bo")).canBeStopped)
        // Which records are concerned is not known yet.
        #expect(
            !LongChangeNotice(status(.preparing, records: [:]), in: try ActivityFixture().scope(as: "bo")).canBeStopped)
    }
}
