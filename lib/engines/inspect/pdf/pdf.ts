/** Inspects PDFs: every object is tokenised and searched. No bytes may be between objects, and no object may occur twice or be unused. */
import { type Findings, namesOf } from '../fact.ts';
import { isLiveLink } from '../live-values.ts';
import { ACTIONS, FILTERS, NAME_MAPS, PDF_FACTS } from './facts.ts';
import type { PdfFile, PdfObjectText } from './objects.ts';

const KEYS = new Map(
  PDF_FACTS.flatMap(({ id, find }) =>
    find.by === 'name' ? namesOf(find.names).map((name) => [name, id] as const) : [],
  ),
);
const PAIRS = new Map(
  PDF_FACTS.flatMap(({ id, find }) =>
    find.by === 'pair' ? namesOf(find.values).map((value) => [`${find.key} ${value}`, id] as const) : [],
  ),
);

const TOKEN = /<<|>>|\[|\]|\((?:[^\\()]|\\[\s\S])*\)|<[0-9A-Fa-f\s]*>|\/[^\s()<>[\]{}/%]*|[^\s()<>[\]{}/%]+/g;

interface Search {
  readonly findings: Findings;
  readonly referenced: Set<number>;
  /** Objects that are dictionaries of free names, and the findings of objects that could be such dictionaries. */
  readonly freeObjects: Set<number>;
  readonly suspected: { readonly id: string; readonly number: number }[];
  readonly opened: Set<number>;
  /** The kind of action of an object. */
  readonly actions: Map<number, string>;
}

/** Searches an output and adds what it finds to `findings`. */
export function searchPdf(file: PdfFile, bytes: Uint8Array, findings: Findings): void {
  const search: Search = {
    findings,
    referenced: new Set(),
    freeObjects: new Set(),
    suspected: [],
    opened: new Set(),
    actions: new Map(),
  };
  checkStructure(file, bytes, search);
  for (const object of file.objects) {
    searchObject(object, search);
    // Plain bytes can be a file of another format, and a program that looks for that format would find it.
    if (object.stream !== null && !/\/Filter\b/.test(object.head))
      findings.add('pdf-plain-stream', `object ${object.number}`);
  }
  const trailer = file.gaps.at(-1) ?? '';
  searchObject({ number: 0, head: /trailer([\s\S]*?)startxref/.exec(trailer)?.[1] ?? '', stream: null }, search);
  for (const { id, number } of search.suspected) {
    if (!search.freeObjects.has(number)) findings.add(id, `object ${number}`);
  }
  for (const number of search.opened) {
    if ((search.actions.get(number) ?? 'GoTo') !== 'GoTo') findings.add('pdf-open-action', `object ${number}`);
  }
  for (const { number } of file.objects) {
    if (!search.referenced.has(number)) findings.add('pdf-unused-object', `object ${number}`);
  }
}

/** Checks for one revision, nothing between the objects, and nothing before the header or behind the end mark. */
function checkStructure({ objects, gaps }: PdfFile, bytes: Uint8Array, { findings }: Search): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.toString('latin1', 0, 5) !== '%PDF-') findings.add('pdf-data-before', 'file');
  if (!/%%EOF\s{0,2}$/.test(view.toString('latin1', Math.max(0, view.length - 8))))
    findings.add('pdf-data-behind', 'file');
  if (!/^%PDF-\d\.\d\s+(?:%[^\r\n]{0,40}\s+)?$/.test(gaps[0] ?? '')) findings.add('pdf-hidden-data', 'header');
  if (gaps.slice(1, -1).some((gap) => /\S/.test(gap))) findings.add('pdf-hidden-data', 'between objects');
  const last = gaps.at(-1) ?? '';
  if (!/^\s*xref[\d\sfn]*trailer[^%]*startxref\s+\d+\s+%%EOF\s*$/.test(last))
    findings.add('pdf-hidden-data', 'trailer');
  const seen = new Set<number>();
  for (const { number } of objects) {
    if (seen.has(number)) findings.add('pdf-superseded-object', `object ${number}`);
    seen.add(number);
  }
}

