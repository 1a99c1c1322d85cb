/** The calls of the environment out of the interpreter. Each records something, and a few answer with a text. */

import { createHash } from 'node:crypto';
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { decodeScript } from '../../formats/charsets/script-encoding.ts';
import { parseUrl } from '../../formats/urls/parse-url.ts';
import type { BehaviourType } from '../behaviour.ts';
import { translateJScript } from './dialect.ts';
import { ACTS, LAYERS, UNPACKED_BYTES } from './limits.ts';
import type { MadeUpAnswers } from './made-up-answer.ts';
import { readPage } from './page-scripts.ts';
import { cut, type Recorder } from './recorder.ts';
import { rewriteEval } from './rewrite-eval.ts';
import { rewriteSyntax } from './rewrite-syntax.ts';
import type { ScriptNames } from './script-names.ts';

/** The facts about the file and the recording that the calls need. */
export interface CallContext {
  readonly recorder: Recorder;
  readonly scriptName: string;
  readonly scriptText: string;
  readonly answers: MadeUpAnswers;
  readonly names: ScriptNames;
  /** True when the scripts run as in JScript 5.8. */
  readonly isOld: boolean;
  /** Returns how the code is changed before it runs; null when it is not. */
  readonly rewrite: ((code: string) => string) | null;
}

type Call = (ctx: CallContext, a: string, b: string, c: string, timeMs: number) => string | undefined;

/** Records an event, with the first argument as its target and the second as its detail. */
const event =
  (type: BehaviourType, operation: string): Call =>
  ({ recorder }, a, b, c, timeMs) => {
    recorder.add(type, operation, a, c === '' ? b : `${cut(b, 500)} (${c})`, timeMs);
    return undefined;
  };

const skipped: Call = ({ recorder }, reason, code) => {
  recorder.skipped.add(reason);
  recorder.keep('deobfuscated_code', reason, code, reason);
  return undefined;
};

/**
 * Code of libraries that does nothing until somebody calls it: it finds the global object, or is a function that calls another with what it
 * was given and has as many parameters.
 */
export const PLAIN_CODE =
  /^\s*return this;?\s*$|^\s*return function\s{0,9}\([\w$,\s]{0,400}\)\s{0,9}\{\s{0,9}return [\w$]{1,40}\.(?:apply|call)\(this,\s{0,9}arguments\);?\s{0,9}\}\s*;?\s*$/;

/**
 * Counts a layer and says whether it is kept. The same code again is no new layer: a trap for debuggers makes one short function
 * thousands of times. Layers over the limit are run, so that they hide nothing that comes behind them, and are not kept.
 */
function isKeptLayer({ layers, limits }: Recorder, code: string): boolean {
  const before = layers.size;
  layers.add(createHash('sha1').update(code).digest('base64'));
  if (layers.size === before) return false;
  if (layers.size > LAYERS) limits.add(`more than ${LAYERS} layers of code`);
  return layers.size <= LAYERS;
}

const layer: Call = (ctx, code, how, _, timeMs) => {
  const { recorder, scriptText, answers } = ctx;
  if (!isKeptLayer(recorder, code)) {
    recorder.isFull ||= recorder.layers.size > ACTS;
    return prepareCode(code, ctx);
  }
  const isNew = code.length > 1 && !PLAIN_CODE.test(code) && !scriptText.includes(code) && !answers.isAnswer(code);
  recorder.add('code', isNew ? 'code-decoded' : 'code-evaluated', how, cut(code, 500), timeMs);
  if (isNew) recorder.keep('deobfuscated_code', `layer-${recorder.layers.size}.js`, code, how);
  return prepareCode(code, ctx);
};

