package import AviaryDomain
package import Foundation

/// A submitted form: which record it is about, and the texts of those of the model's own fields that stand in it. Fields
/// that the model does not have are left out here, so that they can have no effect. Fields that a form does not have are
/// those of a page from before a deploy: nobody has decided anything about them.
package struct FormSubmission: Sendable, Hashable {
    package let draft: UUID
    package let record: UUID
    package let version: Int64?
    package let fields: [String: String]
    /// The secrets whose stored values are to go.
    package let clearedSecrets: Set<String>

    /// A form without the hidden fields that every form of ours carries.
    package struct Incomplete: Error {}

    /// - Throws: ``Incomplete`` when `draft` or `id` is missing or no UUID, or `version` is no number.
    package init(_ form: [FormField], of schema: ModelSchema) throws(Incomplete) {
        guard let draft = form.value("draft").flatMap({ UUID(canonicalText: $0) }),
              let record = form.value("id").flatMap({ UUID(canonicalText: $0) })
        else { throw Incomplete() }
        self.draft = draft
        self.record = record
        switch form.value("version") {
        case nil, "": version = nil
        case .some(let text):
            guard let number = Int64(text), number > 0 else { throw Incomplete() }
            version = number
        }
        var fields: [String: String] = [:]
        for property in schema.storedProperties {
            // A browser sends line breaks of a text as CR LF; they are kept as LF.
            fields[property.name] = form.value(property.name)?.withUnixLineBreaks
        }
        self.fields = fields
        let secrets = schema.storedProperties.filter { $0.isSecret && !$0.isRequired }.map(\.name)
        clearedSecrets = Set(secrets.filter { form.value(Self.clearingField($0)) == "true" })
    }

    /// The checkbox that clears a secret. A dot is in the name of no property.
    static func clearingField(_ property: String) -> String { property + ".clear" }
}

extension String {
    /// Byte by byte: to search a text for two characters compares it by its canonical form.
    fileprivate var withUnixLineBreaks: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            if byte == UInt8(ascii: "\n"), bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
