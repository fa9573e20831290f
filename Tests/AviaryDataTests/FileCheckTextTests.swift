import AviaryDomain
import CSQLite
import Foundation
import Testing

@testable import AviaryData

@Suite("Description of a file check")
struct FileCheckTextTests {
    @Test("A description of damage in several places gives the advice once")
    func advice() {
        let places = ["SELECT a", "SELECT b"].map { EngineError(sqliteCode: SQLITE_CORRUPT, operation: $0) }
        let reported = "\(FileCheck.damaged(places.map(\.finding), at: Date()))"
        #expect(reported.ranges(of: FileCheck.adviceOnDamage).count == 1)
        #expect(reported.contains("in: SELECT a") && reported.contains("in: SELECT b"))
        #expect(places.allSatisfy { $0.description.contains(FileCheck.adviceOnDamage) })
    }

    @Test("A running or successful check gives no reason")
    func reason() {
        for check in [FileCheck.running, .ok(at: Date())] {
            #expect(!"\(check)".contains("because"))
        }
    }
}
