import AviaryMetrics
import Foundation
import ServiceLifecycle

/// The store process's side of the metrics: it keeps the workers' reports and returns the sums to each of them.
struct MetricsExchange: Sendable {
    private let ledger = MetricsLedger(isAlive: ProcessMetrics.isAlive)

    /// Answers a worker's report.
    ///
    /// - Parameter report: The report as ``MetricsMessage`` encodes it.
    /// - Returns: The encoded answer; empty when the report cannot be read, for example because it is from another
    ///   version.
    func answer(_ report: Data) -> Data {
        do {
            let report = try MetricsMessage.decode(MetricsReport.self, from: report)
            recordOwnMetrics()
            return try MetricsMessage.encode(ledger.answer(report))
        } catch {
            return Data()
        }
    }

    /// Adds this process's own measurements, which the application may make here too.
    private func recordOwnMetrics() {
        let report = ProcessMetrics.reporter.report()
        ProcessMetrics.reporter.take(ledger.answer(report), to: report)
    }
}

/// The encoding of reports and answers.
enum MetricsMessage {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+Inf", negativeInfinity: "-Inf", nan: "NaN"
        )
        return try encoder.encode(value)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+Inf", negativeInfinity: "-Inf", nan: "NaN"
        )
        return try decoder.decode(type, from: data)
    }
}

/// A service that sends this worker's measurements to the store every second, and once more after all other
/// services have ended.
struct MetricsReportingService: Service {
    let container: DependencyContainer

    private static let pause: Duration = .seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // A process that starts has nothing to report, and must not delay the others.
            while (try? await Task.sleep(for: Self.pause)) != nil {  // when cancelled, the loop ends
                await container.reportMetrics()
            }
        }
        await container.reportMetrics()
    }
}
