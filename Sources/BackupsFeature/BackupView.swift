package import AviaryDesign
package import AviaryDomain

/// One snapshot as a page.
package struct BackupView: Component {
    let model: BackupViewModel
    let csrf: String

    package init(model: BackupViewModel, csrf: String) {
        self.model = model
        self.csrf = csrf
    }

    package func render(into html: inout HTML) {
        let file = model.file
        if let job = model.job, job.file == file.name || job.state == .running { html.render(JobNotice(job: job)) }
        html.render(Panel(
            title: file.name,
            facts: [
                Fact("Taken", BackupWords.time(file.writtenAt)), Fact("Made by", BackupWords.origin(file.origin)),
                Fact("Size", BackupWords.size(file.size)), Fact("Proven restorable", proven),
            ],
            actions: [.link(title: "Download", href: BackupPaths.download(file.name))] + (model.isWorking ? [] : [
                .post(PostButton("Prove it restorable", about: file.name, action: BackupPaths.prove(file.name), csrf: csrf)),
                .post(PostButton("Restore it…", about: file.name, action: BackupPaths.inspect(file.name), csrf: csrf)),
            ])
        ))
        html.element("a", .class("alternative"), .href(BackupPaths.all), text: "All backups")
    }

    private var proven: String {
        guard let proof = model.file.proof else { return "not tried" }
        let records = proof.snapshot.records
        return "\(BackupWords.time(proof.provenAt)): \(Words.grouped(records)) \(records == 1 ? "record" : "records"), as of commit \(proof.snapshot.commit)"
    }
}
