/** A picture or a document as a code reader sees it: frames of pixels. */

/** Pixels of one frame or page, four bytes each (RGBA). */
export interface Pixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** Frames and pages to search, and whether there are more of them. */
export interface Pictures {
  readonly frames: AsyncIterable<Pixels>;
  isPartial: boolean;
}
