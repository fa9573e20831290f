import AccountsFeature
import Hummingbird

/// Signing in and out, one's own account, and everybody's.
struct AccountRoutes: Sendable {
    let site: AdminSite
    let pages: AdminPages

    func add(to router: Router<AdminRequestContext>) {
        let signIn = SignInCoordinator(site: site, pages: pages)
        router.get("/login") { request, context in try await signIn.show(request, context: context) }
        router.post("/login") { request, context in try await signIn.signIn(request, context: context) }
        router.post("/logout") { request, context in try await signIn.signOut(request, context: context) }
        addOwn(to: router)
        addAll(to: router)
    }

    private func addOwn(to router: Router<AdminRequestContext>) {
        let own = OwnAccountCoordinator(site: site, pages: pages)
        router.get("/admin/account") { request, context in try await own.show(request, context: context) }
        router.get("/admin/account/password") { request, context in try await own.askPassword(request, context: context)
        }
        router.post("/admin/account/password") { request, context in
            try await own.changePassword(request, context: context)
        }
        router.get("/admin/account/second-factor") { request, context in
            try await own.askSecondFactor(request, context: context)
        }
        router.post("/admin/account/second-factor") { request, context in
            try await own.setUpSecondFactor(request, context: context)
        }
        router.get("/admin/account/second-factor/remove") { _, context in try await own.ask(.remove, context: context) }
        router.post("/admin/account/second-factor/remove") { _, context in
            try await own.change(.remove, context: context)
        }
        router.get("/admin/account/recovery-codes") { _, context in try await own.ask(.renewCodes, context: context) }
        router.post("/admin/account/recovery-codes") { _, context in try await own.change(.renewCodes, context: context)
        }
        router.post("/admin/account/sessions/end") { request, context in
            try await own.endSession(request, context: context)
        }
    }

    private func addAll(to router: Router<AdminRequestContext>) {
        let all = AccountsCoordinator(site: site, pages: pages)
        router.get("/admin/accounts") { request, context in try await all.list(request, context: context) }
        router.post("/admin/accounts") { request, context in try await all.add(request, context: context) }
        router.get("/admin/accounts/new") { request, context in try await all.askNew(request, context: context) }
        router.get("/admin/accounts/:name") { request, context in try await all.show(request, context: context) }
        router.post("/admin/accounts/:name") { request, context in try await all.change(request, context: context) }
    }
}
