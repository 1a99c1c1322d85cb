/**
 * Every layer that can be taken off a file, as one text: members of archives by their own headers, inflated PDF streams, streams of
 * compound files, base64 and quoted-printable, hexadecimal runs, character references. Shares nothing with the engine.
 */
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { streamsOf } from '../../engines/disarm/legacy-contents.ts';

const MAX_DEPTH = 6;
const SHORTEST_RUN = 16;
/** Name and comment stand in front of the data. */
const GZIP_HEADER = 200;
const MAX_INFLATED = 64 * 1024 * 1024;
const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

function quietly<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/**
 * The members whose local headers can be found, wherever the directory says they are; a member without sizes in front ends where
 * its data ends.
 */
export function zipMembersOf(bytes: Uint8Array): readonly (readonly [name: string, content: Buffer])[] {
  const data = Buffer.from(bytes);
  const found: (readonly [string, Buffer])[] = [];
  for (
    let at = data.indexOf('PK\x03\x04', 0, 'latin1');
    at >= 0 && at + 30 <= data.length;
    at = data.indexOf('PK\x03\x04', at + 4, 'latin1')
  ) {
    const nameEnd = at + 30 + data.readUInt16LE(at + 26);
    const from = nameEnd + data.readUInt16LE(at + 28);
    const packed = data.readUInt32LE(at + 18);
    const rest = packed > 0 ? data.subarray(from, from + packed) : data.subarray(from);
    const isDeflated = data.readUInt16LE(at + 8) === 8;
    const content = isDeflated ? quietly(() => inflateRawSync(rest, { maxOutputLength: MAX_INFLATED })) : rest;
    found.push([data.toString('utf8', at + 30, nameEnd), content ?? Buffer.alloc(0)]);
  }
  return found;
}

function pdfLayers(raw: string): string[] {
  const layers: string[] = [];
  for (const match of raw.matchAll(/stream\r?\n([\s\S]*?)\r?\n?endstream/g)) {
    const inflated = quietly(() =>
      inflateSync(Buffer.from(match[1] ?? '', 'latin1'), { maxOutputLength: MAX_INFLATED }),
    );
    if (inflated !== null) layers.push(latin1(inflated));
  }
  const everything = [raw, ...layers].join('\n');
  const named = everything.replace(/#([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return [
    ...layers,
    named,
    named.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))),
  ];
}

/** Hexadecimal digits that stand together once groups without content, control words and white space are taken out, in both alignments. */
function hexLayers(raw: string): string[] {
  const digits = raw.replace(/\{\\\*\s*\\[a-z]+\}|\\[a-z]+-?\d*/g, '|').replace(/\|(?=[\da-fA-F])|\s/g, '');
  const runs = digits
    .split(/[^\da-fA-F]+/)
    .filter((run) => run.length >= SHORTEST_RUN)
    .flatMap((run) => [run, run.slice(1)]);
  return runs.map((run) => Buffer.from(run, 'hex').toString('latin1'));
}

function references(raw: string): string {
  return raw
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_, hex) => String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(hex, 16))))
    .replace(/&#(\d{1,7});?/g, (_, number) => String.fromCodePoint(Math.min(0x10ffff, Number(number))))
    .replaceAll('&amp;', '&');
}

/** Lines of nothing but base64 that stand together, and what follows `base64,` in an address. */
function base64Runs(raw: string): string[] {
  const runs = [''];
  for (const line of raw.split(/\r?\n/)) {
    if (line === '' || /[^A-Za-z0-9+/=]/.test(line)) runs.push('');
    else runs.push((runs.pop() ?? '') + line);
  }
  const inline = raw
    .split('base64,')
    .slice(1)
    .map((rest) => rest.slice(0, rest.search(/[^A-Za-z0-9+/=]/)));
  return [...runs, ...inline].filter((run) => run.length >= SHORTEST_RUN);
}

