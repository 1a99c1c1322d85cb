/** Scripts of a page: what they carry, whether they save it to the reader's disk, and whether they write the page anew. */
import type { Finding } from '../engine.ts';
import { type CodeResult, judgeCode } from './code.ts';
import { layerPieces, layersIn } from './code-layers.ts';
import { finding } from './findings.ts';

/** Text of all scripts of a page that is looked at. */
const MAX_SCRIPTS = 8 * 1024 * 1024;
/** Ways in which a script makes the browser keep a file. */
const SAVES =
  /createObjectURL|msSaveOrOpenBlob|msSaveBlob|\.download\s{0,9}=|setAttribute\(\s{0,9}["']download|navigator\.msSave|data:application\/(?:octet|zip|x-)/i;
const DECODES = /\batob\s{0,9}\(|\bunescape\s{0,9}\(|fromCharCode|decodeURIComponent\s{0,9}\(|TextDecoder/;
const WRITES =
  /document\.write(?:ln)?\s{0,9}\(\s{0,9}(?:window\.)?(?:atob|unescape|decodeURIComponent|\w{1,40}\s{0,9}\()|documentElement\.innerHTML\s{0,9}=\s{0,9}(?:atob|unescape|decode)|\beval\s{0,9}\(\s{0,9}(?:window\.)?(?:atob|unescape)/;
/** Shorter decoded text is a configuration or a translation. */
const MIN_PAYLOAD = 64;

/** Judges the scripts of a page, and files that the page carries anywhere in its text. */
export function judgePageCode(page: string, scripts: readonly string[]): CodeResult {
  const code = scripts.join('\n;\n').slice(0, MAX_SCRIPTS);
  const judged = code === '' ? NOTHING : judgeCode(code, 'text/javascript', 'scripts');
  const decodes = DECODES.test(code);
  // The payload often stands in a hidden element or in its own attribute, outside the script that decodes it.
  const layers = decodes ? layersIn(page.slice(0, MAX_SCRIPTS)).filter(({ bytes }) => bytes.length >= MIN_PAYLOAD) : [];
  const payload = layers.find(({ looks }) => looks !== 'code');
  const hiddenPage = layers.find(
    ({ looks, bytes }) => looks === 'code' && /<(?:html|form|input|body|script|iframe)\b/i.test(headOf(bytes)),
  );
  const findings: Finding[] = [
    ...judged.findings.filter(({ id }) => id !== 'code-hidden-program'),
    ...(payload === undefined ? [] : [finding('html-carries-payload', `${payload.encoding} at ${payload.offset}`)]),
    ...(SAVES.test(code) ? [finding('html-saves-file')] : []),
    ...(WRITES.test(code) || hiddenPage !== undefined ? [finding('html-writes-page')] : []),
  ];
  return { findings, pieces: [...judged.pieces, ...layerPieces(layers, 'text/plain')], views: judged.views };
}

const NOTHING: CodeResult = { findings: [], pieces: [], views: [] };
const headOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 16_384)).toString('latin1');
