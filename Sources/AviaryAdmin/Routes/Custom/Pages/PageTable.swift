import AviaryDesign
public import AviaryDomain
public import Foundation

/// A table of a page.
///
/// ```swift
/// PageTable("Animals by diet", of: animals) {
///     PageColumn("Name") { .link($0.name, to: "/admin/animals/\($0.id)") }
///     PageColumn("Diet") { .choice($0.diet) }
///     PageColumn("Weight") { .number($0.weight) }
/// }
/// ```
///
/// The first cell of a row is its title. Where the page is narrow a row becomes a block, in which the other values
/// have the titles of their columns. The table is as long as its rows: fetch a page of records, not all of them.
public struct PageTable: PageElement, PagePart {
    private let caption: String
    private let empty: String?
    private let titles: [String]
    private let rows: [[PageCell]]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - caption: The name of the table, for screen readers.
    ///   - elements: The elements, each of which has a row.
    ///   - empty: The text in place of a table without rows; nil for a general one.
    ///   - columns: A closure that builds the columns.
    public init<Element>(
        _ caption: String, of elements: [Element], empty: String? = nil,
        @PageColumnBuilder<Element> columns: () throws -> [PageColumn<Element>]
    ) rethrows {
        let columns = try columns()
        self.caption = caption
        self.empty = empty
        titles = columns.map(\.title)
        rows = elements.map { element in columns.map { $0.cell(element) } }
    }

    /// The table itself.
    public var content: PageContent { PageContent(self) }

    func render(into html: inout HTML, in context: inout PageContext) {
        guard !rows.isEmpty, !titles.isEmpty else {
            html.element("p", Attribute("dir", "auto"), text: empty ?? localized("Nothing to show yet."))
            return
        }
        let csrf = context.csrf
        html.render(
            ContentTable(
                caption: caption, columns: titles, rows: rows.map { row in row.map { $0.component(csrf: csrf) } }))
    }
}

/// A column of a ``PageTable``.
public struct PageColumn<Element> {
    let title: String
    let cell: (Element) -> PageCell

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - title: The title of the column.
    ///   - cell: A closure that returns the cell of a row's element.
    public init(_ title: String, _ cell: @escaping (Element) -> PageCell) {
        self.title = title
        self.cell = cell
    }
}

/// A result builder that builds the columns of a ``PageTable``.
@resultBuilder
public enum PageColumnBuilder<Element> {
    /// Builds a list from one column.
    public static func buildExpression(_ column: PageColumn<Element>) -> [PageColumn<Element>] { [column] }
    /// Builds a list from the columns of a block.
    public static func buildBlock(_ parts: [PageColumn<Element>]...) -> [PageColumn<Element>] { parts.flatMap(\.self) }
    /// Builds a list from an `if` without `else`.
    public static func buildOptional(_ part: [PageColumn<Element>]?) -> [PageColumn<Element>] { part ?? [] }
    /// Builds a list from the first branch of a condition.
    public static func buildEither(first part: [PageColumn<Element>]) -> [PageColumn<Element>] { part }
    /// Builds a list from the second branch of a condition.
    public static func buildEither(second part: [PageColumn<Element>]) -> [PageColumn<Element>] { part }
    /// Builds a list from a loop.
    public static func buildArray(_ parts: [[PageColumn<Element>]]) -> [PageColumn<Element>] { parts.flatMap(\.self) }
}

/// A cell of a ``PageTable``. It shows its value as the admin's lists do, in the language of the page.
public struct PageCell: Sendable {
    private enum Kind: Sendable {
        case value(TableCell)
        case button(PageButton)
    }

    private let kind: Kind

    /// A cell without a value.
    public static let empty = PageCell(kind: .value(.empty))

    /// Creates a cell with a text; an empty one for nil.
    public static func text(_ text: String?) -> PageCell { value(text.flatMap { $0.isEmpty ? nil : .text($0) }) }

    /// Creates a cell with a whole number; an empty one for nil.
    public static func number(_ number: Int?) -> PageCell {
        value(number.map { .number(TextFormatter.number(String($0))) })
    }

    /// Creates a cell with a decimal number; an empty one for nil.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - digits: The greatest number of digits after the decimal point.
    public static func number(_ number: Double?, digits: Int = 2) -> PageCell {
        value(number.map { .number(text(of: $0, digits: digits)) })
    }

    /// Creates a cell with a decimal number, such as an amount of money; an empty one for nil.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - digits: The greatest number of digits after the decimal point.
    public static func number(_ number: Decimal?, digits: Int = 2) -> PageCell {
        value(
            number.map { number in
                var rounded = Decimal(), exact = number
                NSDecimalRound(&rounded, &exact, min(max(digits, 0), 15), .plain)
                return .number(TextFormatter.number("\(rounded)"))
            })
    }

    /// Creates a cell with yes or no; an empty one for nil.
    public static func flag(_ isOn: Bool?) -> PageCell { value(isOn.map { .flag($0) }) }

    /// Creates a cell with the label of a choice and its colour; an empty one for nil.
    public static func choice<C: Choice>(_ choice: C?) -> PageCell {
        value(
            choice.map { choice in
                let index = C.allCases.enumerated().first { $0.element == choice }?.offset ?? 0
                return .choice(label: choice.pageLabel, hue: index % 8)
            })
    }

    /// Creates a cell with a day; an empty one for nil.
    public static func date(_ day: CalendarDate?) -> PageCell {
        value(day.map { .date(machine: $0.description, shown: DateTextFormatter.day($0.description)) })
    }

    /// Creates a cell with a day and time in the zone of the admin; an empty one for nil.
    public static func date(_ date: Date?) -> PageCell {
        value(
            date.map { date in
                guard case .text(let machine) = date.fieldValue else { return .empty }
                return .date(machine: machine, shown: DateTextFormatter.dateAndTime(machine))
            })
    }

    /// Creates a cell with a link.
    ///
    /// - Parameters:
    ///   - title: The text of the link.
    ///   - address: The address. See ``PageLink``.
    public static func link(_ title: String, to address: String) -> PageCell {
        value(.link(title: title, href: address))
    }

    /// Creates a cell with a button. It is not the first cell of its row, which is the row's title.
    public static func button(_ button: PageButton) -> PageCell { PageCell(kind: .button(button)) }

    func component(csrf: String) -> ContentTable.Cell {
        switch kind {
        case .value(let cell): .value(cell)
        case .button(let button): .button(button.component(csrf: csrf))
        }
    }

    private static func value(_ cell: TableCell?) -> PageCell { PageCell(kind: .value(cell ?? .empty)) }

    private static func text(of number: Double, digits: Int) -> String {
        guard number.isFinite else { return number.description }
        // The format without a locale writes the machine notation, which the formatter translates.
        var text = String(format: "%.\(min(max(digits, 0), 15))f", number)
        if text.contains(".") {
            while text.last == "0" { text.removeLast() }
            if text.last == "." { text.removeLast() }
        }
        return TextFormatter.number(text == "-0" ? "0" : text)
    }
}

extension Choice {
    /// The label of the case in the language of the page, as the admin shows it.
    var pageLabel: String { label.translated }
}
