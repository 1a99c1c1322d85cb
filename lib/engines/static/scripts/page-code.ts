/** Judges the scripts of a page: their content, whether they save it on the disk of the reader, and whether they write the page anew. */

import { anyOf } from '../../../formats/patterns.ts';
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import { type CodeResult, judgeCode } from './code.ts';
import { layerPieces, layersIn } from './code-layers.ts';

/** The most characters of the scripts of a page that are read. */
const MAX_SCRIPTS = 8 * 1024 * 1024;
/** Ways in which a script makes the browser save a file. */
const SAVES = anyOf(
  [
    /createObjectURL/,
    /msSaveOrOpenBlob/,
    /msSaveBlob/,
    /\.download\s{0,9}=/,
    /setAttribute\(\s{0,9}["']download/,
    /navigator\.msSave/,
    /data:application\/(?:octet|zip|x-)/,
  ],
  'i',
);
const DECODES = /\batob\s{0,9}\(|\bunescape\s{0,9}\(|fromCharCode|decodeURIComponent\s{0,9}\(|TextDecoder/;
const WRITES = anyOf([
  /document\.write(?:ln)?\s{0,9}\(\s{0,9}(?:window\.)?(?:atob|unescape|decodeURIComponent|\w{1,40}\s{0,9}\()/,
  /documentElement\.innerHTML\s{0,9}=\s{0,9}(?:atob|unescape|decode)/,
  /\beval\s{0,9}\(\s{0,9}(?:window\.)?(?:atob|unescape)/,
]);
/** Schemes that start programs of Windows or search a server, in the text of a script. */
const PROGRAM_SCHEME = /["'`=](?:search-ms|ms-[a-z][a-z-]{2,30}|mhtml|search):[^"'`\s]/i;
/** Redirects at once, to a written address or to one that is decoded first. */
const REDIRECTS = anyOf([
  /\blocation(?:\.href)?\s{0,9}=\s{0,9}(?:["'`](?:https?:)?\/\/|(?:window\.)?(?:atob|unescape|decodeURIComponent)\s{0,9}\()/,
  /\blocation\.(?:replace|assign)\s{0,9}\(\s{0,9}(?:["'`](?:https?:)?\/\/|(?:window\.)?(?:atob|unescape|decodeURIComponent)\s{0,9}\()/,
]);
const OPENS = anyOf(
  [
    /\bwindow\.open\s{0,9}\(\s{0,9}["'`](?:https?:)?\/\//,
    /createElement\(\s{0,9}["'`]i?frame["'`][\s\S]{0,400}\.src\s{0,9}=\s{0,9}(?:["'`](?:https?:)?\/\/|(?:window\.)?atob)/,
  ],
  'i',
);
const REDIRECT_BY_NAME = /\[\s{0,9}["'](?:location|href|replace|assign)["']\s{0,9}\]/;
const SENDS = /\$\.(?:ajax|post)\b|\bfetch\s{0,9}\(|\bXMLHttpRequest\b|\bsendBeacon\s{0,9}\(|\baxios\b/;
const REMOTE = /["'`](?:https?:)?\/\/[\w.-]|\batob\s{0,9}\(/;
const CHAT_BOT = /\bapi\.telegram\.org\/bot|\bdiscord(?:app)?\.com\/api\/webhooks\//i;
const PASSWORD_FIELD = /\btype\s{0,9}=\s{0,9}\\?["']?password\b/i;
/** Decoded text that is shorter is a configuration or a translation. */
const MIN_PAYLOAD = 64;
/** The most characters of scripts in which the pieces of a form are searched. */
const MAX_SPELLED = 256 * 1024;

export interface PageFacts {
  readonly hasPassword: boolean;
  /** True when the page has almost no text. */
  readonly isEmpty: boolean;
}

/** Judges the scripts of a page, and files anywhere in its text. */
export function judgePageCode(page: string, scripts: readonly string[], facts: PageFacts): CodeResult {
  const code = scripts.join('\n;\n').slice(0, MAX_SCRIPTS);
  const judged = code === '' ? NOTHING : judgeCode(code, 'text/javascript', 'scripts');
  const decodes = DECODES.test(code);
  // The encoded file is often in a hidden element or in an attribute, outside of the script that decodes it.
  const layers = decodes ? layersIn(page.slice(0, MAX_SCRIPTS)).filter(({ bytes }) => bytes.length >= MIN_PAYLOAD) : [];
  const payload = layers.find(({ looks }) => looks !== 'code');
  const hiddenPage = layers.find(
    ({ looks, bytes }) => looks === 'code' && /<(?:html|form|input|body|script|iframe)\b/i.test(headOf(bytes)),
  );
  const shown = code + judged.views.map(({ bytes }) => `\n${Buffer.from(bytes).toString('latin1')}`).join('');
  const findings: Finding[] = [
    ...talks(shown, facts),
    ...judged.findings.filter(({ id }) => id !== 'code-hidden-program'),
    ...(payload === undefined ? [] : [finding('html-carries-payload', `${payload.encoding} at ${payload.offset}`)]),
    ...(SAVES.test(code) ? [finding('html-saves-file')] : []),
    ...(WRITES.test(code) || hiddenPage !== undefined || spellsForm(code) ? [finding('html-writes-page')] : []),
  ];
  return { findings, pieces: [...judged.pieces, ...layerPieces(layers, 'text/plain')], views: judged.views };
}

/** Finds where the scripts send the reader, and where they send the typed text. */
function talks(code: string, { hasPassword, isEmpty }: PageFacts): Finding[] {
  const redirects = REDIRECTS.test(code) || OPENS.test(code) || REDIRECT_BY_NAME.test(code);
  return [
    ...(PROGRAM_SCHEME.test(code) ? [finding('html-unsafe-link', 'script')] : []),
    ...(isEmpty && redirects ? [finding('html-redirects')] : []),
    ...(hasPassword && SENDS.test(code) && REMOTE.test(code) ? [finding('html-credential-form', 'script')] : []),
    ...(CHAT_BOT.test(code) ? [finding('html-sends-to-chat')] : []),
  ];
}

/** Returns true when the script makes a form for a password out of pieces of words. */
function spellsForm(code: string): boolean {
  if (PASSWORD_FIELD.test(code)) return /\\x3c|\\u003c/i.test(code);
  const literals = [...code.slice(0, MAX_SPELLED).matchAll(/(["'`])((?:(?!\1)[^\\\r\n]|\\[^\r\n]){1,4000})\1/g)];
  return PASSWORD_FIELD.test(literals.map(([, , literal = '']) => literal).join(''));
}

const NOTHING: CodeResult = { findings: [], pieces: [], views: [] };
const headOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 16_384)).toString('latin1');
