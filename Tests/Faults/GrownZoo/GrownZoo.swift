import Aviary
import Foundation

/// A later version of the zoo, for tests of deploys. Its differences are in the program file itself.
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
            // The columns are those of the zoo, so that their indexes stay.
            (Growth.own.hasLostDiet ? animals.columns(\.name, \.category) : animals.columns(\.name, \.diet, \.category))
                .registrations,
            ModelAdmin(AnimalCategory.self).registrations,
            ModelAdmin(Friend.self).registrations,
        ].flatMap { $0 }
        return zoo + (Growth.own.properties > 0 ? ModelAdmin(Keeper.self).registrations : [])
    }
}

/// The differences between this program and the zoo.
///
/// The last line of the program file contains them, so that a test creates a different program by appending a line
/// to a copy.
struct Growth {
    /// The first word of the line.
    static let mark = "grown-zoo"
    /// The maximum number of additional properties of an animal.
    static let most = 6

    /// The number of additional properties of an animal. With at least one there is also an additional model.
    var properties = 0
    /// Indicates whether the name of a friend is unique, a rule that old workers would violate.
    var hasUniqueFriends = false
    /// Indicates whether animals have no diet, a loss of data that a migration must not decide on its own.
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
