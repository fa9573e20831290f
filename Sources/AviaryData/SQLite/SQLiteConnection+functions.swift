import AviaryDomain
import CSQLite

extension SQLiteConnection {
    /// `String.folded`, for SQL.
    static let foldFunction = "aviary_fold"

    static func addFunctions(to handle: OpaquePointer?) -> Int32 {
        aviary_create_function(handle, foldFunction) { context, _, arguments in
            guard let argument = arguments?[0], let bytes = sqlite3_value_text(argument) else { return }
            let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(argument)))
            var folded = String(decoding: text, as: UTF8.self).folded
            folded.withUTF8 { aviary_result_text(context, $0.baseAddress, Int32(truncatingIfNeeded: $0.count)) }
        }
    }
}