interface Level {
  /** Key of this dictionary or array. */
  readonly under: string;
  readonly isDict: boolean;
  key: string;
  /** Whether the key has its value, so that the next name is a key again. */
  isValued: boolean;
  /** The value of /S in the dictionary. */
  action: string;
  hasNext: boolean;
}

const level = (under: string, isDict: boolean): Level => ({
  under,
  isDict,
  key: '',
  isValued: true,
  action: '',
  hasNext: false,
});

interface Place {
  readonly search: Search;
  readonly object: PdfObjectText;
  readonly stack: Level[];
}

function searchObject(object: PdfObjectText, search: Search): void {
  const place: Place = { search, object, stack: [level('', false)] };
  let before = '';
  let twoBefore = '';
  for (const [token] of object.head.matchAll(TOKEN)) {
    const top = place.stack.at(-1) as Level;
    if (token === '<<' || token === '[') open(place, top, token === '<<');
    else if (token === '>>' || token === ']') close(place);
    else if (token.startsWith('/')) takeName(place, top, nameOf(token));
    else {
      if (token === 'R') takeReference(place, top, Number(twoBefore));
      if (token.startsWith('(') || token.startsWith('<')) takeString(place, top, token);
      top.isValued = true;
    }
    twoBefore = before;
    before = token;
  }
}

function nameOf(token: string): string {
  return token.slice(1).replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function open({ search, object, stack }: Place, top: Level, isDict: boolean): void {
  const under = top.isDict ? top.key : top.under;
  const isRoot = stack.length === 1;
  if (isDict && top.isDict && top.key === 'URI') search.findings.add('pdf-base-address', `object ${object.number}`);
  top.isValued = true;
  stack.push(level(isRoot ? '' : under, isDict));
}

function close({ search, object, stack }: Place): void {
  const ended = stack.length > 1 ? stack.pop() : undefined;
  if (!ended?.isDict || ended.action === '') return;
  if (ended.hasNext && ACTIONS.test(ended.action)) search.findings.add('pdf-action-chain', `object ${object.number}`);
  if (ended.under === 'OpenAction' && ended.action !== 'GoTo') {
    search.findings.add('pdf-open-action', `object ${object.number}`);
  }
  if (stack.length === 1) search.actions.set(object.number, ended.action);
}

function takeReference({ search }: Place, top: Level, number: number): void {
  search.referenced.add(number);
  const under = top.isDict ? top.key : top.under;
  if (NAME_MAPS.test(under)) search.freeObjects.add(number);
  if (under === 'OpenAction') search.opened.add(number);
}

function takeName(place: Place, top: Level, name: string): void {
  if (top.isDict && top.isValued) {
    takeKey(place, top, name);
    return;
  }
  top.isValued = true;
  const key = top.isDict ? top.key : top.under;
  if (top.isDict && key === 'S') top.action = name;
  if (key === 'Filter' && !FILTERS.test(name)) suspect(place, 'pdf-unknown-filter');
  const id = top.isDict ? PAIRS.get(`${key} ${name}`) : undefined;
  if (id !== undefined) suspect(place, id);
}

function takeKey(place: Place, top: Level, name: string): void {
  top.key = name;
  top.isValued = false;
  if (name === 'Next') top.hasNext = true;
  // A key of a free dictionary is a name that the author chose.
  if (NAME_MAPS.test(top.under)) return;
  const id = KEYS.get(name);
  if (id !== undefined) suspect(place, id);
  if (name === 'F' && place.object.stream !== null && place.stack.length === 2) suspect(place, 'pdf-external-stream');
}

/** Decides later about the top of an object: it may be a dictionary of free names, and the objects that point to it are not known yet. */
function suspect({ search, object, stack }: Place, id: string): void {
  if (stack.length === 2 && object.stream === null) search.suspected.push({ id, number: object.number });
  else search.findings.add(id, `object ${object.number}`);
}

function takeString({ search, object }: Place, top: Level, token: string): void {
  if (!top.isDict || top.key !== 'URI') return;
  const text = token.startsWith('<')
    ? Buffer.from(token.replace(/[<>\s]/g, ''), 'hex').toString('latin1')
    : token.slice(1, -1).replace(/\\([\s\S])/g, '$1');
  if (isLiveLink(text)) search.findings.add('pdf-unsafe-link', `object ${object.number}`);
}
