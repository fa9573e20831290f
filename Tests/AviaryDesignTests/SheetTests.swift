import Testing

@testable import AviaryDesign

@Suite struct SheetTests {
    let markup = Markup(animalSheet())

    @Test("Save is the first submit button of the main form, so that Enter saves")
    func enter() {
        let owned = markup.all("button").filter { $0["form"] == nil }
        #expect(owned.first?["data-save"] != nil)
        #expect(owned.map { $0["formaction"] } == [nil, "/admin/animals/draft"])
    }

    @Test("Cancel belongs to the discard form, which identifies the draft")
    func cancel() {
        #expect(markup.first("button") { $0["data-cancel"] != nil }?["form"] == "discard-form")
        #expect(markup.first("form") { $0["id"] == "discard-form" }?["action"] == "/admin/animals/draft/discard")
        #expect(markup.all("input").filter { $0["name"] == "draft" && $0["value"] == "d1" }.count == 2)
        #expect(markup.all("input").filter { $0["name"] == "csrf" && $0["value"] == "token" }.count == 2)
    }

    @Test("The main form has the draft address and no browser validation")
    func form() {
        let form = markup.first("form")
        #expect(form?["data-draft"] == "/admin/animals/draft")
        #expect(form?["novalidate"] != nil)
        #expect(form?["method"] == "post")
    }

    @Test("Notice templates for scripts are in the page with their icons and roles")
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

    @Test("The first invalid field has the focus")
    func focusOnError() {
        let sheet = animalSheet(fields: [
            Field(name: "a", label: "A", control: .text(value: "", maxLength: nil)),
            Field(name: "b", label: "B", control: .toggle(isOn: false), error: "Say yes."),
        ])
        #expect(Markup(sheet).elements.filter { $0["autofocus"] != nil }.map { $0["id"] } == ["field-b"])
    }

    @Test("An error of a group as a whole gives its first field the focus")
    func focusOnGroup() {
        let fields = ["wind", "clouds"].map {
            Field(name: "weather.\($0)", label: $0, control: .text(value: "", maxLength: nil))
        }
        func group(_ error: String?) -> SheetPart {
            .group(
                FieldGroup(
                    name: "weather", label: "Weather", fields: fields, help: nil, error: error, isRequired: true))
        }
        #expect(group("Enter the weather.").fieldWithError?.name == "weather.wind")
        #expect(group(nil).fieldWithError == nil)
    }

    @Test("The error summary names the field, but the error at the field does not")
    func labels() {
        let errors = [
            FieldError(field: "price", label: "Price", message: "Write a number."),
            FieldError(field: nil, message: "Say more."),
        ]
        let markup = rendered { $0.render(animalSheet(errors: errors)) }
        #expect(markup.contains(##"<li><a href="#field-price">Price: Write a number.</a></li><li>Say more.</li>"##))
        #expect(markup.contains("Write a number.</p>") && !markup.contains("Price: Write a number.</p>"))
    }

    @Test("The error summary links to each field, and each field is described by its error")
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
