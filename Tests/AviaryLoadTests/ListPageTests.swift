import Testing

@testable import AviaryLoad

@Suite struct ListPageTests {
    @Test func readsRowsLinksAndTotal() {
        let page = ListPage(
            Array(
                #"""
                <nav><span class="count" data-count="9">9</span></nav><h1>Animals</h1><span data-count="1204">1,204</span>
                <table><thead><tr><th scope="col"><a href="/admin/animals?sort=-name">Name</a></th></tr></thead><tbody>
                <tr><td><input type="checkbox" name="id" value="1"></td><th scope="row"><a href="/admin/animals/1?a=b&amp;c=d"><bdi>Okapi &amp; co</bdi></a></th>
                <td><a href="/admin/animal-categories/3">Mammal</a></td></tr></tbody></table>
                <nav><span data-summary>1 of 1,204</span><a href="/admin/animals?after=x&amp;size=1" rel="next">Next</a></nav>
                """#.utf8))
        #expect(page.rows == [ListRow(id: "1", title: "Okapi & co", href: "/admin/animals/1?a=b&c=d")])
        #expect(page.next == "/admin/animals?after=x&size=1")
        #expect(page.sorts == ["/admin/animals?sort=-name"])
        #expect(page.total == 1204)
    }
}
