/**
 * AVI: a copy in which every chunk that is not on the list is empty. No byte moves, because the index of the film contains places in the
 * file.
 */
import { EngineError } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';
import { checkStream } from './avi-stream.ts';
import { type Chunk, ChunkReader, damaged, empty } from './riff-chunks.ts';

/** The chunks that a list may contain, by the name of the list. */
const CHILDREN: Readonly<Record<string, RegExp>> = {
  'AVI ': /^(?:hdrl|movi|idx1)$/,
  hdrl: /^(?:avih|strl)$/,
  strl: /^str[hf]$/,
  movi: /^(?:\d\d(?:d[bc]|wb)|rec )$/,
  'rec ': /^\d\d(?:d[bc]|wb)$/,
};
/** A film over a gigabyte continues in another list of chunks, which its old index does not know. */
const FURTHER = 'AVIX';
const HEADER_BYTES = 56;
const ROW_BYTES = 16;

interface Work {
  readonly bytes: Buffer;
  readonly reader: ChunkReader;
  readonly log: RemovalLog;
  streams: number;
}

/** Disarms the film. Throws EngineError: `unreadable` for chunks that do not fit, `unsupported` for an unknown codec. */
export function rewriteAvi(untrusted: Uint8Array, log: RemovalLog): Uint8Array {
  const bytes = Buffer.from(untrusted);
  const reader = new ChunkReader(bytes);
  const film = reader.at(0, bytes.length);
  const lists = reader.in(film.from, film.end).map(({ name }) => name);
  if (film.name !== 'AVI ' || ['hdrl', 'movi'].some((one) => lists.filter((name) => name === one).length !== 1))
    throw damaged();
  if (lists.indexOf('hdrl') > lists.indexOf('movi')) throw damaged();
  if (bytes.toString('latin1', film.end + 8, film.end + 12) === FURTHER)
    throw new EngineError('unsupported', 'films in several parts are not known here');
  const work: Work = { bytes, reader, log, streams: 0 };
  visitAll(work, film);
  if (work.streams === 0) throw damaged();
  if (film.end < bytes.length) log.note('data behind the end', 'file');
  return bytes.subarray(0, film.end);
}

function visitAll(work: Work, list: Chunk): void {
  for (const chunk of work.reader.in(list.from, list.end)) visit(work, list.name, chunk);
}

function visit(work: Work, parent: string, chunk: Chunk): void {
  const { bytes, log } = work;
  const isKnown = CHILDREN[parent]?.test(chunk.name) === true && chunk.isList === Object.hasOwn(CHILDREN, chunk.name);
  if (!isKnown || !isOfStream(work, chunk)) {
    if (chunk.name !== 'JUNK') log.note('media metadata', 'film');
    empty(bytes, chunk);
    return;
  }
  if (chunk.name === 'strl') {
    checkStream(bytes, work.reader.in(chunk.from, chunk.end));
    work.streams++;
  }
  if (chunk.name === 'avih' && chunk.end - chunk.from !== HEADER_BYTES) throw damaged();
  if (chunk.name === 'idx1') checkIndex(bytes, chunk);
  if (chunk.isList) visitAll(work, chunk);
}

/** Returns true for a chunk of a stream that the film has, and for every other kind of chunk. */
const isOfStream = ({ streams }: Work, { name }: Chunk) => !/^\d\d/.test(name) || Number(name.slice(0, 2)) < streams;

/** Checks the rows of the index, which name places in the file. */
function checkIndex(bytes: Buffer, { from, end }: Chunk): void {
  if ((end - from) % ROW_BYTES !== 0) throw damaged();
  for (let at = from; at < end; at += ROW_BYTES)
    if (bytes.readUInt32LE(at + 8) >= bytes.length || bytes.readUInt32LE(at + 12) > bytes.length) throw damaged();
}
