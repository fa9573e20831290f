import Synchronization

/// A check that compares the records of a server with the writes that it acknowledged.
struct LedgerChecker {
    private let histories: [String: RecordHistory]
    /// The titles that each record with concurrent edits may have, by the id of the record.
    private let shared: [String: Set<String>]
    private let wasRestored: Bool
    private var seen: Set<String> = []
    private var idsByTitle: [String: String] = [:]
    private var violations = ViolationList()
    private lazy var knownTitles = Set(histories.values.flatMap(\.titles))

    /// Creates a check.
    ///
    /// - Parameter wasRestored: Pass true after the restore of a backup; `histories` are then those of the time of
    ///   the backup.
    init(_ histories: [String: RecordHistory], shared: [String: Set<String>] = [:], wasRestored: Bool = false) {
        self.histories = histories
        self.shared = shared
        self.wasRestored = wasRestored
    }

    /// Checks one record of the server.
    mutating func observe(_ row: ListRow) {
        guard seen.insert(row.id).inserted else {
            violations.add(.duplicated, record: row.id, "“\(row.title)” stands in the list twice under one id.")
            return
        }
        if let titles = shared[row.id] {
            if !titles.contains(row.title) {
                let expected = titles.sorted().map { "“\($0)”" }.joined(separator: " or ")
                violations.add(
                    .reverted, record: row.id,
                    "“\(row.title)” is not what the last of those who edited it was told is stored: \(expected).")
            }
            return
        }
        guard let history = histories[row.id] else {
            violations.add(
                knownTitles.contains(row.title) ? .duplicated : .foreign, record: row.id,
                "“\(row.title)” is there under an id that nobody asked for."
            )
            return
        }
        if !history.isUntouched, let other = idsByTitle.updateValue(row.id, forKey: row.title) {
            violations.add(
                .duplicated, record: row.id, "“\(row.title)” was added once and is there twice: also as \(other).")
        }
        if !history.possible.contains(.present(title: row.title)) { judge(row, history) }
    }

    /// Returns the violations, after every record was observed.
    ///
    /// - Parameter total: The number of records according to the server; nil when the server does not report it.
    consuming func finish(total: Int?) -> ViolationList {
        for id in shared.keys where !seen.contains(id) {
            violations.add(.lost, record: id, "The record that all edited is missing.")
        }
        for (id, history) in histories
        where shared[id] == nil && !seen.contains(id) && !history.possible.contains(.absent) {
            let title = history.titles.last ?? ""
            violations.add(
                .lost, record: id,
                history.isUntouched
                    ? "“\(title)” was there before the run and is missing."
                    : wasRestored
                        ? "“\(title)” was acknowledged before the backup and is not in what was restored."
                        : "“\(title)” was acknowledged and is missing.")
        }
        let shown = seen.count
        switch total {
        case nil:
            violations.add(
                .inconsistent,
                "The list does not say how many records it has, so what it leaves out may be missing unseen.")
        case shown: break
        case let total?:
            violations.add(.inconsistent, "The list says that it has \(total) records, and shows \(shown).")
        }
        return violations
    }

    /// Reports a record that exists in a state that is not allowed.
    private mutating func judge(_ row: ListRow, _ history: RecordHistory) {
        guard history.possible == [.absent] else {
            let expected = history.possible.compactMap(\.title).sorted().map { "“\($0)”" }.joined(separator: " or ")
            let isOld = history.titles.contains(row.title)
            violations.add(
                .reverted, record: row.id,
                isOld
                    ? "“\(row.title)” is an older value: \(expected) was acknowledged after it."
                    : "“\(row.title)” was never asked for; it must be \(expected).")
            return
        }
        if wasRestored {
            violations.add(
                .resurrected, record: row.id,
                "“\(row.title)” was not there when the backup was taken, and is after it was restored.")
            return
        }
        switch history.lastAcknowledged {
        case .delete:
            violations.add(.resurrected, record: row.id, "“\(row.title)” was deleted, acknowledged, and is there.")
        case .cancelDraft:
            violations.add(.orphaned, record: row.id, "“\(row.title)” was a draft, cancelled, and is there.")
        default:
            violations.add(.orphaned, record: row.id, "“\(row.title)” was refused and is there.")
        }
    }
}

extension RecordHistory {
    /// Indicates whether the run requested no change of the record.
    fileprivate var isUntouched: Bool {
        lastAcknowledged == nil && titles.count == 1 && !wasRefused && possible == [.present(title: titles[0])]
    }
}

/// The violations during the load, collected from all browsers.
final class ViolationLog: Sendable {
    private let list = Mutex(ViolationList())

    func add(_ kind: Violation.Kind, record: String? = nil, _ text: String) {
        list.withLock { $0.add(kind, record: record, text) }
    }

