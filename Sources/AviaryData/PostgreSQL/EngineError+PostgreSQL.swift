import CPostgreSQL

extension EngineError {
    /// Creates the error for a result of the server.
    ///
    /// - Parameter result: The result; nil if the connection itself failed.
    init(_ result: OpaquePointer?, operation: String) {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        let state = field(Int32(UInt8(ascii: "C")))
        // In the messages of class 22 the server repeats values.
        var message = state?.hasPrefix("22") == true ? nil : field(Int32(UInt8(ascii: "M")))
        if state == "42501" {
            message?.append(
                ". Use the role that owns the store, or give this one the permission; docs/postgresql.md has the roles")
        }
        self.init(
            kind: state.map(Kind.init(state:)) ?? .connectionLost, code: state.map { "PostgreSQL code \($0)" },
            message: message ?? "a value does not fit", operation: operation)
    }

    /// Indicates whether there is no operator for the types of the values.
    var isOfTypes: Bool { code == "PostgreSQL code 42883" }

    var isOfExistingSchema: Bool { code == "PostgreSQL code 42P06" }

    var isOfMissingTable: Bool { code == "PostgreSQL code 42P01" }

    /// The error of a statement whose answer was not awaited. A lost connection has its own consequences.
    var asCollision: EngineError {
        kind == .connectionLost
            ? self : EngineError(kind: .collision, code: code, message: message, operation: operation)
    }

    static func connectionLost(during operation: String) -> EngineError {
        EngineError(
            kind: .connectionLost, code: nil, message: "the connection to the database was lost", operation: operation)
    }

    static func interrupted(before operation: String) -> EngineError {
        EngineError(kind: .interrupted, code: nil, message: "interrupted", operation: operation)
    }

    static func misuse(_ message: String, operation: String) -> EngineError {
        EngineError(kind: .other, code: nil, message: message, operation: operation)
    }

    /// Creates the error of an insertion that the server left out because of a constraint of uniqueness.
    static func notUnique(operation: String) -> EngineError {
        EngineError(
            kind: .constraint, code: "PostgreSQL code 23505", message: "a row with the same unique values exists",
            operation: operation)
    }
}

extension EngineError.Kind {
    /// Creates the kind of a five-character `SQLSTATE`.
    fileprivate init(state: String) {
        switch state {
        case "57014": self = .interrupted
        case "53100": self = .outOfSpace
        case "53200": self = .outOfMemory
        case "53300", "55P03", "40P01", "40001", "55006": self = .busy
        case "54000", "42804", "22P05": self = .unfit
        // The server ends the session: it shuts down, has crashed, or was told to.
        case "57P01", "57P02", "57P03", "57P05", "25P03": self = .connectionLost
        // A server that has become a replica takes no changes. libpq finds the one that does.
        case "25006": self = .connectionLost
        case "XX001", "XX002": self = .damage
        case "58030": self = .disk
        default:
            switch state.prefix(2) {
            case "23": self = .constraint
            // A calculation fails for the values of a record.
            case "22" where state == "22003" || state == "22012": self = .other
            case "22": self = .unfit
            case "08": self = .connectionLost
            case "28", "3D": self = .cannotOpen
            default: self = .other
            }
        }
    }
}
