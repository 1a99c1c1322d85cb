/**
 * The interface of a container: bytes in, members out. Each kind has one module; `containers.ts` is the table. The modules read
 * hostile bytes, so each ends with one of a closed set of outcomes, never with an exception, and uses no more than its allowance.
 */
import type { Allowance, Unpack, Unpacked, UnpackedMember } from '../../formats/archives/unpacking.ts';
import type { ContainerName, ReadingLimits, ReadingWarning } from '../model.ts';

/** A file that may be a container. */
export interface Candidate {
  readonly bytes: Uint8Array;
  /** Every name that the mail claims for it. */
  readonly untrustedNames: readonly string[];
  /** Lower-case `type/subtype` as declared. */
  readonly declaredType: string;
  /** The type by its bytes. */
  readonly detectedType: string;
  readonly role: 'body' | 'attachment' | 'file';
  /** True for a text of a message, in which the reader of the message has already looked for files. */
  readonly wasRead: boolean;
  /** How many messages and parts enclose it in its message. */
  readonly depth: number;
}

/** A file found in a container. Its path is the path of the part in a nested message. */
export interface Member extends UnpackedMember {
  readonly declaredType: string;
  readonly charset: string | null;
  readonly role: 'body' | 'attachment' | 'file';
  /** True for a text of a nested message, in which the reader has already looked for files. @default false */
  readonly wasRead?: boolean;
  /** The address from which its relative links start, when the header of a page in a web archive gives one. @default null */
  readonly base?: string | null;
}

export interface Opened extends Unpacked<Member> {
  /** Warnings from reading a nested message, with paths inside it. */
  readonly warnings: readonly ReadingWarning[];
  /** Texts beside the members that may hold passwords: the subject of a nested message. */
  readonly untrustedTexts: readonly string[];
  /** True for encrypted mail that a password opens, and nobody's key. */
  readonly needsPassword: boolean;
}

/** The remaining allowance for everything that is unpacked from one message. */
export interface Budget {
  /** Returns the allowance that is left now. */
  allowance(): Allowance;
  /** Counts the result of an opening. */
  spend(members: readonly Member[]): void;
  /** Counts a nested message of this many bytes. Returns false when less than that is left: the message must then not be read. */
  takeReading(bytes: number): boolean;
}

export interface OpenContext {
  readonly budget: Budget;
  /** Passwords to try, the most likely first. */
  readonly passwords: readonly string[];
  readonly unpack: Unpack;
  readonly readingLimits: ReadingLimits;
}

export interface Container {
  readonly name: ContainerName;
  /** Returns true when the candidate is of this kind. Fast, and never throws. */
  accepts(candidate: Candidate): boolean;
  /** Opens it. Never rejects on content. */
  open(candidate: Candidate, context: OpenContext): Promise<Opened>;
}

/** Returns an opening with defaults for everything that `facts` does not give. */
export function opened(facts: Partial<Opened> & Pick<Opened, 'outcome'>): Opened {
  const nothing = { detail: '', members: [], warnings: [], untrustedPassword: null, untrustedTexts: [] };
  return { ...nothing, needsPassword: false, ...facts };
}
