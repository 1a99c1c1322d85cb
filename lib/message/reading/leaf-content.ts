/** Decodes one leaf of the tree. Gives its size and hash, and the results that other programs get from the same bytes. */
import { hash as digest } from 'node:crypto';
import { identifyFile } from '../../formats/detection/file-type.ts';
import { rememberedSteps } from '../../formats/remembered.ts';
import { type Steps, sha256Steps } from '../../formats/steps.ts';
import { base64HashSteps, base64Variants, type RegularRun, regularRun } from '../encodings/base64.ts';
import { unlabelledBase64Steps, writtenFileSteps } from '../encodings/hidden-encodings.ts';
import { decodeBody, decodeSteps } from '../encodings/transfer-encodings.ts';
import type { TextFile } from '../encodings/uuencode.ts';
import { createWarnings, type WarningList } from '../headers/warnings.ts';
import type { ByteRange, MessagePart, TransferEncoding } from '../model.ts';
import { holdsContentFieldSteps } from './embedded-parts.ts';
import type { Find } from './finds.ts';
import type { PartDraft } from './part-draft.ts';
import { isBody } from './part-role.ts';
import { textProblem } from './text-problem.ts';

export interface LeafContent {
  readonly size: number;
  readonly sha256: string;
  /** Lines of the body that mailparser need not read. Null when it must read all of them. */
  readonly middle: ByteRange | null;
  /** The same leaf as other programs decode it. Results that equal it are still included. */
  readonly others: readonly Find[];
  /** True when its body has a line that is a field of a part. */
  readonly holdsField: boolean;
}

const IDENTITY = new Set<TransferEncoding>(['7bit', '8bit', 'binary', 'unknown']);
/** mailparser reads the whole of a body that is shorter than this. */
const LONG_BODY_BYTES = 256 * 1024;
/**
 * Each other way of decoding costs as much as the first. Without a limit, 40 MB of malformed bodies would take seconds and hundreds
 * of megabytes.
 */
const OTHER_BYTES = 32 * 1024 * 1024;
/** Ways of decoding malformed base64. */
const VARIANTS = 4;
/** Bytes at either end of a long body that mailparser reads. Every line between them is whole, of one length, and nothing but base64. */
const KEPT_BYTES = 16 * 1024;
/** Characters at the end of a name in which its extension is looked for. */
const NAME_END = 40;
const PAGE_NAME = /\.html?\s*$/i;

/** Returns true for a text that was searched for files written into it. Recovered leaves are not searched. */
export function wasRead({ declaredType, recovered }: Pick<MessagePart, 'declaredType' | 'recovered'>): boolean {
  return recovered === null && declaredType.startsWith('text/');
}

/** Encoded bytes of one message that may still be decoded in further ways. */
export interface OtherBudget {
  bytes: number;
}

export function otherBudget(): OtherBudget {
  return { bytes: OTHER_BYTES };
}

/** Decodes and hashes a leaf, in pieces. Other ways of decoding are taken from the budget. */
export function* leafContentSteps(
  email: Buffer,
  draft: PartDraft,
  warnings: WarningList,
  budget: OtherBudget,
): Steps<LeafContent> {
  // A leaf with anything odd is not remembered, so what is remembered says nothing about places, warnings and the budget.
  if (budget.bytes < 0) return yield* decodeLeafSteps(email, draft, warnings, budget);
  const found = createWarnings();
  const content = yield* plainLeafSteps({ email, draft, warnings: found, budget });
  for (const { code, path, detail } of found.list()) warnings.add(code, path, detail);
  return content;
}

interface LeafSource {
  readonly email: Buffer;
  readonly draft: PartDraft;
  readonly warnings: WarningList;
  readonly budget: OtherBudget;
}

/** A rebuilt message has the kept leaves of its original, and many mails have the same text, signature, picture or file. */
const REMEMBERED = 200;
/** A leaf with a longer header is read each time, because an attacker may write megabytes of it. */
const REMEMBERED_BYTES = 1_024;

