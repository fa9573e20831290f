import AviaryDomain
import CSQLite
import Foundation
import Testing

@testable import AviaryData

@Suite("The state of a store's file in words")
struct FileCheckTextTests {
    @Test("Damage in several places is followed by its advice once")
    func advice() {
        let places = ["SELECT a", "SELECT b"].map { EngineError(sqliteCode: SQLITE_CORRUPT, operation: $0) }
        let told = "\(FileCheck.damaged(places.map(\.finding), at: Date()))"
        #expect(told.ranges(of: FileCheck.adviceOnDamage).count == 1)
        #expect(told.contains("in: SELECT a") && told.contains("in: SELECT b"))
        #expect(places.allSatisfy { $0.description.contains(FileCheck.adviceOnDamage) })
    }

    @Test("A check tells no reason, as it follows a close that was missed or damage that was healed")
    func reason() {
        for check in [FileCheck.running, .ok(at: Date())] {
            #expect(!"\(check)".contains("because"))
        }
    }
}
