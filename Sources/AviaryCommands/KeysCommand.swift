import ArgumentParser
import AviaryAdmin
import AviaryDomain
import Foundation

/// The command for the keys of a data directory, with or without a running server.
struct KeysCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "keys",
            abstract: "List and rotate the keys that seal drafts, form tokens and two-factor secrets.",
            discussion: """
                The keys are the files of the directory keys in the data directory. They are not in snapshots: back them up \
                separately, and again after each rotation.
                """,
            subcommands: [KeysListCommand<App>.self, KeysRotateCommand<App>.self]
        )
    }
}

struct KeysListCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list", abstract: "List the keys with their age and use.",
            discussion: "The exit code is 1 when a key file cannot be read; the others are listed anyway."
        )
    }

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func run() async throws {
        try location.checkExists()
        let reports = try KeyReport.all(in: KeyFiles(directory: location.path + "/keys"), at: Date())
        if json {
            print(try reports.json)
        } else {
            for report in reports { print(report.text) }
            if reports.isEmpty {
                Terminal.printLine("There are no keys yet. The first start of the server creates one.")
            }
        }
        if reports.contains(where: { $0.use == .damaged }) { throw ExitCode.failure }
    }
}

struct KeysRotateCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rotate", abstract: "Create a new key and remove those that are no longer needed.",
            discussion: """
                Running servers take part without a restart. They use the new key ten seconds after its creation, when every \
                process knows it. Two-factor secrets are sealed with it at once. A later rotation removes a key eight \
                days after its successor was used first; by then all drafts that it sealed have expired. Nobody is signed out, \
                and no draft is lost. Servers on several hosts need the same keys: use --after, and copy the key meanwhile. No key is \
                removed while a two-factor secret cannot be opened.
                """
        )
    }

    @Option(
        help: ArgumentHelp(
            "Use the new key only after this time, such as 1h. Copy it to the other hosts meanwhile.",
            valueName: "duration"))
    var after: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var location: DataOption

    func validate() throws { _ = try delay }

    /// The time in seconds until the new key begins to be used.
    private var delay: TimeInterval {
        get throws {
            guard let after else { return 0 }
            let seconds = try BackupOptions.interval(TextSetting.Given(text: after, source: "--after"))
            guard seconds <= 7 * 86_400 else {
                throw ValidationError("--after takes a duration of at most 7d, as 30m, 1h or 1d.")
            }
            return seconds
        }
    }

    func run() async throws {
        try location.checkExists()
        let store = try location.store
        let outcome = try await KeyRotation(app: try AppDefinition(App.self), at: store).run(after: try delay)
        if json { return print(try outcome.json) }
        Terminal.printLine("Created the key \(outcome.created). It seals from \(outcome.usedFrom.rfc3339 ?? "") on.")
        if outcome.resealed > 0 {
            Terminal.printLine(
                "Sealed \(TextFormatter.grouped(outcome.resealed)) secrets of two-factor authentication again.")
        }
        for key in outcome.retired { Terminal.printLine("Removed the key \(key), which was no longer needed.") }
        if !outcome.unopened.isEmpty {
            let names = outcome.unopened.prefix(10), rest = outcome.unopened.count - names.count
            Terminal.printLine(
                "No key was removed, because no key here opens the two-factor secrets of "
                    + TextFormatter.list(names + (rest > 0 ? ["\(TextFormatter.grouped(rest)) more"] : []))
                    + ". Restore their key from its backup or from another host and rotate again, or use user totp-reset."
            )
        }
        let file = "\(location.path)/keys/\(outcome.created).key"
        if after != nil {
            Terminal.printLine("Copy this file to the other hosts before then: \(file)")
        } else if store.database != nil {
            Terminal.printLine(
                "If the database has other hosts, copy this file to them now, and use --after the next time: \(file)")
        }
        Terminal.printLine("Back up the keys again: \(location.path)/keys")
    }
}

/// The report of `keys list` on one key. It never contains the key itself.
struct KeyReport: Encodable {
    enum Use: String, Encodable {
        case accepted, used, former, retirable, damaged
    }

    /// The name of the key's file, without its extension.
    let id: String
    let created: Date
    let use: Use
    /// The time from which the key is used, or until which it is needed.
    let changesAt: Date?

    init(_ key: KeyID, in schedule: KeySchedule, at now: Date) {
        id = key.hexadecimal
        created = key.createdAt
        switch schedule.use(of: key, at: now) {
        case .accepted(let time): (use, changesAt) = (.accepted, time)
        case .used: (use, changesAt) = (.used, nil)
        case .former(let time): (use, changesAt) = (time <= now ? .retirable : .former, time)
        }
    }

    init(damaged key: KeyID) {
        id = key.hexadecimal
        created = key.createdAt
        use = .damaged
        changesAt = nil
    }

    var text: String {
        let time = changesAt?.rfc3339 ?? ""
        let words =
            switch use {
            case .accepted: "opens; seals from \(time)"
            case .used: "seals and opens"
            case .former: "opens; needed until \(time)"
            case .retirable: "no longer needed; the next rotation removes it"
            case .damaged: "can’t be read: restore it from its backup, or remove it"
            }
        // The id of a key that is planned contains the time of its plan.
        let made = use == .accepted ? "" : "made \(created.rfc3339 ?? "")  "
        return "\(id)  \(made)\(words)"
    }

    /// Returns the reports of all keys, oldest first.
    static func all(in files: KeyFiles, at now: Date) throws -> [KeyReport] {
        let found = try files.ids()
        let schedule = KeySchedule(found.keys)
        let damaged = found.damaged.map { KeyReport(damaged: $0) }
        return (schedule.keys.map { KeyReport($0, in: schedule, at: now) } + damaged).sorted { $0.id < $1.id }
    }
}
