public import AviaryDomain
public import Foundation

/// A connection of a program to the store of a running server.
///
/// ```swift
/// let store = try await AviaryStore.connect(data: "/var/lib/zoo")
/// let animals = try await store.repository(for: Animal.self)
/// try await animals.insert(Animal(name: "Okapi"))
/// await store.close()
/// ```
///
/// Any number of processes may connect. They must run as the user that runs the server. Reads access the file directly
/// and bypass the server. They see committed data, and work also while no server runs. Writes go through the socket of
/// the store's process and are as durable as those of the admin. A write waits up to five seconds for a store that
/// restarts, then fails with ``StoreError/Code/unavailable``.
///
/// A connection creates nothing in the directory and does not lock out other processes. The save hooks of an
/// ``AviaryApp`` run in the processes of this application. They do not run for writes through a connection of another
/// program.
public struct AviaryStore: Sendable {
    /// The name under which the history records this program's changes.
    public let author: String
    private let connection: StoreConnection

    /// Connects to the store of a data directory.
    ///
    /// ```swift
    /// let store = try await AviaryStore.connect(data: "data", as: "feeder")
    /// ```
    ///
    /// - Parameters:
    ///   - directory: The data directory of the server.
    ///   - author: The name under which the history records the changes; the name of the process by default.
    /// - Throws: ``DataDirectoryError`` when the directory contains no store or belongs to another user; an error that
    ///   says what to do when another version of this library wrote the store's file.
    public static func connect(
        data directory: String, as author: String = ProcessInfo.processInfo.processName
    ) async throws -> AviaryStore {
        try await connect(to: StoreLocation(directory), as: author)
    }

    /// Connects to a store that a data directory or a database contains.
    ///
    /// ```swift
    /// let location = try StoreLocation(data: "/var/lib/zoo", database: "postgresql://zoo@db.example.org/zoo")
    /// let store = try await AviaryStore.connect(to: location, as: "feeder")
    /// ```
    ///
    /// Writes go through the server that runs on the data directory of this host.
    ///
    /// - Parameters:
    ///   - location: The location of the store.
    ///   - author: The name under which the history records the changes; the name of the process by default.
    /// - Throws: ``DataDirectoryError`` when the directory contains no store or belongs to another user; an error that
    ///   says why the store cannot be read, and what to do.
    public static func connect(
        to location: StoreLocation, as author: String = ProcessInfo.processInfo.processName
    ) async throws -> AviaryStore {
        AviaryStore(author: author, connection: try StoreConnection(location))
    }

    init(author: String, connection: StoreConnection) {
        self.author = author
        self.connection = connection
    }

    /// Returns access to the records of a model, after comparing the model with the store's file.
    ///
    /// ```swift
    /// let animals = try await store.repository(for: Animal.self)
    /// ```
    ///
    /// The model may leave out properties that the file has, and may refer to models that this program does not
    /// declare.
    ///
    /// - Parameter model: The model.
    /// - Throws: ``ModelMismatch`` that names the differing properties; ``ReadError``.
    public func repository<M: Model>(for model: M.Type) async throws -> Repository<M> {
        Repository(try connection.records(of: M.schema), author: author)
    }

    /// Commits changes of any models together, or none of them.
    ///
    /// ```swift
    /// let birds = AnimalCategory(name: "Bird")
    /// try await store.submit([.insert(birds), .insert(Animal(name: "Kea", category: Reference(birds)))])
    /// ```
    ///
    /// - Parameters:
    ///   - changes: The changes, in the order in which the store applies them.
    ///   - changeSet: An id that makes a repetition of this call safe: the store commits the same changes with the same
    ///     id once. A new id by default.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func submit(_ changes: [Change], changeSet: UUID? = nil) async throws(StoreError) -> Receipt {
        guard let changeSet else { return try await submit(ChangeSet(author: author, changes: changes)) }
        return try await submit(ChangeSet(id: changeSet, author: author, changes: changes))
    }

    /// Commits a change set under the name of its own author.
    ///
    /// ```swift
    /// try await store.submit(ChangeSet(author: "night shift", changes: [.delete(okapi)], cascadeLimit: 0))
    /// ```
    ///
    /// - Parameter changeSet: The change set.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt {
        try await connection.writer.submit(changeSet)
    }

    /// Closes the store's file and socket. Later reads and writes fail.
    ///
    /// ```swift
    /// await store.close()
    /// ```
    public func close() async {
        connection.close()
    }
}

// A context of SwiftData has these methods. The compiler says what to write instead.
extension AviaryStore {
    /// Rejects an insert without a repository at compile time.
    @available(
        *, unavailable,
        message:
            "insert by a repository, 'store.repository(for: Animal.self).insert(animal)', or several records together by 'store.submit([.insert(animal)])'"
    )
    public func insert<M: Model>(_ model: M) async throws {}

    /// Rejects a delete without a repository at compile time.
    @available(
        *, unavailable,
        message:
            "delete by a repository, 'store.repository(for: Animal.self).delete(animal)', or several records together by 'store.submit([.delete(animal)])'"
    )
    public func delete<M: Model>(_ model: M) async throws {}

    /// Rejects a read without a repository at compile time.
    @available(*, unavailable, message: "read by a repository: 'store.repository(for: Animal.self).fetch(descriptor)'")
    public func fetch<M: Model>(_ descriptor: FetchDescriptor<M>) async throws -> [M] { [] }

    /// Rejects a save at compile time: a write is on disk when it returns.
    @available(*, unavailable, message: "a write is on disk when it returns: there is nothing to save")
    public func save() async throws {}
}