function textLayers(raw: string, depth: number): string[] {
  const layers: string[] = [references(raw), raw.replace(/<[^>]*>/g, ''), raw.replace(/\r?\n[ \t]/g, '')];
  if (raw.includes('\0')) layers.push(raw.replaceAll('\0', ''));
  if (/=[0-9A-F]{2}|=\r?\n/.test(raw)) {
    layers.push(
      raw.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  }
  for (const run of base64Runs(raw)) layers.push(layersOf(Buffer.from(run, 'base64'), depth + 1));
  return layers;
}

function tarLayers(bytes: Uint8Array, depth: number): string[] {
  const data = Buffer.from(bytes);
  const layers: string[] = [];
  for (let at = 0; at + 512 <= data.length && data[at] !== 0; ) {
    const size = Number.parseInt(data.toString('latin1', at + 124, at + 135), 8) || 0;
    const text = (from: number, length: number) =>
      data
        .toString('utf8', at + from, at + from + length)
        .split('\0', 1)
        .join('');
    layers.push(
      `member ${text(0, 100)}`,
      text(157, 100),
      layersOf(data.subarray(at + 512, at + 512 + size), depth + 1),
    );
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return layers;
}

/** Whatever stands in 16-bit characters, name after name. */
const sevenZipNames = (raw: string): readonly string[] =>
  (raw.match(/(?:[ -~]\0|[ -~][\x20-\x2f]){2,}/g) ?? []).map((name) => `member ${name.replaceAll('\0', '')}`);

/** All layers of a file in one text, each byte one character. */
export function layersOf(bytes: Uint8Array, depth = 0): string {
  const raw = latin1(bytes);
  if (depth > MAX_DEPTH) return raw;
  if (raw.startsWith('PK\x03\x04')) {
    // The deflated bytes say nothing; names and comments stand in front of and behind them.
    const directory = raw.slice(Math.max(0, raw.indexOf('PK\x01\x02')));
    return [
      directory,
      ...zipMembersOf(bytes).flatMap(([name, content]) => [`member ${name}`, layersOf(content, depth + 1)]),
    ].join('\n');
  }
  if (raw.startsWith('\xd0\xcf\x11\xe0')) {
    const streams = quietly(() => streamsOf(bytes)) ?? new Map<string, Buffer>();
    const texts = [...streams].flatMap(([name, content]) => [
      `stream ${name}`,
      latin1(content),
      latin1(content).replaceAll('\0', ''),
      ...(content.subarray(0, 2).toString('latin1') === 'PK' ? [layersOf(content, depth + 1)] : []),
    ]);
    return [raw, raw.replaceAll('\0', ''), ...texts].join('\n');
  }
  if (raw.startsWith('\x1f\x8b')) {
    const inflated = quietly(() => gunzipSync(bytes, { maxOutputLength: MAX_INFLATED })) ?? Buffer.alloc(0);
    return [raw.slice(0, GZIP_HEADER), layersOf(inflated, depth + 1)].join('\n');
  }
  if (raw.startsWith('\x78\x9f\x3e\x22'))
    return [raw, ...zipMembersOf(bytes).map(([, content]) => layersOf(content, depth + 1))].join('\n');
  if (raw.startsWith('7z\xbc\xaf')) return [raw, ...sevenZipNames(raw)].join('\n');
  if (raw.startsWith('ustar', 257)) return tarLayers(bytes, depth).join('\n');
  if (raw.startsWith('%PDF-')) return [raw, ...pdfLayers(raw), ...hexLayers(raw)].join('\n');
  if (raw.startsWith('\xff\xfe'))
    return layersOf(Buffer.from(Buffer.from(bytes).toString('utf16le').slice(1)), depth + 1);
  if (raw.startsWith('{\\rt')) return [raw, ...hexLayers(raw), raw.replace(/\\[a-z]+-?\d* ?|[{}\r\n]/g, '')].join('\n');
  return [raw, ...textLayers(raw, depth)].join('\n');
}
