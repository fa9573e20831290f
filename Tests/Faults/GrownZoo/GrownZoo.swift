import Aviary
import Foundation

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

/// How this program differs from the zoo. It stands in the last line of the program's own file, so that programs that
/// differ can be made by appending a line to a copy.
struct Growth {
    /// The line begins with it.
    static let mark = "grown-zoo"
    /// How many properties an animal can have beside the zoo's.
    static let most = 6

    /// Properties that an animal has beside the zoo's. With the first there is a new model too.
    var properties = 0
    /// A friend's name stands once only: what old workers would not keep to.
    var hasUniqueFriends = false
    /// An animal has no diet any more, which nobody may decide for the data.
    var hasLostDiet = false

    static let own = Growth(line: lastLine(of: "/proc/self/exe"))

    init(line: String) {
        let words = line.split(separator: " ")
        guard words.first == Self.mark[...] else { return }
        properties = min(words.dropFirst().first.flatMap { Int($0) } ?? 0, Self.most)
        hasUniqueFriends = words.contains("unique-friends")
        hasLostDiet = words.contains("lost-diet")
    }

    private static func lastLine(of path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd(),  // unread, it is the zoo
            (try? file.seek(toOffset: size - min(size, 256))) != nil, let tail = try? file.readToEnd()
        else { return "" }
        return tail.split(separator: 0x0A).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
