import Foundation
import Synchronization
import Testing

@testable import AviaryDomain

@Suite("Summaries of rejected lines")
struct RejectedLinesTests {
    @Test(
        "Adjacent lines form a range, and a long list shows only its beginning and its end",
        arguments: [
            ([3], "3"), ([3, 4, 5, 9, 12, 13], "3–5, 9, 12–13"), (Array(1500...98_000), "1500–98000"),
            (Array(stride(from: 2, through: 40, by: 2)), "2, 4, 6, 8, 10, 12, 14, 16, 18, 20 … 40"),
        ])
    func words(lines: [Int], words: String) {
        let wrong = RejectedLines(lines)
        #expect(wrong.words == words)
        #expect(wrong.count == lines.count)
    }

    @Test("All rejected lines are counted, even beyond those that are listed")
    func beyond() async throws {
        let lines = (0..<3000).map { $0 < 1500 ? "N\($0),1\n" : "N\($0),heavy\n" }.joined()
        let source = CSVSource(Array(("code,bodyMass\n" + lines).utf8))
        let settings = RecordImport(model: specimenSchema.stored, schema: try importSchema())
        do {
            _ = try await settings.check(source, lookUp: NothingStored())
            Issue.record("It was good.")
        } catch let error as ImportError {
            #expect(error.wrongLines?.count == 1500 && error.wrongLines?.words == "1502–3001")
        }
    }

    @Test("An import reads its file twice and reports its progress")
    func passes() async throws {
        let opened = Mutex(0), reported = Mutex<[ImportProgress]>([])
        let text = Array(("code\n" + (0..<1200).map { "c\($0)\n" }.joined()).utf8)
        let source = CountedSource(base: CSVSource(text)) { opened.withLock { $0 += 1 } }
        let settings = RecordImport(model: specimenSchema.stored, schema: try importSchema())
        _ = try await settings.run(
            source, lookUp: NothingStored(), report: { progress in reported.withLock { $0.append(progress) } }
        ) { plan in
            Receipt(changeSet: .version7(), commit: 1, isRepeat: false)
        }
        #expect(opened.withLock { $0 } == 2)
        let progress = reported.withLock { $0 }
        #expect(progress.first == ImportProgress(.checking, done: 256))
        #expect(progress.last == ImportProgress(.storing, done: 1024, of: 1200))
    }

    @Test("A sent batch counts as stored only if it has a commit")
    func settled() {
        var job = ImportJob(of: "f", form: [], at: Date())
        var report = ImportReport()
        report.lineCount = 500
        report.lastLine = 501
        job.sent = ImportJob.SentBatch(changeSet: UUID(), report: report)
        #expect(!job.hasStoredNothing)
        var lost = job
        lost.settle(commit: nil)
        #expect(lost.hasStoredNothing)
        job.settle(commit: 9)
        #expect(job.stored.commits == [9] && job.stored.lastLine == 501 && job.sent == nil)
    }
}

private struct CountedSource: ImportSource {
    let base: CSVSource
    let onRead: @Sendable () -> Void

    func columns() throws -> [String] { try base.columns() }

    func records() throws -> any ImportReader {
        onRead()
        return try base.records()
    }
}
