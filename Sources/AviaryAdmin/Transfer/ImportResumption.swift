import AviaryDomain
import ImportFeature
import Logging
import ServiceLifecycle

/// A service of a web worker that continues the imports whose process ended before them.
///
/// A worker that was killed is replaced at once, and the new one continues its imports. Between workers the lock of a
/// job decides which of them does.
struct ImportResumption: Service {
    let container: DependencyContainer
    let languages: [Language]
    let logger: Logger
    var pause = Duration.seconds(5)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await resumeInterrupted()
                // A cancelled sleep ends at once, and so does the loop.
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Continues the interrupted imports, each in a task of its own.
    func resumeInterrupted() async {
        for job in await container.importFiles.interruptedJobs() {
            do {
                try await resume(job)
            } catch ImportFileError.busy, ImportFileError.gone {
                // Another worker continues the import.
            } catch {
                // The next round tries again, for example when the store has started.
                logger.info("an import could not be continued yet", error: error)
            }
        }
    }

    private func resume(_ job: ImportJob) async throws {
        guard let owner = job.owner else { return }
        let accounts = container.accounts
        let account = try await accounts.account(owner.account)
        // A new password and "Sign out everywhere" end the imports of an account, too.
        let principal = account.flatMap { $0.epoch == owner.epoch ? accounts.principal(of: $0) : nil }
        let language = owner.language.flatMap { languages[code: $0] } ?? languages.first ?? .english
        try await language.use {
            try await ImportViewModel.continueInterrupted(
                job, in: container.schema, principal: principal, files: container.importFiles,
                target: container.importTarget(for: account?.name ?? owner.account.canonicalText)
            ) { begun in
                logger.notice(
                    "an import continues",
                    metadata: [
                        "account": "\(account?.name ?? "")", "model": "\(owner.model)",
                        "lines": "\(begun.stored.lineCount)",
                    ])
            } onEnd: { ended in
                logger.notice(
                    "an import ended",
                    metadata: [
                        "account": "\(account?.name ?? "")", "model": "\(owner.model)", "state": "\(ended.state)",
                        "lines": "\(ended.stored.lineCount)", "commits": "\(ended.stored.commits.count)",
                    ])
            }
        }
    }
}
