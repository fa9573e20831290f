import Aviary
import Foundation

/// The page of a night: who observed what, and a form that leads to another night.
struct NightPage {
    static let path = "/night"

    let request: RouteRequest

    static var route: Route {
        Route.get(path, access: .allowed(.view, on: Observation.self)) { request in
            try await NightPage(request: request).response()
        }
        .navigationItem("Night", icon: .calendar)
    }

    /// Returns the page of the night that the address names, or of today. The store is read here: the closure of a page
    /// does not wait.
    private func response() async throws -> RouteResponse {
        let typed = request.query("night") ?? CalendarDate.today.description
        guard let night = CalendarDate(typed) else {
            return .html("Night", status: 422) { form(.today, problem: "Enter a day, such as 2026-05-03.") }
        }
        let observations = try await request.store.repository(for: Observation.self)
        var descriptor = FetchDescriptor<Observation>(
            predicate: #Predicate { $0.night == night }, sortBy: [SortDescriptor(\.hour)])
        descriptor.relationshipKeyPathsForPrefetching = [\.telescope, \.target, \.observers]
        descriptor.fetchLimit = 200
        let found = try await observations.fetchResults(descriptor)
        let rows = try found.map { observation in
            Row(
                observation: observation, telescope: try found[\.telescope, of: observation]?.name ?? "",
                target: try found[\.target, of: observation]?.name ?? "",
                observers: try found[\.observers, of: observation].map(\.name).sorted())
        }
        return .html("Night") {
            form(night)
            PageTable("Observations", of: rows, empty: "Nobody observed in this night.") {
                PageColumn("Hour") { row in
                    .link("\(row.observation.hour)", to: "/admin/observations/\(row.observation.id)")
                }
                PageColumn("Target") { row in .text(row.target) }
                PageColumn("Telescope") { row in .text(row.telescope) }
                // The store answers everybody, so the page asks what this account may see.
                if request.may(.view, on: Observer.self) {
                    PageColumn("Observers") { row in .text(row.observers.joined(separator: ", ")) }
                }
                if request.maySee(\Observation.weather) {
                    PageColumn("Sky") { row in .choice(row.observation.weather?.sky) }
                }
                if request.maySee(\Observation.report) {
                    PageColumn("Report") { row in .text(row.observation.report) }
                }
            }
        }
    }

    private func form(_ night: CalendarDate, problem: String? = nil) -> PageForm {
        PageForm(
            to: Self.path, method: .get, fields: [.date("night", "Night", value: night).error(problem)], submit: "Show")
    }

    private struct Row {
        let observation: Observation
        let telescope: String
        let target: String
        let observers: [String]
    }
}
