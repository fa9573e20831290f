import Aviary
import AviaryServer

/// The zoo with a store that lies. The load harness has to find it out.
struct LyingZoo: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Animal.self)
            .columns(\.name, \.diet, \.category)
            .search(\.name)
            .filters(\.diet, \.category)
        ModelAdmin(AnimalCategory.self)
        ModelAdmin(Friend.self)
    }
}

@main
enum Program {
    static func main() async {
        await StoreServiceReplacement.$replace.withValue({ HastyStore(real: $0) }) {
            await LyingZoo.main()
        }
    }
}
