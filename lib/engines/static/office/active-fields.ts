/**
 * Fields of Word that do something by themselves, as documents, rich text and documents of Word 97-2003 write them ([ECMA-376] part 1,
 * 17.16.5; [MS-DOC] 2.9.90).
 */

import { isOwnFile } from '../findings/link-target.ts';

/**
 * The action of a field: `dde` starts programs, `object` and `control` hold an object or control of another program, `fetch` loads content,
 * and `macro` runs a macro on a double click. In a document without macros, that is a command of Word or nothing.
 */
export type FieldAction = 'dde' | 'object' | 'control' | 'fetch' | 'macro';

/**
 * A place to type in names no macro: `NoMacro` in the templates of Word, `None` in what LibreOffice writes. `NoMacro.Start` is a macro of a
 * module. Not among the fields: `ADDIN`, in which programs for citations keep their data, and `GOTOBUTTON`, which moves to another place of
 * the document.
 */
const ACTIONS: readonly (readonly [FieldAction, RegExp])[] = [
  ['dde', /^\s*(?:DDE|DDEAUTO|LINK)\b/i],
  ['object', /^\s*EMBED\b/i],
  ['control', /^\s*(?:CONTROL|HTMLACTIVEX)\b/i],
  ['fetch', /^\s*(?:IMPORT|INCLUDE|INCLUDETEXT|INCLUDEPICTURE|DATABASE|RD|HTMLCONTROL|PRINT|QUOTE\s+\d+)\b/i],
  ['macro', /^\s*MACROBUTTON(?!\s+(?:NoMacro|None)(?:\s|$))\b/i],
];

/** Returns the action of the field with this instruction without a click. Returns null for none, as for a page number. */
export function fieldAction(instruction: string): FieldAction | null {
  const action = ACTIONS.find(([, pattern]) => pattern.test(instruction))?.[0] ?? null;
  return action === 'fetch' && isOwnPicture(instruction) ? null : action;
}

/**
 * A picture by its whole path, in quotes or without blanks, with switches around it. A path that another field puts together has no end.
 * Word 6 calls the field `IMPORT`.
 */
const PICTURE_FILE =
  /^\s*(?:INCLUDEPICTURE|IMPORT)\s+(?:\\[cd*!]\s+)*(?:"([^"\\]*(?:\\\\[^"\\]*)*)"|([^\s"\\]+(?:\\\\[^\s"\\]+)*)(?=\s+\\\*))(?:\s*\\(?:[dxy]|\*\s*\w{1,20}))*\s*$/i;

const ON_DRIVE = /^(?:[a-z]:|\.\.)[\\/]/i;

/** Word notes where a picture came from, mostly a path on the drive of the writer. On another machine there is nothing at such a path. */
function isOwnPicture(instruction: string): boolean {
  const [, quoted, path = quoted] = PICTURE_FILE.exec(instruction) ?? [];
  return path !== undefined && ON_DRIVE.test(path) && isOwnFile(path.replaceAll('\\\\', '\\'));
}

const STARTS_PROGRAM =
  /^\s*DDE(?:AUTO)?\b.{0,400}?(?:cmd|powershell|mshta|wscript|cscript|rundll32|regsvr32|certutil)\b/is;

/** Returns true for a field of DDE that names a program of Windows that runs commands. */
export const startsProgram = (instruction: string): boolean => STARTS_PROGRAM.test(instruction);

/**
 * Returns true for the code of a field whose name may continue: nothing, or letters without a blank behind them. A formula begins with its
 * sign.
 */
export const isNameOpen = (instruction: string): boolean => /^\s*[^\s"\\=]*$/.test(instruction);
