import AviaryDesign
import AviaryDomain
import Foundation

/// Puts entries under the days on which they were, in UTC.
enum ActivityDays {
    static func days(_ entries: [(time: Date, entry: ActivityEntry)], at now: Date) -> [ActivityList.Day] {
        var days: [(day: String, entries: [ActivityEntry])] = []
        for (time, entry) in entries {
            let day = time.day
            if days.last?.day == day {
                days[days.count - 1].entries.append(entry)
            } else {
                days.append((day, [entry]))
            }
        }
        return days.map { ActivityList.Day(title: title($0.day, at: now), entries: $0.entries) }
    }

    private static func title(_ day: String, at now: Date) -> String {
        if day == now.day { return localized("Today") }
        if day == now.addingTimeInterval(-86_400).day { return localized("Yesterday") }
        return DateWords.day(day)
    }
}