const plainLeafSteps = rememberedSteps<LeafSource, LeafContent & { readonly isOdd: boolean }>(
  { most: REMEMBERED, keyOf: keyOfLeaf, isKept: ({ isOdd }) => !isOdd },
  function* ({ email, draft, warnings, budget }) {
    const content = yield* decodeLeafSteps(email, draft, warnings, budget);
    return { ...content, isOdd: content.others.length > 0 || warnings.list().length > 0 };
  },
);

/** Returns the body as its hash, and everything that its header says. Longer bodies are hashed in pieces, and have a middle. */
function keyOfLeaf({ email, draft: { role, facts, bodyStart, bodyEnd } }: LeafSource): string | null {
  const { boundaries, problems, contentId, untrustedBase, untrustedLocation, ...said } = facts;
  const key = JSON.stringify([role, said]);
  if (bodyEnd - bodyStart >= LONG_BODY_BYTES || key.length > REMEMBERED_BYTES) return null;
  return `${digest('sha256', email.subarray(bodyStart, bodyEnd), 'hex')}${key}`;
}

function* decodeLeafSteps(
  email: Buffer,
  draft: PartDraft,
  warnings: WarningList,
  budget: OtherBudget,
): Steps<LeafContent> {
  const { path, facts, bodyStart, bodyEnd } = draft;
  const body = email.subarray(bodyStart, bodyEnd);
  const isText = facts.declaredType.startsWith('text/');
  const isPlain = !isText && !isPage(draft) && facts.otherEncodings.length + facts.otherTypes.length === 0;
  if (facts.encoding === 'base64' && isPlain && body.length >= LONG_BODY_BYTES) {
    const run = regularRun(body);
    const hashed = yield* base64HashSteps(body, run);
    if (hashed !== null) return { ...hashed, middle: middleOf(run, bodyStart), others: [], holdsField: false };
  }
  const decoded = yield* decodeSteps(body, facts.encoding);
  if (!decoded.isWellFormed) warnings.add('odd_encoding', path, `a body that is not well-formed ${facts.encoding}`);
  yield;
  const ambiguity = ambiguityOf(decoded.bytes, draft);
  if (ambiguity !== null) warnings.add('odd_encoding', path, ambiguity);
  yield;
  const sha256 = yield* sha256Steps(decoded.bytes);
  const isLong = facts.encoding === 'base64' && decoded.isWellFormed && body.length >= LONG_BODY_BYTES;
  const middle = isLong ? middleOf(regularRun(body), bodyStart) : null;
  const others = yield* otherReadings(draft, { ...decoded, sha256, body, budget }, warnings);
  const holdsField = yield* holdsContentFieldSteps(body, facts.encoding);
  return { size: decoded.bytes.length, sha256, middle, others, holdsField };
}

function isPage({ facts }: PartDraft): boolean {
  return facts.declaredType === 'text/html' || facts.names.some((name) => PAGE_NAME.test(name.slice(-NAME_END)));
}

function ambiguityOf(bytes: Uint8Array, draft: PartDraft): string | null {
  const { declaredType, charset: label } = draft.facts;
  if (!isPage(draft) && !declaredType.startsWith('text/')) return null;
  return textProblem(bytes, { label, isPage: isPage(draft), isBody: draft.role === 'body' });
}

/** Returns the whole lines in the middle of a long body of regular lines. */
function middleOf({ end, stride }: RegularRun, bodyStart: number): ByteRange | null {
  const from = Math.ceil(KEPT_BYTES / stride) * stride;
  const to = Math.floor((end - KEPT_BYTES) / stride) * stride;
  return to > from ? { start: bodyStart + from, end: bodyStart + to } : null;
}

