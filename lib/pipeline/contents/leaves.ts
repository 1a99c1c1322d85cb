/** Turns the parts of a reading into parts of the ledger: one leaf per node, with its artifact and its bytes. */
import type { OpeningOutcome } from '../../formats/archives/unpacking.ts';
import type { FileHints, FileType } from '../../formats/detection/file-magic.ts';
import { asTextSteps } from '../../formats/detection/file-text.ts';
import { identifyFile, identifyPart } from '../../formats/detection/file-type.ts';
import { rememberedSteps } from '../../formats/remembered.ts';
import { latin1 } from '../../formats/signatures.ts';
import { STEP_BYTES, type Steps, sha256Steps } from '../../formats/steps.ts';
import type { Member, Opened } from '../../message/containers/container.ts';
import { decodePartSteps } from '../../message/encodings/decode-part.ts';
import type { ContainerName, MessagePart } from '../../message/model.ts';
import { wasRead } from '../../message/reading/leaf-content.ts';
import { markedText } from '../../message/reading/marked-text.ts';
import { judgedCharset } from '../../message/reading/one-reading.ts';
import { sha256Hex } from '../keys.ts';
import type { Artifact, FileArtifact, Opening } from '../ledger/artifact.ts';
import { fileIdOf } from '../ledger/artifact-id.ts';
import type { IntakeObject } from '../ledger/intake-object.ts';
import { MEMBER_MARK, type Part } from '../ledger/ledger.ts';
import type { TypeGroup } from '../model.ts';

/** A node of the MIME tree while the ledger is made. */
export interface Leaf {
  readonly part: Part;
  /** Null for multiparts and messages. */
  readonly file: FileArtifact | null;
  readonly bytes: Uint8Array | null;
  readonly charset: string | null;
  /** True for a text of a message, in which the reader looked for files. */
  readonly wasRead: boolean;
  /** The bytes that are disarmed instead of `bytes`; null when `bytes` are disarmed. */
  readonly marked: Uint8Array | null;
  /** See Member. */
  readonly base?: string | null;
}

/** The fields of an artifact that nobody has judged yet. */
export const UNJUDGED = {
  disarmAs: null,
  opening: null,
  submissions: [],
  verdict: 'unknown',
  disposition: null,
  removedFor: null,
  reasons: [],
} satisfies Partial<Artifact>;

const UNDECIDED = { disposition: null, delivered: null } satisfies Partial<Part>;

/** Yields a part of the message, as the reader saw it, in pieces. */
export function* leafOfPartSteps(source: MessagePart, email: Uint8Array): Steps<Leaf> {
  const { path, parent, depth, role, declaredType, charset, size, sha256, header, body } = source;
  const untrustedNames = [...source.untrustedNames];
  const common = { path, parent, depth, role, untrustedNames, declaredType, size, sha256, header, body };
  const rest = { ...UNDECIDED, container: null, readings: [...source.readings] };
  if (role === 'multipart' || role === 'message' || sha256 === null)
    return { ...NO_FILE, part: { ...common, ...rest, detectedType: null, typeGroup: null }, charset };
  const bytes = yield* decodePartSteps(email, source);
  const untrustedHeader = latin1(email, header.start, header.end);
  const hints = { untrustedNames, declaredType, role, untrustedHeader };
  const { type, marked, judged } = yield* contentSteps({ bytes, sha256, charset, hints });
  const { detectedType, extension, typeGroup } = type;
  const part: Part = { ...common, ...rest, detectedType, typeGroup };
  const disarmAs = marked && fileIdOf(sha256Hex(marked));
  const file = { ...fileArtifact(part, typeGroup, extension, sha256), disarmAs };
  return { part, file, bytes, charset: judged, wasRead: wasRead(source), marked };
}

interface Content {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly charset: string | null;
  readonly hints: FileHints;
}

/** The kind of a part, by its bytes and its header. */
interface Identified {
  readonly type: FileType;
  /** See Leaf. */
  readonly marked: Uint8Array | null;
  /** The charset under which they are judged. */
  readonly judged: string | null;
}

/** Many mails have the same text, signature, picture or file. */
const REMEMBERED = 200;
/** A part with a longer header is identified each time, because an attacker may write megabytes of it. */
const REMEMBERED_BYTES = 1_024;

