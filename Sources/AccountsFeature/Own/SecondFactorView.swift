package import AviaryDesign
package import AviaryDomain
import AviaryLocalization

/// The view model of an existing second factor. It renews the recovery codes or removes the second factor.
package struct SecondFactorViewModel: Sendable {
    package let owner: AccountOwner
    package private(set) var form = OwnerForm()
    /// The new recovery codes, once they are stored.
    package private(set) var recoveryCodes: [String] = []
    private let oneTimePasswords: any OneTimePasswords

    /// Creates the view model. Returns nil if the account has no second factor.
    package init?(owner: AccountOwner, oneTimePasswords: any OneTimePasswords) {
        guard owner.account.oneTimeSecret != nil else { return nil }
        self.owner = owner
        self.oneTimePasswords = oneTimePasswords
    }

    /// Replaces the recovery codes. The account's other sessions end.
    package mutating func renewCodes(current: String) async -> AccountOutcome {
        let (owner, codes) = (owner, oneTimePasswords.makeRecoveryCodes())
        let outcome = await form.submit(current, of: owner) {
            try await owner.accounts.setRecoveryCodes(
                hashes: codes.hashes, of: owner.account.id.uuid, renewing: owner.renewal,
                by: owner.principal.name
            )
        }
        if outcome == .done { recoveryCodes = codes.codes }
        return outcome
    }

    /// Removes the second factor. The account's other sessions end.
    package mutating func remove(current: String) async -> AccountOutcome {
        let owner = owner
        return await form.submit(current, of: owner) {
            try await owner.accounts.removeSecondFactor(
                of: owner.account.id.uuid, renewing: owner.renewal, by: owner.principal.name
            )
        }
    }
}

/// The form that requires the password before a change to the second factor.
package struct SecondFactorView: Component {
    package enum Purpose: Sendable {
        case renewCodes, remove

        package var title: String {
            switch self {
            case .renewCodes: localized("Create new recovery codes")
            case .remove: localized("Turn off two-factor authentication")
            }
        }
    }

    let model: SecondFactorViewModel
    let purpose: Purpose
    let csrf: String

    package init(model: SecondFactorViewModel, purpose: Purpose, csrf: String) {
        self.model = model
        self.purpose = purpose
        self.csrf = csrf
    }

    package func render(into html: inout HTML) {
        html.render(
            FormCard(
                title: purpose.title, text: [text], notices: model.form.notices, action: action, csrf: csrf,
                fields: model.form.passwordFields(of: model.owner), submitTitle: submitTitle,
                alternative: (title: localized("Cancel"), href: AccountPaths.own)
            ))
    }

    private var text: String {
        switch purpose {
        case .renewCodes:
            localized(
                "Your current codes will stop working. This signs you out of all other browsers."
            )
        case .remove:
            localized(
                "Your password alone will be enough to sign in. This signs you out of all other browsers."
            )
        }
    }

    private var action: String {
        switch purpose {
        case .renewCodes: AccountPaths.recoveryCodes
        case .remove: AccountPaths.removeSecondFactor
        }
    }

    private var submitTitle: String {
        switch purpose {
        case .renewCodes: localized("Create new codes")
        case .remove: localized("Turn off")
        }
    }
}

/// The view model of the setup of a second factor.
///
/// The secret is stored only after an app has proven that it has the secret. Until then, the form contains it,
/// sealed for this account in this session.
package struct SecondFactorSetupViewModel: Sendable {
    package let owner: AccountOwner
    private let secret: OneTimeSecret
    package let link: AuthenticatorLink
    package private(set) var form = OwnerForm()
    package private(set) var codeError: String?
    /// The recovery codes, once the second factor is set up.
    package private(set) var recoveryCodes: [String] = []
    /// Indicates whether the submitted form's secret was no longer valid and was replaced.
    private let isRenewed: Bool
    private let oneTimePasswords: any OneTimePasswords

    /// The secret for the form, sealed for this account in this session.
    package var sealedSecret: String { secret.sealed }

    /// Creates the setup. Returns nil if the account already has a second factor.
    ///
    /// - Parameter sealed: The secret from the form. A new one is generated if there is none, if it was not made
    ///   for this account in this session, or if it has expired.
    /// - Throws: The errors of generating a secret.
    package init?(
        owner: AccountOwner, application: String, sealed: String? = nil, oneTimePasswords: any OneTimePasswords
    ) throws {
        guard owner.account.oneTimeSecret == nil else { return nil }
        self.owner = owner
        self.oneTimePasswords = oneTimePasswords
        let (account, session) = (owner.account.id.uuid, owner.session.id.uuid)
        let sent = sealed.flatMap {
            oneTimePasswords.pendingSecret($0, for: account, in: session, at: owner.now)
        }
        isRenewed = sealed != nil && sent == nil
        secret = try sent ?? oneTimePasswords.makeSecret(for: account, in: session, at: owner.now)
        link = AuthenticatorLink(application: application, account: owner.account.name, secret: secret.base32)
    }

    /// Enables the second factor if the code is correct.
    package mutating func confirm(code: String, current: String) async -> AccountOutcome {
        let step = isRenewed ? nil : oneTimePasswords.step(of: code, for: secret, at: owner.now)
        codeError = step == nil ? refusal : nil
        guard let step else { return .refused }
        let (owner, secret, codes) = (owner, secret, oneTimePasswords.makeRecoveryCodes())
        let outcome = await form.submit(current, of: owner) { [oneTimePasswords] in
            let account = owner.account.id.uuid
            try await owner.accounts.setSecondFactor(
                try oneTimePasswords.stored(secret, of: account), step: step, recoveryHashes: codes.hashes, of: account,
                renewing: owner.renewal, by: owner.principal.name
            )
        }
        if outcome == .done { recoveryCodes = codes.codes }
        return outcome
    }

    private var refusal: String {
        isRenewed
            ? localized(
                "This form was open for too long, so there is a new setup key. Scan the new QR code with the app, or enter the new key."
            )
            : localized(
                "Wrong code. Enter the code that the app shows now, and check your phone’s clock."
            )
    }
}

