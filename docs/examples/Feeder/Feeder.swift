import Aviary
import Foundation

@Model
struct AnimalCategory {
    @Attribute(.unique, .required) var name: String
}

@Model
struct Animal {
    enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }

    @Attribute(.required) var name: String
    var diet: Diet = .herbivorous
    var category: Reference<AnimalCategory>?
}

/// Adds an animal to a zoo that is being served, and says who eats plants there.
@main
struct Feeder {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            try await feed(data: arguments.first ?? "data", animal: arguments.dropFirst().first ?? "Okapi")
        } catch {
            FileHandle.standardError.write(Data("Feeder: \(error)\n".utf8))
            exit(1)
        }
    }

    static func feed(data: String, animal name: String) async throws {
        let store = try await AviaryStore.connect(data: data, as: "feeder")
        let categories = try await store.repository(for: AnimalCategory.self)
        let animals = try await store.repository(for: Animal.self)

        // Both in one commit: there is no animal without its category, whatever happens.
        let known = try await categories.fetch(FetchDescriptor(predicate: #Predicate { $0.name == "Even-toed" })).first
        let category = known ?? AnimalCategory(name: "Even-toed")
        let animal = Animal(name: name, category: Reference(category))
        try await store.submit((known == nil ? [.insert(category)] : []) + [.insert(animal)])

        let diet = Animal.Diet.herbivorous
        let herbivores = FetchDescriptor<Animal>(
            predicate: #Predicate { $0.diet == diet }, sortBy: [SortDescriptor(\.name)])
        for animal in try await animals.fetch(herbivores) { print(animal.name) }
        await store.close()
    }
}
