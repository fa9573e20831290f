extension Language {
    @TaskLocal private static var inUse: Language?

    /// What phrases are written in where one is chosen, as while a request is answered. Nil is English, and takes nothing to
    /// look up.
    public static var current: Language? { inUse }

    /// What is written in the operation is written in this language.
    ///
    /// ```swift
    /// let text = await Language.german.use { localized("Overview") }
    /// ```
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
