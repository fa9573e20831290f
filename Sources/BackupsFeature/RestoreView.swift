package import AviaryDesign
import AviaryDomain
import Foundation

/// The question before a restore.
package struct RestoreView: Component {
    let model: RestoreViewModel
    let csrf: String
    let titles: @Sendable (String) -> String

    /// - Parameter titles: What people call a model, by its name.
    package init(model: RestoreViewModel, csrf: String, titles: @escaping @Sendable (String) -> String) {
        self.model = model
        self.csrf = csrf
        self.titles = titles
    }

    package static var title: String { localized("Restore a backup") }

    package func render(into html: inout HTML) {
        // What is asked has a title of its own.
        if model.plan == nil { html.render(ListHeader(title: Self.title, count: nil, addTitle: "", addHref: nil)) }
        if let job = model.job, job.state == .running || (job.file == model.file.name && model.plan == nil) {
            html.render(JobNotice(job: job))
        }
        guard let plan = model.plan else {
            return html.element(
                "a", .class("alternative"), .href(BackupPaths.backup(model.file.name)),
                text: localized("Back to \(model.file.name)"))
        }
        html.render(
            Panel(
                title: localized("What \(model.file.name) would change"),
                text: [
                    localized(
                        "Everything that was done since it was taken would be gone. A backup of what is replaced is kept."
                    ),
                    plan.snapshot.log?.entries == nil
                        ? localized(
                            "The history of changes is not in it: Activity starts anew, and nothing from before can be undone."
                        ) : localized("The history of changes is in it: Activity goes on from there."),
                ],
                facts: [Fact(localized("Taken"), BackupWords.time(takenAt(plan)))]
                    + plan.models.map { Fact(titles($0.name), count($0)) } + BackupWords.log(of: plan.snapshot)
            ))
        if !plan.steps.isEmpty {
            html.render(
                Panel(
                    title: localized("It is of an older version of the program"),
                    text: [localized("Its records would be brought to this one:")] + plan.steps
                ))
        }
        if !plan.accounts.isEmpty { html.render(Panel(title: localized("Accounts"), text: plan.accounts.map(\.words))) }
        html.render(
            FormCard(
                title: Self.title, notices: model.errorMessage.map { [Notice(.failure, $0)] } ?? [],
                action: BackupPaths.restore(model.file.name), csrf: csrf, fields: fields,
                submitTitle: localized("Replace everything"),
                alternative: (title: localized("Cancel"), href: BackupPaths.backup(model.file.name))
            ))
    }

    /// As the backup itself says, whatever its name.
    private func takenAt(_ plan: RestorePlan) -> Date {
        Date(rfc3339: plan.snapshot.createdAt) ?? model.file.takenAt
    }

    private var fields: [Field] {
        let name = Field(
            name: "name", label: localized("Name of the backup"), control: .text(value: "", maxLength: nil),
            help: model.nameError == nil ? localized("Write \(model.file.name)") : nil, error: model.nameError,
            isRequired: true
        )
        guard model.isPasswordAsked else { return [name] }
        return [
            name,
            Field(
                name: "current", label: localized("Your password"), control: .password(.current),
                error: model.passwordError, isRequired: true),
        ]
    }

    private func count(_ model: RestorePlan.Model) -> String {
        model.now.map { localized("\($0) now, \(model.then) then") } ?? localized("\(model.then) then")
    }
}
