/**
 * What Windows, macOS, Linux and mail programs make of a file name, written from their rules and sharing nothing with the
 * reader: each step may or may not be taken, and every combination is a program.
 */

type Step = (name: string) => string;

const asIs: Step = (name) => name;
const chars = (test: (code: number, char: string) => boolean, put: string) => (name: string) =>
  [...name].map((char) => (test(char.codePointAt(0) ?? 0, char) ? put : char)).join('');
const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code < 0xa0);
/** Zero width, direction, joiners, soft hyphen, tags, fillers, variation selectors. */
const isUnseen = (code: number) =>
  code === 0xad ||
  code === 0x34f ||
  code === 0x61c ||
  code === 0x115f ||
  code === 0x3164 ||
  code === 0xfeff ||
  code === 0x180e ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x206f) ||
  (code >= 0xfe00 && code <= 0xfe0f) ||
  (code >= 0xe0000 && code <= 0xe007f);
const cutAt =
  (test: (code: number) => boolean): Step =>
  (name) => {
    const at = [...name].findIndex((char) => test(char.codePointAt(0) ?? 0));
    return at === -1 ? name : [...name].slice(0, at).join('');
  };
const after =
  (marks: string): Step =>
  (name) =>
    name.slice(Math.max(...[...marks].map((mark) => name.lastIndexOf(mark))) + 1);
const before =
  (mark: string): Step =>
  (name) =>
    name.indexOf(mark) > 0 ? name.slice(0, name.indexOf(mark)) : name;

/** Each row is one decision; a program makes all of them, in this order. */
const DECISIONS: readonly (readonly Step[])[] = [
  // A browser or a web mail decodes percent signs, once or twice.
  [asIs, percent, (name) => percent(percent(name))],
  // A system compares names by compatibility, or takes the full stop of another script for a dot.
  [asIs, (name) => name.normalize('NFKC'), (name) => name.replace(/[\u2024\u3002\uff0e\uff61\ufe52]/g, '.')],
  // C ends a string at NUL, a header reader a line at a break; others drop controls.
  [
    asIs,
    cutAt((code) => code === 0),
    cutAt((code) => code === 10 || code === 13),
    cutAt(isControl),
    chars(isControl, ''),
  ],
  [asIs, chars(isUnseen, '')],
  // A naive reader of parameters ends a value at a quote or a semicolon.
  [asIs, before('"'), before(';')],
  // The last step of a path; a stream of NTFS; what Windows does not allow goes.
  [asIs, after('/\\'), after('/\\:'), chars((_, char) => '/\\:*?"<>|'.includes(char), '')],
  [asIs, before(':')],
  // 255 characters are the most that a file system stores.
  [asIs, (name) => name.slice(0, 255), (name) => Buffer.from(name).subarray(0, 255).toString('utf8')],
];

function percent(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Windows drops blanks and dots at the end. Opened by what stands behind the last dot. */
function opensAs(name: string): string {
  const stored = name.replace(/[\s.'"]{1,5000}$/u, '');
  return stored.includes('.') ? stored.slice(stored.lastIndexOf('.') + 1).toLowerCase() : '';
}

/** Every extension by which some program would open a file of this name. */
export function opensAsAny(name: string): ReadonlySet<string> {
  let forms = new Set([name]);
  for (const steps of DECISIONS) forms = new Set([...forms].flatMap((form) => steps.map((step) => step(form))));
  return new Set([...forms].map(opensAs));
}

const RUN =
  'exe scr com pif cpl bat cmd js jse mjs vbs vbe wsf wsh wsc sct hta ps1 msi msp msc jar lnk url scf reg inf chm hlp dll sh command app ' +
  'desktop py jnlp appref-ms application library-ms search-ms settingcontent-ms website webloc terminal workflow';
const DANGEROUS = new Set(RUN.split(' '));

/** The extension by which some program would run or follow a file of this name; null when none would. */
export function runAs(name: string): string | null {
  return [...opensAsAny(name)].find((extension) => DANGEROUS.has(extension) || extension.startsWith('{')) ?? null;
}
