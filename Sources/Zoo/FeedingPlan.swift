import Aviary
import Foundation

/// The pages of the feeding plan: who eats what, with a form that changes it, and the same as a file.
struct FeedingPlan {
    static let path = "/feeding-plan"

    let request: RouteRequest

    @RouteBuilder static var routes: [Route] {
        Route.get(path, access: .allowed(.view, on: Animal.self)) { request in
            try await FeedingPlan(request: request).page()
        }
        .navigationItem("Feeding plan", icon: .calendar)
        Route.post(path, access: .allowed(.edit, on: Animal.self)) { request in
            try await FeedingPlan(request: request).changeDiet()
        }
        Route.get(path + "/file", access: .allowed(.view, on: Animal.self)) { request in
            try await FeedingPlan(request: request).file()
        }
    }

    /// Returns the page. After a form that was refused it shows the problem, at the form with what was typed.
    private func page(problem: String? = nil) async throws -> RouteResponse {
        let groups = try await animalsByDiet(most: 50)
        return .html(localized("Feeding plan"), status: problem == nil ? 200 : 422) {
            PageText(
                localized("Keepers see here who eats what. All animals are in the list of animals."),
                links: [localized("list of animals"): "/admin/animals"])
            if request.may(.edit, on: Animal.self), request.maySet(\Animal.diet) {
                form(for: groups.flatMap(\.animals), problem: problem)
            }
            for group in groups {
                PageHeading(group.diet.food)
                PageTable(group.diet.food, of: group.animals, empty: localized("Nobody eats this.")) {
                    PageColumn(localized("Animal")) { .link($0.name, to: "/admin/animals/\($0.id)") }
                    PageColumn(localized("Diet")) { .choice($0.diet) }
                }
            }
            PageActions {
                PageLink(localized("Save as CSV"), to: Self.path + "/file", style: .button)
            }
        }
    }

    private func form(for animals: [Animal], problem: String?) -> PageForm {
        PageForm(
            localized("Change a diet"), to: Self.path,
            fields: [
                .select(
                    "animal", localized("Animal"), options: animals.map { PageOption("\($0.id)", $0.name) },
                    selected: request.form("animal"), prompt: localized("Select an animal")
                ).error(problem).required(),
                .choice("diet", localized("Diet"), of: Animal.Diet.self, selected: typedDiet),
            ],
            submit: localized("Change"))
    }

    /// Answers the form: it changes the animal and returns to the page, which says so and offers to undo it.
    private func changeDiet() async throws -> RouteResponse {
        guard request.maySet(\Animal.diet) else {
            throw RouteHTTPError(status: 403, localized("Your role can’t change what animals eat."))
        }
        let animals = try await request.store.repository(for: Animal.self)
        guard let id = request.form("animal").flatMap({ UUID(uuidString: $0) }).map({ Animal.ID($0) }),
            let diet = typedDiet, try await animals.find(id) != nil
        else { return try await page(problem: localized("Select an animal, then its diet.")) }
        return .seeOther(Self.path, after: try await animals.update(id) { $0.diet = diet })
    }

    private func file() async throws -> RouteResponse {
        var lines = ["diet,animals"]
        for group in try await animalsByDiet(most: 0) { lines.append("\(group.diet.rawValue),\(group.count)") }
        let text = lines.joined(separator: "\r\n") + "\r\n"
        return .download(Array(text.utf8), named: "feeding-plan.csv", contentType: "text/csv; charset=utf-8")
    }

    private var typedDiet: Animal.Diet? { request.form("diet").flatMap { Animal.Diet(rawValue: $0) } }

    /// Returns the animals of each diet, by name.
    ///
    /// - Parameter most: The greatest number of animals of a diet. The counts are of all.
    private func animalsByDiet(most: Int) async throws -> [(diet: Animal.Diet, count: Int, animals: [Animal])] {
        guard request.maySee(\Animal.diet) else {
            throw RouteHTTPError(status: 403, localized("Your role doesn’t show what animals eat."))
        }
        let animals = try await request.store.repository(for: Animal.self)
        var groups: [(diet: Animal.Diet, count: Int, animals: [Animal])] = []
        for diet in Animal.Diet.allCases {
            var eaters = FetchDescriptor<Animal>(predicate: #Predicate { $0.diet == diet })
            let count = try await animals.fetchCount(eaters)
            eaters.sortBy = [SortDescriptor(\.name)]
            eaters.fetchLimit = most
            groups.append((diet, count, most == 0 ? [] : try await animals.fetch(eaters)))
        }
        return groups
    }
}

extension Animal.Diet {
    /// The food, in the language of the page.
    fileprivate var food: String {
        switch self {
        case .herbivorous: localized("Hay, leaves and fruit")
        case .carnivorous: localized("Meat and fish")
        case .omnivorous: localized("A bit of everything")
        }
    }
}
