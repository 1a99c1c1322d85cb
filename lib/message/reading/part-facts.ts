/** Reads the facts in the Content-* headers of one part, and their oddities. RFC 2045, 2183, 2231. */

import { decodeText } from '../../formats/charsets/decode-text.ts';
import { isDosCharset } from '../../formats/charsets/dos-charsets.ts';
import { encodingOf, labelProblem } from '../../formats/charsets/labels.ts';
import { isUtf7 } from '../../formats/charsets/utf7.ts';
import { fieldsNamed, type HeaderBlock, rawValue } from '../../formats/mail/header-block.ts';
import { trimBlanks } from '../../formats/mail/trim-blanks.ts';
import { remembered } from '../../formats/remembered.ts';
import { areSameValues, hasTwoValues, parseStructured, type StructuredValue } from '../headers/params.ts';
import type { Problem } from '../headers/warnings.ts';
import type { TransferEncoding } from '../model.ts';
import { boundaryCandidates, boundaryProblem } from './boundaries.ts';
import { readNames } from './part-names.ts';
import { readTransferLabel } from './transfer-labels.ts';

export interface PartFacts {
  readonly declaredType: string;
  /** The types in further Content-Type headers, which some programs take instead. */
  readonly otherTypes: readonly string[];
  readonly charset: string | null;
  readonly encoding: TransferEncoding;
  /** The encodings in further Content-Transfer-Encoding headers, which some programs take instead. */
  readonly otherEncodings: readonly TransferEncoding[];
  readonly names: readonly string[];
  /** True when a parameter gives a name. The part is then a file and not a text to show. */
  readonly isNamed: boolean;
  /** Content-Base: the address from which the relative links of the part start. Null when there is none. */
  readonly untrustedBase: string | null;
  /** Content-Location: the address from which the part came. Null when there is none. */
  readonly untrustedLocation: string | null;
  readonly contentId: string | null;
  /** The disposition type in lower case. Null when there is no such header. */
  readonly disposition: string | null;
  /** Possible boundaries as the bytes of the email, the likeliest first. */
  readonly boundaries: readonly Buffer[];
  readonly problems: readonly Problem[];
}

/** The facts of bytes that no header describes. */
export const NO_FACTS: PartFacts = {
  declaredType: 'application/octet-stream',
  otherTypes: [],
  charset: null,
  encoding: 'binary',
  otherEncodings: [],
  names: [],
  isNamed: false,
  untrustedBase: null,
  untrustedLocation: null,
  contentId: null,
  disposition: 'attachment',
  boundaries: [],
  problems: [],
};

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;
const CHARSET = /^[\w.:+-]{1,40}$/;
/** Bytes of a value that are read. No ordinary Content-* header is nearly as long, so a longer one is reported. */
const VALUE_BYTES = 64 * 1024;
const CONTENT_ID_LENGTH = 250;
/** Parameters that decide the role of a part. If one has two values, programs take different ones. */
const SINGLE_PARAMS = ['charset', 'name', 'filename'];
/** `filename` may stand beside `filename*`, as the customary fallback for old programs. Both count. */
const TWICE_PARAMS = new Set(['name', 'filename']);
/** Encodings in which ASCII text consists of other bytes. */
const NOT_ASCII = /^(?:utf-16|iso-2022)/;
/** Repeated headers of one part that are read. */
const REPETITIONS = 20;

/** The header of a part. `defaultType` counts when there is no Content-Type. */
interface PartHeader {
  readonly email: Buffer;
  readonly block: HeaderBlock;
  readonly defaultType: string;
}

/** A rebuilt message has the headers of its original, and many mails have parts with the same header. */
const REMEMBERED = 200;
/** Longer headers are read each time, because an attacker may make megabytes of them. */
const REMEMBERED_BYTES = 1_024;

/** Reads the facts of one part. Never throws. */
export const readPartFacts: (header: PartHeader) => PartFacts = remembered(
  { most: REMEMBERED, keyOf: keyOfHeader },
  readFacts,
);

/** Returns the fields that are read here. No other field of a header says anything about the part. */
function keyOfHeader({ email, block, defaultType }: PartHeader): string | null {
  const said = [defaultType];
  let left = REMEMBERED_BYTES;
  for (const { name, start, valueStart, end } of block.fields) {
    if (!name.startsWith('content-')) continue;
    left -= end - start;
    if (left < 0) return null;
    said.push(name, email.toString('latin1', valueStart, end));
  }
  return JSON.stringify(said);
}

