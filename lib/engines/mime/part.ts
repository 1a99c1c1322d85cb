/** A message in memory, between reading one (EML, MHT, MSG, TNEF) and writing a disarmed one. */

export interface MailHeader {
  readonly name: string;
  /** Unfolded and otherwise unchanged. Untrusted. */
  readonly value: string;
}

export interface MimeLeaf {
  readonly kind: 'leaf';
  /** As declared, lower case; a hint. */
  readonly untrustedType: string;
  /** Declared charset in lower case; empty when there is none. */
  readonly charset: string;
  readonly untrustedName: string | null;
  readonly contentId: string | null;
  readonly location: string | null;
  readonly isAttachment: boolean;
  /** The method of a calendar part: REQUEST, REPLY. REQUEST, REPLY. Empty otherwise. */
  readonly method: string;
  /** Decoded content. */
  readonly bytes: Uint8Array;
}

export interface MimeGroup {
  readonly kind: 'group';
  /** `mixed`, `alternative`, `related`. */
  readonly subtype: string;
  readonly parts: readonly MimePart[];
}

/** A message within the message, already parsed. */
export interface MimeMessage {
  readonly kind: 'message';
  readonly untrustedName: string | null;
  readonly message: Mail;
}

export type MimePart = MimeLeaf | MimeGroup | MimeMessage;

export interface Mail {
  readonly headers: readonly MailHeader[];
  readonly body: MimePart;
}

/** Returns a leaf with only the given properties. */
export function leafOf(fields: Partial<MimeLeaf> & Pick<MimeLeaf, 'untrustedType' | 'bytes'>): MimeLeaf {
  return {
    kind: 'leaf',
    charset: '',
    untrustedName: null,
    contentId: null,
    location: null,
    isAttachment: false,
    method: '',
    ...fields,
  };
}
