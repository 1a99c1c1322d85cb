/** The style of the desk: the style of the report page, and rules for the desk. It loads no font, image or address. */
import { HTML_REPORT_STYLE } from '../service/server/report-page/style.ts';

export const DESK_STYLE = `${HTML_REPORT_STYLE}
nav { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; margin-bottom: 1rem; }
nav .who { display: flex; gap: .95rem; align-items: baseline; margin-left: auto; color: var(--soft); }
nav:has(form) { gap: .4rem .95rem; align-items: baseline; }
nav form { margin: 0; }
nav button { background: none; border: 0; color: var(--accent); font-weight: 400; padding: 0; min-height: 1.6rem; text-decoration: underline; }
a { color: var(--accent); }
a:focus-visible, button:focus-visible, input:focus-visible, summary:focus-visible, section:focus-visible, select:focus-visible, textarea:focus-visible {
  outline: 3px solid var(--accent); outline-offset: 2px;
}
label { display: block; color: var(--soft); font-size: .82rem; }
label > * { display: block; width: 100%; margin-top: .15rem; }
input, select, button, textarea {
  font: inherit; color: var(--text); background: var(--page);
  border: 1px solid var(--soft); border-radius: 6px; padding: .35rem .6rem;
}
input, select { min-height: 2.35rem; } input[type=checkbox] { min-height: 0; }
button { background: var(--accent); color: var(--card); border-color: var(--accent); font-weight: 600; cursor: pointer; }
button.danger { background: var(--malicious); border-color: var(--malicious); }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: .6rem .9rem; align-items: end; }
.counts { display: flex; flex-wrap: wrap; gap: .4rem; padding: 0; list-style: none; margin: 0; }
.counts a { display: inline-block; border: 1px solid var(--line); border-radius: 99px; padding: .1rem .7rem; text-decoration: none; }
.state { font-weight: 600; white-space: nowrap; overflow-wrap: normal; }
.state.quarantined { color: var(--malicious); }
.state.delivered { color: var(--benign); }
.key .running { color: var(--suspicious); } .key .state::before { content: '■ '; }
.verdict.quarantined { border-top-color: var(--malicious); }
.verdict.delivered { border-top-color: var(--benign); }
.decisions { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; }
.decisions form { border: 1px solid var(--line); border-radius: 7px; padding: .8rem; }
.decisions h3 { margin-top: 0; } .decisions h3::first-letter { text-transform: uppercase; }
.decisions p { margin: 0 0 .5rem; }
.decisions button { margin-top: .6rem; }
td.why { min-width: 9rem; } td.select { min-width: 0; width: 4rem; } .select input { width: 1.2rem; height: 1.2rem; }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; margin: .8rem 0 0; }
td > a + small { white-space: nowrap; }
input[inputmode=numeric] { max-width: 8rem; }
summary { cursor: pointer; color: var(--accent); } td summary { white-space: nowrap; overflow-wrap: normal; }
details form { min-width: 12rem; }
details button { margin-top: .4rem; }
.counts a[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--card); }
.verdict p + .counts { margin-top: .6rem; }
.chart { display: block; width: 100%; height: 9rem; margin: .6rem 0 .2rem; border-bottom: 1px solid var(--soft); }
.chart .delivered { fill: var(--benign); } .chart .quarantined { fill: var(--malicious); }
.chart .running { fill: var(--suspicious); } .chart .deleted { fill: var(--unknown); }
.share { display: block; width: 100%; min-width: 6rem; height: .7rem; } .share rect { fill: var(--accent); }
.pages { display: flex; gap: 1.2rem; margin-top: .8rem; }
textarea { font-family: var(--mono, monospace); font-size: .82rem; min-height: 12rem; }
section { overflow-x: auto; } h2::first-letter { text-transform: uppercase; } form > label + label { margin-top: .6rem; } .filters > label + label { margin-top: 0; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; overflow-wrap: anywhere; }
.sides img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); margin: 0 0 .6rem; background: #fff; }
.sides iframe { width: 100%; height: 60vh; border: 1px solid var(--line); border-radius: 6px; }
.sides p { margin: 0 0 .6rem; } article:has(.sides) { break-inside: avoid; }
main > details { margin: .6rem 0 1rem; } .counts + .counts { margin-top: .6rem; }
ol.stages { list-style: none; padding: 0; margin: 0; }
ol.stages > li { border-left: 4px solid var(--line); padding: .3rem .8rem; margin: 0 0 .4rem; overflow-wrap: anywhere; }
ol.stages > .underway { border-color: var(--accent); } ol.stages > .done { border-color: var(--benign); }
ol.stages > .failed { border-color: var(--malicious); } ol.stages > .pending, ol.stages > .skipped { color: var(--soft); }
ol.stages ul { margin: .2rem 0 0; padding-left: 1.2rem; font-size: .9rem; }
@media screen and (max-width: 44rem) { .narrow thead { display: none; } .narrow tr { display: block; border-bottom: 1px solid var(--line); padding: .4rem 0; } .narrow tr:last-child { border-bottom: 0; } .narrow td { display: block; border: 0; padding: .1rem 0; } }
@media print { body { line-height: 1.25; } body:has(article .sides) { font-size: 8.5pt; } body:has(article .sides) table { font-size: 7.6pt; } body:has(article .sides) section > p { margin: .1rem 0; line-height: 1.1; } body:has(article .sides) p > code { font-size: 7.4pt; padding: 0; } article .sides { grid-template-columns: 1fr 1fr; gap: .5rem; font-size: .62rem; line-height: 1.2; } article .sides p, article h3 { margin: 0 0 .2rem; } article .sides img { max-height: 3.4cm; margin: 0; } section:has(> article) { break-inside: auto; columns: 2; column-gap: 1.2rem; } section:has(> article) h2 { column-span: all; } nav, main > details, .acts, .filters, .selected, .select, .pages, .tree a { display: none; } .state { white-space: normal; } h2 { margin-bottom: .2rem; } section { margin-top: .5rem; padding-top: .4rem; } td, th { padding-top: .1rem; padding-bottom: .1rem; } pre { margin: 0; line-height: 1.3; } .tree { line-height: 1.2; } body:has(article .sides) section { padding-top: .2rem; margin-top: .2rem; } }
`;
