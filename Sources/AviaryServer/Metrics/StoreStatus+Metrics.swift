import AviaryDomain
import AviaryIPC
import AviaryMetrics

extension StoreStatus {
    func add(to snapshot: inout MetricSnapshot) {
        snapshot.set(Double(commits), .storeCommits)
        snapshot.set(Double(batches), .storeBatches)
        snapshot.set(Double(waiting), .storeQueue)
        snapshot.set(Double(lastCommit), .storeLastCommit)
        let state = FileCheckReport(fileCheck).state
        for each in FileCheckReport.State.allCases {
            snapshot.set(each == state ? 1 : 0, .storeFileCheck, [MetricLabel("state", each.rawValue)])
        }
        guard let measures else { return }
        snapshot.set(.histogram(HistogramValue(measures.flushes)), .storeFlush)
        snapshot.set(.histogram(HistogramValue(measures.batchSizes)), .storeBatchSize)
        snapshot.set(Double(measures.historySize), .storeHistorySize)
    }
}

extension HistogramValue {
    fileprivate init(_ counts: BucketCounts) {
        self.init(bounds: counts.bounds, counts: counts.counts, sum: counts.sum)
    }
}
