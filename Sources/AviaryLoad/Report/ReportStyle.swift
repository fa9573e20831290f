/// The style sheet of the report, embedded in the page so that the report is one file.
enum ReportStyle {
    static let css = """
        :root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--text:#1c1d1f;--soft:#62666d;--rule:#e4e5e7;--good:#1a7f4b;--bad:#c02b2b;\
        --c0:#2f6fde;--c1:#0f8f83;--c2:#b8720a;--c3:#b3366b}
        @media (prefers-color-scheme:dark){:root{--bg:#131416;--card:#1b1d20;--text:#eceded;--soft:#9da2aa;--rule:#303338;--good:#4cc38a;--bad:#ff7a70;\
        --c0:#7aa7ff;--c1:#3fcfc0;--c2:#f0b050;--c3:#f583b5}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
        main{max-width:960px;margin:0 auto;padding:40px 20px 64px}
        h1{font-size:26px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
        h2{font-size:17px;margin:0 0 4px}
        p{margin:0 0 12px}.soft{color:var(--soft)}
        section{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:18px 20px;margin:16px 0}
        .wide{overflow-x:auto;margin:0 -4px;padding:4px;border-radius:6px}.wide:focus-visible{outline:2px solid var(--c0)}
        .wide+.key,.wide+.wide,.wide+dl.figures{margin-top:18px}
        .verdict{border-left:4px solid var(--good)}.verdict.bad{border-left-color:var(--bad)}.verdict.note{border-left-color:var(--c2)}
        .verdict p{margin:0}.verdict strong{color:var(--good)}.verdict.bad strong{color:var(--bad)}
        ul{margin:10px 0 0;padding-left:20px}li{margin:2px 0;overflow-wrap:anywhere}
        dl.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:14px 20px;margin:0}
        dl.figures div{min-width:0}dt{color:var(--soft);font-size:13px}dd{margin:0;font-size:20px;font-weight:600}
        dd.small{font-size:15px}
        dd small{font-size:13px;font-weight:400;color:var(--soft)}
        svg{display:block;width:100%;min-width:560px;height:auto}
        svg text{fill:var(--soft);font:12px system-ui,sans-serif}svg text.halo{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}svg text.action{fill:var(--text);font-weight:600}
        .grid{stroke:var(--rule);fill:none}.base{stroke:var(--soft);fill:none}
        .kill{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:3 3;fill:none}
        .range{stroke:var(--rule);stroke-width:4;stroke-linecap:round;fill:none}
        .line{fill:none;stroke-width:2;stroke-linejoin:round}
        .line-0{stroke:var(--c0)}.line-1{stroke:var(--c1)}.line-2{stroke:var(--c2)}.line-3{stroke:var(--c3)}.line-4{stroke:var(--soft);stroke-dasharray:4 4;stroke-width:1.5}
        .dot-0{fill:var(--c0)}.dot-1{fill:var(--c1)}.dot-2{fill:var(--c2)}.dot-3{fill:var(--c3)}
        .key{display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 8px;font-size:13px;color:var(--soft)}
        .key span::before{content:"";display:inline-block;width:14px;height:3px;border-radius:2px;margin-right:6px;vertical-align:middle;background:var(--key)}
        table{border-collapse:collapse;width:100%;min-width:560px}table.narrow{min-width:0}
        th,td{text-align:right;padding:5px 0 5px 16px;border-top:1px solid var(--rule);white-space:nowrap}
        thead th{border-top:0;color:var(--soft);font-weight:400;font-size:13px}
        th:first-child{text-align:left;padding-left:0}tbody th{font-weight:600}tbody tr.request th{font-weight:400;padding-left:14px}
        td.text{text-align:left;white-space:normal;min-width:180px}tbody tr.total th{font-weight:700}
        code{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
        @media (max-width:600px){main{padding:24px 12px 40px}section{padding:14px}}
        """
}
