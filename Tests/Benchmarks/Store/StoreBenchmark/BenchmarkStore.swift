import AviaryData
import AviaryDomain

/// Opens the store as the server does, without lists to sort.
enum BenchmarkStore {
    static func open(_ path: String, history: History) throws -> Store {
        let policy =
            switch history {
            case .on: HistoryPolicy()
            case .off: HistoryPolicy().excluding(Sample.self)
            }
        return try Store(
            directory: DataDirectory(path: path), schema: Schema([Sample.schema]), sortIndexes: [], history: policy
        )
    }
}
