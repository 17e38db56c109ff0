/** The page is one column; its charts fill as many as there is room for. */
export const style = `
:root { color-scheme: light; --ink: #1f2430; --faint: #6b7280; --line: #e5e7eb; --paper: #fff; --wash: #f7f8fa }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif }
main { max-width: 1180px; margin: 0 auto; padding: 40px 28px 80px }
h1 { font-size: 26px; font-weight: 650; letter-spacing: -.01em; margin: 0 0 4px }
h2 { font-size: 17px; font-weight: 650; margin: 48px 0 12px; padding-top: 14px; border-top: 1px solid var(--line) }
h3 { font-size: 14px; font-weight: 600; margin: 0 }
small, .faint, .absent { color: var(--faint); font-weight: 400; font-size: 13px }
p { margin: 6px 0; max-width: 78ch }
code, pre { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 }
.notice { background: #fff7ed; border-left: 3px solid #e8871a; padding: 8px 14px; margin: 14px 0; max-width: none }
.headline { display: flex; flex-wrap: wrap; gap: 14px 44px; margin: 24px 0 0 }
.headline div { min-width: 110px }
.headline b { display: block; font-size: 24px; font-weight: 650; letter-spacing: -.01em; font-variant-numeric: tabular-nums }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(330px, 1fr)); gap: 26px 30px }
figure { margin: 0 }
figure svg { width: 100%; height: auto; display: block; margin-top: 4px; color: #4b5563 }
figure p { font-size: 12.5px; line-height: 1.4; color: var(--faint); margin: 2px 0 0 }
figcaption { display: flex; justify-content: space-between; align-items: baseline; gap: 12px; flex-wrap: wrap }
.legend { display: flex; gap: 2px 12px; flex-wrap: wrap; font-size: 12.5px; color: var(--faint) }
.legend b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums }
i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 6px }
.legend i { width: 10px; height: 3px; vertical-align: 3px }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 8px 0 }
th, td { text-align: left; padding: 3px 22px 3px 0; font-weight: 400; border-bottom: 1px solid var(--line); white-space: nowrap }
thead th { color: var(--faint); font-size: 13px } tbody th { font-weight: 600 } tbody th.faint { font-weight: 400 }
.settings { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: 2px 30px; margin: 0 }
.settings div { display: flex; gap: 10px; padding: 2px 0; border-bottom: 1px solid var(--line); font-size: 13.5px }
.settings dt { color: var(--faint); flex: 0 0 42% } .settings dd { margin: 0; overflow-wrap: anywhere }
.shares { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 2px 26px; margin: 8px 0 }
.bar svg { width: 100%; max-width: 860px; height: auto; display: block }
h4 { font-size: 13px; font-weight: 600; margin: 14px 0 4px }
.warnings { list-style: none; padding: 0; margin: 0 } .warnings li { margin: 0 0 12px; border-left: 3px solid #e8871a; padding-left: 14px }
details { margin: 6px 0 } summary { cursor: pointer; font-weight: 600; padding: 4px 0 }
article { margin: 8px 0 22px; padding: 12px 16px; background: var(--wash); border-radius: 8px }
article header { margin-bottom: 6px } article header small { margin-left: 10px }
.turn { display: grid; grid-template-columns: 22px 1fr 1fr; gap: 4px 20px; padding: 8px 0; border-top: 1px solid var(--line) }
.turn > b { color: var(--faint); font-weight: 400 } .turn p { margin: 0; max-width: none; overflow-wrap: anywhere; font-size: 14px }
.read { color: var(--faint) }
.tag { border-bottom: 1px solid #c7cbd3 } .tag-info { border-color: #9fd3aa; color: #2c6b38 } .tag-mem { border-color: #9467bd; color: #6b4a94 }
.tag-q { border-color: transparent; color: var(--ink) }
mark { color: inherit; padding: 1px 2px; border-radius: 3px }
.kind em { font-style: normal; font-size: 11px; letter-spacing: .04em; color: var(--faint); margin-right: 5px; text-transform: uppercase }
.kind { margin-right: 8px }
.scale { max-width: none }
@media (max-width: 760px) { .turn { grid-template-columns: 22px 1fr } .turn .written { grid-column: 2 } main { padding: 24px 16px } }
@media print { details > * { display: block } main { max-width: none } figure, article { break-inside: avoid } }
`
