import ArgumentParser
import AviaryDomain
import Foundation

struct CheckCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check",
            abstract: "Find faults, and with --deploy every unsafe setting.",
            discussion: """
                Changes nothing and works beside a running server. With --deploy it judges the settings that serve would use: \
                the same flags and the same environment. The exit code is 1 when a finding is dangerous; warnings do not fail.
                """
        )
    }

    @Flag(help: "Judge also what a deployed server exposes: addresses, accounts, keys, backups.")
    var deploy = false

    @Flag(help: "Print JSON: an array of findings with check, level (ok, warning or danger), text and advice.")
    var json = false

    @Option(help: "The address that serve listens on, 127.0.0.1 by default.")
    var host: String?

    @Option(help: "The separate port for /metrics.")
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
