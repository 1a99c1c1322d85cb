/** Reads the VBA source of a project ([MS-OVBA]). The dir stream says where it is. Where that is false, the source is found by its form. */
import type { Finding } from '../../engine.ts';
import type { Compound, CompoundStream } from '../compound-streams.ts';
import { type Piece, VBA_SOURCE, type View } from '../findings/module.ts';
import { compiledModules } from './pcode/compiled-modules.ts';
import { arePlainMacros } from './plain/plain-macro.ts';
import { textsInCache } from './vba-cache.ts';
import { judgeForms, type ModuleForms } from './vba-stomping.ts';

const STREAM_NAME = 0x001a;
const TEXT_OFFSET = 0x0031;
const PROJECT_VERSION = 0x0009;
/** How the source of every module begins in its compressed form. It starts with lines of attributes. */
const SOURCE_SIGN = '\0Attribut';

export interface VbaProject {
  /** The source of every module. */
  readonly pieces: readonly Piece[];
  /** The texts of the compiled code, one per line. They hold addresses and commands even where the source hides or lacks them. */
  readonly views: readonly View[];
  readonly findings: readonly Finding[];
  /** Whether all modules were read in both forms, and none of them could act. */
  readonly isPlain: boolean;
}

/** Unpacks the source of every module, up to `maxBytes` together, and checks whether the compiled code was made from it. */
export function readVba({ streams }: Compound, maxBytes: number): VbaProject {
  const dir = dirOf(streams);
  const offsets = moduleOffsets(dir);
  const project = streams.find(({ path }) => /(?:^|\/)_vba_project$/i.test(path))?.bytes;
  const readCompiled = compiledModules(project, isOf64Bits(dir));
  const pieces: Piece[] = [];
  const views: View[] = [];
  const forms: ModuleForms[] = [];
  let left = maxBytes;
  for (const stream of streams) {
    const name = stream.path.slice(stream.path.lastIndexOf('/') + 1).toLowerCase();
    const offset = offsets.get(name) ?? findSource(stream.bytes);
    if (offset === null) continue;
    const source = decompressVba(stream.bytes.subarray(offset), left);
    if (offsets.has(name)) {
      const cache = stream.bytes.subarray(0, offset);
      const form = { where: stream.path, cache, source, compiled: readCompiled(cache) };
      forms.push(form);
      const texts = textsInCache(form.cache);
      if (texts.length > 0) views.push({ where: `compiled ${stream.path}`, bytes: Buffer.from(texts.join('\n')) });
    }
    if (source === null || source.length === 0) continue;
    left -= source.length;
    pieces.push({
      where: stream.path,
      bytes: source,
      kind: 'deobfuscated_code',
      untrustedName: `${name}.bas`,
      type: VBA_SOURCE,
      scope: 'code',
    });
  }
  const { findings, others } = judgeForms(forms, project);
  const isPlain =
    isOnlyProject(streams) &&
    offsets.size > 0 &&
    forms.length === offsets.size &&
    pieces.length <= forms.length &&
    findings.length === 0 &&
    arePlainModules(forms);
  return { pieces: [...pieces, ...others.map(compiledPiece)], views, findings, isPlain };
}

/** The sources must be there, and what is compiled of them must be read to its end. */
function arePlainModules(forms: readonly ModuleForms[]): boolean {
  const isRead = ({ source, cache, compiled }: ModuleForms) =>
    source !== null && (compiled === null ? cache.length === 0 : compiled.isWhole);
  const sources = forms.map(({ source }) => Buffer.from(source ?? []).toString('latin1'));
  return (
    forms.every(isRead) &&
    arePlainMacros(
      sources,
      forms.flatMap(({ compiled }) => compiled?.source ?? []),
    )
  );
}

/** The compiled code of a module that was not made from its source, which is the code that runs. */
function compiledPiece({ where, compiled }: ModuleForms): Piece {
  return {
    where: `compiled ${where}`,
    bytes: Buffer.from(compiled?.source ?? '', 'latin1'),
    kind: 'deobfuscated_code',
    untrustedName: `${where.slice(where.lastIndexOf('/') + 1)}.compiled.bas`,
    type: VBA_SOURCE,
    scope: 'code',
  };
}

