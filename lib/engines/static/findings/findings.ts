/** One table of all findings of the modules: their names, why they matter and their scores. YARA rules bring their own findings. */
import type { Finding } from '../../engine.ts';
import { CODE_FINDINGS } from './code.ts';
import { FORMAT_FINDINGS } from './formats.ts';
import type { FindingRow } from './row.ts';

const TYPE_FINDINGS = {
  // Office
  'office-macro': ['suspicious', 50, 'VBA macros', 'The document carries program code that Office can run.'],
  'office-macro-hidden': [
    'suspicious',
    70,
    'Hidden macro code',
    'Macro code is stored where a document of this kind has none, or under a misleading name.',
  ],
  'office-xlm-macro': [
    'suspicious',
    60,
    'Excel 4.0 macro',
    'The workbook has a macro sheet or an automatic macro name.',
  ],
  'office-external-template': [
    'suspicious',
    70,
    'External template',
    'Opening the document loads a template, which can carry macros, from elsewhere.',
  ],
  'office-external-content': [
    'suspicious',
    50,
    'External content',
    'Opening the document fetches content from elsewhere.',
    ['T1187', 'T1221'],
  ],
  'office-unsafe-link': [
    'suspicious',
    40,
    'Unsafe link',
    'A link leads to a program, to a file on a machine elsewhere, or to something else than web, mail and telephone.',
    ['T1204.001'],
  ],
  'office-file-link': [
    'benign',
    10,
    'Link to a file',
    'A link or a picture leads to a file on this computer, or in the network of the sender.',
  ],
  'office-embedded-object': [
    'suspicious',
    50,
    'Embedded object',
    'The document carries another file or program object that opens on a click.',
  ],
  'office-embedded-program': ['malicious', 90, 'Embedded program', 'The document contains a program.'],
  'office-activex': ['suspicious', 60, 'ActiveX control', 'The document loads a program component when it is opened.'],
  'office-dde': ['suspicious', 60, 'DDE field', 'A field of the document can start programs.'],
  'office-active-field': ['suspicious', 40, 'Active field', 'A field of the document fetches content or runs a macro.'],
  'office-dangerous-formula': [
    'suspicious',
    50,
    'Dangerous formula',
    'A formula calls programs or fetches data from the network.',
  ],
  'office-data-connection': ['suspicious', 40, 'Data connection', 'The document fetches data from another source.'],
  'office-action': ['suspicious', 50, 'Action on a click', 'A click or mouse move starts a program, macro or object.'],
  'office-add-in': [
    'suspicious',
    50,
    'Add-in or custom interface',
    'The document installs an add-in or buttons that run code.',
  ],
  'office-alternative-content': [
    'suspicious',
    50,
    'Imported document',
    'A whole other document is merged in when this one is opened.',
  ],
  'office-custom-code': ['suspicious', 50, 'Script in OpenDocument', 'The document carries macros or event handlers.'],
  'xml-doctype': [
    'suspicious',
    50,
    'Document type declaration',
    'An XML part declares entities, as attacks on XML readers do.',
  ],
  // RTF
  'rtf-object': ['suspicious', 60, 'Embedded object in RTF', 'The document carries an object that Word loads.'],
  'rtf-binary': [
    'suspicious',
    40,
    'Raw bytes in RTF',
    'The document holds raw bytes, which mail programs never write.',
  ],
  'rtf-active': [
    'suspicious',
    50,
    'Active content in RTF',
    'The document refers to a template or to fields that fetch or run something.',
  ],
  // PDF
  'pdf-javascript': ['suspicious', 50, 'JavaScript in PDF', 'The document carries a script.'],
  'pdf-open-action': [
    'suspicious',
    40,
    'Automatic action in PDF',
    'Opening the document or one of its pages starts an action.',
  ],
  'pdf-launch': [
    'suspicious',
    70,
    'PDF starts a program',
    'An action of the document starts a program or opens a file.',
  ],
  'pdf-embedded-file': ['suspicious', 40, 'File inside a PDF', 'The document carries another file.'],
  'pdf-rich-media': [
    'suspicious',
    50,
    'Media or 3D content in PDF',
    'The document carries media that a plug-in plays.',
  ],
  'pdf-xfa': ['suspicious', 40, 'XFA form', 'The document carries a scripted XML form.'],
  'pdf-remote': ['suspicious', 40, 'PDF sends or opens', 'The document sends data or opens other documents.'],
  'pdf-unsafe-link': [
    'suspicious',
    40,
    'Unsafe link in PDF',
    'A link uses a scheme other than web, mail and telephone.',
  ],
  'pdf-external-stream': ['suspicious', 40, 'External stream in PDF', 'Document content is stored in another file.'],
  'pdf-encrypted': [
    'benign',
    10,
    'Encrypted PDF',
    'The document opens without a password, but its strings and streams are encrypted and were not read.',
  ],
  // Pages and pictures
  'html-script': ['benign', 5, 'Script in a page', 'The page carries a script, as most pages of the web do.'],
  'html-event-handler': ['benign', 5, 'Event handler in a page', 'An element of the page runs a script.'],
  'html-active-element': [
    'benign',
    5,
    'Active element in a page',
    'The page embeds another page, a plug-in or a form, or redirects the reader.',
  ],
  'html-unsafe-link': ['suspicious', 40, 'Unsafe link in a page', 'A link runs a script or contains a whole document.'],
  'image-trailing-data': ['suspicious', 40, 'Data after a picture', 'Bytes follow the end of the picture.'],
  polyglot: [
    'suspicious',
    60,
    'Two formats in one file',
    'The file is also valid in another format, so a checker and a program may read it differently.',
  ],
  // Text
  'text-formula': [
    'suspicious',
    40,
    'Formula in a text table',
    'A cell starts with a formula, which a spreadsheet program runs.',
  ],
  'calendar-active': [
    'suspicious',
    40,
    'Active calendar entry',
    'The entry carries an attachment, a program alarm or a page.',
  ],
  'bidi-control': ['suspicious', 40, 'Reversed text', 'Invisible characters reorder a displayed name.'],
  // Archives and programs
  'disguised-program': [
    'malicious',
    90,
    'Program with a misleading name',
    'The file is a program, but its name says that it is a document or a picture.',
  ],
  'double-extension': [
    'suspicious',
    60,
    'Double extension',
    'The name has the extension of a document before the extension of a program.',
  ],
  'archive-executable': [
    'suspicious',
    60,
    'Program in an archive',
    'A member of the archive is a program, a script or a shortcut.',
  ],
  'archive-path': [
    'suspicious',
    60,
    'Unsafe path in an archive',
    'A member has a path outside the folder it is unpacked to, or is a link.',
  ],
  'archive-ambiguous': [
    'suspicious',
    60,
    'Ambiguous archive',
    'Programs that read the archive differently see different members.',
  ],
  'disk-image': [
    'suspicious',
    60,
    'Disk image',
    'Files on a mounted image can bypass the checks that Windows makes on downloaded files.',
  ],
  program: ['benign', 20, 'Program', 'The file is a program.'],
  script: ['benign', 20, 'Script', 'The file is a script that the operating system runs.'],
  shortcut: ['suspicious', 50, 'Shortcut', 'The file opens another place or program when it is clicked.'],
} as const satisfies Readonly<Record<string, FindingRow>>;

