import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Totals")
struct TotalTests {
    @Test("Totals are what SQLite counts, whatever was done", arguments: [1, 2, 3] as [UInt64])
    func always(seed: UInt64) async throws {
        let fixture = try StoreFixture.rules()
        var history = RandomHistory(seed: seed)
        for _ in 0..<60 {
            _ = try await fixture.submitTogether(history.nextChangeSets())
            #expect(try await fixture.totalsMatch())
        }
        #expect(try fixture.readers.read { try $0.rows("PRAGMA foreign_key_check") { _ in 1 } }.isEmpty)
        #expect(try fixture.readers.read { try $0.pragma("integrity_check") } == "ok")
    }
}
