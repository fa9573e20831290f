import Hummingbird

/// The snapshots beside the store.
struct BackupRoutes: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func add(to router: Router<AdminRequestContext>) {
        let backups = BackupsCoordinator(site: site, pages: pages)
        router.get("/admin/backups") { _, context in try await backups.list(context) }
        router.post("/admin/backups") { _, context in try await backups.take(context) }
        router.post("/admin/backups/upload") { _, context in try await backups.upload(context) }
        router.get("/admin/backups/:name") { _, context in try await backups.show(context) }
        router.get("/admin/backups/:name/download") { _, context in try await backups.download(context) }
        // With the password that is asked for before.
        router.post("/admin/backups/:name/download") { _, context in try await backups.download(context) }
        router.post("/admin/backups/:name/prove") { _, context in try await backups.prove(context) }
        router.post("/admin/backups/:name/inspect") { _, context in try await backups.inspect(context) }
        router.get("/admin/backups/:name/restore") { _, context in try await backups.askRestore(context) }
        router.post("/admin/backups/:name/restore") { _, context in try await backups.restore(context) }
    }
}
