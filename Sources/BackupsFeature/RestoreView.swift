package import AviaryDesign
package import AviaryDomain
package import Foundation

/// The view model of the question before a restore: the plan of changes, the typed name of the snapshot, and the
/// password.
package struct RestoreViewModel: Sendable {
    package enum Password: Sendable, Hashable {
        case right, wrong
        case wait(seconds: Int)
    }

    package enum Outcome: Sendable, Hashable {
        case begun, refused, busy
        case wait(seconds: Int)
    }

    package let file: SnapshotFile
    package let job: SnapshotJob?
    package let isPasswordAsked: Bool
    package private(set) var nameError: String?
    package private(set) var passwordError: String?
    package private(set) var errorMessage: String?
    /// The lifetime of a restore plan in seconds. The plan becomes outdated because the store continues to change.
    private static let planLifetime: TimeInterval = 900

    private let now: Date
    private let principal: Principal
    private let library: any SnapshotLibrary
    private let isGood: @Sendable () async throws -> Bool

    /// Creates the question for a snapshot.
    ///
    /// - Parameter isGood: A closure that returns whether the account is still allowed to restore. It is called
    ///   when everything is prepared.
    /// - Throws: ``AccessError/forbidden``, ``SnapshotLibraryError/noSuchFile``.
    package init(
        name: String, principal: Principal, library: any SnapshotLibrary, isPasswordAsked: Bool, at now: Date,
        isGood: @escaping @Sendable () async throws -> Bool
    ) async throws {
        let backup = try await BackupViewModel(name: name, principal: principal, library: library)
        file = backup.file
        job = backup.job
        self.isPasswordAsked = isPasswordAsked
        self.now = now
        self.principal = principal
        self.library = library
        self.isGood = isGood
    }

    package var isWorking: Bool { job?.state == .running }

    /// The result of the last inspection of this snapshot.
    ///
    /// It is nil if there was none, if it has expired, or if it found that the snapshot cannot be restored.
    package var plan: RestorePlan? {
        guard let job, job.task == .inspect, job.file == file.name, job.state == .done,
            now < job.startedAt.addingTimeInterval(Self.planLifetime)
        else { return nil }
        return job.plan
    }

    /// Starts the restore if the plan, the name and the password are valid.
    ///
    /// - Parameter password: A closure that verifies the password. It is called only if everything else is valid,
    ///   because attempts are counted.
    package mutating func restore(
        typedName: String, password: () async throws -> Password
    ) async throws -> Outcome {
        guard plan != nil else {
            errorMessage = localized("Preview this backup’s changes first.")
            return .refused
        }
        nameError = typedName.trimmingSpaces == file.name ? nil : localized("The name doesn’t match the backup.")
        guard nameError == nil else { return .refused }
        switch try await password() {
        case .right: break
        case .wrong:
            passwordError = localized("Wrong password.")
            return .refused
        case .wait(let seconds):
            errorMessage = localized(
                seconds, one: "Too many attempts. Try again in 1 second.",
                other: "Too many attempts. Try again in \(seconds) seconds.")
            return .wait(seconds: seconds)
        }
        do {
            try await library.begin(.restore, of: file.name, by: principal.name, isGood: isGood)
            return .begun
        } catch SnapshotLibraryError.busy {
            errorMessage = localized("Another backup task is running. Try again when the other task has finished.")
            return .busy
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: Substring {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// The page with the question before a restore.
package struct RestoreView: Component {
    let model: RestoreViewModel
    let csrf: String
    let titles: @Sendable (String) -> String

    /// Creates the page.
    ///
    /// - Parameter titles: A closure that returns the title of a model by its name.
    package init(model: RestoreViewModel, csrf: String, titles: @escaping @Sendable (String) -> String) {
        self.model = model
        self.csrf = csrf
        self.titles = titles
    }

    package static var title: String { localized("Restore a backup") }

    package func render(into html: inout HTML) {
        // The form below has its own title.
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
                title: localized("Changes from restoring \(model.file.name)"),
                text: [
                    localized(
                        "All changes made since this backup will be lost. The replaced data is kept as a backup."
                    ),
                    plan.snapshot.log?.entries == nil
                        ? localized(
                            "This backup doesn’t contain the history. Activity starts empty, and earlier changes can’t be undone."
                        ) : localized("This backup contains the history. Activity continues from there."),
                ],
                facts: [Fact(localized("Created"), BackupFormatter.time(takenAt(plan)))]
                    + plan.models.map { Fact(titles($0.name), count($0)) } + BackupFormatter.log(of: plan.snapshot)
            ))
        if !plan.steps.isEmpty {
            html.render(
                Panel(
                    title: localized("This backup is from an older version of the program"),
                    text: [localized("Its records will be migrated to this version:")] + plan.steps
                ))
        }
        if !plan.accounts.isEmpty { html.render(Panel(title: localized("Accounts"), text: plan.accounts.map(\.words))) }
        html.render(
            FormCard(
                title: Self.title, notices: model.errorMessage.map { [Notice(.failure, $0)] } ?? [],
                action: BackupPaths.restore(model.file.name), csrf: csrf, fields: fields,
                submitTitle: localized("Replace all data"), isDangerous: true,
                alternative: (title: localized("Cancel"), href: BackupPaths.backup(model.file.name))
            ))
    }

    /// Returns the time that the backup itself contains, which does not depend on the file's name.
    private func takenAt(_ plan: RestorePlan) -> Date {
        Date(rfc3339: plan.snapshot.createdAt) ?? model.file.takenAt
    }

    private var fields: [Field] {
        let name = Field(
            name: "name", label: localized("Backup name"), control: .text(value: "", maxLength: nil),
            help: model.nameError == nil ? localized("Enter \(model.file.name)") : nil, error: model.nameError,
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
        guard let now = model.now else { return localized("\(model.then) after restoring") }
        return now == model.then
            ? localized("\(now), unchanged") : localized("\(now) now, \(model.then) after restoring")
    }
}
