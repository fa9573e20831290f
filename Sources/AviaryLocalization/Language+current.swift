extension Language {
    @TaskLocal private static var inUse: Language?

    /// The current language of the task, in which ``localized(_:)`` writes phrases; nil for English.
    ///
    /// The server sets it while it answers a request. Nil needs no look-up.
    public static var current: Language? { inUse }

    /// Runs an operation in which this language is the current one.
    ///
    /// ```swift
    /// let text = await Language.german.use { localized("Overview") }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The actor of the caller.
    ///   - operation: The operation to run.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation.
    public func use<Value>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Value
    ) async rethrows -> Value {
        guard !isPlainEnglish || Self.inUse != nil else { return try await operation() }
        return try await Self.$inUse.withValue(isPlainEnglish ? nil : self, operation: operation)
    }

    /// The work as it is to be done by a thread of its own, which no task tells what language is in use.
    package static func carried<Value>(by work: @escaping @Sendable () throws -> Value) -> @Sendable () throws -> Value
    {
        guard let language = inUse else { return work }
        return { try Self.$inUse.withValue(language, operation: work) }
    }

    /// The code of the language in use, for `lang`.
    package static var currentCode: String { inUse?.code ?? english.code }
}
