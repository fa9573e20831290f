import AviaryDomain
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import AviaryIPC

@Suite("Wire format")
struct WireTests {
    private static let cases = Explore.isOn ? 10_000 : 1_000
    private static let report = Data([1, 0, 255])

    private func encoded(_ request: StoreRequest) -> ByteBuffer {
        var buffer = ByteBuffer()
        request.write(to: &buffer)
        return buffer
    }

    private func encoded(_ response: StoreResponse) -> ByteBuffer {
        var buffer = ByteBuffer()
        response.write(to: &buffer)
        return buffer
    }

    @Test("A round trip preserves random change sets")
    func roundTrip() async throws {
        var random = RandomChanges(TestSeed.generator(1))
        for number in 0..<Self.cases {
            if number.isMultiple(of: 100) { await Task.yield() }
            let changeSet = random.changeSet()
            guard case .write(.submit(changeSet)) = try StoreRequest(encoded(.write(.submit(changeSet)))) else {
                Issue.record("AVIARY_SEED=\(TestSeed.value), case \(number)")
                return
            }
        }
    }

    @Test("Corrupt requests and answers are decoded or rejected without a trap")
    func fuzz() async throws {
        var random = RandomChanges(TestSeed.generator(2))
        var refused = 0
        for number in 0..<Self.cases {
            if number.isMultiple(of: 100) { await Task.yield() }
            var bytes = Array(encoded(.write(.submit(random.changeSet()))).readableBytesView)
            random.breakUp(&bytes)
            do {
                _ = try StoreRequest(ByteBuffer(bytes: bytes))
            } catch {
                refused += 1
            }
            _ = try? StoreResponse(ByteBuffer(bytes: bytes))  // The call must return.
            _ = try? ClientIdentity(ByteBuffer(bytes: bytes))
            _ = ReceivedFrame(ByteBuffer(bytes: bytes))
        }
        // Most inputs have a wrong length or are cut off.
        #expect(refused > Self.cases / 2)
    }

    @Test("Bytes after a request and lengths beyond the data are rejected")
    func strict() throws {
        var buffer = encoded(.write(.discard(draft: .version7())))
        buffer.writeInteger(UInt8(0))
        #expect(throws: WireReader.Malformed.self) { try StoreRequest(buffer) }
        // A change set that claims 4 billion changes.
        var huge = ByteBuffer()
        StoreRequest.write(.submit(ChangeSet(author: "", changes: []))).write(to: &huge)
        huge.setInteger(UInt32.max, at: huge.writerIndex - 4)
        #expect(throws: WireReader.Malformed.self) { try StoreRequest(huge) }
    }

    @Test("A string that is not UTF-8 is rejected")
    func invalidText() throws {
        var buffer = encoded(.replaceContents(path: "abc", kept: "def", holder: .version7()))
        buffer.setInteger(UInt8(0xFF), at: buffer.writerIndex - 1)
        #expect(throws: WireReader.Malformed.self) { try StoreRequest(buffer) }
    }

    @Test("A round trip preserves every other request")
    func otherRequests() throws {
        let id = UUID.version7(), undo = Undo(commit: .max, author: "é\u{301}")
        let part = Undo(
            id: id, commit: 7, author: "ada", leaving: ["Animal": ["diet", "name"], "Friend": ["birthday"]])
        guard case .write(.undo(undo)) = try StoreRequest(encoded(.write(.undo(undo)))),
            case .write(.undo(part)) = try StoreRequest(encoded(.write(.undo(part)))),
            case .status = try StoreRequest(encoded(.status)),
            case .checkFile = try StoreRequest(encoded(.checkFile)),
            case .stopLongChange(id) = try StoreRequest(encoded(.stopLongChange(id))),
            case .write(.discard(draft: id)) = try StoreRequest(encoded(.write(.discard(draft: id)))),
            case .metrics(Self.report) = try StoreRequest(encoded(StoreRequest.metrics(Self.report))),
            case .acquireWriteLease(holder: id) = try StoreRequest(encoded(.acquireWriteLease(holder: id))),
            case .releaseWriteLease(holder: id) = try StoreRequest(encoded(.releaseWriteLease(holder: id))),
            case .replaceContents(path: "/a b", kept: "/c", holder: id) = try StoreRequest(
                encoded(.replaceContents(path: "/a b", kept: "/c", holder: id)))
        else {
            Issue.record("one is another")
            return
        }
    }

