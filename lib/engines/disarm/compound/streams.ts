/** The report's words for the streams of Office 97 to 2003 files. Writes a file from the streams that stay. */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import type { RemovalLog } from '../removals.ts';
import { rewriteSummary } from './properties.ts';
import type { CompoundStream } from './read.ts';
import { writeCompoundFile } from './write.ts';

/** Matched against the printable form of a path, in which `[1]` represents a control character. The first match counts. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\[1\](?:CompObj|Ole)$/, 'program information'],
  [/(?:^|\/)(?:Macros|_VBA_PROJECT_CUR|VBA|_VBA_PROJECT|PROJECT\w*)(?:\/|$)/i, 'macro'],
  [/(?:^|\/)(?:Ctls$|\[3\]OCX)/i, 'ActiveX control'],
  [
    /(?:^|\/)(?:ObjectPool|MBD[0-9A-F]+)(?:\/|$)|(?:^|\/)(?:\[1\]Ole|\[3\]|Equation Native$|Package$)/i,
    'embedded object',
  ],
  [/^\[5\](?:Document)?SummaryInformation$/, 'document properties'],
  [/^MsoDataStore\//i, 'custom XML data'],
  [/^_(?:xmlsignatures|signatures)/i, 'digital signature'],
  [/^\[6\]DataSpaces\//i, 'rights management data'],
  [/^(?:Revision Log|User Names)$/i, 'revision history'],
];

/** Notes every stream that is not in `kept` (lower-case paths). */
export function noteDroppedStreams(
  streams: ReadonlyMap<string, CompoundStream>,
  kept: ReadonlySet<string>,
  log: RemovalLog,
): void {
  for (const [key, { path, size }] of streams) {
    if (kept.has(key)) continue;
    const name = printable(path);
    const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? (size === 0 ? 'empty stream' : 'unknown stream');
    log.note(kind, name);
  }
}

const printable = (path: string): string => path.replace(/\p{Cc}/gu, (mark) => `[${mark.charCodeAt(0)}]`);

/** Reads one stream. Throws EngineError `unreadable` when it is missing. */
export function streamOf(streams: ReadonlyMap<string, CompoundStream>, key: string): Buffer {
  const entry = streams.get(key);
  if (entry === undefined) throw new EngineError('unreadable', `the document has no stream ${key}`);
  return entry.read();
}

const SUMMARY = '\u0005SummaryInformation';

/** Adds the rewritten summary of the input when metadata is kept. It counts as kept only when nothing was removed from it. */
export function keepSummary(
  input: FileInput,
  streams: ReadonlyMap<string, CompoundStream>,
  output: Map<string, Uint8Array>,
  kept: Set<string>,
): void {
  const summary = streams.get(SUMMARY.toLowerCase())?.read();
  if (input.keepMetadata !== true || summary === undefined) return;
  const rewritten = rewriteSummary(summary);
  if (rewritten === null) return;
  output.set(SUMMARY, rewritten);
  if (rewritten.equals(summary)) kept.add(SUMMARY.toLowerCase());
}

/** Writes the file. It is `already_safe` when nothing was noted and writing gives the same bytes. */
export function finishCompound(
  input: FileInput,
  type: DetectedType,
  log: RemovalLog,
  output: { readonly clsid: string; readonly streams: ReadonlyMap<string, Uint8Array> },
): Disarmed {
  const bytes = writeCompoundFile(output);
  if (Buffer.compare(bytes, input.bytes) !== 0) {
    if (log.removals.length === 0) log.note('unused space', 'compound file', 'sanitized');
    return { outcome: 'disarmed', bytes, type, details: log.removals };
  }
  if (log.removals.length === 0) return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  throw new EngineError('engine_failed', 'something was found in the document and could not be taken out');
}
