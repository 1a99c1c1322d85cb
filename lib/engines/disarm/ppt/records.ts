/** Decides which records of a PowerPoint 97 to 2003 presentation ([MS-PPT] 2.13.24) are kept, filtered or removed. */

export const PPT = {
  vbaInfo: 0x0400,
  objectReference: 0x0bc1,
  text: 0x0fba,
  hyperlink: 0x0fd7,
  hyperlinkTip: 0x0fe4,
  interactive: 0x0ff2,
  action: 0x0ff3,
  userEdit: 0x0ff5,
  storage: 0x1011,
  tag: 0x138a,
  tagData: 0x138b,
  persistDirectory: 0x1772,
  encryption: 0x2f14,
} as const;

/** Ranges of records with slides, masters, notes, text, styles, comments, transitions, animations and drawings. */
const PLAIN: readonly (readonly [number, number])[] = [
  [0x03e8, 0x0405],
  [0x0407, 0x040d],
  [0x0410, 0x0415],
  [0x041c, 0x041d],
  [0x041f, 0x0422],
  [0x0424, 0x0426],
  [0x07d0, 0x07d7],
  [0x07e3, 0x07e6],
  [0x07e9, 0x07f9],
  [0x0bc3, 0x0bdd],
  [0x0f9e, 0x0fb7],
  [0x0fba, 0x0fba],
  [0x0fc1, 0x0fc1],
  [0x0fc8, 0x0fc9],
  [0x0fd0, 0x0fd0],
  [0x0fd2, 0x0fdf],
  [0x0fe4, 0x0fe7],
  [0x0ff0, 0x0ffa],
  [0x1011, 0x1011],
  [0x1014, 0x1018],
  [0x1388, 0x138b],
  [0x1770, 0x177b],
  [0x2afb, 0x2b0a],
  [0x2ee0, 0x2eeb],
  [0x2eef, 0x2ef1],
  [0x32c8, 0x36b2],
  [0xf000, 0xf131],
  [0xf133, 0xf13a],
  [0xf13c, 0xf145],
];

/** The first match counts: the range, and the name of its records in the report. */
const DENIED: readonly (readonly [number, number, string])[] = [
  [0x0406, 0x0406, 'routing slip'],
  [0x040e, 0x0428, 'file of a newer version'],
  [0x07e7, 0x07e7, 'embedded sound'],
  [0x0fb8, 0x0fb8, 'embedded font'],
  [0x0bc1, 0x0bc1, 'embedded object'],
  [0x0fc3, 0x0fcd, 'embedded object'],
  [0x0fce, 0x0fd1, 'linked object'],
  [0x0fee, 0x0fee, 'ActiveX control'],
  [0x0ffb, 0x0ffb, 'ActiveX control'],
  [0x1004, 0x1013, 'embedded or linked media'],
  [0x177c, 0x177f, 'web publishing'],
  [0x1784, 0x1785, 'mail envelope'],
  [0x2b0b, 0x2b0f, 'file of a newer version'],
  [0x2eec, 0x2eee, 'revision history'],
  [0x36b3, 0x36b3, 'smart tag'],
  [0x3714, 0x3715, 'file of a newer version'],
  [0xf132, 0xf132, 'animation command'],
  [0xf13b, 0xf13b, 'animation command'],
];

/** Returns whether a record may stay, filtered by its own rules if it has some. */
export function isPlainPptRecord(type: number): boolean {
  return PLAIN.some(([first, last]) => type >= first && type <= last);
}

/** Returns the kind of a denied record, in words for the report. */
export function deniedKind(type: number): string {
  return DENIED.find(([first, last]) => type >= first && type <= last)?.[2] ?? 'unknown record';
}
