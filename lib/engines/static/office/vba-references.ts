/**
 * The libraries and projects to which a project of macros refers ([MS-OVBA] 2.1.1.8, 2.3.4.2.2). Office loads them with the project. It
 * loads unknown ones from the place in the reference. Ordinary projects refer only to the libraries of Office and of VBA, and to the
 * template of all documents.
 */

/** The records of the dir stream with references, and how many texts with a length each begins with; 0: the record is the text. */
const REFERENCES: ReadonlyMap<number, number> = new Map([
  [0x000d, 1],
  [0x000e, 2],
  [0x002f, 1],
  [0x0030, 1],
  [0x0033, 0],
]);

/** Returns whether the record of this number, in the dir stream, is a reference that ordinary projects do not have. */
export function isForeignReference(id: number, data: Uint8Array): boolean {
  const count = REFERENCES.get(id);
  if (count === undefined) return false;
  const texts = count === 0 ? [Buffer.from(data).toString('latin1')] : textsIn(data, count);
  return texts === null || !texts.every(isOrdinaryReference);
}

/** Returns texts with a length of four bytes, or null when one is cut off. */
function textsIn(data: Uint8Array, count: number): string[] | null {
  const bytes = Buffer.from(data);
  const texts: string[] = [];
  for (let at = 0; texts.length < count; ) {
    if (at + 4 > bytes.length) return null;
    const end = at + 4 + bytes.readUInt32LE(at);
    if (end > bytes.length) return null;
    texts.push(bytes.subarray(at + 4, end).toString('latin1'));
    at = end;
  }
  return texts;
}

/** The text in the place of a library that is named in the next record. */
const NONE = '00000000-0000-0000-0000-000000000000';
/**
 * The type libraries of VBA, OLE, Office, Word, Excel, PowerPoint, of forms, of Visio and Project, and that of VBScript
 * for patterns, which holds nothing else.
 */
const LIBRARIES = new Set(
  `
  000204EF-0000-0000-C000-000000000046 00020430-0000-0000-C000-000000000046 2DF8D04C-5BFA-101B-BDE5-00AA0044DE52
  00020905-0000-0000-C000-000000000046 00020813-0000-0000-C000-000000000046 91493440-5A91-11CF-8700-00AA0060263B
  0D452EE1-E08F-101A-852E-02608C4D0BB4 00021A98-0000-0000-C000-000000000046 A7107640-94DF-1068-855E-00DD01075445
  3F4DACA7-160D-11D2-A8E9-00104B365C9F
`
    .trim()
    .split(/\s+/),
);
const LIBRARY = /^\*\\[GH]\{([0-9A-F-]{36})\}#[\da-f.]{1,12}#[\da-f]{1,8}#([^#]*)(?:#[^#]*)?$/i;
/** The form that Office makes of the library of forms on each machine, with a number of its own. */
const OWN_FORMS = /(?:^|\\|:)MSForms\.(?:exd|twd)$/i;
/** The template of all documents of Word. */
const NORMAL = /^\*\\[A-D]((?:\.\.\\){1,9}|[^#]*[\\/:])?Normal(?:\.dot[mx]?)?$/i;
/** A place on this machine: nothing, a drive of Windows, or a volume of a Macintosh. */
const LOCAL = /^(?:[a-z]:[\\/](?![\\/])|[^\\/:]{2,60}:(?![\\/])|$)/i;

/** Returns whether a reference, as [MS-OVBA] 2.1.1.8 writes it, leads to a library or template that every Office has, on this machine. */
export function isOrdinaryReference(untrustedReference: string): boolean {
  const text = untrustedReference.replaceAll('\0', '');
  const normal = NORMAL.exec(text);
  if (normal !== null) return isLocal(normal[1]?.replace(/^(?:\.\.\\)+/, '') ?? '');
  const [, library = '', path = ''] = LIBRARY.exec(text) ?? [];
  const isKnown = LIBRARIES.has(library.toUpperCase()) || (library === NONE && path === '') || OWN_FORMS.test(path);
  return library !== '' && isKnown && isLocal(path);
}

const isLocal = (path: string) => LOCAL.test(path) && !/[\\/]{2}/.test(path);
