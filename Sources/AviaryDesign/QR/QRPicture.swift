/// A drawing of a QR code. Screen readers skip it, because the text of the code is displayed beside it.
package struct QRPicture: Sendable, Component {
    let code: QRCode

    package init(_ code: QRCode) {
        self.code = code
    }

    /// The width of the light border in modules, which readers require.
    private static let quietZone = 4

    package func render(into html: inout HTML) {
        let side = code.size + 2 * Self.quietZone
        html.literal(#"<svg class="qr" viewBox="0 0 "#)
        html.text(side)
        html.literal(" ")
        html.text(side)
        html.literal(#"" shape-rendering="crispEdges" aria-hidden="true"><path d=""#)
        for y in 0..<code.size { row(y, into: &html) }
        html.literal(#""/></svg>"#)
    }

    /// Writes a row. Adjacent dark modules form one rectangle.
    private func row(_ y: Int, into html: inout HTML) {
        var x = 0
        while x < code.size {
            let start = x
            while code.isDark(x, y) { x += 1 }
            if x > start {
                html.literal("M")
                html.text(start + Self.quietZone)
                html.literal(" ")
                html.text(y + Self.quietZone)
                html.literal("h")
                html.text(x - start)
                html.literal("v1H")
                html.text(start + Self.quietZone)
                html.literal("z")
            }
            x += 1
        }
    }
}
