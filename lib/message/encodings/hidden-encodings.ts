/**
 * Finds files that are written into a leaf although its MIME header does not say so. Some mail programs show them as attachments, so they
 * are judged as files of their own.
 */
import { asBuffer } from '../../formats/byte-scan.ts';
import { deliveredText } from '../../formats/charsets/stained-text.ts';
import type { Steps } from '../../formats/steps.ts';
import { bareFileSteps, mayHoldBareFile } from './bare-files.ts';
import { isBase64Steps } from './base64.ts';
import { binhexFiles } from './binhex.ts';
import { pemFileSteps } from './pem-files.ts';
import { textViews } from './text-views.ts';
import { MAX_FILES, type TextFile, uuencodedSteps } from './uuencode.ts';
import { yencSteps } from './yenc.ts';

/** A shorter body is a word or a token, not a file. */
const BASE64_FILE_BYTES = 64;
/** Several full lines of base64. A text of one long word, such as a key or a code, is ordinary and does not match. */
const BASE64_TEXT = /^\s*(?:[A-Za-z0-9+/]{60,76}\r?\n){2}/;
const HEAD_BYTES = 400;
const CONTROLS = /[^\P{Cc}\s\0]/gu;

/**
 * Returns the files in uuencode, yEnc, BinHex or PEM in these decoded bytes, and programs in bare digits, also behind quotation marks,
 * indents and the elements of a page. A saved page (MHTML) has its parts in bare digits, and is written anew without them: `isSavedPage`
 * leaves those out.
 */
export function* writtenFileSteps(
  bytes: Uint8Array,
  isSavedPage: () => boolean = () => false,
): Steps<readonly TextFile[]> {
  const search = fileSearch(isSavedPage);
  const files = [...(yield* search(bytes)), ...binhexFiles(bytes)];
  for (const view of textViews(bytes)) {
    yield;
    for (const file of yield* search(view)) files.push({ ...file, start: 0, end: bytes.length });
  }
  return files.slice(0, MAX_FILES);
}

/** Asks for the kind of the text at most once, and only when the answer matters: most texts cannot hold files in bare digits. */
function fileSearch(isSavedPage: () => boolean): (bytes: Uint8Array) => Steps<TextFile[]> {
  let isSaved: boolean | null = null;
  return function* (bytes) {
    const marked = yield* markedFileSteps(bytes);
    if (!mayHoldBareFile(bytes)) return marked;
    isSaved ??= isSavedPage();
    return isSaved ? marked : [...marked, ...(yield* bareFileSteps(bytes))];
  };
}

/** Finds the files that a line announces. */
function* markedFileSteps(bytes: Uint8Array): Steps<TextFile[]> {
  const uuencoded = yield* uuencodedSteps(bytes);
  yield;
  const yenc = yield* yencSteps(bytes);
  return [...uuencoded, ...yenc, ...(yield* pemFileSteps(bytes))];
}

/**
 * Returns true for a body that is base64 although its header says that it needs no decoding. Some programs decode it, and skip control bytes
 * in it.
 */
export function* unlabelledBase64Steps(body: Uint8Array, isText: boolean): Steps<boolean> {
  if (body.length < BASE64_FILE_BYTES) return false;
  const head = asBuffer(body.subarray(0, HEAD_BYTES)).toString('latin1').replace(CONTROLS, ' ');
  if (isText && !BASE64_TEXT.test(head)) return false;
  return (
    /^[\sA-Za-z0-9+/=]+$/.test(head) &&
    /[A-Za-z0-9+/]{40}/.test(head) &&
    (yield* isBase64Steps(deliveredText(body) ?? body))
  );
}
