/** A request to draw a stored file for a person to look at, and the answer. */

/** `picture` and `pdf` become pictures; `page` (HTML), `text` and `office` become text. */
export const DRAWN_KINDS = ['picture', 'pdf', 'page', 'text', 'office'] as const;
export type DrawnKind = (typeof DRAWN_KINDS)[number];

export interface DrawRequest {
  readonly kind: DrawnKind;
  readonly bytes: Uint8Array;
  /** The charset that the header names for a page or a text; null when it is not known. */
  readonly charset: string | null;
  /** True for pictures with fewer pixels and colours, for a page that is a file. @default false */
  readonly isSmall?: boolean | undefined;
}

export interface Drawn {
  /** `partly`: there is more than is drawn. `undrawable`: it cannot be read, or took too long. */
  readonly outcome: 'drawn' | 'partly' | 'undrawable';
  /** PNG, each written by us. */
  readonly pictures: readonly Uint8Array[];
  /** The shown text of a page or a text file; empty for everything else. */
  readonly untrustedText: string;
}

export const UNDRAWABLE: Drawn = { outcome: 'undrawable', pictures: [], untrustedText: '' };

/** Every limit of drawing, with the attack it stops. */
export const DRAWN_LIMITS = {
  /** A document of ten thousand pages. Pages of one file that are drawn. */
  pages: 3,
  /** A page of square metres. Longest side of what is drawn, in pixels. */
  longestSide: 1_000,
  /** A page of a file with megabytes for each picture in it. The same for small pictures, and the colours of each. */
  smallSide: 640,
  smallColours: 64,
  /** A picture of a kilobyte that claims a hundred megapixels. Pixels of a picture that is decoded. */
  inputPixels: 40_000_000,
  /** A file that keeps its reader busy. Milliseconds of processor time for one file. */
  workMs: 10_000,
  /** A page of megabytes, which would be a tree of gigabytes. Characters of a page or a text that are read. */
  sourceChars: 1_000_000,
  /** A text of megabytes, which a browser lays out for minutes. Characters that are shown. */
  textChars: 100_000,
} as const;
