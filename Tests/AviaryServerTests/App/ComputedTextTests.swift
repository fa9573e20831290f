import Aviary
import AviaryDomain
import Foundation
import Testing

@testable import AviaryServer

@Model private struct Clutch {
    var name: String
    var days: Int

    var laid: CalendarDate? { CalendarDate(year: 2026, month: 11, day: days) }
    var isFresh: Bool { days > 10 }
    var hatched: Date? { nil }
    var turned: Date { Date(timeIntervalSince1970: 0) }
}

@Suite("What is worked out from a record stands in its sheet in words")
struct ComputedTextTests {
    private let record = Record(id: .version7(), version: 1, values: [.text("Blue"), .integer(20)])

    @Test("Dates, truths and nothing as in lists")
    func words() {
        #expect(ComputedColumn(\Clutch.laid, title: "Laid").text(of: record) == "20 Nov 2026")
        #expect(ComputedColumn(\Clutch.turned, title: "Turned").text(of: record) == "1 Jan 1970, 00:00 UTC")
        #expect(ComputedColumn(\Clutch.isFresh, title: "Fresh").text(of: record) == "Yes")
        #expect(ComputedColumn(\Clutch.hatched, title: "Hatched").text(of: record) == "–")
        #expect(
            ComputedColumn(title: "Age") { (clutch: Clutch) in "\(clutch.days) days" }.text(of: record) == "20 days")
    }
}
