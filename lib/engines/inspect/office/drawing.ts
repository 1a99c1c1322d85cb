/** Inspects the parts of a Visio drawing: content that runs, loads or leads elsewhere, and the words of its shapes. */
import { type Findings, namesOf } from '../fact.ts';
import { isLiveLink } from '../live-values.ts';
import { tallyText, type WordTally } from '../word-tally.ts';
import { xmlPlan } from '../xml/plan.ts';
import { scanXml } from '../xml/scan.ts';

/** Elements that start something, or hold files or data of other programs. */
const GONE =
  'EventList EventItem SolutionXML SolutionModel DataConnections DataConnection DataRecordSets DataRecordSet CustomMenusFile CustomToolbarsFile AttachedToolbars PublishSettings Icon VBProjectData EmailRoutingData Window Windows';
const GONE_NAMES: ReadonlySet<string> = new Set(GONE.toLowerCase().split(' '));
const SEARCH = xmlPlan({ watched: `${GONE} Cell ForeignData`, texts: 'Text Cell ForeignData' });
/** Functions that run a program, a macro or a command, or open or play a file. */
const RUNS =
  /(?:^|[^\w.])(?:run\w*|callthis|docmd|dooleverb|open\w*|playsound|hyperlink|help|queuemarkerevent|gotopage|show\w*|command\w*|lastsaved\w*)\s*\(/i;
/** Functions that only calculate. A formula that calls any other function is a finding, whether the function is known or not. */
const CALCULATES: ReadonlySet<string> = new Set(
  namesOf(`
    inh guard if and or not abs sign int intup trunc round ceiling floor modulus magnitude pow sqrt exp ln log10 sum min max bound bitand
    bitor bitxor bitnot pi rad deg ang360 sin cos tan asin acos atan atan2 sinh cosh tanh rand loc pnt pntx pnty par loctoloc loctopar
    angletoloc angletopar intersectx intersecty polyline nurbs pathlength pathsegment pointalongpath anglealongpath nearestpointonpath
    segmentcount disttopath bkgpagename rgb hsl red green blue hue sat lum tint shade tone blend lumdiff huediff satdiff msotint msoshade
    themeval themeguard themerestore themeprop theme themecbv strsame strsameex left right mid len find upper lower trim replace
    substitute rept char unichar index lookup format formatex shapetext textwidth textheight fieldpicture field evalcell pagename
    pagenumber pagecount mastername name id type data1 data2 data3 now date time datevalue timevalue datetime day month year hour minute
    second weekday dayofyear cy dependson dl use userui iserr iserror iserrna iserrvalue na setatref setatrefexpr setatrefeval listorder
    listmembercount listsheetref containersheetref containercount containermembercount callouttargetref calloutcount sheetref hascategory
    _walkglue _ufmt _ellipse_theta _ellipse_ecc _xftrigger
  `),
);
/** All elements that a drawing may have. */
const ELEMENTS: ReadonlySet<string> = new Set(
  namesOf(`
    visiodocument documentsettings gluesettings snapsettings snapextensions snapangles snapangle dynamicgridenabled protectstyles
    protectshapes protectmasters protectbkgnds colors colorentry facenames facename stylesheets stylesheet documentsheet headerfooter
    headermargin footermargin headerleft headercenter headerright footerleft footercenter footerright headerfooterfont pages page
    pagesheet pagecontents masters master mastercontents rel shapes shape text cp pp tp fld foreigndata connects connect cell section row
    data1 data2 data3 refby
  `),
);
/** Themes are of DrawingML. */
const THEME = /^visio\/theme\//i;
const TAG = /<([a-z_][\w.-]*(?::[\w.-]+)?)/gi;

/** A cell of another file. */
const ELSEWHERE = /[[\]|\\]|:\/\//;

/** Returns whether a member of a package is a part of a drawing. */
export const isDrawingPart = (name: string): boolean => /^visio\/.*\.xml$/is.test(name);

/** Counts the words of one part. With findings it also searches the part. */
export function readDrawingPart(
  content: Uint8Array,
  where: string,
  tally: WordTally | null,
  findings: Findings | null,
): void {
  if (findings !== null && !THEME.test(where)) searchElements(content, where, findings);
  scanXml(content, SEARCH, {
    tally: null,
    declaration: () => findings?.add('xml-declaration', where),
    element: (name, attributes) => {
      if (findings === null) return;
      if (GONE_NAMES.has(name)) findings.add('drawing-live-element', `${where} <${name}>`);
      if (name === 'cell') searchCell(attributes, where, findings);
      if (name === 'foreigndata' && /object/i.test(attributes.get('foreigntype') ?? ''))
        findings.add('drawing-object', where);
    },
    text: (name, text) => {
      if (name === 'text' && tally !== null) tallyText(tally, text);
      if (name !== 'text' && /\S/.test(text)) findings?.add('drawing-inline-data', `${where} <${name}>`);
    },
  });
}

function searchElements(content: Uint8Array, where: string, findings: Findings): void {
  const isWide = content[0] === 0xff || content[1] === 0;
  const xml = new TextDecoder(isWide ? 'utf-16le' : content[0] === 0xfe ? 'utf-16be' : 'utf-8').decode(content);
  for (const [, name = ''] of xml.matchAll(TAG))
    if (!ELEMENTS.has(name.slice(name.indexOf(':') + 1).toLowerCase()))
      findings.add('drawing-unlisted-element', `${where} <${name}>`);
}

/** Cells with an address, or a part of one. */
const NAMES_PLACE = /^(?:address|subaddress|extrainfo|helptopic)$/;
const RUNS_ON_EVENT = /^(?:event.*|thetext|thedata)$/s;
/** Formulas that only say where the formula is, and those that open the text of a shape or do the usual. */
const NO_FORMULA = /^(?:inh|no formula)?$/i;
const USUAL_EVENT = /^(?:opentextwin|defaultevent)\(\)$/i;

function searchCell(cell: ReadonlyMap<string, string>, where: string, findings: Findings): void {
  const name = cell.get('n') ?? '';
  const kind = name.toLowerCase();
  const value = cell.get('v') ?? '';
  const written = cell.get('f') ?? '';
  if (kind === 'address' && isLiveLink(value)) findings.add('office-unsafe-link', `${where} ${name}`);
  if (kind === 'helptopic' && value !== '') findings.add('drawing-help', where);
  if (NO_FORMULA.test(written)) return;
  if (NAMES_PLACE.test(kind)) {
    if (written !== `"${value}"`) findings.add('drawing-formula', `${where} ${name}`);
  } else if (RUNS_ON_EVENT.test(kind)) {
    if (!USUAL_EVENT.test(written)) findings.add('drawing-event', `${where} ${name}`);
  } else searchFormula(written, `${where} ${name}`, findings);
}

function searchFormula(written: string, where: string, findings: Findings): void {
  const formula = written.replace(/"(?:[^"]|"")*"/g, '""');
  if (RUNS.test(formula) || ELSEWHERE.test(formula)) findings.add('drawing-formula', where);
  for (const [, called = ''] of formula.matchAll(/([\p{L}_][\p{L}\p{N}_.]*)\s*\(/gu))
    if (!CALCULATES.has(called.toLowerCase())) findings.add('drawing-formula', `${where} ${called}`);
  // The name of a page may hold a double quote, which would hide the code behind it.
  for (const [token] of written.matchAll(/"(?:[^"]|"")*"|'[^']*'/g))
    if (token.startsWith("'") && token.includes('"')) findings.add('drawing-formula', where);
}
