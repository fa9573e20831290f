package import AviaryDesign
import AviaryDomain

/// The accounts as a list.
package struct AccountListView: Component {
    let model: AccountListViewModel

    package init(model: AccountListViewModel) {
        self.model = model
    }

    package static var title: String { localized("Accounts") }

    package func render(into html: inout HTML) {
        html.render(
            ListHeader(
                title: Self.title, count: model.count, addTitle: localized("Add account"), addHref: AccountPaths.new))
        html.render(
            RecordTable(
                columns: [localized("Name"), localized("Role"), localized("Signs in with"), localized("Status")].map {
                    TableColumn(title: $0, sortHref: nil)
                },
                rows: model.accounts.map { account in
                    TableRow(
                        id: account.id.uuid.canonicalText, href: AccountPaths.account(account.name),
                        title: account.name,
                        cells: [
                            .text(account.name), .text(account.role.translated), .text(account.signInWords),
                            account.isDisabled
                                ? .choice(label: localized("Disabled"), hue: 2)
                                : .choice(label: localized("Active"), hue: 0),
                        ])
                },
                deleteAction: nil, caption: localized("Accounts, sorted by name"), returnTo: nil
            ))
        guard !model.isFirst || model.next != nil else { return }
        html.render(
            PageFooter(
                summary: localized("\(model.accounts.count) of \(model.count), by name"),
                previousHref: model.isFirst ? nil : AccountPaths.all,
                nextHref: model.next.map { AccountPaths.all.withQuery("after=" + FormEncoding.escape($0)) }
            ))
    }
}
