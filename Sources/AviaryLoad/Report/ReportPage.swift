import Foundation

/// A run as one HTML page that needs nothing else: no scripts, no fonts, no pictures from elsewhere.
struct ReportPage {
    let result: LoadResult
    let commandLine: [String]
    let machine: Machine

    var html: String {
        let title = "Load test: \(result.plan.scenario.rawValue)"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(Markup.escape(title))</title><style>\(ReportStyle.css)</style></head><body><main>
            <h1>\(Markup.escape(title))</h1><p class="soft">\(Markup.escape(summary))</p>
            \(verdict)\(figures)\(plots)\(table)\(setting)
            </main></body></html>

            """
    }

    private var summary: String {
        let plan = result.plan
        let pace = plan.rate.map { "\(Figure.text($0)) actions a second" } ?? "each browser as fast as it can"
        return "\(plan.connections) browsers, \(pace), \(Figure.seconds(plan.duration.seconds)), on \(ISO8601.text(result.date))"
    }

    private var verdict: String {
        guard !result.isGood else {
            return "<section class=\"verdict\"><p><strong>Good.</strong> Every acknowledged write is there, and nothing else.</p></section>"
        }
        let counts = Violation.Kind.allCases.compactMap { kind in
            result.violations.counts[kind].map { "\(Figure.grouped($0)) \(kind.rawValue)" }
        }
        let items = result.violations.first.map { violation in
            "<li><b>\(Markup.escape(violation.kind.rawValue))</b> \(violation.record.map { "<code>\(Markup.escape($0))</code> " } ?? "")\(Markup.escape(violation.text))</li>"
        }
        return "<section class=\"verdict bad\"><p><strong>Failed.</strong> \(Markup.escape(counts.joined(separator: ", "))).</p><ul>\(items.joined())</ul></section>"
    }

    private var setting: String {
        """
        <section><h2>How it was run</h2><p><code>\(Markup.escape(commandLine.joined(separator: " ")))</code></p>
        <p class="soft">\(Markup.escape(result.launch)) at \(Markup.escape(result.origin)), with the load from the same command. \
        \(Markup.escape(machine.processor)), \(machine.cores) cores, \(Markup.escape(Figure.text(machine.memory))) GiB of memory, \
        \(Markup.escape(machine.system)).</p></section>
        """
    }
}
