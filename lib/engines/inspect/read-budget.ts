/**
 * Bounds a reader of the second look that goes to places which a file names. Such places may overlap or form a ring, so that a small file
 * would be read for ever. All ranges that one reader takes may have a few times the bytes of the file together.
 */

const TIMES = 4;

/**
 * Returns a function that counts the bytes of a range before it is read. It throws RangeError when the ranges are many times the file; every
 * entry of the inspection takes that for a file that cannot be read.
 */
export function openReadBudget(fileBytes: number): (bytes: number) => void {
  let left = fileBytes * TIMES;
  return (bytes) => {
    left -= Math.max(0, bytes);
    if (left < 0) throw new RangeError('the parts of the file overlap too much');
  };
}
