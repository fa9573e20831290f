import ArgumentParser
import AviaryDomain
import Foundation

struct KeysRotateCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rotate", abstract: "Create a new key and remove those that are no longer needed.",
            discussion: """
                Running servers take part without a restart. They use the new key ten seconds after its creation, when every \
                process knows it. Secrets of second factors are sealed with it at once. A later rotation removes a key eight \
                days after its successor was used first; by then all drafts that it sealed have expired. Nobody is signed out, \
                and no draft is lost.
                """
        )
    }

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func run() async throws {
        try location.checkExists()
        let outcome = try await KeyRotation(app: try AppDefinition(App.self), dataPath: location.path).run()
        if json { return print(try outcome.json) }
        Terminal.say("Made the key \(outcome.created). It seals from \(outcome.usedFrom.rfc3339 ?? "") on.")
        if outcome.resealed > 0 {
            Terminal.say("Sealed \(Words.grouped(outcome.resealed)) secrets of second factors anew.")
        }
        for key in outcome.retired { Terminal.say("Removed the key \(key): nothing needed it any more.") }
        Terminal.say("Back up the keys again: \(location.path)/keys")
    }
}
