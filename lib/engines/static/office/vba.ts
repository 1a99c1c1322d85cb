/** Reads the VBA source of a project ([MS-OVBA]). The dir stream gives its place. If that is false, the source is found by its form. */
import type { Finding } from '../../engine.ts';
import type { Compound, CompoundStream } from '../compound-streams.ts';
import { type Piece, VBA_SOURCE, type View } from '../findings/module.ts';
import { compiledModules } from './pcode/compiled-modules.ts';
import { readProjectNames } from './pcode/project-names.ts';
import { arePlainMacros } from './plain/plain-macro.ts';
import { textsInCache } from './vba-cache.ts';
import { decompressVba } from './vba-compression.ts';
import { isForeignReference, isOrdinaryReference } from './vba-references.ts';
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
  /** Whether all modules were read in both forms, none of them could act, and only the libraries of Office are loaded with them. */
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
    hasOrdinaryReferences(dir, project) &&
    arePlainModules(forms);
  return { pieces: [...pieces, ...others.map(compiledPiece)], views, findings, isPlain };
}

/** Judges both lists of references: the list of the dir stream, which editors show, and the list of the compiled code. */
function hasOrdinaryReferences(dir: Uint8Array, project: Uint8Array | undefined): boolean {
  const compiled = project === undefined ? null : readProjectNames(project);
  return (
    recordsOf(dir).every(({ id, data }) => !isForeignReference(id, data)) &&
    (compiled?.references ?? []).every(isOrdinaryReference)
  );
}

/** Checks that the sources are there, and that their compiled form was read to its end. */
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

/** Returns the compiled code of a module that was not made from its source. This is the code that runs. */
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

/** Returns false when an object in the document has macros of its own, which no list of the first project names. */
const isOnlyProject = (streams: readonly CompoundStream[]) => streams.filter(({ path }) => DIR.test(path)).length === 1;

const DIR = /(?:^|\/)vba\/dir$/i;

/** Returns the unpacked stream that describes the project; empty when there is none. */
function dirOf(streams: readonly CompoundStream[]): Uint8Array {
  const packed = streams.find(({ path }) => DIR.test(path))?.bytes;
  return (packed === undefined ? null : decompressVba(packed, 1024 * 1024)) ?? new Uint8Array();
}

const SYSTEM_KIND = 0x0001;
const WIN_64 = 3;

/** Returns true for a project of 64-bit Office. The kind of system is the first record ([MS-OVBA] 2.3.4.2.1.1). */
function isOf64Bits(dir: Uint8Array): boolean {
  if (dir.length < 10) return false;
  const view = new DataView(dir.buffer, dir.byteOffset, dir.byteLength);
  return view.getUint16(0, true) === SYSTEM_KIND && view.getUint32(6, true) === WIN_64;
}

interface DirRecord {
  readonly id: number;
  readonly data: Uint8Array;
}

/** Returns the records of the dir stream ([MS-OVBA] 2.3.4.2). The last one may be cut off. */
function recordsOf(dir: Uint8Array): DirRecord[] {
  const records: DirRecord[] = [];
  const view = new DataView(dir.buffer, dir.byteOffset, dir.byteLength);
  for (let at = 0; at + 6 <= dir.length; ) {
    const id = view.getUint16(at, true);
    // The size of the version record does not count its last two bytes.
    const size = id === PROJECT_VERSION ? 6 : view.getUint32(at + 2, true);
    records.push({ id, data: dir.subarray(at + 6, at + 6 + size) });
    at += 6 + size;
  }
  return records;
}

/** Returns the offsets of the source in the streams of modules, by the names of the streams in lower case. */
function moduleOffsets(dir: Uint8Array): Map<string, number> {
  const offsets = new Map<string, number>();
  let name = '';
  for (const { id, data } of recordsOf(dir)) {
    if (id === STREAM_NAME) name = Buffer.from(data).toString('latin1').toLowerCase();
    if (id === TEXT_OFFSET && data.length === 4) offsets.set(name, Buffer.from(data).readUInt32LE());
  }
  return offsets;
}

function findSource(bytes: Uint8Array): number | null {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(SOURCE_SIGN, 0, 'latin1');
  return at >= 3 && bytes[at - 3] === 1 ? at - 3 : null;
}
