import Hummingbird

/// What happened, and taking it back.
struct ActivityRoutes: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func add(to router: Router<AdminRequestContext>) {
        let activity = ActivityCoordinator(site: site, pages: pages)
        router.get("/admin/activity") { request, context in try await activity.show(request, context: context) }
        router.get("/admin/activity/events") { request, context in
            try await activity.showEvents(request, context: context)
        }
        router.get("/admin/activity/:commit") { request, context in
            try await activity.showCommit(request, context: context)
        }
        let undo = UndoCoordinator(site: site, pages: pages)
        router.post("/admin/undo/:commit") { request, context in try await undo.undo(request, context: context) }
    }
}