    @Test("A round trip preserves every answer, and an unknown answer is an error")
    func answers() throws {
        let receipt = Receipt(changeSet: .version7(), commit: 1 << 40, isRepeat: true)
        let record = Record(id: .version7(), version: 3, values: [.text("a"), .null, .real(-0.5), .blob([0, 255])])
        let error = StoreError.conflict(model: "Animal", current: record)
        let count = StoreError.relatedCount(
            model: "Book", id: .version7(), property: "authors", count: 0, allowed: ModelCount(minimum: 1, maximum: 3)
        )
        let plan = DeletePlan(requested: 1, cascades: ["Book": 2], nullifies: [:], unlinks: ["Author": 3])
        let status = StoreStatus(pid: 7, commits: 1, batches: 2, waiting: 3, lastCommit: 4)
        guard case .stored(receipt) = try StoreResponse(encoded(.stored(receipt))),
            case .refused(error) = try StoreResponse(encoded(.refused(error))),
            case .refused(count) = try StoreResponse(encoded(.refused(count))),
            case .refused(.needsConfirmation(plan)) = try StoreResponse(encoded(.refused(.needsConfirmation(plan)))),
            case .status(status) = try StoreResponse(encoded(.status(status))),
            case .replaced(commit: -1) = try StoreResponse(encoded(.replaced(commit: -1))),
            case .discarded = try StoreResponse(encoded(.discarded)),
            case .held = try StoreResponse(encoded(.held)),
            case .metrics(Self.report) = try StoreResponse(encoded(StoreResponse.metrics(Self.report)))
        else {
            Issue.record("one is another")
            return
        }
        #expect(throws: WireReader.Malformed.self) { try StoreResponse(ByteBuffer(bytes: [200])) }
        #expect(throws: WireReader.Malformed.self) { try StoreResponse(ByteBuffer()) }
    }
}

/// A generator of change sets of every shape, and of ways to corrupt their bytes.
private struct RandomChanges {
    private var generator: SeededGenerator

    init(_ generator: SeededGenerator) {
        self.generator = generator
    }

    private mutating func id() -> UUID {
        func byte() -> UInt8 { UInt8(number(256)) }
        return UUID(
            uuid: (
                byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(),
                byte(), byte(), byte()
            ))
    }

    mutating func changeSet() -> ChangeSet {
        ChangeSet(
            id: id(), author: text(), changes: (0..<number(5)).map { _ in change() },
            cascadeLimit: number(2) == 0 ? nil : number(1000) - 500,
            asked: number(2) == 0 ? nil : (0..<number(5)).map { _ in change() },
            basis: number(2) == 0
                ? nil
                : ReadBasis(
                    commit: Int64.random(in: .min ... .max, using: &generator),
                    models: Set((0..<number(4)).map { _ in text() }))
        )
    }

    private mutating func change() -> Change {
        switch number(6) {
        case 0: .insert(model: text(), id: id(), values: values())
        case 1:
            .update(
                model: text(), id: id(), version: Int64.random(in: .min ... .max, using: &generator), values: values()
            )
        case 2: .link(model: text(), property: text(), id: id(), target: id())
        case 3: .unlink(model: text(), property: text(), id: id(), target: id())
        case 4: .delete(model: text(), id: id(), version: Int64.random(in: .min ... .max, using: &generator))
        default: .delete(model: text(), id: id())
        }
    }

    private mutating func values() -> [String: FieldValue] {
        Dictionary((0..<number(6)).map { _ in (text(), value()) }, uniquingKeysWith: { first, _ in first })
    }

    private mutating func value() -> FieldValue {
        switch number(6) {
        case 0: .null
        case 1: .integer(Int64.random(in: .min ... .max, using: &generator))
        case 2: .real([0, -0.0, .infinity, .leastNonzeroMagnitude, 1.5e300][number(5)])
        case 3: .blob((0..<number(20)).map { _ in UInt8(number(256)) })
        default: .text(text())
        }
    }

    private mutating func text() -> String {
        let scalars: [Unicode.Scalar] = ["a", "é", "\u{301}", "\u{0}", "\u{10FFFF}", "\"", "\n", "名"]
        var text = ""
        for _ in 0..<number(12) { text.unicodeScalars.append(scalars[number(scalars.count)]) }
        return text
    }

    mutating func breakUp(_ bytes: inout [UInt8]) {
        for _ in 0...number(4) {
            let place = number(bytes.count)
            switch number(4) {
            case 0: bytes.removeLast(min(bytes.count, place))
            case 1: bytes.append(contentsOf: (0..<number(9)).map { _ in UInt8(number(256)) })
            default: if !bytes.isEmpty { bytes[place] = UInt8(number(256)) }
            }
        }
    }

    private mutating func number(_ bound: Int) -> Int {
        bound > 0 ? Int.random(in: 0..<bound, using: &generator) : 0
    }
}
