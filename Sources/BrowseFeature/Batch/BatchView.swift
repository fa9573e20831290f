package import AviaryDesign

/// A page of a batch.
package protocol BatchView {
    var title: String { get }
    func render(into html: inout HTML, csrf: String)
}
