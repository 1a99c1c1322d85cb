/** Why files of some types have no safe form, in words for the person who was sent one. */
import type { DetectedType } from '../engine.ts';

/** First match counts. Each reason completes "…: <reason>". */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /portable-executable|dosexec|x-executable|mach-binary|java-(?:archive|vm)|android\.package|wasm|x-msi/,
    'it is a program; there is nothing in it but what it runs',
  ],
  [
    /javascript|vbscript|powershell|msdos-batch|application\/hta|x-wsf|scriptlet|shellscript|python|x-script|regedit|macroenabled/,
    'it is code that the computer runs when it is opened',
  ],
  [
    /mswinurl|ms-shortcut|ms-link-file|ms-iqy/,
    'it only points to something else that is loaded or run when it is opened',
  ],
  [/x-sylk/, 'spreadsheet programs run its formulas and macros without asking'],
  [/iso9660|x-vhd|diskimage/, 'files in a disk image open without the warning that files from the internet carry'],
  [/onenote/, 'its pages can hide attached programs behind pictures'],
  [/htmlhelp/, 'help files run scripts'],
  [/postscript/, 'it is a program for a printer'],
  [/mbox/, 'a mailbox of many messages is not one email; submit the messages one by one'],
  [/emf|wmf|icon|heic|avif|jxl|jp2|photoshop/, 'no decoder here can be trusted with this kind of picture'],
  [/octet-stream/, 'what it is cannot be told from its content'],
];

/** The sentence for a type that no module takes. Names the type. */
export function refusalOf({ type, description }: DetectedType): string {
  const reason =
    REASONS.find(([pattern]) => pattern.test(type))?.[1] ?? 'no method to make this format safe is known here';
  return `files of this type (${description}) cannot be disarmed: ${reason}`;
}
