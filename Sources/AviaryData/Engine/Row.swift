package import AviaryDomain
package import Foundation

/// The columns of a row; from 0. Valid until the statement moves.
package protocol Row: AnyObject {
    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) -> Int64
    func text(_ column: Int) -> String?
    func blob(_ column: Int) -> [UInt8]
    /// The record's id; nil when the column holds anything but canonical text.
    func uuid(_ column: Int) -> UUID?
    func value(_ column: Int) -> FieldValue
    /// All at once, as a page does for every record.
    func values(_ columns: Range<Int>) -> [FieldValue]
    func valueInPlace(_ column: Int) -> ValueInPlace
}

/// A value like ``FieldValue`` whose bytes remain in the engine's memory. It is valid only until the statement moves.
package enum ValueInPlace {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeBufferPointer<UInt8>)
    case blob(UnsafeRawBufferPointer)
}
