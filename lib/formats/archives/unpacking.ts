/** The request to open an archive, and the answer. */

/** The archives that are opened. */
export const ARCHIVE_FORMATS = ['zip', '7z', 'rar', 'tar', 'gzip', 'bzip2', 'xz', 'iso', 'cab'] as const;
export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

/** The end of an opening. With any outcome but `opened`, something inside was not read. `members` lists everything that was read. */
export const OPENING_OUTCOMES = ['opened', 'encrypted', 'damaged', 'over_budget', 'unsupported'] as const;
export type OpeningOutcome = (typeof OPENING_OUTCOMES)[number];

/** The allowance of an opening when it begins. */
export interface Allowance {
  /** Members that may still be found. */
  readonly members: number;
  /** Bytes that may still be unpacked. */
  readonly bytes: number;
  /** Bytes of one member. */
  readonly memberBytes: number;
  /** The greatest ratio of unpacked to packed size. */
  readonly ratio: number;
  /** Milliseconds of processor time. */
  readonly workMs: number;
  /** Passwords that may be tried on one archive. */
  readonly passwordTries: number;
}

export interface UnpackRequest {
  readonly format: ArchiveFormat;
  readonly bytes: Uint8Array;
  /** The name for the only member of a format without names. */
  readonly untrustedName: string | null;
  readonly passwords: readonly string[];
  readonly allowance: Allowance;
}

/** A file found in an archive. */
export interface UnpackedMember {
  /** `1`, `2` … in the order found. */
  readonly path: string;
  /** All names that programs may give it. */
  readonly untrustedNames: readonly string[];
  readonly bytes: Uint8Array;
}

export interface Unpacked<M extends UnpackedMember = UnpackedMember> {
  readonly outcome: OpeningOutcome;
  /** Plain words for a person, without text of the sender. Empty when it was opened. */
  readonly detail: string;
  readonly members: readonly M[];
  /** The password that opened it. Null when none was needed or none was right. */
  readonly untrustedPassword: string | null;
}

/** Opens an archive where hostile bytes do no harm. Never rejects. */
export type Unpack = (request: UnpackRequest) => Promise<Unpacked>;

/** Returns the answer for an archive from which no member was read. */
export function unopenedArchive(outcome: OpeningOutcome, detail: string): Unpacked {
  return { outcome, detail, members: [], untrustedPassword: null };
}

/** The ratio does not count below this size, because a page of spaces packs 500:1 and does no harm. */
export const RATIO_FREE_BYTES = 10 * 1024 * 1024;

/** Returns bytes that a container of this size may unpack to under an allowance. */
export function mostBytes(allowance: Allowance, containerSize: number): number {
  return Math.min(allowance.bytes, Math.max(RATIO_FREE_BYTES, containerSize * allowance.ratio));
}

export interface MemberCollector<M extends UnpackedMember = UnpackedMember> {
  /** Returns false when the member is over the allowance. It is then not added, and the caller can stop. */
  add(member: Omit<M, 'path'> & { readonly path?: string }): boolean;
  /** Returns true after something was over the allowance, so that the caller need not read on. */
  isOver(): boolean;
  /** Returns everything collected. The outcome is `outcome`, unless the allowance ended the opening. */
  result(facts?: Partial<Unpacked>): Unpacked<M>;
}

/** Collects members up to the allowance. The ratio is measured against `containerSize`. */
export function collectWithin<M extends UnpackedMember>(
  allowance: Allowance,
  containerSize: number,
): MemberCollector<M> {
  const members: M[] = [];
  const most = mostBytes(allowance, containerSize);
  let bytes = 0;
  let over: string | null = null;
  return {
    add(member) {
      if (over !== null) return false;
      const { length } = member.bytes;
      if (members.length >= allowance.members) over = 'more members than are looked at';
      else if (length > allowance.memberBytes) over = 'a member larger than is looked at';
      else if (bytes + length > most) over = 'it unpacks to more than is looked at';
      if (over !== null) return false;
      bytes += length;
      members.push({ ...member, path: member.path ?? String(members.length + 1) } as M);
      return true;
    },
    isOver: () => over !== null,
    result: ({ outcome = 'opened', detail = '', untrustedPassword = null } = {}) => ({
      outcome: over === null ? outcome : 'over_budget',
      detail: over ?? detail,
      members,
      untrustedPassword,
    }),
  };
}
