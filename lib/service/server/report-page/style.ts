/** The style of a report page: for light and dark screens, and for paper. It loads no font, image or address. */
export const HTML_REPORT_STYLE = `
:root { color-scheme: light dark; --text: #1b2330; --soft: #5b6675; --page: #f3f5f8; --card: #fff; --line: #dde2e9; --code: #f1f3f7;
  --malicious: #b3121d; --suspicious: #9a5200; --benign: #1d6b35; --unknown: #566070; --accent: #23486f; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ee; --soft: #9aa5b4; --page: #12161c; --card: #1b2129; --line: #313a46; --code: #262e39;
  --malicious: #ff7a7f; --suspicious: #f0a95a; --benign: #6fcf8c; --unknown: #a9b3c1; --accent: #8fb8e6; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: .2rem 0 .6rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0 0 .7rem; font-size: 1.12rem; color: var(--accent); }
h3 { margin: 1.3rem 0 .4rem; font-size: .95rem; }
h1, td, p, code, strong, li { overflow-wrap: anywhere; unicode-bidi: isolate; }
section, .verdict { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.3rem; margin-top: 1rem; }
.verdict { margin-top: 0; border-top: 6px solid var(--unknown); }
.verdict.malicious { border-top-color: var(--malicious); } .verdict.suspicious { border-top-color: var(--suspicious); } .verdict.benign { border-top-color: var(--benign); }
.verdict p { margin: .5rem 0 0; } .brand { color: var(--soft); font-size: .82rem; letter-spacing: .04em; text-transform: uppercase; margin: 0 !important; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .32rem .9rem .32rem 0; border-bottom: 1px solid var(--line); }
tbody tr:last-child > * { border-bottom: 0; }
th { color: var(--soft); font-weight: 600; } thead th { font-size: .78rem; text-transform: uppercase; letter-spacing: .03em; }
.finding + .facts, .note + .facts { margin-top: .8rem; } .facts th { width: 11rem; white-space: nowrap; } td:first-child { min-width: 8.5rem; } td.short { min-width: 0; } .short, .badge { white-space: nowrap; overflow-wrap: normal; }
.failed { color: var(--suspicious); font-weight: 600; }
code { font: .86em/1.45 ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; }
.facts code, td code { background: none; } .line code { background: var(--code); border-radius: 5px; padding: .1rem .4rem; }
.badge { display: inline-block; min-width: 6.2em; text-align: center; padding: .05rem .5rem; border-radius: 99px; border: 1.5px solid currentColor; font-size: .78rem; text-transform: uppercase; letter-spacing: .03em; color: var(--unknown); }
.badge.malicious { color: var(--malicious); } .badge.suspicious { color: var(--suspicious); } .badge.benign { color: var(--benign); }
.verdict .score { margin-left: .8rem; } .verdict .badge { font-size: 1rem; padding: .1rem .9rem; }
.score { display: inline-flex; align-items: center; gap: .5rem; color: var(--soft); font-size: .82rem; white-space: nowrap; }
.bar { display: inline-block; width: 5.5rem; height: .45rem; border-radius: 99px; background: var(--line); overflow: hidden; } .bar rect { fill: var(--unknown); }
.malicious .bar rect { fill: var(--malicious); } .suspicious .bar rect { fill: var(--suspicious); } .benign .bar rect { fill: var(--benign); }
.finding { border: 1px solid var(--line); border-left: 4px solid var(--unknown); border-radius: 7px; padding: .6rem .9rem; margin-top: .6rem; }
.finding.malicious { border-left-color: var(--malicious); } .finding.suspicious { border-left-color: var(--suspicious); } .finding.benign { border-left-color: var(--benign); }
.finding header { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: center; } .finding p { margin: .35rem 0 0; } .finding .score { margin-left: auto; }
.line { display: flex; gap: .7rem; } .line span:first-child { color: var(--soft); flex: 0 0 3.2rem; font-size: .85rem; }
.tags { display: flex; flex-wrap: wrap; gap: .3rem; } .tags i { font: .76rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; color: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: 0 .35rem; }
.tags .technique { color: var(--accent); border-color: currentColor; }
.failure { border-left: 4px solid var(--suspicious); background: var(--code); padding: .5rem .8rem; border-radius: 5px; margin: .5rem 0 0; }
.tree { list-style: none; margin: 0; padding-left: 0; } .tree .tree { border-left: 2px solid var(--line); margin: .3rem 0 .2rem .4rem; padding-left: 1rem; } .tree li { margin: .35rem 0; }
.note, .more, small, footer { color: var(--soft); font-size: .86rem; } .note { margin: .5rem 0; } .more { margin: .4rem 0 0; }
.mark { font: 600 .78em/1.3 ui-monospace, "DejaVu Sans Mono", monospace; color: var(--malicious); border: 1px solid currentColor; border-radius: 3px; padding: 0 .2em; margin: 0 .1em; white-space: nowrap; }
.picture { border: 1px solid var(--line); border-radius: 7px; padding: .5rem .8rem .8rem; } .picture img { display: block; max-width: 100%; max-height: 60rem; border: 1px solid var(--line); background: #fff; }
.cut { color: var(--soft); font-style: italic; }
footer { padding: 1rem 1.3rem 0; }
@media screen and (max-width: 44rem) { section { overflow-x: auto; padding: .9rem; } td:first-child { min-width: 0; } .facts th { width: 7rem; white-space: normal; } .short { white-space: normal; } }
@page { size: A4; margin: 14mm 13mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #666; } }
@media print {
  html { font-size: 11.5px; }
  :root { color-scheme: light; --text: #000; --soft: #444; --page: #fff; --card: #fff; --line: #ccc; --code: #f2f2f2; --malicious: #a00d17; --suspicious: #8a4900; --benign: #155a2b; --unknown: #444; --accent: #1b3c60; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  table { font-size: 8.5pt; } th, td { padding: .16rem .7rem .16rem 0; } .facts th { width: 8rem; }
  body { font-size: 9.5pt; background: #fff; } main { max-width: none; padding: 0; }
  section { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: .6rem 0 0; } .verdict { border-radius: 0; padding: .6rem .8rem; }
  h2, h3, thead { break-after: avoid; } .finding, tr, .tree li > code, .failure { break-inside: avoid; } .picture { break-inside: avoid; } .picture img { max-height: 120mm; } footer { padding: .8rem 0 0; }
}
`;
