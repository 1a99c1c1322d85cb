/** Why files of some types have no safe form, and what to do instead, in words for the person who was sent one. */
import type { DetectedType } from '../engine.ts';

/** First match counts. Each reason completes "…: <reason>": why, then what the reader can do. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /ms-excel\.sheet\.binary/,
    'the formulas and links of a binary workbook cannot be judged here; ask for it saved as xlsx or PDF',
  ],
  [
    /addin\.macroenabled/,
    'an add-in is nothing but the macros in it; install add-ins only from where their maker offers them',
  ],
  [
    /portable-executable|dosexec|x-executable|mach-binary|java-(?:archive|vm)|android\.(?:package|dex)|wasm|x-msi/,
    'it is a program, and there is nothing in it but what it runs; get programs only from where their maker offers them',
  ],
  [
    /javascript|vbscript|powershell|msdos-batch|application\/hta|x-wsf|scriptlet|shellscript|python|x-script|regedit/,
    'it is code that the computer runs when it is opened; to read it, ask for it as a plain text file',
  ],
  [
    /mswinurl|ms-shortcut|ms-link-file|ms-iqy/,
    'it only points to something else that is loaded or run when it is opened; ask for the document itself',
  ],
  [/acting-settings/, 'a program connects, signs in or runs a command as it says; ask for the settings as plain text'],
  [/apple(?:file|-folder)/, 'it is what macOS keeps beside a file, and no part of it; ask for the file itself'],
  [/x-sylk/, 'spreadsheet programs run its formulas and macros without asking; ask for it as xlsx or CSV'],
  [
    /iso9660|x-vhd|diskimage/,
    'files in a disk image open without the warning that files from the internet carry; ask for them in a zip archive',
  ],
  [/onenote/, 'its pages can hide attached programs behind pictures; ask for the pages as PDF'],
  [/htmlhelp/, 'help files run scripts when they are opened; ask for the text as PDF'],
  [/xpsdocument/, 'no method to make XPS safe is known here; ask for the document as PDF'],
  [/epub/, 'no method to make books safe is known here; ask for the text as PDF'],
  [/postscript/, 'it is a program for a printer; ask for the document as PDF'],
  [/visio/, 'no method to make Visio drawings safe is known here; ask for the drawing as PDF or as a picture'],
  [
    /opendocument\.(?:formula|chart|base)/,
    'formulas, charts and databases are parts of other documents; ask for the document that shows them',
  ],
  [
    /^application\/x-ole-storage$/,
    'it looks like an old Office file, but which one cannot be told: it is damaged or of another program; ask for it again',
  ],
  [/mbox/, 'a mailbox of many messages is not one email; submit the messages one by one'],
  [
    /^audio\/|^video\//,
    'players run codecs that no check here can stand in for; listen to it or watch it on a web page',
  ],
  [/^font\/|fontobject|x-font/, 'fonts run small programs when text is drawn; ask for the text as PDF'],
  [
    /zstd|cab-compressed|ace-compressed|x-arj|x-lzh/,
    'archives of this kind are not unpacked here; ask for the files in a zip archive',
  ],
  [
    /emf|wmf|icon|heic|avif|jxl|jp2|photoshop/,
    'no decoder here can be trusted with this kind of picture; ask for it as PNG or JPEG',
  ],
  [/^text\/css$/, 'a style sheet alone shows nothing, and can load other files; ask for the page it belongs to'],
  [/octet-stream/, 'what it is cannot be told from its content; ask the sender which program opens it'],
];

const UNKNOWN = 'no method to make this format safe is known here; ask for it as PDF or as plain text';

/** The sentence for a type that no module takes. Names the type. */
export function refusalOf({ type, description }: DetectedType): string {
  const reason = REASONS.find(([pattern]) => pattern.test(type))?.[1] ?? UNKNOWN;
  return `files of this type (${description}) cannot be disarmed: ${reason}`;
}
