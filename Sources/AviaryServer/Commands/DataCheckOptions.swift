import ArgumentParser
import Foundation

/// The flag that says how often a server checks its data by itself.
struct DataCheckOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Check totals, text indexes, links and history every so often, as 12h or 7d, 1d unless given; off never does.",
            valueName: "duration"))
    var checkDataEvery: String?

    func validate() throws { _ = try interval }

    /// Seconds; nil for never.
    var interval: TimeInterval? {
        get throws {
            let given = TextSetting(flag: "--check-data-every", variable: DataCheckService.variable).value(
                checkDataEvery)
            guard let given else { return DataCheckService.standardInterval }
            return given.text == "off" ? nil : try BackupOptions.interval(given)
        }
    }

    /// By which the store process knows it, as ``BackupSchedule/environment``.
    var environment: [String: String] {
        get throws { [DataCheckService.variable: try interval.map { "\($0)s" } ?? "off"] }
    }

    /// What the environment alone says.
    static var fromEnvironment: TimeInterval? {
        get throws { try parse([]).interval }
    }
}
