/// A database engine that can hold a store: the one door to it. Everything an engine knows is behind this.
package protocol StoreEngine: Sendable {
    var dialect: any SQLDialect { get }
    /// The settings of durability with which ``openWriter(_:)`` opens every store, or rejects it, in words for
    /// measurements.
    var durability: String { get }

    /// Opens the one connection that writes, creating what is missing: a COMMIT that returned is on disk.
    ///
    /// - Throws: ``StoreOpenError``, ``DataDirectoryError``, ``EngineError``. What is no store is left as it was.
    func openWriter(_ directory: DataDirectory) throws -> any WriterConnection

    /// - Throws: ``StoreOpenError``, ``EngineError``.
    func openReader(_ directory: DataDirectory) throws -> any ReaderConnection

    /// Opens one committed point of the store, taken while the store goes on: long reads of the store itself would hold
    /// it back.
    ///
    /// - Parameters:
    ///   - path: Where the copy may be kept.
    ///   - check: Looks at the store before it is copied.
    /// - Throws: ``StoreOpenError``, ``FileError``, ``EngineError``, and what the check throws.
    func copyStore(
        of directory: DataDirectory, to path: String, check: (any Connection) throws -> Void
    ) throws -> any Connection

    /// Creates a store that nobody else sees before it is finished: without flushes, and without checks of references.
    ///
    /// - Throws: ``StoreOpenError``, ``FileError``, ``EngineError``.
    func createStore(at path: String) throws -> any WriterConnection

    /// Opens a store that ``createStore(at:)`` made, to be completed and then to take the place of another.
    ///
    /// - Throws: ``StoreOpenError``, ``EngineError``.
    func openReplacement(at path: String) throws -> any WriterConnection

    /// Lets a finished store, which nobody has open, be the directory's first one: durably, and in one step.
    ///
    /// - Returns: False, with nothing done, when there is a store already, or what is left of one.
    /// - Throws: ``FileError``.
    func place(storeAt path: String, in directory: DataDirectory) throws -> Bool
}
