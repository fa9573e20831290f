import AviaryDomain
import AviaryIPC
import AviaryMetrics
import Foundation

extension DependencyContainer {
    private static var patience: Duration { .seconds(1) }

    /// What the store says of itself; nil when it does not answer.
    func storeStatus() async -> StoreStatus? {
        if let storeService { return await storeService.status() }
        return try? await client?.status(patience: Self.patience)  // that it is away is the answer
    }

    /// Tells the store what this process recorded, and asks for the sums of all; nil when it does not answer.
    @discardableResult
    func reportMetrics(wantsWhole: Bool = false) async -> MetricsAnswer? {
        let reporter = ProcessMetrics.reporter
        do {
            let report = reporter.report(wantsWhole: wantsWhole)
            let answer = try await exchange(report)
            guard reporter.take(answer, to: report) else { return answer }
            let whole = reporter.report(wantsWhole: wantsWhole)
            let complete = try await exchange(whole)
            reporter.take(complete, to: whole)
            return complete
        } catch {
            return nil
        }
    }

    private func exchange(_ report: MetricsReport) async throws -> MetricsAnswer {
        let message = try MetricsMessage.encode(report)
        let answer =
            if let storeService {
                await storeService.exchangeMetrics(message)
            } else if let client {
                try await client.exchangeMetrics(message, patience: Self.patience)
            } else {
                Data()
            }
        return try MetricsMessage.decode(MetricsAnswer.self, from: answer)
    }
}