const html: Call = (ctx, text, how, _, timeMs) => {
  const { recorder, scriptText } = ctx;
  const page = readPage(text);
  const isKept = isKeptLayer(recorder, text);
  recorder.isFull ||= recorder.layers.size > ACTS;
  const isNew = isKept && !scriptText.includes(text);
  if (isKept) recorder.add('code', isNew ? 'markup-decoded' : 'markup-written', how, cut(text, 500), timeMs);
  if (isNew) recorder.keep('deobfuscated_code', `layer-${recorder.layers.size}.html`, text, how);
  for (const language of page.otherLanguages) recorder.skipped.add(`${language} in ${how}`);
  const scripts = page.scripts.map(({ code, src }) => ({ code: prepareCode(code, ctx), src }));
  return JSON.stringify({ elements: page.elements, scripts });
};

/** The detail of a request whose host is not in the source. */
export const HIDDEN_HOST = 'its host is not in the source';

function isHidden(host: string, scriptText: string): boolean {
  const domain = host.split('.').slice(-2).join('.');
  return domain.includes('.') && !scriptText.toLowerCase().includes(domain);
}

const request: Call = ({ recorder, scriptText, answers }, method, url, body, timeMs) => {
  const parsed = parseUrl(url);
  const host = parsed?.hostname ?? '';
  const port = Number(parsed?.port || (parsed?.protocol === 'http:' ? 80 : 443));
  if (recorder.requests.length < 500) {
    recorder.requests.push({ pid: recorder.host.pid, method: cut(method, 20), url: cut(url), host, port, timeMs });
  }
  recorder.add(
    'network',
    'http-request',
    url,
    (body === '' ? method : `${method} with ${body.length} characters: ${cut(body, 300)}`) +
      (isHidden(host, scriptText) ? `; ${HIDDEN_HOST}` : ''),
    timeMs,
  );
  return answers.to(url);
};

const started: Call = ({ recorder }, command, args, how, timeMs) => {
  const commandLine = cut(args === '' ? command : `${command} ${args}`);
  recorder.addProcess(programOf(command), commandLine, timeMs);
  recorder.add('process', 'process-start', commandLine, how, timeMs);
  return undefined;
};

function programOf(command: string): string {
  const first = /^\s*(?:"([^"]{1,300})"|(\S{1,300}))/.exec(command);
  const path = first?.[1] ?? first?.[2] ?? '';
  return path.slice(path.search(/[^\\/]*$/)) || 'unknown';
}

const written: Call = ({ recorder, answers }, path, content, how, timeMs) => {
  recorder.add(
    'file',
    'file-write',
    path,
    `${content.length} bytes by ${how}${answers.isFrom(content) ? ', from an answer of the emulated network' : ''}`,
    timeMs,
  );
  if (!answers.isAnswer(content)) recorder.keep('dropped_file', path, content, how);
  return undefined;
};

const downloaded: Call = ({ recorder, answers }, name, content, how, timeMs) => {
  recorder.add('file', 'download', name, `${content.length} bytes by ${how}`, timeMs);
  if (!answers.isAnswer(content)) recorder.keep('downloaded_file', name, content, how);
  return undefined;
};

const assembly: Call = ({ recorder }, how, content, _, timeMs) => {
  recorder.add('code', 'assembly-load', how, `${content.length} bytes`, timeMs);
  recorder.keep('dropped_file', 'assembly.bin', content, how);
  return undefined;
};

/**
 * Unpacks data as a page does it. The result is empty when the data is not packed in that way: the page then makes its own error.
 */
const unpack: Call = (_, content, how) => {
  const options = { maxOutputLength: UNPACKED_BYTES };
  const bytes = Buffer.from(content, 'latin1');
  try {
    if (how === 'gzip') return gunzipSync(bytes, options).toString('latin1');
    return (how === 'deflate' ? inflateSync : inflateRawSync)(bytes, options).toString('latin1');
  } catch {
    return '';
  }
};

const bytesToText =
  (encoding: BufferEncoding, from: BufferEncoding): Call =>
  (_, text) =>
    Buffer.from(text, from).toString(encoding);

