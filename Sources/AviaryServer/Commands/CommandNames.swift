import ArgumentParser

/// Looks at the names of an application's own commands.
enum CommandNames {
    /// - Throws: ``CommandNameError`` when two commands have one name.
    static func check(own: [any ParsableCommand.Type], builtIn: [any ParsableCommand.Type]) throws(CommandNameError) {
        var taken = Set(builtIn.map { $0._commandName } + ["help"])
        for command in own {
            guard taken.insert(command._commandName).inserted else {
                throw CommandNameError(name: command._commandName)
            }
        }
    }
}

/// Two commands of one name, found when an application starts.
struct CommandNameError: Error, Sendable, Hashable, CustomStringConvertible {
    let name: String

    var description: String {
        "There are two commands named \(name). Give the application's own another commandName in its configuration."
    }
}
