/** Finds code and files inside of code that are encoded as base64, as hexadecimal digits or as lists of numbers, packed or not. */
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { detectCfb } from '../../../formats/detection/detect-container.ts';
import { isProgram } from '../findings/executable-kind.ts';
import type { Piece } from '../findings/module.ts';

/** The most layers that are extracted from one text. */
const MAX_LAYERS = 40;
/** The most runs of letters that are decoded in the search for layers. */
const MAX_RUNS = 2_000;
const MAX_LAYER_BYTES = 8 * 1024 * 1024;
/** Shorter runs of letters are only words and names. */
const MIN_RUN = 48;
const NUMBERS =
  /[[({"'=]\s{0,3}((?:(?:0x[0-9a-fA-F]{1,2}|\d{1,3})\s{0,3},\s{0,3}(?:_?\r?\n\s{0,40})?){24,}(?:0x[0-9a-fA-F]{1,2}|\d{1,3}))/g;
const PERCENT = /(?:%[0-9a-fA-F]{2}){16,}|(?:%u[0-9a-fA-F]{4}){8,}/g;

export interface Layer {
  readonly bytes: Uint8Array;
  /** The encoding, in plain words. */
  readonly encoding: string;
  readonly offset: number;
  readonly looks: 'program' | 'container' | 'code';
}

/** Returns everything in the text that decodes to a program, a container or more code, in its order. */
export function layersIn(text: string): Layer[] {
  const layers: Layer[] = [];
  for (const { run, offset } of letterRuns(text)) {
    if (/^[0-9a-fA-F]*$/.test(run)) take(Buffer.from(run, 'hex'), 'hexadecimal digits', offset, layers);
    else take(Buffer.from(run, 'base64'), 'base64', offset, layers);
  }
  for (const match of text.matchAll(NUMBERS)) take(fromNumbers(match[1] ?? ''), 'list of numbers', match.index, layers);
  if (text.includes('%'))
    for (const match of text.matchAll(PERCENT)) take(fromEscapes(match[0]), 'percent escapes', match.index, layers);
  return layers;
}

const IS_LETTER = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Returns runs of the letters of base64. A long enough run covers one of the places at a fixed distance, so only the letters around those
 * are checked. A regular expression would try each run again from every letter in it.
 */
function letterRuns(text: string): { run: string; offset: number }[] {
  const runs: { run: string; offset: number }[] = [];
  let behindLast = 0;
  for (let place = MIN_RUN - 1; place < text.length && runs.length < MAX_RUNS; place += MIN_RUN) {
    if (!isLetter(text, place)) continue;
    let start = place;
    while (start > behindLast && isLetter(text, start - 1)) start--;
    let end = place + 1;
    while (end < text.length && isLetter(text, end)) end++;
    if (end - start >= MIN_RUN) {
      runs.push({ run: text.slice(start, Math.min(end, start + MAX_LAYER_BYTES * 2)), offset: start });
    }
    behindLast = end;
    place = end;
  }
  return runs;
}

function isLetter(text: string, at: number): boolean {
  return IS_LETTER[text.charCodeAt(at)] === 1;
}

function take(decoded: Uint8Array | null, encoding: string, offset: number, layers: Layer[]): void {
  if (layers.length >= MAX_LAYERS || decoded === null) return;
  const open = unpacked(decoded);
  const bytes = looksOf(open) === null ? unmasked(open) : open;
  const looks = looksOf(bytes);
  if (looks !== null) layers.push({ bytes, encoding, offset, looks });
}

function fromNumbers(run: string): Uint8Array | null {
  const numbers = (run.match(/0x[0-9a-fA-F]{1,2}|\d{1,3}/g) ?? []).map(Number);
  return numbers.every((number) => number <= 255) ? Uint8Array.from(numbers) : null;
}

function fromEscapes(run: string): Uint8Array {
  if (!run.startsWith('%u')) return Buffer.from(run.replaceAll('%', ''), 'hex');
  return Buffer.from(run.replaceAll('%u', ''), 'hex').swap16();
}

/** Unpacks bytes. Gzip and zlib have first bytes. Raw deflate has none, and is only tried when nothing else matches. */
function unpacked(bytes: Uint8Array): Uint8Array {
  const options = { maxOutputLength: MAX_LAYER_BYTES };
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, options);
    if (bytes[0] === 0x78 && ((bytes[0] << 8) | (bytes[1] ?? 0)) % 31 === 0) return inflateSync(bytes, options);
    if (looksOf(bytes) === null && bytes.length > 64) return inflateRawSync(bytes, options);
  } catch {
    // The bytes are not packed, or unpack to more than the limit. They are judged as they are.
  }
  return bytes;
}

/** The first bytes of files that are recognised when all bytes are changed by one exclusive-or. */
const MASKED_STARTS = ['PK\x03\x04', 'MZ\x90\0', 'Rar!\x1a', '%PDF-', '\xd0\xcf\x11\xe0'];

function unmasked(bytes: Uint8Array): Uint8Array {
  for (const start of MASKED_STARTS) {
    const key = (bytes[0] ?? 0) ^ start.charCodeAt(0);
    const fits = [...start].every((char, index) => ((bytes[index] ?? 0) ^ key) === char.charCodeAt(0));
    if (fits && key !== 0) return bytes.map((byte) => byte ^ key);
  }
  return bytes;
}

const CONTAINERS = ['PK\x03\x04', 'Rar!\x1a', '7z\xbc\xaf', 'MSCF', '%PDF-', '{\\rt', '\xd0\xcf\x11\xe0', 'ITSF'];

function looksOf(bytes: Uint8Array): Layer['looks'] | null {
  if (isProgram(bytes)) return 'program';
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  if (CONTAINERS.some((magic) => head.startsWith(magic)) || detectCfb(bytes) !== null) return 'container';
  if (Buffer.from(bytes.subarray(0x8001, 0x8006)).toString('latin1') === 'CD001') return 'container';
  return isCode(bytes) ? 'code' : null;
}

/** Returns true for a text of some length with more than one word. A text that decodes by chance is noise. */
function isCode(bytes: Uint8Array): boolean {
  if (bytes.length < 16) return false;
  const sample = Buffer.from(bytes.subarray(0, 4_096));
  const isWide = sample.length % 2 === 0 && sample.every((byte, index) => (index % 2 === 0 ? byte !== 0 : byte === 0));
  const text = sample.toString(isWide ? 'utf16le' : 'latin1');
  if (/[^\t\r\n\x20-\x7e]/.test(text)) return false;
  return /[\s(=;.]/.test(text) && /[a-z]{3}/i.test(text);
}

/** Returns the layers as pieces of their file. */
export function layerPieces(layers: readonly Layer[], codeType: string): Piece[] {
  return layers.map(({ bytes, encoding, offset, looks }) => ({
    where: `${encoding} at ${offset}`,
    bytes: looks === 'code' ? narrow(bytes) : bytes,
    kind: looks === 'code' ? 'deobfuscated_code' : 'extracted_file',
    untrustedName: `layer-${offset}`,
    type: codeType,
    scope: looks === 'code' ? 'code' : 'file',
  }));
}

function narrow(bytes: Uint8Array): Uint8Array {
  return bytes[1] === 0 ? Buffer.from(Buffer.from(bytes).toString('utf16le')) : bytes;
}
