/// A walk through the whole list of a model, page by page.
struct ListWalk {
    var browser: Browser
    let path: String

    private static let pageSize = 200
    /// The time for which a page is requested again, because the server may be restarting.
    private static let patience = Duration.seconds(30)

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
        let deadline = ContinuousClock.now + Self.patience
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
            "\(address) could not be read for \(Int(Self.patience.seconds)) s (\(reason)), so nothing can be checked. Start the server again and look at its log."
        )
    }
}
