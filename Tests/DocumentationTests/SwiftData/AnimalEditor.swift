import Aviary
import Foundation

struct AnimalEditor {
    var animal: Animal
    let isNew: Bool
    private(set) var isSaved = false
    private(set) var errorMessage: String?
    private let draft = UUID()
    private let animals: Repository<Animal>

    var title: String { isNew ? "Add Animal" : "Edit Animal" }

    init(adding animals: Repository<Animal>) {
        (animal, isNew, self.animals) = (Animal(name: ""), true, animals)
    }

    init(editing animal: Animal, in animals: Repository<Animal>) {
        (self.animal, isNew, self.animals) = (animal, false, animals)
    }

    /// Saves the animal. A call after an error saves it once.
    mutating func save() async {
        do {
            try await animals.save(animal, changeSet: draft)
            isSaved = true
        } catch {
            errorMessage = "\(error)"
        }
    }
}
