import Foundation

/// Whether there is time for the long runs: `AVIARY_ENDURANCE=1`.
enum Endurance {
    static let isOn = ProcessInfo.processInfo.environment["AVIARY_ENDURANCE"] == "1"

    static func times(_ normally: Int, withTime: Int) -> Int {
        isOn ? withTime : normally
    }
}
