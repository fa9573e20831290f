package import Foundation

/// The conversion of Swift names and values to words, with the rules of English grammar.
package enum TextFormatter {
    /// Returns the words of a name: two for `animalCategory` and for `AnimalCategory`.
    ///
    /// A run of capitals is one word: `URLHandler` consists of `URL` and `Handler`.
    package static func split(_ name: String) -> [String] {
        let characters = Array(name)
        var words: [String] = []
        var word = ""
        for (index, character) in characters.enumerated() {
            if character == "_" {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let previousIsLower = index > 0 && !characters[index - 1].isUppercase
            let nextIsLower = index + 1 < characters.count && characters[index + 1].isLowercase
            if character.isUppercase, !word.isEmpty, previousIsLower || nextIsLower {
                words.append(word)
                word = ""
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    package static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    /// Returns a phrase for the middle of a sentence, without its first capital.
    ///
    /// A word with further capitals, such as `ISBN`, is unchanged. In other languages, every phrase is: a German noun
    /// keeps its capital.
    package static func lowercased(_ phrase: String) -> String {
        guard Language.current == nil else { return phrase }
        let first = phrase.prefix { !$0.isWhitespace }
        return first.dropFirst().contains(where: \.isUppercase)
            ? phrase : phrase.prefix(1).lowercased() + phrase.dropFirst()
    }

    /// Returns a phrase in lowercase for the middle of a sentence; unchanged in other languages than English.
    package static func small(_ phrase: String) -> String {
        Language.current == nil ? phrase.lowercased() : phrase
    }

    /// Returns a phrase with the regular English plural of its last word.
    package static func plural(_ phrase: String) -> String {
        let lower = phrase.lowercased()
        if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
            return phrase.dropLast() + "ies"
        }
        if ["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) { return phrase + "es" }
        return phrase + "s"
    }

    /// Returns a word with its indefinite article: `a name`, `an age`.
    ///
    /// In other languages, the article cannot be derived from the word, so the word is returned alone.
    package static func withArticle(_ word: String) -> String {
        guard Language.current == nil else { return word }
        let startsWithVowel = word.first.map { "aeiou".contains($0.lowercased()) } ?? false
        return (startsWithVowel ? "an " : "a ") + word
    }

    /// Returns a number with grouped digits: `12,408`.
    package static func grouped(_ number: Int) -> String { NumberText.grouped(number) }

    /// Returns a number in machine notation with grouped digits before the decimal point: `-12,408.75`.
    package static func grouped(_ number: String) -> String { NumberText.grouped(number) }

    /// Returns a number for people to read. A whole number with at most four digits is not grouped, because it may
    /// be a year.
    package static func number(_ text: String) -> String {
        text.contains(".") || text.count(where: \.isNumber) > 4
            ? NumberText.grouped(text) : NumberText.ungrouped(text)
    }

    /// Returns the beginning of a long text, enough to recognize its subject.
    ///
    /// - Parameter longest: The greatest length, in characters.
    package static func beginning(of text: String, longest: Int = longestBeginning) -> String {
        // Counting bytes is much faster than counting characters, so do it first.
        guard text.utf8.count > longest, text.count > longest else { return text }
        return text.prefix(longest) + "…"
    }

    package static let longestBeginning = 240

    /// Returns a title in the quotation marks of the current language.
    package static func quoted(_ title: some StringProtocol) -> String { localized("“\(isolated(String(title)))”") }

    /// Returns a number of records whose names are not shown: `3 other records`.
    package static func otherRecords(_ count: Int) -> String {
        localized(count, one: "1 other record", other: "\(count) other records")
    }

    /// Returns the items as a list: `a`, `a and b`, `a, b and c`.
    package static func list(_ items: [String]) -> String {
        guard let last = items.last else { return "" }
        guard items.count > 1 else { return last }
        return localized("\(items.dropLast().joined(separator: ", ")) and \(last)")
    }
}

extension TextFormatter {
    /// Returns the author of a change, for people to read.
    ///
    /// The name of an account never contains a blank. A name with a blank is not that of an account, and is
    /// translated.
    package static func author(_ name: String) -> String {
        name.contains(" ") ? name.translated : name
    }
}

extension TextFormatter {
    /// Returns a text of a user for the middle of a sentence.
    ///
    /// A text that is written from right to left, or contains controls of the text direction, is isolated, so that
    /// the text around it keeps its order. The text itself reads as it does in a list, where an element isolates it.
    /// Ends of isolates without a beginning are removed, and missing ends are added: they would move the end of the
    /// isolation.
    package static func isolated(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.turnsText || $0.embedsText }) else { return text }
        let (beginning, end): (Unicode.Scalar, Unicode.Scalar) = ("\u{2068}", "\u{2069}")
        var isolated = String.UnicodeScalarView([beginning])
        var open = 0
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x2066...0x2068: open += 1
            case 0x2069:
                guard open > 0 else { continue }
                open -= 1
            default: break
            }
            isolated.append(scalar)
        }
        for _ in 0...open { isolated.append(end) }
        return String(isolated)
    }
}

