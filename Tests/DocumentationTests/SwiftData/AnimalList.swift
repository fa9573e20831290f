import Aviary
import Foundation

struct AnimalList {
    private(set) var animals: [Animal] = []
    private(set) var errorMessage: String?
    private let repository: Repository<Animal>

    init(_ repository: Repository<Animal>) {
        self.repository = repository
    }

    mutating func load() async throws {
        animals = try await repository.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.name)]))
    }

    mutating func delete(_ ids: Set<Animal.ID>) async {
        let before = animals
        animals.removeAll { ids.contains($0.id) }
        do {
            try await repository.delete(ids: ids)
        } catch {
            animals = before
            errorMessage = "\(error)"
        }
    }
}