function* otherReadings(
  draft: PartDraft,
  decoded: {
    readonly bytes: Uint8Array;
    readonly isWellFormed: boolean;
    readonly sha256: string;
    readonly body: Buffer;
    readonly budget: OtherBudget;
  },
  warnings: WarningList,
): Steps<Find[]> {
  const { facts, path } = draft;
  const { body, budget } = decoded;
  const others: Find[] = [];
  const add = (bytes: Uint8Array, more: Partial<Find> = {}) => others.push({ ...findOf(draft, bytes), ...more });
  const mayTake = (ways: number) => {
    budget.bytes -= ways * body.length;
    if (budget.bytes < 0)
      warnings.add('limit_exceeded', path, 'too much to be decoded in every way that programs have');
    return budget.bytes >= 0;
  };
  if (mayTake(facts.otherEncodings.length))
    for (const encoding of facts.otherEncodings) add((yield* decodeSteps(body, encoding)).bytes, { encoding });
  for (const declaredType of facts.otherTypes)
    if (!/^(?:multipart|message)\//.test(declaredType)) add(decoded.bytes, { declaredType });
  if (facts.encoding === 'base64' && !decoded.isWellFormed && mayTake(VARIANTS))
    for (const bytes of yield* base64Variants(body)) add(bytes);
  const isText = facts.declaredType.startsWith('text/');
  const isRaw = IDENTITY.has(facts.encoding) || facts.encoding === 'quoted-printable';
  if (isRaw && (yield* unlabelledBase64Steps(body, isText && facts.names.length === 0))) {
    warnings.add('label_lies', path, 'a body that is base64 and does not say so');
    add((yield* decodeSteps(body, 'base64')).bytes, { encoding: 'base64' });
  }
  if (isText)
    for (const { name, bytes } of yield* filesWritten({ ...decoded, facts })) {
      warnings.add('hidden_file', path, 'a text with a file written into it');
      add(bytes, { names: [name], declaredType: 'application/octet-stream', charset: null, disposition: 'attachment' });
    }
  return others;
}

/** A shorter text is mostly a leaf that is remembered as a whole. */
const LONG_TEXT_BYTES = 64 * 1024;

interface Text {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly facts: Pick<PartDraft['facts'], 'names' | 'declaredType' | 'disposition'>;
}

/** A rebuilt mail has the texts of its original, and many mails have the same file. A long text without files in it is searched once. */
const filesWritten = rememberedSteps<Text, readonly TextFile[]>(
  {
    most: REMEMBERED,
    keyOf({ bytes, sha256, facts: { names, declaredType, disposition } }) {
      const key = JSON.stringify([sha256, names, declaredType, disposition]);
      return bytes.length < LONG_TEXT_BYTES || key.length > REMEMBERED_BYTES ? null : key;
    },
    isKept: (files) => files.length === 0,
  },
  (text) => writtenFileSteps(text.bytes, () => isSavedPage(text)),
);

/** Returns true for a file that the pipeline takes for a saved page, whatever it is declared as. */
function isSavedPage({ facts: { names, declaredType, disposition }, bytes }: Text): boolean {
  const role = isBody({ declaredType, isNamed: names.length > 0, disposition }) ? 'body' : 'attachment';
  return identifyFile(bytes, { untrustedNames: names, declaredType, role }).detectedType === 'multipart/related';
}

/** Returns a find with these bytes, at the place of a part and under its names. */
export function findOf({ facts, header, bodyStart, bodyEnd }: PartDraft, bytes: Uint8Array): Find {
  const { names, declaredType, charset, encoding, contentId, disposition } = facts;
  const body = { start: bodyStart, end: bodyEnd };
  return { names, declaredType, charset, encoding, contentId, disposition, header, body, bytes, reading: 'recovery' };
}

/** Returns the body of a container as one leaf, for programs that use another of its Content-Type headers. */
export function containerAsLeaf(email: Buffer, draft: PartDraft): Find[] {
  const { facts, bodyStart, bodyEnd } = draft;
  const isLeaf = (type: string) => !/^(?:multipart|message)\//.test(type);
  const body = email.subarray(bodyStart, bodyEnd);
  return facts.otherTypes
    .filter(isLeaf)
    .slice(0, 1)
    .map((declaredType) => ({ ...findOf(draft, decodeBody(body, facts.encoding).bytes), declaredType }));
}
