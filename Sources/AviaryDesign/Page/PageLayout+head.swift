extension PageLayout {
    func head(into html: inout HTML) {
        html.literal(#"<head><meta charset="utf-8">"#)
        html.literal(#"<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">"#)
        html.literal(#"<meta name="color-scheme" content="light dark">"#)
        if let csrf {
            html.void("meta", .name("csrf-token"), Attribute("content", csrf))
        }
        html.literal("<title>")
        html.text(title)
        html.literal(" – ")
        html.text(application)
        html.literal("</title>")
        html.void("link", Attribute("rel", "icon"), .type("image/svg+xml"), .href(assets.icon))
        html.void("link", Attribute("rel", "stylesheet"), .href(assets.stylesheet))
        // A module is deferred by itself.
        html.element("script", .type("module"), .src(assets.script)) { _ in }
        html.literal("</head>")
    }
}
