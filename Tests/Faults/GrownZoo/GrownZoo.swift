import Aviary

/// The zoo of a later version, for deploys: what it has more or less stands in its own file.
@main
struct GrownZoo: AviaryApp {
    var admin: some Admin {
        Models()
    }
}

private struct Models: Admin {
    var registrations: [ModelRegistration] {
        let animals = ModelAdmin(Animal.self).search(\.name)
        let zoo = [
            // With the zoo's columns, so that their indexes stay.
            (Growth.own.hasLostDiet ? animals.columns(\.name, \.category) : animals.columns(\.name, \.diet, \.category))
                .registrations,
            ModelAdmin(AnimalCategory.self).registrations,
            ModelAdmin(Friend.self).registrations,
        ].flatMap { $0 }
        return zoo + (Growth.own.properties > 0 ? ModelAdmin(Keeper.self).registrations : [])
    }
}
