/**
 * The documents of Word, Excel and PowerPoint 97 to 2003 in a compound file: the document of the file itself, and those of the objects in
 * it. A double click opens an object as if it were a file.
 */
import { EngineError, type EngineLimits, type Finding } from '../../engine.ts';
import type { Compound, CompoundStream } from '../compound-streams.ts';
import { asFact, finding } from '../findings/findings.ts';
import type { ModuleResult, Piece } from '../findings/module.ts';
import { judgeClickedLinks } from '../findings/target-findings.ts';
import { fieldAction, startsProgram } from './active-fields.ts';
import { hasComputedFieldInText } from './computed-fields.ts';
import { judgeWorkbook } from './excel-records.ts';
import { linksOfField } from './field-links.ts';
import { judgePresentation } from './powerpoint-records.ts';

export interface JudgedDocuments extends ModuleResult {
  readonly pieces: readonly Piece[];
  /** Whether all objects in records, as in presentations, are ordinary, and every document was read. */
  readonly areOrdinary: boolean;
}

type Judged = Pick<JudgedDocuments, 'findings' | 'understood'> & Partial<JudgedDocuments>;

/**
 * Judges all documents. `root` says whether the compound file is a file or an object of a package. Throws EngineError when the document of
 * a file needs a password or cannot be read.
 */
export function judgeDocuments({ streams }: Compound, limits: EngineLimits, root: 'file' | 'object'): JudgedDocuments {
  const judged = streams.flatMap((stream) => {
    const isFile = root === 'file' && !stream.path.includes('/');
    return (isFile ? judgeStream(stream, streams, limits) : judgeObject(stream, streams, limits)) ?? [];
  });
  return {
    findings: judged.flatMap(({ findings }) => findings),
    views: judged.flatMap(({ views = [] }) => views),
    pieces: judged.flatMap(({ pieces = [] }) => pieces),
    understood: judged.length > 0 && judged.every(({ understood }) => understood),
    areOrdinary: judged.every(({ areOrdinary = true }) => areOrdinary),
  };
}

/** Content that no program opens. */
const NO_DOCUMENT: Judged = { findings: [], understood: false };

function judgeObject(stream: CompoundStream, streams: readonly CompoundStream[], limits: EngineLimits): Judged | null {
  try {
    return judgeStream(stream, streams, limits);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'oversize') throw error;
    // Unread content of an object may be anything.
    const unread = {
      findings: [finding('office-embedded-object', stream.path)],
      understood: false,
      areOrdinary: false,
    };
    return error.code === 'encrypted' ? unread : NO_DOCUMENT;
  }
}

/** Judges a stream. Returns null for a stream that is no document. */
function judgeStream(
  { path, bytes }: CompoundStream,
  streams: readonly CompoundStream[],
  limits: EngineLimits,
): Judged | null {
  const cut = path.lastIndexOf('/') + 1;
  switch (path.slice(cut).toLowerCase()) {
    case 'worddocument':
      return judgeWord(bytes, path, streams.some(isOfMacros));
    // Excel 5 and 95 call the stream `Book`. A file for both has both, and each program reads its own.
    case 'workbook':
    case 'book':
      return judgeWorkbook(bytes);
    case 'powerpoint document':
      return judgePresentation(bytes, streamOf(streams, `${path.slice(0, cut)}Current User`), limits);
    default:
      return null;
  }
}

const streamOf = (streams: readonly CompoundStream[], path: string) =>
  streams.find((stream) => stream.path.toLowerCase() === path.toLowerCase())?.bytes;

/** The places of the fields of objects in a Word document. The object itself is in a storage of its own. */
const OBJECT_FIELD = ', field of an object';
/** Returns whether the objects in the file say what a finding weighs. */
export const isOfField = ({ where }: Finding) => where?.endsWith(OBJECT_FIELD) === true;

const isOfMacros = ({ path }: CompoundStream) => /(?:^|\/)(?:Macros|VBA|_VBA_PROJECT(?:_CUR)?)(?:\/|$)/i.test(path);

const FIB_ENCRYPTED = 0x0100;
const FIELD_MARK = 0x13;
const [BEGIN, SEPARATOR, END] = [FIELD_MARK, FIELD_MARK + 1, FIELD_MARK + 2].map((code) => String.fromCharCode(code));
/** The instruction of a field is between its first mark and the next of any field ([MS-DOC] 2.8.25). */
const FIELD = new RegExp(`${BEGIN}([^${BEGIN}${SEPARATOR}${END}]{0,4000})`, 'g');
/** The instruction of a DDE field, with the fields inside of it. */
const DDE_FIELD = new RegExp(`${BEGIN}(\\s{0,20}DDE[^${SEPARATOR}${END}]{0,400})`, 'gi');
/** The version that Word 97 wrote. Older files have another layout. */
const WORD_97 = 0x00c1;

/** Judges the file information block of Word ([MS-DOC] 2.5.1) and the fields (2.8.25) in the text behind it. */
function judgeWord(bytes: Uint8Array, where: string, hasMacros: boolean): Judged {
  if (bytes.length < 32) throw new EngineError('unreadable', 'the document has no header');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if ((view.getUint16(0x0a, true) & FIB_ENCRYPTED) !== 0)
    throw new EngineError('encrypted', 'the document needs a password');
  // A character has one byte or two. Without the zero bytes, both can be read.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').replaceAll('\0', '');
  const inText = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, instruction = '']) => instruction);
  const fields = inText(FIELD);
  const actions = new Set(fields.map(fieldAction));
  const program = inText(DDE_FIELD).find(startsProgram);
  const links = fields.flatMap(linksOfField);
  return {
    findings: [
      ...(program === undefined ? [] : [finding('dde-starts-program', where, program)]),
      ...(actions.has('dde') ? [finding('office-dde', where)] : []),
      ...(actions.has('fetch') || hasComputedFieldInText(text) ? [finding('office-active-field', where)] : []),
      ...(actions.has('macro')
        ? [hasMacros ? finding('office-active-field', where) : asFact(finding('office-active-field', where))]
        : []),
      ...(actions.has('object') ? [finding('office-embedded-object', `${where}${OBJECT_FIELD}`)] : []),
      ...(actions.has('control') ? [finding('office-embedded-object', where)] : []),
      ...judgeClickedLinks(links, where),
    ],
    understood: view.getUint16(2, true) >= WORD_97,
  };
}
