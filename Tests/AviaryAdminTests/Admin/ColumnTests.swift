import Aviary
import AviaryDomain
import AviaryTesting
import Foundation
import Testing

@testable import AviaryAdmin

@Model struct Guide {
    @Attribute(.required) var name: String
    @Attribute(.secret) var pin: String?
    var tours = 1
    var hours = 2

    var load: Int { tours * hours }
    var isBusy: Bool { load > 5 }
    var share: Double { Double(tours) / Double(hours) }
    var rate: Double { 1 / Double(hours) }
    var price: Decimal { Decimal(tours) / Decimal(hours) }
}

struct GuidedTours: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Guide.self).columns(\.name).column("Tours a day", \.tours).column("Load", \.load).column(
            "Busy", \.isBusy)
    }
}

struct Ratios: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Guide.self).columns(\.name).column("Share", \.share).column("Rate", \.rate).column("Price", \.price)
            .computed(\.share, "Share").computed(\.rate, "Rate").computed(\.price, "Price")
    }
}

struct StandardTours: AviaryApp {
    var admin: some Admin { ModelAdmin(Guide.self).column("Load", \.load) }
}

struct OpenSecret: AviaryApp {
    var admin: some Admin { ModelAdmin(Guide.self).columns(\.name, \.pin) }
}

struct TitledSecret: AviaryApp {
    var admin: some Admin { ModelAdmin(Guide.self).column("PIN", \.pin) }
}

struct UntitledColumn: AviaryApp {
    var admin: some Admin { ModelAdmin(Guide.self).columns(\.name, \.load) }
}

@Suite("List columns are stored and computed properties, never secrets")
struct ColumnTests {
    @Test("A computed column has a title and values from the record, and is not sortable")
    func computed() throws {
        let configuration = try #require(try AppDefinition(GuidedTours.self).configurations.first)
        #expect(configuration.columns.map(configuration.title) == ["Name", "Tours a day", "Load", "Busy"])
        #expect(configuration.sortableColumns == ["name", "tours"])
        let record = Record(id: UUID(), version: 1, values: [.text("Ada"), .null, .integer(3), .integer(2)])
        let values = configuration.columns.compactMap { configuration.computedColumns[$0]?.value(record) }
        #expect(values == [.integer(6), .integer(1)])
        #expect(
            configuration.columns.compactMap { configuration.computedColumns[$0]?.property.type } == [
                .integer, .boolean,
            ])
    }

    @Test("A computed value that is no number is shown like no value, in the list and in the sheet")
    func noNumber() async throws {
        try await TestApplication.serve(Ratios.self) { application in
            let guide = Guide(name: "Ada", tours: 0, hours: 0)
            try await application.store().submit([.insert(guide)])
            let browser = try await application.signedIn(as: "ada")
            let list = try await browser.get("/admin/guides").body
            let sheet = try await browser.get("/admin/guides/\(guide.id)").body
            for page in [list, sheet] {
                #expect(!page.contains("nan") && !page.contains("inf<") && !page.contains("NaN"))
            }
            #expect(sheet.ranges(of: #"dir="auto">–</output>"#).count == 3)
            #expect(list.contains("Share") && list.ranges(of: #"<td class="none"#).count >= 3)
        }
    }

    @Test("A computed column follows the standard columns, which exclude secrets")
    func behindStandard() throws {
        let configuration = try #require(try AppDefinition(StandardTours.self).configurations.first)
        #expect(configuration.columns.map(configuration.title) == ["Name", "Tours", "Hours", "Load"])
    }

    @Test("A secret column is an error at launch")
    func secret() {
        for error in [error(OpenSecret.self), error(TitledSecret.self)] {
            #expect(error == "Guide.pin is .secret and a list column. Leave it out: a list would show it.")
        }
    }

    @Test("A computed column without a title is an error that says how to write it")
    func untitled() {
        #expect(
            error(UntitledColumn.self)?.contains(#"a computed property is given with a title: .column("Age", \.age)."#)
                == true)
    }

    private func error(_ app: (some AviaryApp).Type) -> String? {
        do {
            _ = try AppDefinition(app)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

@Model private struct Clutch {
    var name: String
    var days: Int

    var laid: CalendarDate? { CalendarDate(year: 2026, month: 11, day: days) }
    var isFresh: Bool { days > 10 }
    var hatched: Date? { nil }
    var turned: Date { Date(timeIntervalSince1970: 0) }
}

@Suite("Text of computed properties")
struct ComputedTextTests {
    private let record = Record(id: .version7(), version: 1, values: [.text("Blue"), .integer(20)])

    @Test("Dates, Booleans and empty values have the same text as in lists")
    func words() {
        #expect(ComputedColumn(\Clutch.laid, title: "Laid").text(of: record) == "20 Nov 2026")
        #expect(ComputedColumn(\Clutch.turned, title: "Turned").text(of: record) == "1 Jan 1970, 00:00 UTC")
        #expect(ComputedColumn(\Clutch.isFresh, title: "Fresh").text(of: record) == "Yes")
        #expect(ComputedColumn(\Clutch.hatched, title: "Hatched").text(of: record) == "–")
        #expect(
            ComputedColumn(title: "Age") { (clutch: Clutch) in "\(clutch.days) days" }.text(of: record) == "20 days")
    }
}
