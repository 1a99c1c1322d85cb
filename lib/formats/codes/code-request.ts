/** The request to a code reader, and its answer. */

/** Reads QR codes and similar codes. `pdf`: on its pages, drawn or as pictures. */
export interface CodeRequest {
  readonly kind: 'picture' | 'pdf';
  readonly bytes: Uint8Array;
  readonly timeMs: number;
}
export interface CodesRead {
  /** `partly`: a page, a frame or a size beyond what is looked at; `unreadable`: not a picture that can be decoded. */
  readonly outcome: 'read' | 'partly' | 'unreadable';
  readonly untrustedTexts: readonly string[];
}
/** Never rejects. */
export type ReadCodes = (request: CodeRequest) => Promise<CodesRead>;
