import AviaryDomain

extension ComputedColumn {
    /// What the record's sheet says, in the words of its list.
    func text(of record: Record) -> String {
        let value = value(record)
        return switch (value, property.type) {
        case (.null, _): "–"
        case (.integer(let flag), .boolean): flag == 0 ? localized("No") : localized("Yes")
        case (.text(let text), .date): DateWords.dateAndTime(text)
        case (.text(let text), .calendarDate): DateWords.day(text)
        default: property.choiceLabel(of: value) ?? property.formText(of: value)
        }
    }
}
