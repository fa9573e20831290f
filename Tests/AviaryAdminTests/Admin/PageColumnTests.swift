import Aviary
import AviaryTesting
import Foundation
import Testing

@Model
private struct Screw {
    @Attribute(.required) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Delivery.screw) var deliveries: Related<Delivery>
}

@Model
private struct Delivery {
    var screw: Reference<Screw>
    var quantity: Int
}

/// An application whose list of screws has columns with values of their deliveries.
private struct Workshop: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Screw.self)
            .columns(\.name)
            .column("Stock") { screws, list in
                let screws = screws.map { Reference($0) }
                let deliveries = try await list.fetch(
                    FetchDescriptor<Delivery>(predicate: #Predicate { screws.contains($0.screw) }))
                return Dictionary(grouping: deliveries, by: \.screw.id)
                    .mapValues { $0.reduce(0) { $0 + $1.quantity } }
            }
            .column("All") { screws, list in
                let count = try await list.fetchCount(FetchDescriptor<Delivery>())
                guard count < 3 else { throw CancellationError() }
                return Dictionary(screws.map { ($0.id, "of \(count)") }) { first, _ in first }
            }
        ModelAdmin(Delivery.self)
    }
}

@Suite("A column of a list with values from other records")
struct PageColumnTests {
    private func page(deliveries: Int) async throws -> TestResponse {
        var page: TestResponse?
        try await TestApplication.serve(Workshop.self) { application in
            let store = try await application.store()
            let bolt = Screw(name: "Bolt"), hook = Screw(name: "Hook")
            try await store.submit(
                [.insert(bolt), .insert(hook)]
                    + (0..<deliveries).map {
                        .insert(Delivery(screw: Reference(bolt), quantity: 5 - 2 * $0))
                    })
            page = try await application.signedIn(as: "ada").get("/admin/screws")
        }
        return try #require(page)
    }

    @Test("The closure is called once for the records of the page, and a record without a value has none")
    func values() async throws {
        let page = try await page(deliveries: 2)
        #expect(page.status == 200 && page.rows.map(\.title) == ["Bolt", "Hook"])
        #expect(page.body.contains("<td class=\"number trailing\" data-label=\"Stock\">8</td>"))
        #expect(page.body.contains("<td data-label=\"All\"><bdi>of 2</bdi></td>"))
        #expect(page.body.components(separatedBy: "<td class=\"none trailing\"></td>").count == 2)
    }

    @Test("A column that cannot be read is empty, and the list says so and shows the others")
    func failed() async throws {
        let page = try await page(deliveries: 3)
        #expect(page.status == 200 && page.rows.map(\.title) == ["Bolt", "Hook"])
        #expect(page.body.contains("Couldn’t load “All”. Try again in a moment."))
        #expect(page.body.contains("<td class=\"number trailing\" data-label=\"Stock\">9</td>"))
    }

    @Test("The values are read again after a change")
    func changed() async throws {
        try await TestApplication.serve(Workshop.self) { application in
            let store = try await application.store(), browser = try await application.signedIn(as: "ada")
            let bolt = Screw(name: "Bolt")
            try await store.submit([.insert(bolt), .insert(Delivery(screw: Reference(bolt), quantity: 5))])
            #expect(try await browser.get("/admin/screws").body.contains("data-label=\"Stock\">5</td>"))
            try await store.submit([.insert(Delivery(screw: Reference(bolt), quantity: 2))])
            #expect(try await browser.get("/admin/screws").body.contains("data-label=\"Stock\">7</td>"))
        }
    }
}
