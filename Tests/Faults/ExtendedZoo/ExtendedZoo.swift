import ArgumentParser
import Aviary
import AviaryLoadTest
import Foundation
import Metrics

/// The zoo with every extension point of an application, and a route that traps.
@main
struct ExtendedZoo: LoadTestedApp {
    var admin: some Admin {
        ModelAdmin(Animal.self).columns(\.name, \.diet, \.category)
        ModelAdmin(AnimalCategory.self)
        ModelAdmin(Friend.self)
        ModelAdmin(Supplier.self).columns(\.name, \.town).column("Stars", \.stars)
        ModelAdmin(Specimen.self).columns(
            \.name, \.price, \.grade, \.page, \.image, \.tags, \.grades, \.label, \.uint64)
    }

    static var commands: [any ParsableCommand.Type] {
        [GreetCommand.self, WelcomeCommand.self] + loadTestCommands
    }
}

extension ExtendedZoo {
    @SaveHookBuilder var saveHooks: [SaveHook] {
        SaveHook.before(Animal.self) { animal, _ in
            animal.name = animal.name.trimmingCharacters(in: .whitespaces)
            if animal.name == "Dodo" { throw SaveError(\Animal.name, "The dodo is extinct.") }
            if animal.name == "Crash" { throw Unexpected() }
            // The name differs in every run, so a repeated save is not the same change.
            if animal.name.hasPrefix("Stamped") { animal.name = "Stamped \(UUID())" }
        }
        SaveHook.after(Animal.self) { animal, save in
            try Bell.ring("\(save.isNew ? "new" : "changed") \(animal.name) by \(save.author) in \(save.commit ?? 0)")
        }
        SaveHook.after(Animal.self) { animal, _ in
            if animal.name == "Late" { throw Unexpected() }
        }
    }
}

private struct Unexpected: Error {}

/// A helper that appends lines to the file in `ZOO_BELL`.
enum Bell {
    static func ring(_ line: String) throws {
        guard let path = ProcessInfo.processInfo.environment["ZOO_BELL"] else { return }
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }  // written or not: the test sees it
        try file.seekToEnd()
        try file.write(contentsOf: Data((line + "\n").utf8))
    }
}

extension ExtendedZoo {
    static var loadScenarios: [LoadScenario] {
        let overview = LoadAction("overview") { visitor in
            let page = try await visitor.get("/admin", step: "page")
            if page.status != 200 { visitor.report("The overview was answered with status \(page.status).") }
        }
        let newcomer = LoadAction("newcomer") { visitor in
            let sheet = try await visitor.get("/admin/animals/new", step: "open")
            let name = "Newcomer \(UInt64.random(in: 0 ... .max))"
            let saved = try await visitor.submit(sheet, to: "/admin/animals", filling: ["name": name], step: "save")
            if saved.status != 303 { visitor.report("The newcomer was answered with status \(saved.status).") }
        }
        return [LoadScenario("morning", [.browse: 2, .add: 1, overview: 1, newcomer: 1])]
    }
}

extension ExtendedZoo {
    @RouteBuilder var routes: [Route] {
        Route.get("/greetings/{name}") { request in
            .text(
                "Hello, \(try request.parameter("name")), \(request.query("from") ?? "nobody") and \(request.queryValues("from").count)."
            )
        }
        Route.get("/animals/{id}") { request in
            let animals = try await request.store.repository(for: Animal.self)
            guard let animal = try await animals.find(try request.id("id")) else { return .notFound }
            return .text(animal.name)
        }
        Route.post("/animals") { request in
            let animals = try await request.store.repository(for: Animal.self)
            let animal = Animal(name: try request.decode([String: String].self)["name"] ?? "")
            try await animals.insert(animal)
            return .text("\(animal.id)", status: 201)
        }
        Route.get("/form") { request in .text(request.csrfToken) }
        Route.post("/form") { request in .text("\(request.user ?? "nobody"): \(request.form("food") ?? "nothing")") }
        Route.post("/orders") { request in try .json(try request.decode(Order.self).doubled, status: 201) }
        Route.delete("/orders/{number}") { _ in .noContent }
        Route.get("/elsewhere") { request in .seeOther(request.query("to") ?? "/admin") }
        Route.get("/counted") { _ in
            Counter(label: "zoo.visits", dimensions: [("gate", "north")]).increment()
            return .noContent
        }
        Route.get("/refused") { _ in throw RouteHTTPError(status: 418, "No coffee here.") }
        Route.get("/broken") { _ in throw Broken(secret: "a secret value") }
        Route.get("/trap") { request in
            let numbers = [1, 2, 3]
            return .text("\(numbers[Int(request.query("index") ?? "") ?? numbers.count])")
        }
    }
}

private struct Order: Codable {
    let food: String
    let amount: Int

    var doubled: Order { Order(food: food, amount: amount * 2) }
}

private struct Broken: Error {
    let secret: String
}

/// A command of the application.
struct GreetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "greet", abstract: "Greet somebody.")

    @Argument var name: String
    @OptionGroup var location: DataOption

    func run() async throws {
        print("Hello, \(name), from \(location.path).")
    }
}

/// A command that writes to the store, with or without a running server.
struct WelcomeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "welcome", abstract: "Take in an animal.")

    @Argument var name: String
    @OptionGroup var location: DataOption

    func run() async throws {
        let count = try await ExtendedZoo.withStore(at: location.store, as: "gate") { store in
            let animals = try await store.repository(for: Animal.self)
            try await animals.insert(Animal(name: name))
            return try await animals.fetchCount(FetchDescriptor<Animal>())
        }
        print(count)
    }
}
