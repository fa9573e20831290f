import AviaryDomain
import Foundation
import Hummingbird

/// Which columns of a list a browser shows: a small cookie for each model. It is nobody's secret and trusted in nothing: a
/// name that is no column's counts for nothing.
struct ChosenColumns: Sendable {
    let names: CookieNames
    let model: ModelSchema

    /// No name that an application gives to a column has it: it is no part of an identifier, and escaped.
    private static let separator: Character = "~"
    /// Longer than any list of columns; what is not ours is not read.
    private static let longest = 2000
    private static let maxAge = 365 * 24 * 3600

    private var name: String { names.columnsPrefix + model.slug }

    /// Nil where nobody has chosen.
    func read(_ context: AdminRequestContext) -> [String]? {
        guard let text = context.cookies?[name]?.value, text.utf8.count <= Self.longest else { return nil }
        let columns = text.split(separator: Self.separator).compactMap { String($0).removingPercentEncoding }
        return columns.isEmpty ? nil : columns
    }

    func keep(_ columns: [String]) -> Cookie {
        cookie(columns.map(FormEncoding.escape).joined(separator: String(Self.separator)), maxAge: Self.maxAge)
    }

    func forget() -> Cookie { cookie("", maxAge: 0) }

    private func cookie(_ value: String, maxAge: Int) -> Cookie {
        Cookie(
            name: name, value: value, maxAge: maxAge, path: "/", secure: names.areSecure, httpOnly: true, sameSite: .lax
        )
    }
}
