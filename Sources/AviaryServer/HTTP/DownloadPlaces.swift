import Foundation
import Synchronization

/// How many files this process is sending: each holds its place on the disk for as long as its reader takes.
final class DownloadPlaces: Sendable {
    private struct State {
        var all = 0
        var accounts: [UUID: Int] = [:]
    }

    private let most: Int
    private let mostOfAccount: Int
    private let state = Mutex(State())

    init(most: Int = 16, ofAccount mostOfAccount: Int = 4) {
        self.most = most
        self.mostOfAccount = mostOfAccount
    }

    /// - Returns: A place that is given back when nobody holds it any more; nil where all are taken.
    func take(for account: UUID) -> Place? {
        let isTaken = state.withLock { state in
            guard state.all < most, state.accounts[account, default: 0] < mostOfAccount else { return false }
            state.all += 1
            state.accounts[account, default: 0] += 1
            return true
        }
        return isTaken ? Place(self, account) : nil
    }

    fileprivate func giveBack(_ account: UUID) {
        state.withLock { state in
            state.all -= 1
            let count = state.accounts[account, default: 0] - 1
            state.accounts[account] = count > 0 ? count : nil
        }
    }

    final class Place: Sendable {
        private let places: DownloadPlaces
        private let account: UUID

        fileprivate init(_ places: DownloadPlaces, _ account: UUID) {
            self.places = places
            self.account = account
        }

        deinit { places.giveBack(account) }
    }
}
