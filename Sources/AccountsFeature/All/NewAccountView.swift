package import AviaryDesign
import AviaryDomain

/// The form for a new account.
package struct NewAccountView: Component {
    let model: NewAccountViewModel
    let csrf: String

    package init(model: NewAccountViewModel, csrf: String) {
        self.model = model
        self.csrf = csrf
    }

    package static var title: String { localized("Add an account") }

    package func render(into html: inout HTML) {
        html.render(
            FormCard(
                title: Self.title,
                text: [localized("You get a link to hand over: with it, its owner chooses a password.")],
                notices: model.errorMessage.map { [Notice(.failure, $0)] } ?? [], action: AccountPaths.all, csrf: csrf,
                fields: [
                    Field(
                        name: "name", label: localized("Name"), control: .text(value: model.name, maxLength: nil),
                        help: model.nameError == nil ? AccountName.rule + "." : nil,
                        error: model.nameError, isRequired: true
                    ),
                    Field(
                        name: "role", label: localized("Role"),
                        control: .select(options: Option.roles(model.roles), selected: model.role, prompt: nil),
                        help: localized(
                            "A viewer sees, an editor also changes records, an admin also manages accounts."),
                        error: model.roleError
                    ),
                ],
                submitTitle: localized("Add the account"),
                alternative: (title: localized("Cancel"), href: AccountPaths.all)
            ))
    }
}

extension Option {
    static func roles(_ roles: [Role]) -> [Option] { roles.map { Option(value: $0.name, label: $0.name.translated) } }
}