/// The URI that an authenticator app reads from a QR code or opens on a phone:
/// `otpauth://totp/Zoo:ada?secret=…&issuer=Zoo&algorithm=SHA1&digits=6&period=30`.
package struct AuthenticatorLink: Sendable, Hashable {
    package let text: String
    /// The secret in groups of four characters, for typing.
    package let groupedSecret: String

    /// Creates the URI.
    ///
    /// - Parameters:
    ///   - application: The name that the authenticator shows.
    ///   - secret: The secret in Base32.
    package init(application: String, account: String, secret: String) {
        // A colon separates the two names, even if it is percent-encoded.
        let issuer = Self.encode(application.replacing(":", with: " "))
        let name = Self.encode(account.replacing(":", with: " "))
        // The parameters are included even if they are the defaults, because some authenticators have other
        // defaults.
        text =
            "otpauth://totp/\(issuer):\(name)?secret=\(Self.encode(secret))&issuer=\(issuer)&algorithm=SHA1&digits=6&period=30"
        groupedSecret = stride(from: 0, to: secret.count, by: 4)
            .map { String(secret.dropFirst($0).prefix(4)) }.joined(separator: " ")
    }

    /// Percent-encodes all characters except the unreserved ones of a URL (RFC 3986, section 2.3). A space becomes
    /// `%20`, because authenticators show a `+` literally.
    private static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

/// The form that sets up a second factor.
package struct SecondFactorSetupView: Component {
    let model: SecondFactorSetupViewModel
    let csrf: String

    package init(model: SecondFactorSetupViewModel, csrf: String) {
        self.model = model
        self.csrf = csrf
    }

    package static var title: String { localized("Set up two-factor authentication") }

    package func render(into html: inout HTML) {
        html.render(
            FormCard(
                title: Self.title,
                text: requirement + [
                    localized(
                        "An authenticator app on your phone shows a code that changes every 30 seconds. Signing in asks for this code."
                    ),
                    localized("Scan the QR code with the app, or enter the setup key."),
                    localized("Turning on two-factor authentication signs you out of all other browsers."),
                ],
                notices: model.form.notices, action: AccountPaths.secondFactor, csrf: csrf,
                hidden: [("secret", model.sealedSecret)],
                key: SecretKey(
                    label: localized("Setup key"), text: model.link.groupedSecret,
                    linkTitle: localized("Open in an authenticator app"), link: model.link.text
                ),
                fields: [
                    Field(
                        name: "code", label: localized("Code from the app"), control: .oneTimeCode,
                        help: localized("Six digits."), error: model.codeError,
                        isRequired: true
                    )
                ] + model.form.passwordFields(of: model.owner),
                submitTitle: localized("Turn on"),
                alternative: isRequired ? nil : (title: localized("Cancel"), href: AccountPaths.own)
            ))
    }

    private var isRequired: Bool { model.owner.principal.lacksSecondFactor }

    private var requirement: [String] {
        isRequired ? [localized("Your role requires two-factor authentication. Set it up to open other pages.")] : []
    }
}

/// The page that shows recovery codes, once.
package struct RecoveryCodesView: Component {
    let codes: [String]
    let news: String

    /// Creates the page.
    ///
    /// - Parameter news: The message about the completed action.
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
                        "Keep these codes on paper or in a password manager. They are shown only once. Without your phone, each code signs you in once."
                    )
                ],
                notices: [Notice(.success, news)], secrets: codes, doneTitle: localized("I’ve saved my codes"),
                doneHref: AccountPaths.own
            ))
    }
}
