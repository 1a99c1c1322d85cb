/** Letters alike whatever their case; the same for a name and for what it is searched by. */
export const folded = (text: string): string => text.normalize('NFC').toLowerCase();
