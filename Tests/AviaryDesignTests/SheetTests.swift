import AviaryDesign
import Testing

@Suite struct SheetTests {
    let markup = Markup(animalSheet())

    @Test("Enter in a field presses Save: it is the first submit button that the main form owns")
    func enter() {
        let owned = markup.all("button").filter { $0["form"] == nil }
        #expect(owned.first?["data-save"] != nil)
        #expect(owned.map { $0["formaction"] } == [nil, "/admin/animals/draft"])
    }

    @Test("Cancel belongs to the form that discards the draft, and carries what identifies it")
    func cancel() {
        #expect(markup.first("button") { $0["data-cancel"] != nil }?["form"] == "discard-form")
        #expect(markup.first("form") { $0["id"] == "discard-form" }?["action"] == "/admin/animals/draft/discard")
        #expect(markup.all("input").filter { $0["name"] == "draft" && $0["value"] == "d1" }.count == 2)
        #expect(markup.all("input").filter { $0["name"] == "csrf" && $0["value"] == "token" }.count == 2)
    }

    @Test("The main form knows where drafts go, and leaves validation to the server")
    func form() {
        let form = markup.first("form")
        #expect(form?["data-draft"] == "/admin/animals/draft")
        #expect(form?["novalidate"] != nil)
        #expect(form?["method"] == "post")
    }

    @Test("What a script may have to say waits in the page, each kind with its drawing, and is heard by nobody before")
    func answers() throws {
        let html = rendered { $0.render(animalSheet()) }
        for (kind, role) in [("information", "status"), ("warning", "alert"), ("failure", "alert")] {
            let start =
                #"<template data-notice="\#(kind)"><div class="notice \#(kind)" role="\#(role)"><svg class="icon""#
            #expect(html.contains(start), "\(kind)")
        }
    }

    @Test("The first field has the focus")
    func focus() {
        #expect(markup.elements.filter { $0["autofocus"] != nil }.map { $0["id"] } == ["field-name"])
    }

    @Test("The first field that is wrong has the focus before all others")
    func focusOnError() {
        let sheet = animalSheet(fields: [
            Field(name: "a", label: "A", control: .text(value: "", maxLength: nil)),
            Field(name: "b", label: "B", control: .toggle(isOn: false), error: "Say yes."),
        ])
        #expect(Markup(sheet).elements.filter { $0["autofocus"] != nil }.map { $0["id"] } == ["field-b"])
    }

    @Test("The summary says which field an error is of; beside the field it is known")
    func labels() {
        let errors = [
            FieldError(field: "price", label: "Price", message: "Write a number."),
            FieldError(field: nil, message: "Say more."),
        ]
        let markup = rendered { $0.render(animalSheet(errors: errors)) }
        #expect(markup.contains(##"<li><a href="#field-price">Price: Write a number.</a></li><li>Say more.</li>"##))
        #expect(markup.contains("Write a number.</p>") && !markup.contains("Price: Write a number.</p>"))
    }

    @Test("The summary of errors leads to each field, and each field tells its error")
    func errors() {
        let markup = Markup(animalSheet(errors: [FieldError(field: "name", message: "The animal needs a name.")]))
        let input = markup.first("input") { $0["id"] == "field-name" }
        #expect(markup.first("a")?["href"] == "#field-name")
        #expect(input?["aria-invalid"] == "true")
        #expect(input?["aria-required"] == "true")
        #expect(input?["aria-describedby"] == "error-name help-name")
        #expect(markup.first("p") { $0["id"] == "error-name" } != nil)
    }
}
