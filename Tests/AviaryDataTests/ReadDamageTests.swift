import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

@Suite("Damage found by a read")
struct ReadDamageTests {
    private static func sound() async throws -> SoundStore {
        try await SoundStore(.lists(), sortIndexes: SortIndex.lists) { fixture in
            let note = String(repeating: "n", count: 120)
            let animals = (0..<500).map { Animal(name: "animal \($0)", note: note) }
            try await fixture.store.submit(ChangeSet(author: "test", changes: animals.map(\.insertion)))
        }
    }

    private func result(_ fixture: StoreFixture) async throws -> FileCheck {
        try await eventually("the check has ended") { await fixture.store.fileCheck != .running }
        return await fixture.store.fileCheck
    }

    @Test("The store checks the file once after a read has found damage", .onlySQLite("a file that can be damaged"))
    func damaged() async throws {
        let sound = try await Self.sound()
        let pages = sound.pages(of: "Animal")
        let fixture = try await sound.open(sound.damaged(pages[pages.count / 2], SoundStore.zero))
        let failures = Mutex<[EngineError.Kind]>([])
        let readers = try ReaderPool(directory: fixture.directory, schema: sound.schema, readLimit: Patience.bound) {
            error in
            failures.withLock { $0.append(error.kind) }
        }
        #expect(throws: EngineError.self) {
            try readers.read { try $0.rows("SELECT note FROM \"Animal\" NOT INDEXED") { $0.text(0) ?? "" } }
        }
        #expect(failures.withLock { $0 } == [.damage])
        #expect(await fixture.store.fileCheck == .notNeeded)

        await fixture.store.checkFile()
        let found = try await result(fixture)
        guard case .damaged = found else {
            Issue.record("\(found)")
            return
        }
        await fixture.store.checkFile()
        #expect(await fixture.store.fileCheck == found)
    }

    @Test("A check that a reader requested finds an undamaged file sound", .onlySQLite("a file that can be damaged"))
    func whole() async throws {
        let sound = try await Self.sound()
        let fixture = try await sound.open(sound.temporary)
        await fixture.store.checkFile()
        let found = try await result(fixture)
        guard case .ok = found else {
            Issue.record("\(found)")
            return
        }
    }

    @Test("A closed store does not check its file")
    func closed() async throws {
        let fixture = try StoreFixture.lists()
        await fixture.store.close()
        await fixture.store.checkFile()
        #expect(await fixture.store.fileCheck == .notNeeded)
    }
}
