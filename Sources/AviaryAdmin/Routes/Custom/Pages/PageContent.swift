import AviaryDesign

/// A part of a page of the application's own.
///
/// The elements are ``PageText``, ``PageHeading``, ``PageLink``, ``PageNotice``, ``PageFacts``, ``PageTable``,
/// ``PagePanel``, ``PageActions``, ``PageForm`` and ``PageButton``. They look like the admin's, on a phone and in dark
/// mode as well, and they escape every text. A type of your own combines them to a part that several pages show:
///
/// ```swift
/// struct OpeningHours: PageElement {
///     let hours: String
///
///     var content: PageContent {
///         PageHeading("Opening hours")
///         PageText(hours)
///     }
/// }
/// ```
public protocol PageElement: Sendable {
    /// The elements of which this element consists.
    @PageBuilder var content: PageContent { get }
}

/// A sequence of elements of a page.
///
/// A page's closure builds one. A function that returns a part of a page builds one too:
///
/// ```swift
/// func hint(for user: String?) -> PageContent {
///     PageContent {
///         if let user { PageText("Signed in as \(user).") }
///     }
/// }
/// ```
public struct PageContent: PageElement {
    private let parts: [any PagePart]

    /// Creates content from elements.
    ///
    /// - Parameter elements: A closure that builds the elements.
    public init(@PageBuilder _ elements: () throws -> PageContent) rethrows { self = try elements() }

    init(_ part: any PagePart) { parts = [part] }

    init(joining contents: [PageContent]) { parts = contents.flatMap(\.parts) }

    /// The content itself.
    public var content: PageContent { self }

    func render(into html: inout HTML, in context: inout PageContext) {
        for part in parts { part.render(into: &html, in: &context) }
    }
}

/// A result builder that builds the content of a page from elements, with `if`, `switch` and `for`.
@resultBuilder
public enum PageBuilder {
    /// Builds content from one element.
    public static func buildExpression(_ element: some PageElement) -> PageContent { element.content }
    /// Builds content from other content.
    public static func buildExpression(_ content: PageContent) -> PageContent { content }
    /// Builds content from the elements of a block.
    public static func buildBlock(_ parts: PageContent...) -> PageContent { PageContent(joining: parts) }
    /// Builds content from an `if` without `else`.
    public static func buildOptional(_ part: PageContent?) -> PageContent { part ?? PageContent(joining: []) }
    /// Builds content from the first branch of a condition.
    public static func buildEither(first part: PageContent) -> PageContent { part }
    /// Builds content from the second branch of a condition.
    public static func buildEither(second part: PageContent) -> PageContent { part }
    /// Builds content from a loop.
    public static func buildArray(_ parts: [PageContent]) -> PageContent { PageContent(joining: parts) }
}

/// An element that writes markup itself, with the components of the admin.
protocol PagePart: Sendable {
    func render(into html: inout HTML, in context: inout PageContext)
}

/// The facts about a page that its elements need when they are written.
struct PageContext {
    /// The token that a form sends back.
    let csrf: String
    /// Indicates whether elements stand side by side in ``PageActions``.
    var isInRow = false
    private var forms = 0

    init(csrf: String) { self.csrf = csrf }

    /// Returns the part of the ids of the next form's fields; nil for the first form of the page.
    mutating func nextFormScope() -> String? {
        forms += 1
        return forms == 1 ? nil : String(forms)
    }
}
