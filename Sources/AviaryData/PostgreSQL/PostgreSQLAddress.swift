import AviaryDomain
import CPostgreSQL
import Foundation

/// The address of a database, such as `postgresql://db1,db2/zoo?sslmode=verify-full`.
///
/// The password is not part of it: it comes from the file that `AVIARY_DATABASE_PASSWORD_FILE` names, or from where libpq
/// finds it, such as `~/.pgpass`.
package struct PostgreSQLAddress: Sendable, Hashable {
    /// The variable of the environment that names the file with the password.
    package static let passwordFileVariable = "AVIARY_DATABASE_PASSWORD_FILE"
    private static let schemes = ["postgresql://", "postgres://"]

    /// The address without a password, for messages.
    package let text: String
    /// The file that contains the password; nil if libpq finds it.
    package var passwordFile: String?

    /// Parses an address.
    ///
    /// - Throws: ``StoreOpenError/database(_:)`` if libpq is missing or does not understand the address, or if it contains a
    ///   password.
    package init(_ text: String, passwordFile: String? = nil) throws(StoreOpenError) {
        guard Self.schemes.contains(where: text.hasPrefix) else {
            throw .database("The address of the database must begin with postgresql://.")
        }
        if let reason = aviary_load_libpq() {
            throw .database(
                "A store in PostgreSQL needs the library libpq, but \(String(cString: reason)). Install libpq 14 or newer, on "
                    + "Debian and Ubuntu with: apt install libpq5")
        }
        // The error message repeats parts of the address, which may be a password.
        guard let options = PQconninfoParse(text, nil) else {
            throw .database("The address of the database is malformed. Write it as postgresql://user@host/database.")
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if String(cString: keyword) == "password", option.pointee.val != nil {
                throw .database(
                    "The address of the database contains a password, which every process of the machine could read. "
                        + "Write it to a file and name that in \(Self.passwordFileVariable), or use ~/.pgpass.")
            }
            option += 1
        }
        self.text = text
        self.passwordFile = passwordFile
    }

    /// Reads the password.
    ///
    /// - Throws: ``StoreOpenError/database(_:)`` if its file cannot be read.
    func password() throws(StoreOpenError) -> String? {
        guard let passwordFile else { return nil }
        guard let bytes = FileManager.default.contents(atPath: passwordFile) else {
            throw .database("\(passwordFile): the password of the database cannot be read from this file.")
        }
        // An editor ends the last line of a file.
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}

extension PostgreSQLAddress: CustomStringConvertible {
    package var description: String { text }
}