const contentSteps = rememberedSteps<Content, Identified>(
  {
    most: REMEMBERED,
    // A longer file is read in pieces each time, so that later questions about its bytes take no time (`asTextSteps`).
    keyOf: ({ bytes, sha256, charset, hints }) => {
      const said = JSON.stringify([charset, hints]);
      return bytes.length > STEP_BYTES || said.length > REMEMBERED_BYTES ? null : `${sha256} ${said}`;
    },
    isKept: ({ marked }) => marked === null,
  },
  identifySteps,
);

function* identifySteps({ bytes, charset, hints }: Content): Steps<Identified> {
  yield* asTextSteps(bytes);
  const type = identifyPart(bytes, hints);
  const { detectedType, typeGroup } = type;
  const isRead = typeGroup === 'html' || detectedType === 'text/calendar';
  const marked = isRead ? markedText(bytes, charset, typeGroup === 'html') : null;
  return { type, marked, judged: judgedCharset(bytes, { charset, isPage: typeGroup === 'html' }) };
}

const NO_FILE = { file: null, bytes: null, wasRead: false, marked: null };

/** Returns the name that an object would have as a file: the last part of its key. */
export const fileNameOf = ({ untrustedKey }: IntakeObject) => untrustedKey.slice(untrustedKey.lastIndexOf('/') + 1);

/** Returns a bare file, which is the only part of its ledger. */
export function leafOfFile(intake: IntakeObject, bytes: Uint8Array): Leaf {
  const untrustedNames = [fileNameOf(intake)];
  const type = identifyFile(bytes, { untrustedNames, declaredType: '', role: 'file' });
  const sha256 = sha256Hex(bytes);
  const part: Part = {
    path: '1',
    parent: null,
    container: null,
    depth: 0,
    role: 'attachment',
    untrustedNames,
    declaredType: 'application/octet-stream',
    detectedType: type.detectedType,
    typeGroup: type.typeGroup,
    size: bytes.length,
    sha256,
    header: { start: 0, end: 0 },
    body: { start: 0, end: bytes.length },
    readings: ['structure'],
    ...UNDECIDED,
  };
  const file = fileArtifact(part, type.typeGroup, type.extension, sha256);
  return { part, file, bytes, charset: null, wasRead: false, marked: null };
}

/**
 * Returns a member of a container, in pieces. Its path is the container's path, `!`, and the path within. It has no byte range in the
 * email.
 */
export function* leafOfMemberSteps(container: Part, member: Member): Steps<Leaf> {
  const { bytes, declaredType, charset, role, wasRead = false, base = null } = member;
  const untrustedNames = [...member.untrustedNames];
  yield* asTextSteps(bytes);
  const type = identifyFile(bytes, { untrustedNames, declaredType, role });
  const sha256 = yield* sha256Steps(bytes);
  const part: Part = {
    path: `${container.path}${MEMBER_MARK}${member.path}`,
    parent: container.path,
    container: container.path,
    depth: container.depth + 1,
    role: 'member',
    untrustedNames,
    declaredType,
    detectedType: type.detectedType,
    typeGroup: type.typeGroup,
    size: bytes.length,
    sha256,
    header: NOWHERE,
    body: NOWHERE,
    readings: ['structure'],
    ...UNDECIDED,
  };
  const file = fileArtifact(part, type.typeGroup, type.extension, sha256);
  return { part, file, bytes, charset, wasRead, marked: null, base };
}

const NOWHERE = { start: 0, end: 0 };

function fileArtifact(part: Part, typeGroup: TypeGroup, extension: string, sha256: string): FileArtifact {
  const { size, path } = part;
  const id = fileIdOf(sha256);
  return { ...UNJUDGED, type: 'file', id, typeGroup, extension, size, untrustedUrl: null, origins: [path] };
}

/** Returns an opening in the form of the ledger. */
export function openingOf(as: ContainerName, { outcome, detail, untrustedPassword, needsPassword }: Opened): Opening {
  return { as, outcome, detail, untrustedPassword, ...(needsPassword ? { needsPassword } : {}) };
}

/** Returns an opening that was not tried. */
export function unopened(as: ContainerName, outcome: OpeningOutcome, detail: string): Opening {
  return { as, outcome, detail, untrustedPassword: null };
}
