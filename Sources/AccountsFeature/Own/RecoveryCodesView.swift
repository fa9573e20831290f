package import AviaryDesign
import AviaryLocalization

/// Recovery codes, the one time that they are shown.
package struct RecoveryCodesView: Component {
    let codes: [String]
    let news: String

    /// - Parameter news: What has just been done.
    package init(codes: [String], news: String) {
        self.codes = codes
        self.news = news
    }

    package static var title: String { localized("Your recovery codes") }

    package func render(into html: inout HTML) {
        html.render(
            SecretCard(
                title: Self.title,
                text: [
                    localized(
                        "Keep them on paper or in a password manager: they are shown this once. Without your phone, each signs you in one time in place of a code from the app."
                    )
                ],
                notices: [Notice(.success, news)], secrets: codes, doneTitle: localized("I have kept them"),
                doneHref: AccountPaths.own
            ))
    }
}
