import ArgumentParser
import AviaryDomain
import Foundation

struct CheckCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check",
            abstract: "Look for what is wrong, and with --deploy for every setting that is not secure.",
            discussion: """
                Only looks, also beside a running server. With --deploy it judges the settings that serve would take: the same \
                flags, the same environment. Exit code 1 when something is dangerous; warnings do not fail.
                """
        )
    }

    @Flag(help: "Judge also what others could reach: addresses, accounts, keys, backups.")
    var deploy = false

    @Flag(help: "Print JSON: an array of findings with check, level (ok, warning or danger), text and advice.")
    var json = false

    @Option(help: "The address that serve listens on, 127.0.0.1 unless given.")
    var host: String?

    @Option(help: "The port of its own for /metrics.")
    var metricsPort: Int?

    @OptionGroup var address: AddressOptions
    @OptionGroup var location: DataOption

    func run() async throws {
        let facts = await DeploymentFacts(
            of: try AppDefinition(App.self), data: location.path,
            host: TextSetting(flag: "--host", variable: "AVIARY_HOST").value(host)?.text ?? "127.0.0.1",
            settings: try address.settings,
            metricsPort: try NumberSetting(flag: "--metrics-port", variable: "AVIARY_METRICS_PORT", range: 0...65_535)
                .value(metricsPort)
        )
        let check = DeploymentCheck(facts)
        let findings = check.basics + (deploy ? check.deployment : [])
        print(json ? try findings.json : findings.map(\.words).joined(separator: "\n").printableLines)
        if findings.contains(where: { $0.level == .danger }) { throw ExitCode.failure }
    }
}

extension Finding {
    fileprivate var words: String {
        let label =
            switch level {
            case .ok: "ok       "
            case .warning: "warning  "
            case .danger: "DANGER   "
            }
        return ([label + text] + (advice.map { ["         " + $0] } ?? [])).joined(separator: "\n")
    }
}