/** Returns the code as it is evaluated. Syntax of JScript is translated, and calls of `eval` and caught errors are watched. */
export function prepareCode(
  code: string,
  { names, isOld, rewrite }: Pick<CallContext, 'names' | 'isOld' | 'rewrite'>,
): string {
  const translated = translateJScript(decodeScript(code) ?? code, names.compiled);
  const mended = rewriteSyntax(translated, names.mend, isOld);
  return rewriteEval(rewrite === null ? mended : rewrite(mended), names);
}

/** The calls by name. The environment uses no other names. */
export const HOST_CALLS: Readonly<Record<string, Call>> = {
  'script-name': ({ scriptName }) => scriptName,
  'script-text': ({ scriptText }) => scriptText,
  'base64-decode': bytesToText('latin1', 'base64'),
  'base64-encode': bytesToText('base64', 'latin1'),
  'hex-decode': bytesToText('latin1', 'hex'),
  'hex-encode': bytesToText('hex', 'latin1'),
  utf8: bytesToText('latin1', 'utf8'),
  'utf8-decode': bytesToText('utf8', 'latin1'),
  utf16: bytesToText('latin1', 'utf16le'),
  // Reads the elements of XML that a script loads. This alone is not an event.
  xml: (_, text) => JSON.stringify(readPage(text).elements),
  unpack,
  assembly,
  task: event('process', 'task-register'),
  layer,
  html,
  request,
  skipped,
  process: started,
  'file-write': written,
  download: downloaded,
  limit: ({ recorder }, what) => {
    recorder.limits.add(what === 'array' ? 'an array too large' : what);
    return undefined;
  },
  // Nothing is recorded. The call itself makes the interpreter check its limits.
  looked: ({ recorder }, at) => {
    recorder.looks.add(at);
    return undefined;
  },
  work: () => undefined,
  awaited: ({ recorder }) => {
    recorder.hasAwaited = true;
    return undefined;
  },
  missing: ({ recorder }, name) => {
    if (recorder.missing.size < 100) recorder.missing.add(cut(name, 100));
    return undefined;
  },
  'script-error': ({ recorder }, message) => {
    if (recorder.errors.length < 20 && !recorder.hasQuit) recorder.errors.push(cut(message, 200));
    return undefined;
  },
  quit: ({ recorder }) => {
    recorder.hasQuit = true;
    return undefined;
  },
  'page-layer': ({ recorder }, content, how) => {
    recorder.keep('deobfuscated_code', 'opened page', content, how);
    return undefined;
  },
  asked: event('environment', 'environment-query'),
  'environment-set': event('environment', 'environment-write'),
  'wmi-query': event('environment', 'wmi-query'),
  'file-read': event('file', 'file-read'),
  'file-delete': event('file', 'file-delete'),
  'file-copy': event('file', 'file-copy'),
  'file-move': event('file', 'file-move'),
  'folder-create': event('file', 'folder-create'),
  'registry-read': event('registry', 'registry-read'),
  'registry-write': event('registry', 'registry-write'),
  'registry-delete': event('registry', 'registry-delete'),
  'process-end': event('process', 'process-end'),
  'http-header': event('network', 'http-header'),
  'network-drive': event('network', 'network-drive'),
  navigate: event('network', 'navigate'),
  'launch-url': event('network', 'launch-url'),
  form: event('network', 'form-submit'),
  mail: event('network', 'mail'),
  export: event('file', 'export-attachment'),
  exploit: event('code', 'exploit-call'),
  object: event('object', 'object-create'),
  blob: event('object', 'blob-create'),
  'object-url': event('object', 'object-url'),
  'xml-load': event('object', 'xml-load'),
  'xsl-transform': event('code', 'xsl-transform'),
  sleep: event('timer', 'sleep'),
  timer: event('timer', 'timer'),
  message: event('message', 'message'),
  'send-keys': event('message', 'send-keys'),
  clipboard: event('message', 'clipboard-write'),
};
