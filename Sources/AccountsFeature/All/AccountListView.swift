package import AviaryDesign
import AviaryDomain

/// The accounts as a list.
package struct AccountListView: Component {
    let model: AccountListViewModel

    package init(model: AccountListViewModel) {
        self.model = model
    }

    package static let title = "Accounts"

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: Self.title, count: model.count, addTitle: "Add account", addHref: AccountPaths.new))
        html.render(RecordTable(
            columns: ["Name", "Role", "Signs in with", "Status"].map { TableColumn(title: $0, sortHref: nil) },
            rows: model.accounts.map { account in
                TableRow(id: account.id.uuid.canonicalText, href: AccountPaths.account(account.name), title: account.name, cells: [
                    .text(account.name), .text(account.role), .text(account.signInWords),
                    account.isDisabled ? .choice(label: "Disabled", hue: 2) : .choice(label: "Active", hue: 0),
                ])
            },
            deleteAction: nil, caption: "Accounts, sorted by name", returnTo: nil
        ))
        guard !model.isFirst || model.next != nil else { return }
        html.render(PageFooter(
            summary: "\(Words.grouped(model.accounts.count)) of \(Words.grouped(model.count)), by name",
            previousHref: model.isFirst ? nil : AccountPaths.all,
            nextHref: model.next.map { AccountPaths.all.withQuery("after=" + FormEncoding.escape($0)) }
        ))
    }
}
