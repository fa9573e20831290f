/// Bytes that come one part after the other, such as a file's.
package protocol ByteSource: AnyObject {
    /// The next bytes; none at the end, and where nothing more can be read.
    func next() -> [UInt8]
    /// The error that ended the reading; nil at the end of the source.
    var failure: (any Error)? { get }
}
