import Foundation

/// Whether this is a run of `make explore`: with new seeds, long sweeps and measurements, which `make test` leaves out.
package enum Explore {
    package static let isOn = ProcessInfo.processInfo.environment["AVIARY_EXPLORE"] == "1"
}
