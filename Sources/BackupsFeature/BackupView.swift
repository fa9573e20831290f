package import AviaryDesign
package import AviaryDomain

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
