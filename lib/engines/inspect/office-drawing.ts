/** Inspection of the parts of a Visio drawing: what runs, loads or leads elsewhere, and the words of its shapes. */
import type { Findings } from './fact.ts';
import { isLiveLink } from './live-values.ts';
import { tallyText, type WordTally } from './word-tally.ts';
import { xmlPlan } from './xml-plan.ts';
import { scanXml } from './xml-scan.ts';

/** Elements that start something, or hold files or data of other programs. */
const GONE =
  'EventList EventItem SolutionXML SolutionModel DataConnections DataConnection DataRecordSets DataRecordSet CustomMenusFile CustomToolbarsFile AttachedToolbars PublishSettings Icon VBProjectData EmailRoutingData Window Windows';
const GONE_NAMES: ReadonlySet<string> = new Set(GONE.toLowerCase().split(' '));
const SEARCH = xmlPlan({ watched: `${GONE} Cell ForeignData`, texts: 'Text' });
/** Functions that run a program, a macro or a command, or open or play a file. */
const RUNS =
  /(?:^|[^\w.])(?:run\w*|callthis|docmd|dooleverb|open\w*|playsound|hyperlink|help|queuemarkerevent|gotopage|show\w*|command\w*|lastsaved\w*)\s*\(/i;
/** A cell of another file. */
const ELSEWHERE = /[[\]|\\]|:\/\//;

/** Whether a member of a package is a part of a drawing. */
export const isDrawingPart = (name: string): boolean => /^visio\/.*\.xml$/is.test(name);

/** Counts the words of one part; with findings it also searches the part. */
export function readDrawingPart(
  content: Uint8Array,
  where: string,
  tally: WordTally | null,
  findings: Findings | null,
): void {
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
    text: (_, text) => {
      if (tally !== null) tallyText(tally, text);
    },
  });
}

function searchCell(cell: ReadonlyMap<string, string>, where: string, findings: Findings): void {
  const name = cell.get('n') ?? '';
  const formula = (cell.get('f') ?? '').replace(/"(?:[^"]|"")*"/g, '""');
  if (RUNS.test(formula) || ELSEWHERE.test(formula)) findings.add('drawing-formula', `${where} ${name}`);
  if (/^Event/i.test(name) && formula !== '') findings.add('drawing-event', `${where} ${name}`);
  if (name === 'Address' && isLiveLink(cell.get('v') ?? '')) findings.add('office-unsafe-link', `${where} ${name}`);
  if (name === 'HelpTopic' && (cell.get('v') ?? '') !== '') findings.add('drawing-help', where);
}
