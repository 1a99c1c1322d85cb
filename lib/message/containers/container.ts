/**
 * What a container is: bytes in, members out. One module per kind, all alike; `containers.ts` is the table. They read hostile
 * bytes, so each ends in one of the closed set of outcomes, never in an exception, and takes no more than its allowance.
 */

import type { ContainerName, OpeningOutcome, ReadingLimits, ReadingWarning } from '../model.ts';

/** A file that may be a container. */
export interface Candidate {
  readonly bytes: Uint8Array;
  /** Every name claimed for it. */
  readonly untrustedNames: readonly string[];
  /** Lower-case `type/subtype` as declared. */
  readonly declaredType: string;
  /** What its bytes say. */
  readonly detectedType: string;
  readonly role: 'body' | 'attachment' | 'file';
  /** A text of a message, in which the reading of the message looked for files. */
  readonly wasRead: boolean;
  /** Messages and parts that it stands in, in the message it came with. */
  readonly depth: number;
}

/** A file found in a container. */
export interface Member {
  /** Within its container: `1`, `2` … in the order found, or the path of the part in a nested message. */
  readonly path: string;
  readonly untrustedNames: readonly string[];
  readonly declaredType: string;
  readonly charset: string | null;
  readonly role: 'body' | 'attachment' | 'file';
  /** A text in which the reading of a nested message looked for files. @default false */
  readonly wasRead?: boolean;
  readonly bytes: Uint8Array;
}

export interface Opened {
  readonly outcome: OpeningOutcome;
  /** Plain words for a person, without text of the sender; empty when it was opened. */
  readonly detail: string;
  readonly members: readonly Member[];
  /** Of the reading of a nested message, with paths in it. */
  readonly warnings: readonly ReadingWarning[];
  /** The password that opened it; null when none was needed or none did. */
  readonly untrustedPassword: string | null;
  /** Texts beside the members that may hold passwords: the subject of a nested message. */
  readonly untrustedTexts: readonly string[];
}

/** Kinds that are opened by the port, away from this thread. */
export type ArchiveFormat = Extract<
  ContainerName,
  'zip' | '7z' | 'rar' | 'tar' | 'gzip' | 'bzip2' | 'xz' | 'iso' | 'cab'
>;

/** What may still be taken for the message, when an opening begins. */
export interface Allowance {
  /** Members that may still be found. */
  readonly members: number;
  /** Bytes that may still be unpacked. */
  readonly bytes: number;
  /** Bytes of one member. */
  readonly memberBytes: number;
  /** Times the container's own size that it may unpack to. */
  readonly ratio: number;
  readonly timeMs: number;
  /** Passwords that may be tried on one archive. */
  readonly passwordTries: number;
}

/** What is left for everything that is unpacked from one message. */
export interface Budget {
  /** What is left now. */
  allowance(): Allowance;
  /** Takes what an opening gave. */
  spend(members: readonly Member[]): void;
  /** Takes the reading of a nested message of this many bytes. False when that is more than is left: it is not to be read. */
  takeReading(bytes: number): boolean;
}

export interface UnpackRequest {
  readonly format: ArchiveFormat;
  readonly bytes: Uint8Array;
  /** Names the only member of a format that holds no name. */
  readonly untrustedName: string | null;
  readonly passwords: readonly string[];
  readonly allowance: Allowance;
}

/** Opens an archive where hostile bytes do no harm. Never rejects. */
export type Unpack = (request: UnpackRequest) => Promise<Opened>;

export interface OpenContext {
  readonly budget: Budget;
  /** Passwords to try, the likeliest first. */
  readonly passwords: readonly string[];
  readonly unpack: Unpack;
  readonly readingLimits: ReadingLimits;
}

export interface Container {
  readonly name: ContainerName;
  /** True when the candidate is one of this kind. Cheap, and never throws. */
  accepts(candidate: Candidate): boolean;
  /** Opens it. Never rejects on content. */
  open(candidate: Candidate, context: OpenContext): Promise<Opened>;
}

/** An opening with everything that is not said at its default. */
export function opened(facts: Partial<Opened> & Pick<Opened, 'outcome'>): Opened {
  return { detail: '', members: [], warnings: [], untrustedPassword: null, untrustedTexts: [], ...facts };
}
