package import AviaryDesign
package import AviaryDomain
package import Foundation

/// The view model of the snapshots: the files, their state, and the current job.
package struct BackupListViewModel: Sendable {
    package let principal: Principal
    package let files: [SnapshotFile]
    package let job: SnapshotJob?
    package let state: BackupState?
    package let now: Date

    /// Reads the snapshots and the current job.
    ///
    /// - Throws: ``AccessError/forbidden``; the errors of the library.
    package init(principal: Principal, library: any SnapshotLibrary, at now: Date) async throws {
        guard principal.may(.backups) else { throw AccessError.forbidden }
        self.principal = principal
        self.now = now
        files = try await library.files()
        job = await library.job()
        state = await library.backupState()
    }

    package var isWorking: Bool { job?.state == .running }

    /// The newest snapshot that a trial restore found complete.
    package var lastProven: SnapshotFile? { files.first { $0.proof != nil } }

    /// Starts a job that continues after the response.
    ///
    /// - Parameter isGood: A closure that returns whether the account is still allowed to run the job.
    /// - Throws: ``AccessError/forbidden``, ``SnapshotLibraryError``.
    package static func begin(
        _ task: SnapshotJob.Task, of file: String?, principal: Principal, library: any SnapshotLibrary,
        isGood: @escaping @Sendable () async throws -> Bool
    ) async throws {
        guard principal.may(.backups), task != .restore else { throw AccessError.forbidden }
        try await library.begin(task, of: file, by: principal.name, isGood: isGood)
    }

    /// Receives an uploaded snapshot. Its verification continues after the response.
    ///
    /// - Parameters:
    ///   - size: The approximate size in bytes; nil if it is unknown.
    ///   - isGood: A closure that returns whether the account is still allowed to upload.
    ///   - next: A closure that returns the next bytes, or nil at the end.
    /// - Throws: ``AccessError/forbidden``; the errors of the library.
    package static func receive(
        ofSize size: Int?, principal: Principal, library: any SnapshotLibrary,
        isGood: @escaping @Sendable () async throws -> Bool,
        _ next: @Sendable () async throws -> [UInt8]?
    ) async throws {
        guard principal.may(.backups) else { throw AccessError.forbidden }
        try await library.receive(ofSize: size, by: principal.name, isGood: isGood, next)
    }
}

/// The page with all snapshots.
package struct BackupListView: Component {
    let model: BackupListViewModel
    let csrf: String

    package init(model: BackupListViewModel, csrf: String) {
        self.model = model
        self.csrf = csrf
    }

    package static var title: String { localized("Backups") }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: Self.title, count: model.files.count, addTitle: "", addHref: nil))
        if let warning = model.state?.warning(at: model.now) { html.render(Notice(.warning, warning)) }
        if let job = model.job { html.render(JobNotice(job: job)) }
        html.render(
            Panel(
                title: localized("Create a backup"),
                text: [
                    localized(
                        "A backup contains all records at one moment, without keys. You can keep working meanwhile.")
                ],
                facts: facts,
                actions: model.isWorking
                    ? []
                    : [
                        .post(
                            PostButton(localized("Back up now"), action: BackupPaths.all, csrf: csrf, style: .primary))
                    ]
            ))
        if !model.isWorking {
            Panel(
                title: localized("Upload a backup"),
                text: [
                    localized(
                        "The backup is checked completely, then added to the list. Nothing is restored yet."
                    )
                ]
            ).render(into: &html) { html in
                html.render(
                    FieldForm(
                        action: BackupPaths.upload, csrf: csrf,
                        field: Field(
                            name: "file", label: localized("File"),
                            control: .file(accept: SnapshotFile.ending + ",.gz"), isRequired: true),
                        submitTitle: localized("Upload")
                    ))
            }
        }
        guard !model.files.isEmpty else {
            return html.render(
                EmptyState(
                    title: localized("No backups yet"),
                    text: localized("Backups are kept in the data directory, in the folder snapshots."),
                    actionTitle: nil, actionHref: nil
                ))
        }
        html.render(table)
    }

    private var table: RecordTable {
        var table = RecordTable(
            columns: [
                localized("Backup"), localized("Created"), localized("Type"), localized("Size"),
                localized("Restore test"),
            ].map { TableColumn(title: $0, sortHref: nil, needsLabel: true) },
            rows: model.files.map(row), deleteAction: nil, caption: localized("Backups, newest first"), returnTo: nil
        )
        table.hasLongTitles = true
        return table
    }

    private var facts: [Fact] {
        var facts = [Fact(localized("Last successful restore test"), proven)]
        if let state = model.state {
            facts.append(Fact(localized("Automatic backups"), BackupFormatter.interval(state.interval)))
            facts.append(
                Fact(
                    localized("Last automatic backup"),
                    state.lastSuccess.map(BackupFormatter.time) ?? localized("None yet")))
        }
        return facts
    }

    private var proven: String {
        model.lastProven.map { localized("backup from \(BackupFormatter.time($0.takenAt))") }
            ?? localized("None yet")
    }

    private func row(_ file: SnapshotFile) -> TableRow {
        TableRow(
            id: file.name, href: BackupPaths.backup(file.name), title: file.name,
            cells: [
                .text(file.name), .text(BackupFormatter.time(file.takenAt)), .text(BackupFormatter.origin(file.origin)),
                .text(TextFormatter.size(file.size)),
                .text(file.proof.map { BackupFormatter.time($0.provenAt) } ?? localized("Not tested")),
            ])
    }
}