function readFacts({ email, block, defaultType }: PartHeader): PartFacts {
  const problems: Problem[] = [];
  const odd = (detail: string) => problems.push({ code: 'odd_header', detail });
  const values = (name: string) => headerValues(email, block, name, problems);
  const first = (name: string) => values(name)[0] ?? null;
  const rawTypes = values('content-type');
  const types = rawTypes.map(parseStructured);
  const dispositions = values('content-disposition').map(parseStructured);
  const label = readTransferLabel(email, block);
  if (label.problem !== null) problems.push({ code: 'odd_encoding', detail: label.problem });
  if (label.isRepeated) problems.push({ code: 'duplicate_encoding', detail: 'a repeated Content-Transfer-Encoding' });
  for (const structured of [...types, ...dispositions])
    for (const detail of structuredProblems(structured)) odd(detail);
  const declared = types.map((type) => mediaType(type.value));
  if (declared.includes(null)) odd('a malformed Content-Type');
  const known = declared.map((type) => type ?? 'text/plain');
  const isMultipart = known.some((type) => type.startsWith('multipart/'));
  const doubt = isMultipart ? boundaryProblem(types) : null;
  if (doubt !== null) problems.push({ code: 'ambiguous_boundary', detail: doubt });
  const [untrustedLocation, untrustedBase] = [first('content-location'), first('content-base')];
  const said = { dispositions, types, description: first('content-description'), location: untrustedLocation };
  const { names, isNamed, ...named } = readNames(said);
  if (named.problem !== null) odd(named.problem);
  const charset = readCharset(types, known);
  if (charset.problem !== null) problems.push({ code: 'odd_encoding', detail: charset.problem });
  return {
    declaredType: known[0] ?? defaultType,
    otherTypes: [...new Set(known.slice(1))].filter((type) => type !== known[0]),
    charset: charset.label,
    encoding: label.encoding,
    otherEncodings: label.others,
    names,
    isNamed,
    untrustedBase,
    untrustedLocation,
    contentId: readContentId(first('content-id')),
    disposition: dispositions[0]?.value ?? null,
    boundaries: isMultipart ? boundaryCandidates(types, rawTypes) : [],
    problems,
  };
}

/**
 * Returns the media type, or null when the value is none. Every program that shows parts reads `multipart` without a subtype as
 * multipart/mixed.
 */
function mediaType(value: string): string | null {
  const type = value.split('\0', 1)[0] ?? '';
  if (MEDIA_TYPE.test(type)) return type;
  return /^multipart\b/.test(type) ? 'multipart/mixed' : null;
}

/** Fields with parameters. */
const STRUCTURED = new Set(['content-type', 'content-disposition']);

/** Returns the values of a header. A repetition with another value and an overlong value are added to `problems`. */
function headerValues(email: Buffer, block: HeaderBlock, name: string, problems: Problem[]): string[] {
  const fields = fieldsNamed(block, name);
  const values = fields.slice(0, REPETITIONS).map((field) => rawValue(email, field, VALUE_BYTES));
  const isSame = STRUCTURED.has(name) ? areSameValues(values) : new Set(values).size <= 1;
  if (fields.length > REPETITIONS || !isSame)
    problems.push({
      code: name === 'content-type' ? 'duplicate_content_type' : 'odd_header',
      detail: `a repeated ${name} header`,
    });
  if (fields.some((field) => field.end - field.valueStart > VALUE_BYTES))
    problems.push({ code: 'odd_header', detail: `an overlong ${name} header` });
  return values;
}

function structuredProblems(structured: StructuredValue): string[] {
  const problems = structured.problem === null ? [] : [structured.problem];
  for (const name of SINGLE_PARAMS) {
    const values = structured.params.get(name) ?? [];
    const plain = values.filter((value) => value.charset === null);
    const extended = values.length - plain.length;
    const most = TWICE_PARAMS.has(name) ? 1 : Number(plain.length === 0);
    if (hasTwoValues(name, plain) || extended > most) problems.push(`a repeated ${name} parameter`);
  }
  return problems;
}

interface Charset {
  readonly label: string | null;
  readonly problem: string | null;
}

/**
 * Returns the charset of the first Content-Type, and the first problem of any. It counts only for texts: no program asks the charset of
 * other files.
 */
function readCharset(types: readonly StructuredValue[], declared: readonly string[]): Charset {
  const all = types.map((type, at) => charsetOf(type, declared[at] ?? ''));
  return {
    label: all[0]?.label ?? null,
    problem:
      all.find(({ problem, label }, at) => problem !== null && !(at === 0 && isJudgedByText(label)))?.problem ?? null,
  };
}

/** Returns true for charsets of which `textProblem` decides, because it knows the text. */
const isJudgedByText = (label: string | null) => isUtf7(label) || isDosCharset(label);

function charsetOf(type: StructuredValue, declaredType: string): Charset {
  const raw = trimBlanks(type.params.get('charset')?.[0]?.bytes ?? '').toLowerCase();
  if (raw === '' || !declaredType.startsWith('text/')) return { label: null, problem: null };
  // Some programs drop single quotes and some do not. They are dropped here only when ASCII stays ASCII either way.
  const inner = /^'(.*)'$/.exec(raw)?.[1] ?? raw;
  const label = inner !== raw && NOT_ASCII.test(encodingOf(inner) ?? 'utf-16') ? raw : inner;
  return { label: CHARSET.test(label) ? label : null, problem: labelProblem(label) };
}

function readContentId(raw: string | null): string | null {
  const id = raw === null ? '' : raw.replace(/^<|>$/g, '').slice(0, CONTENT_ID_LENGTH);
  return id === '' ? null : decodeText(Buffer.from(id, 'latin1'), null);
}
