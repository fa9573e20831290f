package import SwiftDiagnostics

/// What can be wrong with the declaration of an embedded struct, with what to do next.
package enum EmbeddedProblem: Error, Hashable, DiagnosticMessage {
    case notAStruct
    case writtenByHand(String)
    case unknownKey(String)

    package var severity: DiagnosticSeverity { .error }

    package var diagnosticID: MessageID {
        MessageID(domain: "AviaryMacros", id: "embedded-" + String("\(self)".prefix { $0 != "(" }))
    }

    package var message: String {
        switch self {
        case .notAStruct:
            "@Embedded can only be attached to a struct"
        case .writtenByHand(let member):
            "'\(member)' decides about the JSON, which @Embedded cannot read; conform to Embedded and list 'embeddedProperties' yourself"
        case .unknownKey(let name):
            "the coding key of '\(name)' has to be a plain text for @Embedded to know it"
        }
    }
}
