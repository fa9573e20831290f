/// Bytes that come one part after the other, such as a file's.
package protocol ByteSource: AnyObject {
    /// The next bytes; none at the end, and where nothing more can be read.
    func next() -> [UInt8]
    /// Why nothing more can be read; nil at the end.
    var failure: (any Error)? { get }
}
