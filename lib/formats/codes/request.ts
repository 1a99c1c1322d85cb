/** The request to a code reader, and its answer. */

/** A picture, or a PDF whose pages are searched for drawn and embedded codes. */
export interface CodeRequest {
  readonly kind: 'picture' | 'pdf';
  readonly bytes: Uint8Array;
  /** The processor time that it may take, in milliseconds. */
  readonly workMs: number;
}
export interface CodesRead {
  /** `partly`: there are more pages or frames than are searched, or the time was over. `unreadable`: it cannot be decoded. */
  readonly outcome: 'read' | 'partly' | 'unreadable';
  readonly untrustedTexts: readonly string[];
}
/** Reads the codes of one picture or document. Never rejects. */
export type ReadCodes = (request: CodeRequest) => Promise<CodesRead>;
