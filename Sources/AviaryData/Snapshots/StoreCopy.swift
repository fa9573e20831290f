import AviaryDomain
import Foundation

/// One committed point of a store, apart from the store, which goes on.
struct StoreCopy {
    let connection: any Connection
    let tables: ModelTables

    /// - Throws: ``StoreOpenError`` when there is no store, or it has other models; ``EngineError``.
    init(
        of directory: DataDirectory, schema: Schema, in working: WorkingDirectory, engine: any StoreEngine
    ) throws {
        connection = try engine.copyStore(of: directory, to: working.path + "/copy.sqlite") { store in
            try StoreLayout.checkIdentity(of: store)
            // A model that only the file has would be missing from the snapshot.
            try StoreLayout.check(schema, againstFileOf: store)
        }
        tables = ModelTables(schema, engine.dialect)
    }
}
