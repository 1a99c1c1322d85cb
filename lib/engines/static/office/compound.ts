/** Office 97 to 2003 documents, encrypted Office documents and other compound files. */
import { EncryptionError } from '../../../formats/office/encryption/encryption-error.ts';
import { openLegacy, openPackage, passwordsOf } from '../../../formats/office/encryption/open.ts';
import { anyOf } from '../../../formats/patterns.ts';
import { EngineError, type Finding } from '../../engine.ts';
import { type Compound, type CompoundStream, readCompound } from '../compound-streams.ts';
import { asFact, type FindingId, finding } from '../findings/findings.ts';
import type { ModuleResult, Piece, StaticFile, StaticModule } from '../findings/module.ts';
import { isOfField, judgeDocuments } from './documents.ts';
import { hasOnlyFormControls } from './excel-controls.ts';
import { readObjects } from './ole-package.ts';
import { hasOnlyOrdinaryObjects } from './ordinary-objects.ts';
import { holdsReachingRecord } from './reaching-text.ts';
import { readVba } from './vba.ts';

const DOCUMENTS = new Set(['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint']);
const OTHERS = new Set(['application/x-ole-storage', 'application/vnd.visio', 'application/vnd.ms-outlook']);

const CONTROL_PATH = /(?:^|\/)(?:Ctls|\[3\]OCXDATA|\[3\]OCXNAME)$/i;
/** Paths of macros, objects and controls. They are found at any depth, because an embedded document has its own. */
const DANGEROUS_PATHS: readonly (readonly [RegExp, FindingId])[] = [
  [/(?:^|\/)(?:Macros|_VBA_PROJECT_CUR|VBA|_VBA_PROJECT)(?:\/|$)/i, 'office-macro'],
  [
    /(?:^|\/)(?:ObjectPool|MBD[0-9A-F]+)\/|(?:^|\/)(?:\[1\]Ole10Native|Equation Native|Package)$/i,
    'office-embedded-object',
  ],
  [CONTROL_PATH, 'office-activex'],
];
/** Streams of documents without anything special. */
const ORDINARY_STREAM = anyOf(
  [
    /^(?:WordDocument|[01]Table|Data|Workbook|Book|PowerPoint Document|Current User|Pictures|Header)$/,
    /^\[[15]\](?:CompObj|SummaryInformation|DocumentSummaryInformation|Ole)$/,
    /^(?:_SX_DB_CUR\/.*|Revision Log|User Names)$/,
  ],
  'i',
);
const MAX_VIEWS = 100;

export const compoundModule: StaticModule = {
  name: 'compound file',
  accepts: (type) => DOCUMENTS.has(type) || OTHERS.has(type),
  run: async (file) => {
    try {
      return judgeCompound(file, readCompound(file.bytes, file.limits));
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'encrypted') throw error;
      const bytes = await openLegacy(file.bytes, passwordsOf(file));
      if (bytes === null) throw error;
      return judgeCompound({ ...file, bytes }, readCompound(bytes, file.limits));
    }
  },
};

/** Documents with a password. Their content is judged when the password is known, and when programs do not ask for it. */
export const encryptedModule: StaticModule = {
  name: 'encrypted document',
  accepts: (type) => type === 'application/encrypted',
  run: (file) => {
    const bytes = openedPackage(file, readCompound(file.bytes, file.limits));
    if (bytes === null) throw new EngineError('encrypted', 'the document needs a password');
    const { untrustedName } = file;
    const opened = {
      where: 'encrypted document',
      bytes,
      kind: 'extracted_file',
      untrustedName,
      scope: 'code',
    } as const;
    return { findings: [], views: [], pieces: [opened], understood: true };
  },
};

/**
 * Opens a document. Returns null when no password fits, and when the encryption is unknown or damaged. Then nobody has opened the document.
 */
function openedPackage(file: StaticFile, { streams }: Compound): Uint8Array | null {
  const stream = (name: string) => Buffer.from(streams.find(({ path }) => path.toLowerCase() === name)?.bytes ?? []);
  try {
    return openPackage(stream('encryptioninfo'), stream('encryptedpackage'), passwordsOf(file));
  } catch (error) {
    if (error instanceof EncryptionError) return null;
    throw error;
  }
}

function judgeCompound(file: StaticFile, compound: Compound): ModuleResult {
  const { streams } = compound;
  const areOrdinary = hasOnlyOrdinaryObjects(compound);
  const dangerous = streams.flatMap(({ path }) =>
    DANGEROUS_PATHS.filter(([pattern]) => pattern.test(path)).map(([, id]) => finding(id, path)),
  );
  const objects = readObjects(compound);
  const vba = readVba(compound, file.limits.inflatedBytes);
  const documents = judgeDocuments(compound, file.limits, 'file');
  const facts = new Set<string>([
    ...(vba.isPlain && !streams.some(isReachingBook) ? ['office-macro'] : []),
    ...(areOrdinary ? ['office-embedded-object'] : []),
    ...(hasOnlyFormControlsIn(streams) ? ['office-activex'] : []),
  ]);
  const weigh = (one: Finding) => (facts.has(one.id) ? asFact(one) : one);
  const [fields, others] = [documents.findings.filter(isOfField), documents.findings.filter((one) => !isOfField(one))];
  return {
    findings: [...[...dangerous, ...fields].map(weigh), ...objects.findings, ...vba.findings, ...others],
    views: [...documents.views, ...streams.map(({ path, bytes }) => ({ where: path, bytes })), ...vba.views].slice(
      0,
      MAX_VIEWS,
    ),
    pieces: [...vba.pieces, ...objects.pieces, ...documents.pieces, ...attachments(streams)],
    understood:
      DOCUMENTS.has(file.type.type) && documents.understood && streams.every(({ path }) => ORDINARY_STREAM.test(path)),
    explained: areOrdinary && documents.areOrdinary ? ['equation-editor-object'] : [],
  };
}

const isReachingBook = ({ path, bytes }: CompoundStream) =>
  /(?:^|\/)(?:workbook|book)$/i.test(path) && holdsReachingRecord(bytes);

function hasOnlyFormControlsIn(streams: readonly CompoundStream[]): boolean {
  const stream = (name: string) => streams.find(({ path }) => path.toLowerCase() === name)?.bytes;
  const [workbook, controls] = [stream('workbook'), stream('ctls')];
  const hasOthers = streams.some(({ path }) => CONTROL_PATH.test(path) && path.toLowerCase() !== 'ctls');
  return workbook !== undefined && controls !== undefined && !hasOthers && hasOnlyFormControls(workbook, controls);
}

/** Returns the attachments of an Outlook message ([MS-OXMSG]). The bytes and the name of each are streams of one storage. */
function attachments(streams: readonly CompoundStream[]): Piece[] {
  return streams
    .filter(({ path }) => /__attach_version1\.0_#[0-9a-f]{8}\/__substg1\.0_37010102$/i.test(path))
    .slice(0, MAX_VIEWS)
    .map(({ path, bytes }) => {
      const storage = path.slice(0, path.lastIndexOf('/'));
      const name = streams.find(
        (stream) => /__substg1\.0_370[47]001[ef]$/i.test(stream.path) && stream.path.startsWith(storage),
      );
      const isWide = name?.path.toLowerCase().endsWith('001f') === true;
      const untrustedName = Buffer.from(name?.bytes ?? []).toString(isWide ? 'utf16le' : 'latin1');
      return {
        where: path,
        bytes,
        kind: 'extracted_file',
        untrustedName: untrustedName || 'attachment',
        scope: 'file',
      } as const;
    });
}
