import AviaryDesign
import AviaryDomain
import HTTPTypes
import Hummingbird

/// Puts the admin's frame around what a page shows.
struct AdminPages: Sendable {
    let application: String
    let models: [AdminModel]
    let assets: PageAssets

    /// A page with navigation and exact counts.
    func page(
        title: String, current: AdminModel?, csrf: String, status: HTTPResponse.Status = .ok,
        notices: [Notice] = [], sheet: ((inout HTML) -> Void)? = nil, main: (inout HTML) -> Void
    ) async -> Response {
        var items = [NavigationItem(title: "Overview", href: ModelPaths.admin, isCurrent: current == nil)]
        for model in models {
            items.append(NavigationItem(
                title: model.schema.pluralTitle, href: model.paths.list,
                count: try? await model.repository.count(),  // a page without a count is better than no page
                isCurrent: model.schema.name == current?.schema.name
            ))
        }
        return render(
            title: title, navigation: items, csrf: csrf, status: status, notices: notices, sheet: sheet, main: main
        )
    }

    /// A page that says what went wrong; reads nothing, so that it works when nothing else does.
    func error(_ refusal: RequestRefusal, reference: String?) -> Response {
        let items = [NavigationItem(title: "Overview", href: ModelPaths.admin)]
            + models.map { NavigationItem(title: $0.schema.pluralTitle, href: $0.paths.list) }
        return render(title: refusal.title, navigation: items, csrf: nil, status: refusal.status) { html in
            html.render(ErrorPage(
                title: refusal.title, text: refusal.text, actionTitle: refusal.backTitle,
                actionHref: refusal.backPath, reference: reference
            ))
        }
    }

    private func render(
        title: String, navigation: [NavigationItem], csrf: String?, status: HTTPResponse.Status,
        notices: [Notice] = [], sheet: ((inout HTML) -> Void)? = nil, main: (inout HTML) -> Void
    ) -> Response {
        var html = HTML()
        PageLayout(title: title, application: application, navigation: navigation, assets: assets, csrf: csrf)
            .render(into: &html, notices: notices, sheet: sheet, main: main)
        return .html(html, status: status)
    }
}
