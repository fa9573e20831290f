/// A piece of a page that knows its own markup.
package protocol Component {
    func render(into html: inout HTML)
}
