/** The addresses in a header, in the form in which people search for them and block them. Pure. */

/** A header of a megabyte is not searched. */
const SEARCHED = 10_000;
const MAX_ADDRESSES = 200;
const MAX_FACT_LENGTH = 250;

/** Returns the addresses in a header, in the form in which they are compared. */
export function addressesIn(untrusted: string): string[] {
  const found = untrusted.slice(0, SEARCHED).match(/[^\s<>,;:"'()[\]@]{1,64}@[^\s<>,;:"'()[\]@]{1,180}/g) ?? [];
  return found.slice(0, MAX_ADDRESSES).map((address) => normalFact(address));
}

/** Returns a value in the form in which it is compared: without case, and cut. */
export function normalFact(value: string): string {
  return value.slice(0, MAX_FACT_LENGTH).normalize('NFKC').toLowerCase().slice(0, MAX_FACT_LENGTH);
}
