/** What the Content-* headers of one part say, and what is odd about them. RFC 2045, 2183, 2231. */
import { encodingOf, labelProblem } from './charsets.ts';
import { fieldsNamed, type HeaderBlock, rawValue, trimBlanks } from './header-block.ts';
import { parseStructured, type StructuredValue, withoutComments } from './header-params.ts';
import type { TransferEncoding } from './model.ts';
import { readNames } from './part-names.ts';
import { decodeText } from './text.ts';

export interface PartFacts {
  readonly declaredType: string;
  readonly charset: string | null;
  readonly encoding: TransferEncoding;
  readonly names: readonly string[];
  /** A parameter gives a name, so the part is a file and not a text to show. */
  readonly isNamed: boolean;
  /** Content-Base, and Content-Location: where the part says it came from. Untrusted; null when there is none. */
  readonly untrustedBase: string | null;
  readonly untrustedLocation: string | null;
  readonly contentId: string | null;
  /** Lower-case disposition type; null when there is no such header. */
  readonly disposition: string | null;
  /** As the bytes stand in the email; null when there is none that can be used. */
  readonly boundary: Buffer | null;
  /** Plain words; null when there is nothing odd. */
  readonly headerProblem: string | null;
  readonly encodingProblem: string | null;
}

const ENCODINGS = new Set<TransferEncoding>(['7bit', '8bit', 'binary', 'base64', 'quoted-printable']);
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;
const CHARSET = /^[\w.:+-]{1,40}$/;
const ENCODED_WORD = /=\?[^?]+\?[bq]\?[^?]*\?=/i;
/** Much longer than any real Content-* header: a value cut here is odd. */
const VALUE_BYTES = 64 * 1024;
/** RFC 2046 allows 70. Some programs write more; nobody writes this many. */
const BOUNDARY_LENGTH = 1_024;
const CONTENT_ID_LENGTH = 250;
/** Parameters that decide what a part is. Said twice, two programs believe two different things. */
const SINGLE_PARAMS = ['boundary', 'charset', 'name', 'filename'];
/** `filename` beside `filename*` is the customary fallback for old programs: both count. */
const TWICE_PARAMS = new Set(['name', 'filename']);
/** Encodings whose bytes are not ASCII where the text is. */
const NOT_ASCII = /^(?:utf-16|iso-2022)/;

/** Reads the facts of one part. `defaultType` holds when there is no Content-Type. Never throws. */
export function readPartFacts(
  email: Buffer,
  block: HeaderBlock,
  context: { readonly defaultType: string; readonly nameLength: number },
): PartFacts {
  const problems: string[] = [];
  const value = (name: string) => firstValue(email, block, name, problems);
  const rawType = value('content-type');
  const type = parseStructured(rawType ?? '');
  const rawDisposition = value('content-disposition');
  const disposition = parseStructured(rawDisposition ?? '');
  const encoding = readEncoding(email, block);
  for (const structured of [type, disposition]) problems.push(...structuredProblems(structured));
  const isType = MEDIA_TYPE.test(type.value);
  if (rawType !== null && !isType) problems.push('a malformed Content-Type');
  const boundary = readBoundary(type, problems);
  const [untrustedLocation, untrustedBase] = [value('content-location'), value('content-base')];
  const description = value('content-description');
  const { names, isNamed, ...named } = readNames(
    { disposition, type, description, location: untrustedLocation },
    context.nameLength,
  );
  if (named.problem !== null) problems.push(named.problem);
  const declaredType = isType ? type.value : rawType === null ? context.defaultType : 'text/plain';
  const charset = readCharset(type, declaredType);
  return {
    ...{ declaredType, charset: charset.label, encoding: encoding.encoding, names, isNamed },
    ...{ untrustedBase, untrustedLocation },
    contentId: readContentId(value('content-id')),
    disposition: rawDisposition === null ? null : disposition.value,
    boundary,
    headerProblem: problems[0] ?? null,
    encodingProblem: encoding.problem ?? charset.problem,
  };
}

/** The first value of a header; a repetition and an overlong value are problems. Null when there is none. */
function firstValue(email: Buffer, block: HeaderBlock, name: string, problems: string[]): string | null {
  const fields = fieldsNamed(block, name);
  const field = fields[0];
  if (field === undefined) return null;
  if (fields.length > 1) problems.push(`a repeated ${name} header`);
  if (field.end - field.valueStart > VALUE_BYTES) problems.push(`an overlong ${name} header`);
  return rawValue(email, field, VALUE_BYTES);
}

function structuredProblems(structured: StructuredValue): string[] {
  const problems = structured.problem === null ? [] : [structured.problem];
  for (const name of SINGLE_PARAMS) {
    const values = structured.params.get(name) ?? [];
    const plain = values.filter((value) => value.charset === null).length;
    const most = TWICE_PARAMS.has(name) ? 1 : Number(plain === 0);
    if (plain > 1 || values.length - plain > most) problems.push(`a repeated ${name} parameter`);
  }
  return problems;
}

function readBoundary(type: StructuredValue, problems: string[]): Buffer | null {
  const values = type.params.get('boundary') ?? [];
  const first = values[0]?.bytes ?? '';
  if (!type.value.startsWith('multipart/')) return null;
  if (values.length > 1) problems.push('a repeated boundary parameter');
  if (ENCODED_WORD.test(first) || /[^\x20-\x7e]|\\| $/.test(first))
    problems.push('a boundary that programs read in different ways');
  if (first === '' || first.length > BOUNDARY_LENGTH) return null;
  return Buffer.from(first, 'latin1');
}

function readEncoding(
  email: Buffer,
  block: HeaderBlock,
): { readonly encoding: TransferEncoding; readonly problem: string | null } {
  const fields = fieldsNamed(block, 'content-transfer-encoding');
  const field = fields[0];
  if (field === undefined) return { encoding: '7bit', problem: null };
  const raw = rawValue(email, field, VALUE_BYTES).toLowerCase();
  const plain = withoutComments(raw);
  const isKnown = (ENCODINGS as ReadonlySet<string>).has(plain);
  let problem: string | null = null;
  if (!isKnown) problem = 'an unknown Content-Transfer-Encoding';
  else if (plain !== raw) problem = 'a comment in the Content-Transfer-Encoding';
  if (fields.length > 1) problem = 'a repeated Content-Transfer-Encoding';
  return { encoding: isKnown ? (plain as TransferEncoding) : 'unknown', problem };
}

interface Charset {
  readonly label: string | null;
  readonly problem: string | null;
}

/** The charset of a text. What it says of a file of another kind, no program asks. */
function readCharset(type: StructuredValue, declaredType: string): Charset {
  const raw = trimBlanks(type.params.get('charset')?.[0]?.bytes ?? '').toLowerCase();
  if (raw === '' || !declaredType.startsWith('text/')) return { label: null, problem: null };
  // Whether the quotes count or not: the text of ASCII stays the same.
  const inner = /^'(.*)'$/.exec(raw)?.[1] ?? raw;
  const label = inner !== raw && NOT_ASCII.test(encodingOf(inner) ?? 'utf-16') ? raw : inner;
  return { label: CHARSET.test(label) ? label : null, problem: labelProblem(label) };
}

function readContentId(raw: string | null): string | null {
  const id = raw === null ? '' : raw.replace(/^<|>$/g, '').slice(0, CONTENT_ID_LENGTH);
  return id === '' ? null : decodeText(Buffer.from(id, 'latin1'), null);
}
