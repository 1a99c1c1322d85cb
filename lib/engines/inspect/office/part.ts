/** Inspects one XML part of an Office package for forbidden content, and counts its words. */
import { type Fact, type Findings, namesOf } from '../fact.ts';
import { isLiveFieldCode, isLiveFormula } from '../live-values.ts';
import type { WordTally } from '../word-tally.ts';
import { xmlPlan } from '../xml/plan.ts';
import { scanXml, type XmlSink } from '../xml/scan.ts';
import { skipPlainCells } from './cell.ts';
import { FORMULA_ATTRIBUTES, nameFault, OFFICE_FACTS, simpleFieldFault } from './facts.ts';
import { isSafeFormula } from './formula.ts';
import { LINKS, LOADING, NAMING, openTargets } from './linked-targets.ts';

/** Elements whose text is shown: runs of text, and the values of cells and charts. */
const WORDS = 't v';
/** Returns the facts that are found in one way. */
export const rowsBy = <K extends Fact['find']['by']>(by: K) =>
  OFFICE_FACTS.flatMap(({ id, find }) =>
    find.by === by ? [{ id, find: find as Extract<Fact['find'], { by: K }> }] : [],
  );
const idsOf = <F extends { readonly names: string }>(rows: readonly { readonly id: string; readonly find: F }[]) =>
  new Map(
    rows.flatMap(({ id, find }) => namesOf(find.names.toLowerCase()).map((name) => [name, { id, find }] as const)),
  );

const namesWith = (isLive: unknown) =>
  rowsBy('text').flatMap(({ find }) => (find.isLive === isLive ? namesOf(find.names.toLowerCase()) : []));

const ELEMENTS = idsOf(rowsBy('element'));
const ATTRIBUTES = idsOf(rowsBy('attribute'));
const TEXTS = idsOf(rowsBy('text'));
const FORMULAS = new Set(['definedname', ...namesWith(isLiveFormula)]);

const SEARCHED = {
  words: WORDS,
  watched: `${[...ELEMENTS.keys()].join(' ')} definedName fldSimple fldChar ${[...FORMULA_ATTRIBUTES.keys()].join(' ')}`,
  texts: `${[...TEXTS.keys()].join(' ')} definedName instrText delInstrText`,
  attributes: [...ATTRIBUTES.keys()].join(' '),
};
const SEARCH = xmlPlan(SEARCHED);
/** The same, for a part with targets of elsewhere. */
const SEARCH_TARGETS = xmlPlan({
  ...SEARCHED,
  watched: `${SEARCHED.watched} ${LINKS} ${LOADING}`,
  attributes: `${SEARCHED.attributes} ${NAMING}`,
});

/** The place of a part, and what it may name. */
export interface PartPlace {
  readonly where: string;
  /** The ids of its relationships to elsewhere. */
  readonly elsewhere: ReadonlySet<string>;
}
const COUNT = xmlPlan({ words: WORDS });

/** Counts the words of one part. */
export function countPart(content: Uint8Array, tally: WordTally): void {
  scanXml(content, COUNT, { tally, passCells: (bytes, from, view) => skipPlainCells(bytes, from, view, tally) });
}

/** Searches one part, and counts its words when there is a tally. */
export function searchPart(
  content: Uint8Array,
  { where, elsewhere }: PartPlace,
  tally: WordTally | null,
  findings: Findings,
): void {
  if (!startsLikeXml(content)) findings.add('office-foreign-part', where);
  const fields = openFields(where, findings);
  const targets = openTargets(elsewhere, where, findings);
  const sink: XmlSink = {
    tally,
    declaration: () => findings.add('xml-declaration', where),
    element: (name, attributes) => {
      const fact = ELEMENTS.get(name);
      if (fact !== undefined) findings.add(fact.id, where);
      const fault = faultOf(name, attributes);
      if (fault !== null) findings.add(fault, where);
      targets.element(name, attributes);
      if (name === 'fldchar') fields.mark(attributes.get('fldchartype') ?? '');
    },
    attribute: (name, value) => {
      const fact = ATTRIBUTES.get(name);
      if (fact?.find.value.test(value)) findings.add(fact.id, where);
      targets.attribute(name, value);
    },
    passCells: (bytes, from, view) => skipPlainCells(bytes, from, view, tally),
    isSafe: (name, bytes, from, to) => FORMULAS.has(name) && isSafeFormula(bytes, from, to),
    text: (name, text) => {
      if (name === 'instrtext' || name === 'delinstrtext') fields.code(text);
      else if (name === 'definedname') {
        if (isLiveFormula(text)) findings.add('excel-formula', `${where}: ${text.slice(0, 60)}`);
      } else {
        const fact = TEXTS.get(name);
        if (fact?.find.isLive(text)) findings.add(fact.id, `${where}: ${text.slice(0, 60)}`);
      }
    },
  };
  scanXml(content, elsewhere.size === 0 ? SEARCH : SEARCH_TARGETS, sink);
  targets.end();
}

function faultOf(name: string, attributes: ReadonlyMap<string, string>): string | null {
  if (name === 'definedname') return nameFault(attributes);
  const formula = attributes.get(FORMULA_ATTRIBUTES.get(name) ?? '');
  if (formula !== undefined && isLiveFormula(formula)) return 'excel-formula';
  return name === 'fldsimple' ? simpleFieldFault(attributes) : null;
}

/**
 * Returns whether the first sign that is no space or mark is a bracket. Parts that are something else under an XML name start otherwise.
 */
function startsLikeXml(content: Uint8Array): boolean {
  const head = Buffer.from(content.subarray(0, 64)).toString('latin1').replaceAll('\0', '');
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*</.test(head);
}

/** Joins the codes of complex fields over runs. A field inside the code of another makes that code unknowable. */
function openFields(where: string, findings: Findings) {
  const open: { text: string; isCode: boolean }[] = [];
  const judge = (field: { readonly text: string }) => {
    if (isLiveFieldCode(field.text)) findings.add('word-field', `${where}: ${field.text.slice(0, 60)}`);
  };
  return {
    mark(kind: string) {
      if (kind === 'begin') open.push({ text: '', isCode: true });
      const field = open.at(-1);
      if (field === undefined || kind === 'begin') return;
      if (field.isCode) judge(field);
      field.isCode = false;
      if (kind === 'end') open.pop();
    },
    code(text: string) {
      // Code in the result of a field belongs to the code around that field.
      const field = open.findLast(({ isCode }) => isCode);
      if (field === undefined) judge({ text });
      else field.text += text;
    },
  };
}
