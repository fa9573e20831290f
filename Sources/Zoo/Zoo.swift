import Aviary

@main
struct Zoo: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Animal.self)
            .columns(\.name, \.diet, \.category)
            .search(\.name)
            .filters(\.diet, \.category)
        ModelAdmin(AnimalCategory.self)
        ModelAdmin(Friend.self)
    }
}
