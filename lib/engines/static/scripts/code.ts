/** Judges the abilities of code, its hiding and its content, for scripts, macros and decoded layers alike. */

import { decodeScript } from '../../../formats/charsets/script-encoding.ts';
import { anyOf } from '../../../formats/patterns.ts';
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import type { Piece, View } from '../findings/module.ts';
import { type Language, languageOf } from './code-language.ts';
import { type Layer, layerPieces, layersIn } from './code-layers.ts';
import { AUTO_RUN, COMPUTED_CALL, REMOTE_SCRIPT, SHELL_CALL, SHOWS_CODE, SHOWS_HOST } from './code-patterns.ts';
import { readable } from './code-readable.ts';
import { unscramble } from './code-scrambled.ts';
import { CAPABILITIES, isIn, SCRIPT_HOST } from './code-words.ts';
import { encodedCommands, type FoldedCode, foldCode } from './fold/fold-code.ts';

/** The most characters of code that are judged. A script of megabytes has data at its end. Layers are searched in the whole text. */
const MAX_CODE = 1024 * 1024;
const MAX_TEXT = 8 * 1024 * 1024;
/** Signs that words may be hidden. Code without them is readable already. */
const DISGUISE = anyOf(
  [
    /["']\s{0,9}[+&]\s{0,9}_?\s{0,40}["']/,
    /\bchrw?\$?\s?\(/,
    /fromcharcode/,
    /\[char/,
    /\\x[0-9a-f]{2}/,
    /\\u00[0-7]/,
    /reverse/,
    /replace/,
    /\^/,
    /`/,
    /%\w{1,20}(?::~|%)/,
    /!\w{1,20}!/,
    /["']\s?-f\s?['"]/,
  ],
  'i',
);

export interface CodeResult {
  readonly findings: readonly Finding[];
  readonly pieces: readonly Piece[];
  /** The readable code, if it differs from the code. */
  readonly views: readonly View[];
}

/** Judges code of a script type. */
export function judgeCode(untrustedCode: string, type: string, where: string | null = null): CodeResult {
  const language = languageOf(type);
  const encoded = untrustedCode.slice(0, MAX_TEXT);
  const decoded = decodeScript(encoded);
  const text = decoded ?? encoded;
  const head = text.length <= MAX_CODE ? text : text.slice(0, MAX_CODE / 2) + text.slice(-MAX_CODE / 2);
  const shown = mayHide(head, language) ? readable(head, language) : head;
  const scrambled = mayScramble(shown, language) ? unscramble(shown, language) : null;
  const commands = commandsOf(shown, head, language);
  const plain = [shown, ...(scrambled === null ? [] : [scrambled.text]), ...commands.texts].join('\n');
  const layers = layersIn(plain.length >= text.length / 2 && plain !== head ? plain : text);
  const findings = [
    ...capabilities(plain, head, language, where),
    ...hiding(head, language, where),
    ...carried(layers, where),
    ...(commands.commands.length === 0
      ? []
      : [finding('code-command', where, commands.commands.join('\n').slice(0, MAX_SHOWN))]),
    ...(scrambled === null ? [] : [finding('code-hidden-words', where, scrambled.how)]),
    ...(decoded === null ? [] : [finding('code-obfuscated', where, 'encoded by the Windows script encoder')]),
  ];
  const isChanged = (plain !== head || decoded !== null) && (language !== 'javascript' || findings.length > 0);
  return {
    findings,
    pieces: layerPieces(layers, type),
    views: isChanged
      ? [{ where: where === null ? 'made readable' : `${where} made readable`, bytes: Buffer.from(plain, 'latin1') }]
      : [],
  };
}

/** The most characters of commands that a finding shows. */
const MAX_SHOWN = 2_000;

/** Returns the commands that the code runs, where they are written in another form. */
function commandsOf(shown: string, original: string, language: Language): FoldedCode {
  const folded = foldCode(shown, language, original);
  const encoded = language === 'unix' || language === 'javascript' ? [] : encodedCommands(shown);
  const commands = [...new Set([...(folded?.commands ?? []), ...encoded])];
  return { commands, texts: [...new Set([...(folded?.texts ?? []), ...commands])] };
}

/** The largest JavaScript in which signs of hiding count. Large scripts of pages and servers are full of such signs. */
const MAX_HIDING_JAVASCRIPT = 256 * 1024;

function mayHide(code: string, language: Language): boolean {
  if (language !== 'javascript') return DISGUISE.test(code);
  return (
    code.length <= MAX_HIDING_JAVASCRIPT &&
    /["'][+]["']|["'] \+ ["']|fromCharCode|\\x[0-9a-f]{2}\\x|reverse\(\)|\.replace\(\//i.test(code)
  );
}

/** The longest code in which hidden words are searched. Longer code is a bundle, and a script inside of it is a layer. */
const MAX_SCRAMBLED = 256 * 1024;

function mayScramble(code: string, language: Language): boolean {
  if (language === 'unix') return false;
  return code.length <= MAX_SCRAMBLED && (language !== 'javascript' || SHOWS_CODE.test(code) || SHOWS_HOST.test(code));
}

function capabilities(plain: string, original: string, language: Language, where: string | null): Finding[] {
  const lower = plain.toLowerCase();
  if (language === 'unix') return REMOTE_SCRIPT.unix.test(plain) ? [finding('code-downloads', where)] : [];
  if (language === 'javascript' && !SCRIPT_HOST.some((word) => lower.includes(word))) return [];
  const { found, isHidden } = capabilityWords(plain, lower, original, language, where);
  const shell = language === 'macro' && !found.has('code-executes') ? SHELL_CALL.exec(plain) : null;
  const auto = language === 'macro' ? AUTO_RUN.exec(plain) : null;
  return [
    ...found.values(),
    ...(shell === null ? [] : [finding('code-executes', where, lineAt(plain, shell.index))]),
    ...(auto === null ? [] : [finding('code-auto-run', where, auto[0])]),
    ...(isHidden ? [finding('code-obfuscated', where, 'words taken apart')] : []),
    ...computed(plain, language, where),
    ...(language === 'host' && REMOTE_SCRIPT.host.test(plain)
      ? [finding('code-downloads', where, 'script from the network'), finding('code-executes', where)]
      : []),
  ];
}

interface WordsFound {
  readonly found: ReadonlyMap<string, Finding>;
  /** True when a word only appears after literals are joined, which means that it was split on purpose. */
  readonly isHidden: boolean;
}

function capabilityWords(
  plain: string,
  lower: string,
  original: string,
  language: Language,
  where: string | null,
): WordsFound {
  const before = plain === original ? lower : original.toLowerCase();
  const found = new Map<string, Finding>();
  let isHidden = false;
  for (const { id, in: languages, any, and = [''], not } of CAPABILITIES) {
    if (found.has(id) || !languages.includes(language) || (not !== undefined && lower.includes(not))) continue;
    const word = any.find((candidate) => isIn(lower, candidate));
    const beside = and.find((candidate) => lower.includes(candidate));
    if (word === undefined || beside === undefined) continue;
    found.set(id, finding(id, where, lineAt(plain, lower.indexOf(word))));
    isHidden ||= HIDDEN_MATTERS.has(id) && !(before.includes(word) && before.includes(beside));
  }
  return { found, isHidden };
}

/** Finds calls of the script host by names that are only known when the code runs. */
function computed(plain: string, language: Language, where: string | null): Finding[] {
  if (language !== 'javascript' && language !== 'host') return [];
  const match = COMPUTED_CALL.exec(plain);
  return match === null ? [] : [finding('code-obfuscated', where, match[0].slice(0, 100))];
}

const HIDDEN_MATTERS = new Set([
  'code-executes',
  'code-starts-command',
  'code-downloads',
  'code-loads-memory',
  'code-persists',
]);

/** Returns the line around a place in the text, as evidence. */
function lineAt(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf('\n', at) + 1, at - 100);
  const end = text.indexOf('\n', at);
  return text.slice(start, Math.min(end === -1 ? text.length : end, at + 200)).trim();
}

/** Finds names and forms that obfuscators leave. The measures are shares of the code, so that its size does not count. */
function hiding(code: string, language: Language, where: string | null): Finding[] {
  const measures: readonly (readonly [boolean, string])[] = [
    [language !== 'javascript' && share(code, /\bchr[bw]?\$?\s{0,3}\(/gi, 5) > 0.06, 'characters written as numbers'],
    [language === 'powershell' && count(code, /[a-z]`[a-z]/gi) > 8, 'words broken by backticks'],
    [(language === 'batch' || language === 'other') && count(code, /[a-z]\^[a-z]/gi) > 12, 'words broken by carets'],
    [language === 'batch' && share(code, /%\w{1,40}:~\d{1,4},1%/g, 12) > 0.3, 'letters taken out of variables'],
    [count(code, /\b_0x[0-9a-f]{3,6}\b/g) > 20, 'names of an obfuscation tool'],
    [share(code, /\\x[0-9a-f]{2}|\\u00[0-9a-f]{2}/gi, 4) > 0.3 && code.length > 200, 'letters written as escapes'],
    [
      language !== 'javascript' &&
        language !== 'other' &&
        language !== 'unix' &&
        share(code, /["']\s{0,3}[+&]\s{0,3}["']/g, 5) > 0.15,
      'words taken apart',
    ],
    [
      /^\s*\[\]\[\(!\[\]\+|\(!\[\]\+\[\]\)\[\+!\+\[\]\]|ﾟωﾟ|\$=~\[\];\$=\{___:/.test(code.slice(0, 4_096)),
      'code without letters',
    ],
    [
      language === 'powershell' && count(code, /\$\w{1,40}\[-?\d{1,4}\]\s{0,3}\+/g) >= 3,
      'letters taken out of variables',
    ],
    [language === 'powershell' && code.length > 200 && share(code, /[a-z]/gi, 1) < 0.2, 'code without letters'],
  ];
  const seen = measures.find(([is]) => is);
  return seen === undefined ? [] : [finding('code-obfuscated', where, seen[1])];
}

/** The most characters that are measured. Obfuscated code is so from its beginning. */
const MEASURED = 64 * 1024;

function count(text: string, pattern: RegExp): number {
  return text.slice(0, MEASURED).match(pattern)?.length ?? 0;
}

function share(text: string, pattern: RegExp, weight: number): number {
  const part = text.slice(0, MEASURED);
  return part.length < 60 ? 0 : ((part.match(pattern)?.length ?? 0) * weight) / part.length;
}

function carried(layers: readonly Layer[], where: string | null): Finding[] {
  const program = layers.find(({ looks }) => looks === 'program');
  const code = layers.find(({ looks }) => looks === 'code');
  return [
    ...(program === undefined
      ? []
      : [finding('code-hidden-program', where, `${program.encoding} at ${program.offset}`)]),
    ...(code === undefined ? [] : [finding('code-hidden-layer', where, `${code.encoding} at ${code.offset}`)]),
  ];
}
