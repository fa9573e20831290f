import Foundation

/// A run as one HTML page that needs nothing else: no scripts, no fonts, no pictures from elsewhere.
struct ReportPage {
    let result: LoadResult
    let commandLine: [String]
    let machine: Machine

    var html: String {
        let title = "Load test: \(result.plan.scenario.name)"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(Markup.escape(title))</title><style>\(ReportStyle.css)</style></head><body><main>
            <h1>\(Markup.escape(title))</h1><p class="soft">\(Markup.escape(summary))</p>
            \(verdict)\(advice)\(figures)\(ramp)\(plots)\(table)\(errors)\(server)\(setting)
            </main></body></html>

            """
    }

    private var summary: String {
        let plan = result.plan
        let pace =
            plan.limit != nil
            ? "a rising rate"
            : plan.rate.map { "\(Figure.text($0)) actions a second, due at fixed times" }
                ?? "each as fast as it is answered"
        let parts = [
            "\(plan.connections) browsers", pace,
            Figure.seconds(plan.duration.seconds) + (plan.limit == nil ? "" : " a step"),
            "\(Figure.grouped(result.existing)) records to begin with", "on \(ISO8601.text(result.date))",
        ]
        return parts.joined(separator: ", ")
    }

    private var verdict: String {
        guard !result.isGood else {
            let restored =
                result.backup == nil ? "" : " So it was after a backup that was taken under load had been restored."
            return
                "<section class=\"verdict\"><p><strong>Good.</strong> Every acknowledged write is there, and nothing else.\(restored)</p></section>"
        }
        let items = result.violations.first.map { violation in
            "<li><b>\(Markup.escape(violation.kind.rawValue))</b> \(violation.record.map { "<code>\(Markup.escape($0))</code> " } ?? "")\(Markup.escape(violation.text))</li>"
        }
        return
            "<section class=\"verdict bad\"><p><strong>Failed.</strong> \(Markup.escape(result.violations.summary)).</p><ul>\(items.joined())</ul></section>"
    }

    private var advice: String {
        result.client?.advice.map { "<section class=\"verdict note\"><p>\(Markup.escape($0))</p></section>" } ?? ""
    }

    private var setting: String {
        let client =
            result.client.map {
                " The client took \(Figure.decimal($0.processors, digits: 1)) of \($0.cores) processors in \($0.processes) \($0.processes == 1 ? "process" : "processes")."
            } ?? ""
        return """
            <section><h2>How it was run</h2><p><code>\(Markup.escape(commandLine.joined(separator: " ")))</code></p>
            <p class="soft">\(Markup.escape(result.launch)) at \(Markup.escape(result.origin)), with the load from the same command. \
            \(Markup.escape(machine.processor)), \(machine.cores) cores, \(Markup.escape(Figure.text(machine.memory))) GiB of memory, \
            \(Markup.escape(machine.system)).\(Markup.escape(versions))\(Markup.escape(client))</p></section>
            """
    }

    private var versions: String {
        let versions = (result.server?.versions ?? [:]).sorted { $0.key < $1.key }.map {
            "\($0.key.capitalized) \($0.value)"
        }
        return versions.isEmpty ? "" : " The server: \(versions.joined(separator: ", "))."
    }
}
