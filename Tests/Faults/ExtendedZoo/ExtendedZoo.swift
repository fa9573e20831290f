import ArgumentParser
import Aviary

/// The zoo with everything that an application may add of its own, and a route that traps.
@main
struct ExtendedZoo: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Animal.self).columns(\.name, \.diet, \.category)
        ModelAdmin(AnimalCategory.self)
        ModelAdmin(Friend.self)
        ModelAdmin(Supplier.self).columns(\.name, \.town).column(\.stars, "Stars")
        ModelAdmin(Specimen.self).columns(
            \.name, \.price, \.grade, \.page, \.image, \.tags, \.grades, \.label, \.uint64)
    }

    static var commands: [any ParsableCommand.Type] { [GreetCommand.self, WelcomeCommand.self] }
}
