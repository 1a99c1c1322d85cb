/**
 * The elements and attributes that a page can have, as a closed list. The types of JSX follow from it, and the runtime refuses everything
 * else. There are no event handlers, no `style`, no `srcdoc`, and no way to insert markup as text.
 */
import { type AddressValue, addressIn, type TextValue, textIn } from './values.ts';

/** Names of classes. No value of a mail or of the storage becomes one. */
const CLASSES = [
  ...['acts', 'badge', 'bar', 'benign', 'brand', 'buttons', 'chart', 'counts', 'curl', 'cut', 'danger', 'decisions'],
  ...['deleted', 'delivered', 'done', 'facts', 'failed', 'failure', 'filters', 'finding', 'key', 'line', 'malicious'],
  ...[
    'mark',
    'more',
    'narrow',
    'note',
    'pages',
    'pending',
    'picture',
    'quarantined',
    'running',
    'score',
    'select',
    'selected',
  ],
  ...['share', 'short', 'sides', 'skipped', 'stages', 'state', 'suspicious', 'tags', 'technique', 'tree', 'typescript'],
  ...['underway', 'unknown', 'verdict', 'who', 'why'],
] as const;
type Class = (typeof CLASSES)[number];
const KNOWN_CLASSES: ReadonlySet<string> = new Set(CLASSES);

/** The value of an attribute: one of the listed words, or a kind. */
type Kind = 'text' | 'address' | 'number' | 'flag' | 'class' | readonly string[];

type ValueOf<K> = K extends 'text'
  ? TextValue
  : K extends 'address'
    ? AddressValue
    : K extends 'number'
      ? number
      : K extends 'flag'
        ? boolean
        : K extends 'class'
          ? Class | `${Class} ${Class}`
          : K extends readonly (infer Word)[]
            ? Word
            : never;

/** Attributes that every element can have. */
const EVERYWHERE = {
  class: 'class',
  title: 'text',
  role: ['alert', 'status', 'img'],
  lang: ['en', 'de', 'fr', 'es', 'tr'],
  hidden: 'flag',
  'aria-label': 'text',
  'aria-current': ['page'],
  'aria-hidden': ['true'],
} as const satisfies Readonly<Record<string, Kind>>;

const NONE = {} as const;
/** Names of the fields of our forms. */
const FIELDS = [
  ...['attempt', 'csrf', 'days', 'decision', 'file', 'form', 'go', 'kind', 'name', 'place', 'policy', 'record', 'run'],
  ...['value', 'why'],
  ...['who', 'what', 'mail'],
  ...['state', 'reason', 'sender', 'recipient', 'words', 'hash', 'host', 'since', 'until'],
] as const;
const FIELD = { name: FIELDS, required: 'flag', maxlength: 'number' } as const;
const BOX = { x: 'number', y: 'number', width: 'number', height: 'number' } as const;

const ELEMENTS = {
  html: NONE,
  head: NONE,
  meta: {
    charset: ['utf-8'],
    name: ['viewport', 'referrer', 'robots'],
    'http-equiv': ['Content-Security-Policy', 'refresh'],
    content: 'text',
  },
  title: NONE,
  link: { rel: ['stylesheet', 'icon'], href: 'address' },
  script: { src: 'address', type: ['module'] },
  noscript: NONE,
  body: NONE,
  header: NONE,
  main: NONE,
  footer: NONE,
  nav: NONE,
  section: NONE,
  article: { id: 'text' },
  div: NONE,
  h1: NONE,
  h2: NONE,
  h3: NONE,
  h4: NONE,
  p: { 'data-lost': 'text' },
  ul: NONE,
  ol: { 'data-events': 'address' },
  li: { 'data-stage': 'text' },
  pre: NONE,
  details: NONE,
  summary: NONE,
  table: NONE,
  thead: NONE,
  tbody: NONE,
  tr: NONE,
  th: { scope: ['col', 'row'] },
  td: NONE,
  a: { href: 'address', rel: ['noreferrer'] },
  b: NONE,
  i: NONE,
  em: NONE,
  strong: NONE,
  small: NONE,
  span: NONE,
  code: NONE,
  br: NONE,
  img: { src: 'address', alt: 'text' },
  svg: { viewBox: 'text', preserveAspectRatio: ['none'] },
  rect: BOX,
  // An empty sandbox allows nothing.
  iframe: { src: 'address', sandbox: [''] },
  form: { method: ['get', 'post'], action: 'address', enctype: ['multipart/form-data'] },
  label: NONE,
  input: { ...FIELD, type: ['hidden', 'text', 'date', 'file', 'checkbox'], value: 'text', inputmode: ['numeric'] },
  select: FIELD,
  option: { value: 'text', selected: 'flag' },
  textarea: { ...FIELD, rows: 'number', spellcheck: ['false'] },
  button: { name: FIELDS, value: 'text' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Kind>>>>;

type Elements = typeof ELEMENTS;
export type ElementName = keyof Elements;
type Attributes<A> = { readonly [Name in keyof A]?: ValueOf<A[Name]> | undefined };

/** The attributes of an element, as a page gives them. */
export type AttributesOf<Name extends ElementName> = Attributes<typeof EVERYWHERE> & Attributes<Elements[Name]>;

/** These cannot contain elements. */
const HOLDS_TEXT: ReadonlySet<string> = new Set<ElementName>(['title', 'textarea', 'option']);
/** Returns whether an element holds characters only. */
export const holdsText = (name: string): boolean => HOLDS_TEXT.has(name);

const isKnown = (name: unknown): name is ElementName => typeof name === 'string' && Object.hasOwn(ELEMENTS, name);

/**
 * Returns the attributes as they are written. Types do not exist at run time, so everything that the types forbid is checked again. Throws
 * TypeError for an element or an attribute outside the list, and for a value of another kind.
 */
export function writtenAttributes(
  name: string,
  given: Readonly<Record<string, unknown>>,
): Record<string, string | number | boolean> {
  if (!isKnown(name)) throw new TypeError(`A page has no element ${name}.`);
  const own: Readonly<Record<string, Kind>> = ELEMENTS[name];
  const written: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(given)) {
    if (key === 'children' || value === undefined) continue;
    const kind = Object.hasOwn(own, key) ? own[key] : kindOfAny(key);
    const plain = kind === undefined ? null : writtenValue(kind, value);
    if (plain === null) throw new TypeError(`An element ${name} cannot have this attribute: ${key}.`);
    written[key] = plain;
  }
  return written;
}

const kindOfAny = (key: string): Kind | undefined =>
  Object.hasOwn(EVERYWHERE, key) ? EVERYWHERE[key as keyof typeof EVERYWHERE] : undefined;

/** Returns null for a value of another kind. */
function writtenValue(kind: Kind, value: unknown): string | number | boolean | null {
  if (kind === 'text') return textIn(value);
  if (kind === 'address') return addressIn(value);
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : null;
  if (kind === 'flag') return typeof value === 'boolean' ? value : null;
  if (typeof value !== 'string') return null;
  if (kind === 'class') return value.split(' ').every((each) => KNOWN_CLASSES.has(each)) ? value : null;
  return kind.includes(value) ? value : null;
}