const TABLE = { ...TYPE_FINDINGS, ...CODE_FINDINGS, ...FORMAT_FINDINGS };

export type FindingId = keyof typeof TABLE;

/** All ids, for the tests of the table. */
export const FINDING_IDS = Object.keys(TABLE) as readonly FindingId[];

/** Longest untrusted place that a finding keeps. A member name of kilobytes is not worth showing. */
const MAX_WHERE_LENGTH = 200;

/** Longest evidence that a finding keeps: enough to recognise a command. */
const MAX_EVIDENCE_LENGTH = 300;

/** Makes a finding of the table. `where` is a place in the file, or null for the whole file. `evidence` is untrusted. */
export function finding(id: FindingId, where: string | null = null, evidence?: string): Finding {
  const row: FindingRow = TABLE[id];
  const [level, score, name, description, techniques] = row;
  return {
    id,
    name,
    description,
    level,
    score,
    where: where === null ? null : where.slice(0, MAX_WHERE_LENGTH),
    ...(techniques !== undefined && { techniques }),
    ...(evidence !== undefined && { evidence: evidence.slice(0, MAX_EVIDENCE_LENGTH) }),
  };
}

const FACT_SCORE = 10;

/**
 * Returns the finding as a fact. The content is there and the disarm removes it, but ordinary documents hold similar content, and nothing
 * in it is a sign of an attack. Only content that was read to its end may become a fact.
 */
export function asFact(found: Finding): Finding {
  return { ...found, level: 'benign', score: Math.min(found.score, FACT_SCORE) };
}

/** Keeps the worst finding of each id, so that the report of a document with a thousand bad links stays small. */
export function uniqueFindings(findings: readonly Finding[]): Finding[] {
  const byId = new Map<string, Finding>();
  for (const found of findings) {
    const known = byId.get(found.id);
    if (known === undefined || known.score < found.score) byId.set(found.id, found);
  }
  return [...byId.values()];
}
