/// A control for a property in the sheet, used instead of the default control of its type.
///
/// ```swift
/// ModelAdmin(Animal.self)
///     .widget(\.notes, .longText)
///     .widget(\.diet, .select)
/// ```
///
/// A widget that does not fit its property, such as `.segments` for a number, is a ``SchemaError`` when the application
/// starts.
public enum SheetWidget: String, Sendable, Hashable, CaseIterable {
    /// A text field with one line, for strings.
    case text
    /// A text area with several lines, for strings.
    case longText
    /// A segmented control that shows all choices side by side: for choices, and for a `Bool?`.
    case segments
    /// A menu: for choices, and for references to few records. It lists the first 500 records by their titles.
    case select
    /// A field that searches on the server: for references, also to millions of records.
    case search
}

extension SheetWidget {
    /// Returns the types that the widget is for when it does not fit the property; nil when it fits.
    package func misfit(_ property: PropertySchema) -> String? {
        switch (self, property.type) {
        case (.text, .string), (.longText, .string): property.isSecret ? "texts that are shown" : nil
        case (.text, _), (.longText, _): "texts"
        case (.segments, .choice), (.segments, .integerChoice): nil
        case (.segments, .boolean): property.isOptional ? nil : "choices and Bool?"
        case (.segments, _): "choices and Bool?"
        case (.select, .choice), (.select, .integerChoice), (.select, .toOne): nil
        case (.select, _): "choices and references"
        case (.search, .toOne): nil
        case (.search, _): "references"
        }
    }
}
