import ComponentGallery
import Testing

@testable import AviaryDesign

@Suite("Charts")
struct ChartTests {
    private func html(_ component: some Component) -> String {
        var html = HTML()
        html.render(component)
        return String(decoding: html.bytes, as: UTF8.self)
    }

    @Test("A chart has the same numbers as its table, and no inline styles")
    func days() {
        let chart = html(
            DayChart(
                title: "Changes", summary: "x", unit: "Changes",
                days: [0, 5, 10_000].map { .init(title: "\($0) Nov", count: $0) }
            ))
        #expect(chart.matches(of: /<rect/).count == 3)
        #expect(chart.contains(#"height="64""#) && chart.contains(#"class="none""#))
        #expect(chart.contains(#"<td class="number">10,000</td>"#))
        #expect(!chart.contains("style="))
    }

    @Test("A day with a single change is visible")
    func small() {
        let chart = html(
            DayChart(
                title: "", summary: "", unit: "",
                days: [.init(title: "a", count: 1), .init(title: "b", count: .max / 100)]))
        #expect(chart.contains(#"height="3""#))
    }

    @Test(
        "Shares are drawn and listed for any counts",
        arguments: [[0, 0], [1, 0], [1, 999], [.max / 4, .max / 4], []])
    func shares(counts: [Int]) {
        let chart = html(
            ShareChart(title: "x", href: "/", shares: counts.map { .init(title: "\($0)", count: $0, hue: 9) }))
        #expect(chart.matches(of: /<rect/).count == counts.count { $0 > 0 })
        #expect(chart.matches(of: /<tr>/).count == counts.count + 1)
        if counts == [1, 999] { #expect(chart.contains("&lt; 1%") && chart.contains("&gt; 99%")) }
    }

    @Test(
        "Each percentage is that of its own share, rounded, whatever the others are",
        arguments: [
            ([4, 4, 7], [27, 27, 47]), ([7, 8], [47, 53]), ([1, 1, 1], [33, 33, 33]), ([2, 1], [67, 33]),
            ([5, 5, 5, 5, 5, 5], [17, 17, 17, 17, 17, 17]), ([1, 1], [50, 50]), ([7], [100]),
            ([29, 171], [15, 86]), ([3, 0], [100, 0]), ([.max / 4, .max / 4], [50, 50]),
            ([0, 0], [0, 0]), ([], []),
        ])
    func percents(counts: [Int], percents: [Int]) {
        #expect(ShareChart.percents(counts) == percents)
        let reported = html(
            ShareChart(title: "x", href: "/", shares: counts.map { .init(title: "", count: $0, hue: 0) })
        )
        .matches(of: /(\d+)%/)
        #expect(reported.compactMap { Int($0.output.1) } == percents)
    }

    @Test("The gallery shows every component without inline styles or scripts")
    func gallery() {
        let gallery = Gallery(address: "/design", csrf: "token")
        let page = html(gallery) + html(gallery.sheet)
        #expect(!page.contains("style=") && !page.contains("<script"))
        for word in ["chart days", "chart shares", "entry", "notice draft", "panel", "empty", "records", "swatches"] {
            #expect(page.contains(word), "\(word)")
        }
    }
}