    /// Adds the violations that another process found.
    func add(contentsOf other: ViolationList) {
        list.withLock { $0.add(contentsOf: other) }
    }

    var violations: ViolationList { list.withLock { $0 } }
}

/// A violation of a guarantee of the server.
package struct Violation: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
        /// An acknowledged or previously existing record that is missing.
        case lost
        /// A record that is stored twice.
        case duplicated
        /// A record that exists although its delete was acknowledged.
        case resurrected
        /// A record that exists although its write was rejected or cancelled.
        case orphaned
        /// An acknowledged edit that is missing.
        case reverted
        /// An edit that was overwritten by another edit, whose author had not seen it.
        case overwritten
        /// A record that no client requested.
        case foreign
        /// A list that contradicts itself.
        case inconsistent
        /// An unexpected or missing answer that no event of the run explains.
        case unexpected
    }

    package let kind: Kind
    /// The id of the record, if the violation has one.
    package let record: String?
    package let text: String
}

/// A list of violations that counts all of them and keeps the first few.
package struct ViolationList: Sendable, Codable {
    package private(set) var counts: [Violation.Kind: Int] = [:]
    package private(set) var first: [Violation] = []
    private static let mostNamed = 20

    package var count: Int { counts.values.reduce(0, +) }
    package var isEmpty: Bool { counts.isEmpty }

    /// The number of violations of each kind: `2 lost, 1 foreign`.
    var summary: String {
        Violation.Kind.allCases.compactMap { kind in counts[kind].map { "\(NumberFormat.grouped($0)) \(kind.rawValue)" }
        }
        .joined(separator: ", ")
    }

    mutating func add(_ kind: Violation.Kind, record: String? = nil, _ text: @autoclosure () -> String) {
        counts[kind, default: 0] += 1
        if first.count < Self.mostNamed { first.append(Violation(kind: kind, record: record, text: text())) }
    }

    mutating func add(contentsOf other: ViolationList) {
        counts.merge(other.counts, uniquingKeysWith: +)
        first += other.first.prefix(max(0, Self.mostNamed - first.count))
    }
}

/// A walk through the whole list of a model, page by page.
struct ListWalk {
    var browser: Browser
    let path: String

    private static let pageSize = 200
    /// The time for which a page is requested again, because the server may be restarting.
    var patience = LoadPlan.outageOfKill

    /// Calls a closure with each record of the list.
    ///
    /// - Parameter most: The maximum number of records. A list with more is treated as endless.
    /// - Returns: The number of records that the list reports.
    mutating func forEach(most: Int, _ body: (ListRow) -> Void) async throws(LoadTestError) -> Int? {
        var next: String? = "\(path)?size=\(Self.pageSize)"
        var total: Int?
        var count = 0
        while let address = next {
            let page = try await page(address)
            guard page.total != nil || !page.rows.isEmpty else {
                throw LoadTestError(
                    "\(address) shows neither records nor how many there are. Check that --url and --model name a list of this program."
                )
            }
            for row in page.rows { body(row) }
            count += page.rows.count
            total = page.total ?? total
            guard count <= most else {
                throw LoadTestError(
                    "The list at \(path) does not end: more than \(most) records were shown. Look for a next link that leads back."
                )
            }
            next = page.next
        }
        return total
    }

    /// Returns the error for an answer that a retry would not change.
    private func refusal(_ answer: BrowserResponse, at address: String) -> LoadTestError {
        switch answer.status {
        case _ where answer.asksForSignIn:
            LoadTestError(
                "\(address) is for who is signed in. Name an account with --user, and give its password with --password-stdin."
            )
        case 403, 404:
            LoadTestError(
                "\(address) was answered with status \(answer.status): there is no such list, or this account may not see it. Check --model and the account's role."
            )
        default:
            LoadTestError(
                "\(address) was answered with status \(answer.status). Check that --url names an admin of this program."
            )
        }
    }

    private mutating func page(_ address: String) async throws(LoadTestError) -> ListPage {
        let deadline = ContinuousClock.now + patience
        var reason = ""
        repeat {
            do {
                let answer = try await browser.get(address, as: .check)
                if answer.status == 200 { return ListPage(answer.body) }
                guard answer.isAway else { throw refusal(answer, at: address) }
                reason = "status \(answer.status)"
            } catch let error as LoadTestError {
                throw error
            } catch {
                reason = "\(error)"
            }
            do {
                try await Task.sleep(for: .milliseconds(200))
            } catch {
                throw LoadTestError("The check was cancelled: nothing is known about the run.")
            }
        } while ContinuousClock.now < deadline
        throw LoadTestError(
            "\(address) could not be read for \(Int(patience.seconds)) s (\(reason)), so nothing can be checked. Start the server again and look at its log."
        )
    }
}