extension Unicode.Scalar {
    /// Indicates whether the scalar is written from right to left, or reverses the text around it. The decision is
    /// based on the blocks that Unicode reserves for such letters.
    fileprivate var turnsText: Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF, 0x200F: true
        default: false
        }
    }

    /// Indicates whether the scalar begins or ends an embedding, an override or an isolate.
    fileprivate var embedsText: Bool {
        switch value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension TextFormatter {
    /// Returns a number of bytes in words: `512 B`, `1.5 KiB`, `34 MiB`. The space does not break.
    package static func size(_ bytes: Int) -> String {
        guard bytes >= 1024 else { return "\(bytes)\u{A0}B" }
        var (amount, unit) = (Double(bytes), "B")
        // A value that would be rounded to 1,024 is shown in the next unit.
        for next in ["KiB", "MiB", "GiB", "TiB"] where amount.rounded() >= 1024 {
            (amount, unit) = (amount / 1024, next)
        }
        let tenths = Int((amount * 10).rounded())
        guard tenths < 100 else { return "\(Int(amount.rounded()))\u{A0}\(unit)" }
        return NumberText.ungrouped("\(tenths / 10).\(tenths % 10)") + "\u{A0}\(unit)"
    }
}

/// The formatting of stored dates for people, with the day first and the month by name, so that they cannot be
/// confused.
package enum DateTextFormatter {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns a date in words: `20 Nov 2026` for `2026-11-20…`.
    package static func day(_ stored: String) -> String {
        guard let date = CalendarDate(String(stored.prefix(10))), months.indices.contains(date.month - 1) else {
            return stored
        }
        let month = months[date.month - 1]
        guard Language.current != nil else { return "\(date.day) \(month) \(date.year)" }
        // A string, because an integer would get a thousands separator.
        return localized("\(date.day) \(Self.month(date.month)) \(String(date.year))")
    }

    /// Returns a date and time in words, in the zone of the page: `20 Nov 2026, 18:39 UTC` or
    /// `20 Nov 2026, 19:39 UTC+1` for `2026-11-20T18:39:55.123Z`.
    package static func dateAndTime(_ stored: String) -> String {
        guard stored.utf8.count >= 16 else { return stored }
        guard let zone = PageTimeZone.current, let date = Date(rfc3339: stored), let shown = zone.clockTime(of: stored)
        else { return localized("\(day(stored)), \(stored.dropFirst(11).prefix(5)) UTC") }
        return localized("\(day(shown)), \(shown.dropFirst(11).prefix(5)) \(zone.offsetText(at: date))")
    }

    /// Returns a time of day in words, in the zone of the page: `18:39 UTC`.
    package static func timeOfDay(_ stored: String) -> String {
        guard let zone = PageTimeZone.current, let date = Date(rfc3339: stored), let shown = zone.clockTime(of: stored)
        else { return localized("\(stored.dropFirst(11).prefix(5)) UTC") }
        return localized("\(shown.dropFirst(11).prefix(5)) \(zone.offsetText(at: date))")
    }

    private static func month(_ number: Int) -> String {
        switch number {
        case 1: localized("Jan")
        case 2: localized("Feb")
        case 3: localized("Mar")
        case 4: localized("Apr")
        case 5: localized("May")
        case 6: localized("Jun")
        case 7: localized("Jul")
        case 8: localized("Aug")
        case 9: localized("Sep")
        case 10: localized("Oct")
        case 11: localized("Nov")
        default: localized("Dec")
        }
    }

    /// Returns the age of a date in words: `just now`, `2 minutes ago`, `3 hours ago`, `5 days ago`.
    package static func age(of date: Date, at now: Date) -> String {
        let seconds = Int(now.timeIntervalSince(date))
        switch seconds {
        case ..<60: return localized("just now")
        case ..<3600: return minutes(seconds / 60)
        case ..<86_400: return hours(seconds / 3600)
        default: return days(seconds / 86_400)
        }
    }

    private static func minutes(_ count: Int) -> String {
        localized(count, one: "1 minute ago", other: "\(count) minutes ago")
    }

    private static func hours(_ count: Int) -> String {
        localized(count, one: "1 hour ago", other: "\(count) hours ago")
    }

    private static func days(_ count: Int) -> String {
        localized(count, one: "1 day ago", other: "\(count) days ago")
    }
}

extension TextFormatter {
    /// Returns the label of a raw value: `Herbivorous` for `herbivorous`, `Not evaluated` for `notEvaluated`.
    package static func choiceLabel(_ raw: String) -> String {
        capitalized(
            split(raw).enumerated().map { $0.offset == 0 ? $0.element : $0.element.lowercased() }
                .joined(separator: " "))
    }
}
