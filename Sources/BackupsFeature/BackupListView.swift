package import AviaryDesign
import AviaryDomain
import Foundation

/// The snapshots as a page.
package struct BackupListView: Component {
    let model: BackupListViewModel
    let csrf: String

    package init(model: BackupListViewModel, csrf: String) {
        self.model = model
        self.csrf = csrf
    }

    package static let title = "Backups"

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: Self.title, count: model.files.count, addTitle: "", addHref: nil))
        if let warning = model.state?.warning(at: model.now) { html.render(Notice(.warning, warning)) }
        if let job = model.job { html.render(JobNotice(job: job)) }
        html.render(Panel(
            title: "This store", text: ["A backup is one moment of all records, taken while work goes on. Keys are not in it."],
            facts: facts, actions: model.isWorking ? [] : [
                .post(PostButton("Back up now", action: BackupPaths.all, csrf: csrf, style: .primary)),
            ]
        ))
        guard !model.files.isEmpty else {
            return html.render(EmptyState(
                title: "There are no backups yet", text: "They are kept in the data directory, in the folder snapshots.",
                actionTitle: nil, actionHref: nil
            ))
        }
        html.render(RecordTable(
            columns: ["Backup", "Taken", "Made by", "Size", "Proven restorable"].map { TableColumn(title: $0, sortHref: nil) },
            rows: model.files.map(row), deleteAction: nil, caption: "Backups, newest first", returnTo: nil
        ))
    }

    private var facts: [Fact] {
        var facts = [Fact("Last proven restorable", proven)]
        if let state = model.state {
            facts.append(Fact("Taken by itself", "every \(BackupWords.interval(state.interval))"))
            facts.append(Fact("Last one taken by itself", state.lastSuccess.map(BackupWords.time) ?? "none yet"))
        }
        return facts
    }

    private var proven: String {
        model.lastProven.map { "the one of \(BackupWords.time($0.writtenAt))" } ?? "none"
    }

    private func row(_ file: SnapshotFile) -> TableRow {
        TableRow(id: file.name, href: BackupPaths.backup(file.name), title: file.name, cells: [
            .text(file.name), .text(BackupWords.time(file.writtenAt)), .text(BackupWords.origin(file.origin)),
            .text(BackupWords.size(file.size)), .text(file.proof.map { BackupWords.time($0.provenAt) } ?? "not tried"),
        ])
    }
}
