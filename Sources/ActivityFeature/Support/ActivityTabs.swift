import AviaryDesign
import AviaryDomain

/// The way between changes of records and other events, for whoever may see both.
struct ActivityTabs: Component {
    enum Place {
        case changes, events
    }

    let current: Place
    let principal: Principal

    func render(into html: inout HTML) {
        guard principal.may(.activity), principal.may(.accounts) else { return }
        html.render(
            PlaceTabs(
                label: localized("Activity"),
                places: [
                    .init(localized("Changes"), href: ActivityPaths.all, isCurrent: current == .changes),
                    .init(localized("Sign-ins and backups"), href: ActivityPaths.events, isCurrent: current == .events),
                ]))
    }
}
