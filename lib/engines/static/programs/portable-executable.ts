/** Windows programs ([PE-COFF]): reads sections, imports, overlay and signature. No size in the headers is trusted. */
import { createHash } from 'node:crypto';
import type { Finding } from '../../engine.ts';
import { entropyOf } from '../findings/entropy.ts';
import { finding } from '../findings/findings.ts';

/** The most sections that are read. Real programs have fewer than 100. */
const MAX_SECTIONS = 96;
const MAX_LIBRARIES = 300;
const MAX_IMPORTS = 5_000;
const MAX_NAME = 200;
/** Compressed or encrypted code has more entropy than this, and compiled code less. */
const PACKED_ENTROPY = 7.2;
const PACKED_SECTION = /^(?:UPX\d|\.?aspack|\.?adata|\.themida|\.vmp\d|\.enigma\d|\.petite|\.MPRESS\d|\.nsp\d)/i;
const INJECTION = [
  ['virtualallocex', 'writeprocessmemory', 'createremotethread'],
  ['ntunmapviewofsection', 'writeprocessmemory', 'resumethread'],
  ['setthreadcontext', 'writeprocessmemory', 'resumethread'],
  ['queueuserapc', 'virtualallocex', 'writeprocessmemory'],
] as const;

interface Section {
  readonly name: string;
  readonly address: number;
  readonly virtualSize: number;
  readonly offset: number;
  readonly size: number;
  readonly isCode: boolean;
}

interface Headers {
  readonly sections: readonly Section[];
  readonly importTable: number;
  readonly signatureAt: number;
  readonly signatureSize: number;
  readonly is64: boolean;
}

/** Returns facts and findings about a Windows program. Damaged headers are a finding and never an exception. */
export function judgePortableExecutable(bytes: Uint8Array): Finding[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const headers = readHeaders(view);
    const imports = readImports(view, headers);
    return [
      facts(headers, imports),
      ...judgeSections(bytes, headers),
      ...judgeImports(imports),
      ...judgeTail(bytes, headers),
    ];
  } catch (error) {
    if (error instanceof RangeError) return [finding('program-damaged')];
    throw error;
  }
}

function readHeaders(view: DataView): Headers {
  const pe = view.getUint32(0x3c, true);
  const count = Math.min(view.getUint16(pe + 6, true), MAX_SECTIONS);
  const optional = pe + 24;
  const is64 = view.getUint16(optional, true) === 0x20b;
  const directories = optional + (is64 ? 112 : 96);
  const first = optional + view.getUint16(pe + 20, true);
  const sections = Array.from({ length: count }, (_, index) => readSection(view, first + index * 40));
  return {
    sections,
    is64,
    importTable: view.getUint32(directories + 8, true),
    signatureAt: view.getUint32(directories + 32, true),
    signatureSize: view.getUint32(directories + 36, true),
  };
}

function readSection(view: DataView, at: number): Section {
  const letters = Array.from({ length: 8 }, (_, index) => view.getUint8(at + index)).filter(
    (byte) => byte >= 0x20 && byte < 0x7f,
  );
  const [virtualSize, address, size, offset] = [8, 12, 16, 20].map((field) => view.getUint32(at + field, true));
  return {
    name: String.fromCharCode(...letters),
    virtualSize: virtualSize ?? 0,
    address: address ?? 0,
    size: size ?? 0,
    offset: offset ?? 0,
    isCode: (view.getUint32(at + 36, true) & 0x20000000) !== 0,
  };
}

interface Imports {
  /** `library.function` in lower case and in the order of the file. The library has no extension. */
  readonly names: readonly string[];
}

function readImports(view: DataView, headers: Headers): Imports {
  const names: string[] = [];
  const start = offsetOf(headers, headers.importTable);
  if (headers.importTable === 0 || start === null) return { names };
  for (let index = 0; index < MAX_LIBRARIES && names.length < MAX_IMPORTS; index++) {
    const at = start + index * 20;
    if (at + 20 > view.byteLength) break;
    const [table, name, bound] = [
      view.getUint32(at, true),
      view.getUint32(at + 12, true),
      view.getUint32(at + 16, true),
    ];
    if (name === 0) break;
    const library = textAt(view, offsetOf(headers, name))
      .toLowerCase()
      .replace(/\.(?:dll|ocx|sys)$/, '');
    readThunks(view, headers, table === 0 ? bound : table, library, names);
  }
  return { names };
}

function readThunks(view: DataView, headers: Headers, table: number, library: string, names: string[]): void {
  const start = offsetOf(headers, table);
  if (start === null) return;
  const size = headers.is64 ? 8 : 4;
  for (let at = start; at + size <= view.byteLength && names.length < MAX_IMPORTS; at += size) {
    const low = view.getUint32(at, true);
    const high = headers.is64 ? view.getUint32(at + 4, true) : low;
    if (low === 0 && (high === 0 || !headers.is64)) break;
    const isOrdinal = (high & 0x80000000) !== 0;
    const name = isOrdinal ? `ord${low & 0xffff}` : textAt(view, add(offsetOf(headers, low), 2)).toLowerCase();
    names.push(`${library}.${name}`);
  }
}

function add(offset: number | null, more: number): number | null {
  return offset === null ? null : offset + more;
}

function offsetOf({ sections }: Headers, address: number): number | null {
  const section = sections.find(
    (one) => address >= one.address && address < one.address + Math.max(one.size, one.virtualSize),
  );
  return section === undefined ? null : address - section.address + section.offset;
}

function textAt(view: DataView, at: number | null): string {
  let text = '';
  for (let index = at ?? view.byteLength; index < view.byteLength && text.length < MAX_NAME; index++) {
    const byte = view.getUint8(index);
    if (byte === 0) break;
    text += String.fromCharCode(byte);
  }
  return text;
}

function facts({ sections, is64 }: Headers, { names }: Imports): Finding {
  const hash = names.length === 0 ? 'none' : createHash('md5').update(names.join(',')).digest('hex');
  const list = sections.map(({ name }) => name).join(' ');
  return finding(
    'program-facts',
    null,
    `PE32${is64 ? '+' : ''}, ${names.length} imports, imphash ${hash}, sections ${list}`,
  );
}

function judgeSections(bytes: Uint8Array, { sections }: Headers): Finding[] {
  const packed = sections.find(
    ({ name, isCode, offset, size }) =>
      PACKED_SECTION.test(name) ||
      (isCode && size > 1_024 && entropyOf(bytes.subarray(offset, offset + size)) > PACKED_ENTROPY),
  );
  return packed === undefined ? [] : [finding('program-packed', packed.name)];
}

function judgeImports({ names }: Imports): Finding[] {
  const functions = new Set(names.map((name) => name.slice(name.indexOf('.') + 1)));
  const injects = INJECTION.find((set) => set.every((name) => functions.has(name)));
  return injects === undefined ? [] : [finding('program-injects', null, injects.join(', '))];
}

function judgeTail(bytes: Uint8Array, { sections, signatureAt, signatureSize }: Headers): Finding[] {
  const end = Math.max(0, ...sections.map(({ offset, size }) => offset + size));
  const isSigned = signatureAt > 0 && signatureSize > 8 && signatureAt + signatureSize <= bytes.length;
  const overlay = bytes.length - end - (isSigned ? signatureSize : 0);
  return [
    ...(isSigned ? [finding('program-signed')] : []),
    ...(end > 0 && overlay > 512 ? [finding('program-overlay', `${overlay} bytes at ${end}`)] : []),
  ];
}