/** False when an object in the document has macros of its own, which no list of the first project names. */
const isOnlyProject = (streams: readonly CompoundStream[]) => streams.filter(({ path }) => DIR.test(path)).length === 1;

const DIR = /(?:^|\/)vba\/dir$/i;

/** The unpacked stream that describes the project; empty when there is none. */
function dirOf(streams: readonly CompoundStream[]): Uint8Array {
  const packed = streams.find(({ path }) => DIR.test(path))?.bytes;
  return (packed === undefined ? null : decompressVba(packed, 1024 * 1024)) ?? new Uint8Array();
}

const SYSTEM_KIND = 0x0001;
const WIN_64 = 3;

/** True for a project of 64-bit Office. The kind of system is the first record ([MS-OVBA] 2.3.4.2.1.1). */
function isOf64Bits(dir: Uint8Array): boolean {
  if (dir.length < 10) return false;
  const view = new DataView(dir.buffer, dir.byteOffset, dir.byteLength);
  return view.getUint16(0, true) === SYSTEM_KIND && view.getUint32(6, true) === WIN_64;
}

/** The offsets of the source in the streams of modules, by the names of the streams in lower case ([MS-OVBA] 2.3.4.2). */
function moduleOffsets(dir: Uint8Array): Map<string, number> {
  const offsets = new Map<string, number>();
  const view = new DataView(dir.buffer, dir.byteOffset, dir.byteLength);
  let name = '';
  for (let at = 0; at + 6 <= dir.length; ) {
    const id = view.getUint16(at, true);
    // The size of the version record does not count its last two bytes.
    const size = id === PROJECT_VERSION ? 6 : view.getUint32(at + 2, true);
    const data = dir.subarray(at + 6, at + 6 + size);
    if (id === STREAM_NAME) name = Buffer.from(data).toString('latin1').toLowerCase();
    if (id === TEXT_OFFSET && data.length === 4) offsets.set(name, view.getUint32(at + 6, true));
    at += 6 + size;
  }
  return offsets;
}

function findSource(bytes: Uint8Array): number | null {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(SOURCE_SIGN, 0, 'latin1');
  return at >= 3 && bytes[at - 3] === 1 ? at - 3 : null;
}

/** Unpacks a container ([MS-OVBA] 2.4.1). A damaged container gives the part before the damage. Null when it is not a container. */
export function decompressVba(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  if (bytes[0] !== 1) return null;
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (let at = 1; at + 2 <= bytes.length && total < maxBytes; ) {
    const header = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    const end = Math.min(bytes.length, at + (header & 0x0fff) + 3);
    const isCompressed = (header & 0x8000) !== 0;
    const chunk = isCompressed ? decompressChunk(bytes.subarray(at + 2, end)) : bytes.subarray(at + 2, end);
    chunks.push(chunk);
    total += chunk.length;
    at = end;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

const CHUNK_BYTES = 4_096;

function decompressChunk(packed: Uint8Array): Uint8Array {
  const out = new Uint8Array(CHUNK_BYTES);
  let length = 0;
  for (let at = 0; at < packed.length; ) {
    const flags = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length && length < CHUNK_BYTES; bit++) {
      if (((flags >> bit) & 1) === 0) {
        out[length++] = packed[at++] ?? 0;
        continue;
      }
      const token = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8);
      at += 2;
      length = copyToken(out, length, token);
    }
  }
  return out.subarray(0, length);
}

/** Reads one copy token. The more is unpacked already, the more of its bits are the distance ([MS-OVBA] 2.4.1.3.19). */
function copyToken(out: Uint8Array, length: number, token: number): number {
  const distanceBits = Math.max(4, Math.ceil(Math.log2(Math.max(1, length))));
  const lengthBits = 16 - distanceBits;
  const count = (token & ((1 << lengthBits) - 1)) + 3;
  const distance = (token >> lengthBits) + 1;
  if (distance > length) return length;
  let end = length;
  for (let index = 0; index < count && end < CHUNK_BYTES; index++) {
    out[end] = out[end - distance] ?? 0;
    end++;
  }
  return end;
}
