import Foundation

extension UUID {
    enum Use: UInt8 {
        case changeSet = 1
        case record
        case companion
        case missing
    }

    /// The same in every run: what a run that was ended did not finish, the next repeats under the same ids. The text
    /// of all of them begins with `fa175e`, by which a trace is searched.
    init(_ use: Use, caller: Int, step: Int) {
        let (caller, step) = (UInt16(caller), UInt32(step))
        self.init(
            uuid: (
                0xFA, 0x17, 0x5E, use.rawValue, 0, 0, 0x70, 0, 0x80, 0, UInt8(caller >> 8), UInt8(caller & 0xFF),
                UInt8(step >> 24), UInt8(step >> 16 & 0xFF), UInt8(step >> 8 & 0xFF), UInt8(step & 0xFF)
            ))
    }
}