/// The view model of one snapshot.
package struct BackupViewModel: Sendable {
    package let file: SnapshotFile
    package let job: SnapshotJob?

    /// Reads the snapshot and the current job.
    ///
    /// - Throws: ``AccessError/forbidden``, ``SnapshotLibraryError/noSuchFile``.
    package init(name: String, principal: Principal, library: any SnapshotLibrary) async throws {
        guard principal.may(.backups) else { throw AccessError.forbidden }
        guard let file = await library.file(name) else { throw SnapshotLibraryError.noSuchFile }
        self.file = file
        job = await library.job()
    }

    package var isWorking: Bool { job?.state == .running }
}

/// The page of one snapshot.
package struct BackupView: Component {
    let model: BackupViewModel
    let csrf: String

    package init(model: BackupViewModel, csrf: String) {
        self.model = model
        self.csrf = csrf
    }

    package func render(into html: inout HTML) {
        let file = model.file
        html.render(ListHeader(title: localized("Backup"), count: nil, addTitle: "", addHref: nil))
        if let job = model.job, job.file == file.name || job.state == .running { html.render(JobNotice(job: job)) }
        html.render(
            Panel(
                title: file.name,
                facts: [
                    Fact(localized("Created"), BackupFormatter.time(file.takenAt)),
                    Fact(localized("Type"), BackupFormatter.origin(file.origin)),
                    Fact(localized("Size"), TextFormatter.size(file.size)), Fact(localized("Restore test"), proven),
                ] + (file.proof.map { BackupFormatter.log(of: $0.snapshot) } ?? []),
                actions: [.link(title: localized("Download"), href: BackupPaths.download(file.name))]
                    + (model.isWorking
                        ? []
                        : [
                            .post(
                                PostButton(
                                    localized("Test restore"), about: file.name,
                                    action: BackupPaths.prove(file.name), csrf: csrf)),
                            .post(
                                PostButton(
                                    localized("Restore…"), about: file.name, action: BackupPaths.inspect(file.name),
                                    csrf: csrf)),
                        ])
            ))
        html.element("a", .class("alternative"), .href(BackupPaths.all), text: localized("All backups"))
    }

    private var proven: String {
        guard let proof = model.file.proof else { return localized("Not tested") }
        let records = proof.snapshot.records
        return localized(
            records,
            one: "\(BackupFormatter.time(proof.provenAt)): 1 record, as of step \(String(proof.snapshot.commit))",
            other:
                "\(BackupFormatter.time(proof.provenAt)): \(records) records, as of step \(String(proof.snapshot.commit))"
        )
    }
}
