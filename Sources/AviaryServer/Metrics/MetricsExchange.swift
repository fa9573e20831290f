import AviaryMetrics
import Foundation
import ServiceLifecycle

/// The store process's side: keeps what the workers report and tells each of them the whole.
struct MetricsExchange: Sendable {
    private let ledger = MetricsLedger(isAlive: ProcessMetrics.isAlive)

    /// - Parameter report: as ``MetricsMessage`` encodes it.
    /// - Returns: The encoded answer; empty when the report cannot be read, as one of another version.
    func answer(_ report: Data) -> Data {
        do {
            let report = try MetricsMessage.decode(MetricsReport.self, from: report)
            noteOwn()
            return try MetricsMessage.encode(ledger.answer(report))
        } catch {
            return Data()
        }
    }

    /// This process records too, as far as the application does so in it.
    private func noteOwn() {
        let report = ProcessMetrics.reporter.report()
        ProcessMetrics.reporter.take(ledger.answer(report), to: report)
    }
}

/// How reports and answers are written.
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

/// Tells the store each second what this worker has recorded, and once more when everything else in it has ended.
struct MetricsReportingService: Service {
    let container: DependencyContainer

    private static let pause: Duration = .seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await container.reportMetrics()
                try? await Task.sleep(for: Self.pause)  // when cancelled, the loop ends
            }
        }
        await container.reportMetrics()
    }
}
