import AviaryLocalization

/// A form that chooses the language of the pages. Each language has its own name for itself.
package struct LanguageForm: Sendable, Component {
    package struct Language: Sendable {
        let code: String
        let name: String

        package init(code: String, name: String) {
            self.code = code
            self.name = name
        }
    }

    let languages: [Language]
    let action: String
    let csrf: String
    let returnPath: String

    package init(languages: [Language], action: String, csrf: String, returnPath: String) {
        self.languages = languages
        self.action = action
        self.csrf = csrf
        self.returnPath = returnPath
    }

    package func render(into html: inout HTML) {
        let current = AviaryLocalization.Language.currentCode
        html.element("form", .class("language"), .method("post"), .action(action)) { html in
            html.render(HiddenFields(csrf: csrf, fields: [("return", returnPath)]))
            html.element("label", .class("spoken"), .for("language"), text: localized("Language"))
            html.element("div", .class("field")) { html in
                html.element("select", .id("language"), .name("language")) { html in
                    for language in languages {
                        html.element(
                            "option", .value(language.code), Attribute("lang", language.code),
                            .flag("selected", language.code == current), text: language.name
                        )
                    }
                }
            }
            html.element("button", .class("button"), text: localized("Apply"))
        }
    }
}
