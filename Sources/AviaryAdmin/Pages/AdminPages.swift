import AccountsFeature
import ActivityFeature
import AviaryDesign
import AviaryDomain
import BackupsFeature
import HTTPTypes
import Hummingbird

/// The frame of the admin around the content of a page.
struct AdminPages: Sendable {
    let application: String
    let models: [AdminModel]
    let assets: PageAssets
    /// The application's own routes that the navigation leads to.
    var own: [Route] = []
    /// Returns the numbers of records, by the names of the models.
    var recordCounts: @Sendable () throws -> [String: Int] = { [:] }

    /// Returns a page with navigation and exact counts.
    ///
    /// - Parameter offer: A function that receives the page if it is complete.
    func page(
        title: String, at place: AdminPlace, principal: Principal, csrf: String, status: HTTPResponse.Status = .ok,
        notices: [Notice] = [], offer: (HTML) -> Void = { _ in }, sheet: ((inout HTML) -> Void)? = nil,
        main: (inout HTML) -> Void
    ) -> Response {
        let counts = try? recordCounts()  // a page without counts is better than no page
        var items = [
            NavigationItem(title: localized("Overview"), href: ModelPaths.admin, isCurrent: place == .overview)
        ]
        for model in models where principal.may(.view, model.schema.name) {
            items.append(
                NavigationItem(
                    title: model.schema.pluralTitle, href: model.paths.list, count: counts?[model.schema.name],
                    isCurrent: place == .model(model.schema.name), group: model.configuration.group?.translated
                ))
        }
        items += ownItems(for: principal, at: place)
        if principal.may(.activity) { items.append(Self.activity(isCurrent: place == .activity)) }
        if principal.may(.backups) { items.append(Self.backups(isCurrent: place == .backups)) }
        if principal.may(.accounts) { items.append(Self.accounts(isCurrent: place == .accounts)) }
        return render(
            title: title, navigation: items, person: AccountMenu(principal, isCurrent: place == .ownAccount),
            csrf: csrf,
            status: status, notices: notices, offer: counts == nil ? { _ in } : offer, sheet: sheet, main: main
        )
    }

    /// Returns the numbers of records in the navigation, by the paths of the lists.
    func counts(for principal: Principal) -> [String: Int] {
        // The page keeps the earlier numbers if they cannot be read now.
        guard let counts = try? recordCounts() else { return [:] }
        let visible = models.filter { principal.may(.view, $0.schema.name) }
        return Dictionary(
            uniqueKeysWithValues: visible.compactMap { model in
                counts[model.schema.name].map { (model.paths.list, $0) }
            })
    }

    /// Returns a page that explains an error. It reads no data, so that it works when nothing else does.
    ///
    /// - Parameters:
    ///   - csrf: The token of the button to sign out; nil for a page without the button.
    ///   - counts: The numbers of records in the navigation, by the paths of the lists.
    func error(
        _ refusal: PageError, for principal: Principal?, reference: String?, csrf: String? = nil,
        counts: [String: Int] = [:]
    ) -> Response {
        let page = ErrorPage(
            title: refusal.title, text: refusal.text, actionTitle: refusal.backTitle,
            actionHref: refusal.backPath, reference: reference, resend: refusal.resend
        )
        guard let principal else { return alone(title: refusal.title, status: refusal.status) { $0.render(page) } }
        var items = [NavigationItem(title: localized("Overview"), href: ModelPaths.admin)]
        items += models.filter { principal.may(.view, $0.schema.name) }
            .map { model in
                NavigationItem(
                    title: model.schema.pluralTitle, href: model.paths.list, count: counts[model.paths.list],
                    group: model.configuration.group?.translated)
            }
        items += ownItems(for: principal, at: nil)
        if principal.may(.activity) { items.append(Self.activity(isCurrent: false)) }
        if principal.may(.backups) { items.append(Self.backups(isCurrent: false)) }
        if principal.may(.accounts) { items.append(Self.accounts(isCurrent: false)) }
        return render(
            title: refusal.title, navigation: items, person: AccountMenu(principal), csrf: csrf, status: refusal.status
        ) { $0.render(page) }
    }

    /// Returns a page without navigation, for a person who is not signed in.
    ///
    /// - Parameter isWide: True for a page to read, false for a short form.
    func alone(
        title: String, status: HTTPResponse.Status = .ok, isWide: Bool = false, main: (inout HTML) -> Void
    ) -> Response {
        var html = HTML()
        PageLayout(title: title, application: application, navigation: [], assets: assets, csrf: nil)
            .renderAlone(into: &html, isWide: isWide, main: main)
        return whole(html, status: status)
    }

    /// Returns the items of the application's own pages that the person may open.
    ///
    /// The item with the longest path that the page's path begins with is the current one.
    private func ownItems(for principal: Principal, at place: AdminPlace?) -> [NavigationItem] {
        var current: String?
        if case .own(let path) = place {
            current = own.map(\.path).filter { path == $0 || path.hasPrefix($0 + "/") }
                .max { $0.utf8.count < $1.utf8.count }
        }
        return own.filter { $0.access.permits(principal) }.compactMap { route in
            route.item.map { item in
                NavigationItem(
                    title: item.title.translated, href: route.path, isCurrent: route.path == current,
                    icon: item.icon?.component, group: item.group?.translated)
            }
        }
    }

    private static func activity(isCurrent: Bool) -> NavigationItem {
        NavigationItem(title: localized("Activity"), href: ActivityPaths.all, isCurrent: isCurrent)
    }

    private static func backups(isCurrent: Bool) -> NavigationItem {
        NavigationItem(title: localized("Backups"), href: BackupPaths.all, isCurrent: isCurrent)
    }

    private static func accounts(isCurrent: Bool) -> NavigationItem {
        NavigationItem(title: localized("Accounts"), href: AccountPaths.all, isCurrent: isCurrent)
    }

    private func render(
        title: String, navigation: [NavigationItem], person: AccountMenu, csrf: String?, status: HTTPResponse.Status,
        notices: [Notice] = [], offer: (HTML) -> Void = { _ in }, sheet: ((inout HTML) -> Void)? = nil,
        main: (inout HTML) -> Void
    ) -> Response {
        var html = HTML()
        PageLayout(
            title: title, application: application, navigation: navigation, assets: assets, csrf: csrf, person: person
        )
        .render(into: &html, notices: notices, sheet: sheet, main: main)
        if !html.isCutOff { offer(html) }
        return whole(html, status: status)
    }

    /// Returns the page if it is complete.
    ///
    /// A page that was cut off could be misleading, so an error page replaces it.
    private func whole(_ html: HTML, status: HTTPResponse.Status) -> Response {
        guard html.isCutOff else { return .html(html, status: status) }
        return error(.pageTooLong, for: nil, reference: nil)
    }
}

extension AccountMenu {
    fileprivate init(_ principal: Principal, isCurrent: Bool = false) {
        self.init(
            name: principal.name, role: principal.role.name.translated, href: AccountPaths.own,
            signOutAction: AccountPaths.signOut,
            isCurrent: isCurrent
        )
    }
}

/// The place of a page in the admin, for its navigation.
enum AdminPlace: Sendable, Hashable {
    case overview
    /// A list, with its model's name.
    case model(String)
    case activity
    case backups
    case accounts
    case ownAccount
    /// A page of the application's own, with its path.
    case own(String)
}
