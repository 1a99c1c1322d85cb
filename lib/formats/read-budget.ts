/**
 * Bounds a reader that goes to places which a file names. Such places may overlap or form a ring: a thousand names of the same megabyte are a
 * gigabyte of work. So all ranges that one reader takes may have a few times the bytes of the file together. A reader that only moves forward
 * needs no budget.
 */

/** Writers name some ranges twice. None names all of them so often. */
const TIMES = 4;

export class ReadBudget {
  private left: number;

  /** Opens a budget for one reading of a file of this many bytes. */
  constructor(fileBytes: number) {
    this.left = fileBytes * TIMES;
  }

  /** Returns whether a range of this many bytes may still be read, and counts it. No range with less than no bytes may. */
  allows(bytes: number): boolean {
    if (!(bytes >= 0 && bytes <= this.left)) return false;
    this.left -= bytes;
    return true;
  }
}
