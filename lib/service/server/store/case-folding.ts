/** A text without differences of case. Names and the texts that search for them are both changed in this way. */
export const folded = (text: string): string => text.normalize('NFC').toLowerCase();
