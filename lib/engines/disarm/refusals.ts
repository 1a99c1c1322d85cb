/** The reasons why files of some types cannot be disarmed, with alternatives. The reader is the person who received the file. */
import type { DetectedType } from '../../formats/detection/detected-type.ts';

/** The first match counts. Each text gives the reason, and then an alternative for the reader. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/addin\.macroenabled/, 'an add-in consists only of macros; install add-ins only from their maker'],
  [
    /portable-executable|dosexec|x-executable|mach-binary|java-(?:archive|vm)|android\.(?:package|dex)|wasm|x-msi/,
    'it is a program, and consists only of code that the computer runs; get programs only from their maker',
  ],
  [
    /javascript|vbscript|powershell|msdos-batch|application\/hta|x-wsf|scriptlet|shellscript|python|x-script|regedit/,
    'it is code that the computer runs when it is opened; to read it, ask for it as a plain text file',
  ],
  [
    /mswinurl|ms-shortcut|ms-link-file|ms-iqy/,
    'it only points to something else that is loaded or run when it is opened; ask for the document itself',
  ],
  [
    /acting-settings/,
    'the program that opens it connects, signs in or runs a command as it says; ask for the settings as plain text',
  ],
  [/apple(?:file|-folder)/, 'macOS stores it beside a file, and it is not part of the file; ask for the file itself'],
  [/x-sylk/, 'spreadsheet programs run its formulas and macros without asking; ask for it as xlsx or CSV'],
  [
    /iso9660|x-vhd|diskimage/,
    'files in a disk image open without the warning that files from the internet carry; ask for them in a zip archive',
  ],
  [/onenote/, 'its pages can hide attached programs behind pictures; ask for the pages as PDF'],
  [/htmlhelp/, 'help files run scripts when they are opened; ask for the text as PDF'],
  [/apple\.iwork/, 'only the programs of Apple can open it, and it holds no preview; ask for it as PDF'],
  [/postscript/, 'it is a program for a printer; ask for the document as PDF'],
  [/vnd\.visio/, 'Visio drawings cannot be made safe here; ask for the drawing as PDF or as a picture'],
  [
    /opendocument\.(?:formula|chart|base)/,
    'formulas, charts and databases are parts of other documents; ask for the document that shows them',
  ],
  [
    /^application\/x-ole-storage$/,
    'it looks like an old Office file, but its kind is unclear: it is damaged or comes from another program; ask for it again',
  ],
  [/mbox/, 'a mailbox of many messages is not one email; submit the messages one by one'],
  [/^audio\/|^video\//, 'films and recordings of this kind cannot be made safe here; ask for it as MP4, MP3 or WAV'],
  [/^font\/|fontobject|x-font/, 'fonts run small programs when text is drawn; ask for the text as PDF'],
  [
    /zstd|cab-compressed|ace-compressed|x-arj|x-lzh/,
    'archives of this kind are not unpacked here; ask for the files in a zip archive',
  ],
  [/^image\//, 'no decoder here can be trusted with this kind of picture; ask for it as PNG or JPEG'],
  [/^text\/css$/, 'a style sheet alone shows nothing, and can load other files; ask for the page it belongs to'],
  [/octet-stream/, 'its content does not show what kind of file it is; ask the sender which program opens it'],
];

const UNKNOWN = 'this format cannot be made safe here; ask for it as PDF or as plain text';

/** Returns the sentence that refuses a type for which there is no disarm module. It names the type. */
export function refusalOf({ type, description }: DetectedType): string {
  const reason = REASONS.find(([pattern]) => pattern.test(type))?.[1] ?? UNKNOWN;
  return `files of this type (${description}) cannot be disarmed: ${reason}`;
}
