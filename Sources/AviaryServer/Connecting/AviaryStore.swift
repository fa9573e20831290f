public import AviaryDomain
public import Foundation

/// The store of a running server, from a program of one's own.
///
/// ```swift
/// let store = try await AviaryStore.connect(data: "/var/lib/zoo")
/// let animals = try await store.repository(for: Animal.self)
/// try await animals.insert(Animal(name: "Okapi"))
/// await store.close()
/// ```
///
/// Any process of the user that runs the server may connect, and any number of them. Reads go to the file itself and do
/// not pass through the server; they see what is committed, and work also while no server runs. Writes go to the store's
/// process by its socket. They are as durable as the admin's, wait up to five seconds for a store that is being started
/// again, and then fail with ``StoreError/unavailable(_:)``.
///
/// A connection creates nothing in the directory and locks nobody out. The hooks that an ``AviaryApp`` runs around its
/// saves belong to that app's own processes and do not run for what is written here.
public struct AviaryStore: Sendable {
    /// In whose name this program writes, for the history.
    public let author: String
    private let connection: StoreConnection

    /// Connects to the store of a data directory.
    ///
    /// ```swift
    /// let store = try await AviaryStore.connect(data: "data", as: "feeder")
    /// ```
    ///
    /// - Parameters:
    ///   - directory: The directory that the server was started with.
    ///   - author: In whose name to write; the program's name unless given.
    /// - Throws: ``DataDirectoryError`` when there is no store, or it is not this user's; an error that says what to do when
    ///   the store's file is of another version of this library.
    public static func connect(
        data directory: String, as author: String = ProcessInfo.processInfo.processName
    ) async throws -> AviaryStore {
        AviaryStore(author: author, connection: try StoreConnection(data: directory))
    }

    init(author: String, connection: StoreConnection) {
        self.author = author
        self.connection = connection
    }

    /// The records of a model, which is compared with the store's file at this moment. The model may leave out properties
    /// that the file has, and may refer to models that this program does not declare.
    ///
    /// ```swift
    /// let animals = try await store.repository(for: Animal.self)
    /// ```
    ///
    /// - Throws: ``ModelMismatch`` that names the properties which differ; ``ReadError``.
    public func repository<M: Model>(for model: M.Type) async throws -> Repository<M> {
        Repository(try connection.records(of: M.schema), author: author)
    }

    /// Stores changes of any models together, or none of them.
    ///
    /// ```swift
    /// let birds = AnimalCategory(name: "Bird")
    /// try await store.submit([.insert(birds), .insert(Animal(name: "Kea", category: Reference(birds)))])
    /// ```
    ///
    /// - Parameter changeSet: Makes a repeat of this call safe: the same changes under the same id are stored once.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func submit(_ changes: [Change], changeSet: UUID? = nil) async throws(StoreError) -> Receipt {
        guard let changeSet else { return try await submit(ChangeSet(author: author, changes: changes)) }
        return try await submit(ChangeSet(id: changeSet, author: author, changes: changes))
    }

    /// Stores a change set, with the author that it names.
    ///
    /// ```swift
    /// try await store.submit(ChangeSet(author: "night shift", changes: [.delete(okapi)], cascadeLimit: 0))
    /// ```
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    public func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt {
        try await connection.writer.submit(changeSet)
    }

    /// Lets go of the file and of the store's socket. Reads and writes fail from now on.
    ///
    /// ```swift
    /// await store.close()
    /// ```
    public func close() async {
        connection.close()
    }
}
