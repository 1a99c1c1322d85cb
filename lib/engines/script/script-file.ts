/** Reads which scripts of a file can be run here, and which objects they find. */

import { decodeCharset } from '../../formats/charsets/decode-charset.ts';
import { decodeScript } from '../../formats/charsets/script-encoding.ts';
import { textEncoding } from '../../formats/charsets/text-encoding.ts';
import { detectType } from '../../formats/detection/detect.ts';
import { EngineError, type EngineLimits, type FileInput } from '../engine.ts';
import { SCRIPT_FILE_BYTES, SCRIPTS_PER_FILE } from './limits.ts';
import { type PageElement, type PageScript, readPage } from './page-scripts.ts';
import { readPdfScripts } from './pdf-script.ts';
import type { ScriptHost } from './recorder.ts';

/** The objects that the scripts find: Windows Script Host, a browser's page, both (an HTML application), or Acrobat. */
export type ScriptObjects = 'host' | 'page' | 'application' | 'acrobat';

export interface ScriptFile {
  readonly objects: ScriptObjects;
  readonly host: ScriptHost;
  readonly scripts: readonly PageScript[];
  /** The whole source, to tell what is written in it from what the script decodes. */
  readonly text: string;
  readonly title: string;
  readonly elements: readonly PageElement[];
  /** The properties of a PDF; empty for other files. */
  readonly info: Readonly<Record<string, string>>;
  readonly attachments: readonly string[];
  /** The parts of the file that are not run. */
  readonly skipped: readonly string[];
}

const HOSTS: Readonly<Record<ScriptObjects, string>> = {
  host: 'wscript.exe',
  application: 'mshta.exe',
  page: 'msedge.exe',
  acrobat: 'AcroRd32.exe',
};
const HOST_PID = 5_200;

/** Types that a person may expect to run here, with the language that does not. */
const OTHER_LANGUAGES: Readonly<Record<string, string>> = {
  'text/vbscript': 'VBScript',
  'application/x-powershell': 'PowerShell',
  'text/x-msdos-batch': 'batch files',
  'text/x-shellscript': 'shell scripts',
  'text/x-python': 'Python',
  'application/vnd.microsoft.portable-executable': 'Windows programs',
};

const PAGES = new Set(['text/html', 'application/xhtml+xml', 'image/svg+xml']);
const SCRIPT_FILES = new Set(['application/x-wsf', 'text/scriptlet']);

/** Reads the file. Throws EngineError `no_environment` with the reason when nothing in it runs here, and `oversize`. */
export async function readScriptFile({ bytes, untrustedName }: FileInput, limits: EngineLimits): Promise<ScriptFile> {
  if (bytes.length > SCRIPT_FILE_BYTES) {
    throw new EngineError('oversize', `the file has ${bytes.length} bytes, at most ${SCRIPT_FILE_BYTES} are run`);
  }
  const { type, description } = await detectType(bytes, untrustedName);
  const name = safeName(untrustedName);
  if (type === 'application/pdf') return fileOf('acrobat', name, await readPdfScripts(bytes, limits));
  const text = decodeCharset(bytes, textEncoding(bytes) ?? 'windows-1252');
  if (type === 'text/javascript') return fileOf('host', name, scriptText(text));
  if (SCRIPT_FILES.has(type)) return fileOf('host', name, windowsScriptFile(text));
  if (type === 'application/hta') return fileOf('application', name, page(text));
  if (PAGES.has(type)) return fileOf('page', name, page(text));
  const language = OTHER_LANGUAGES[type];
  const reason = language === undefined ? `a file of this type (${description})` : language;
  throw new EngineError('no_environment', `no environment here runs ${reason}; JavaScript alone is run`);
}

type Contents = Partial<ScriptFile> & Pick<ScriptFile, 'scripts' | 'text'>;

function fileOf(objects: ScriptObjects, name: string, contents: Contents): ScriptFile {
  const { scripts, skipped = [], elements = [] } = contents;
  const hasHandlers = elements.some(({ tag, attributes }) =>
    Object.entries(attributes).some(
      ([key, value]) =>
        key.startsWith('on') ||
        key === 'srcdoc' ||
        /^\s*(?:javascript|data):/i.test(value) ||
        (tag === 'meta' && key === 'http-equiv'),
    ),
  );
  if (scripts.length === 0 && !hasHandlers) {
    const why =
      skipped.length > 0 ? `its scripts are ${skipped.join(', ')}; JavaScript alone is run` : 'it holds no script';
    throw new EngineError('no_environment', `there is nothing to run in this file: ${why}`);
  }
  const path = `C:\\Users\\m.keller\\Downloads\\${name}`;
  const host = { pid: HOST_PID, name: HOSTS[objects], commandLine: `"C:\\Windows\\${HOSTS[objects]}" "${path}"` };
  return { title: '', info: {}, attachments: [], ...contents, elements, skipped, objects, host };
}

/** Returns the last part of the name, which scripts often read. */
function safeName(untrustedName: string): string {
  const last = untrustedName.slice(untrustedName.search(/[^\\/]*$/));
  return last.replace(/[^\w .()-]/g, '_').slice(0, 100) || 'file.js';
}

function scriptText(text: string): Contents {
  return { text, scripts: [{ code: decodeScript(text) ?? text, src: '' }] };
}

/** The start of a script, and not of the `<scriptlet>` around scripts. */
const SCRIPT_TAG = /<script(?![a-z])/;

/** Returns the jobs of a script file, in their order. No XML parser is used, because real files are often not well-formed. */
function windowsScriptFile(text: string): Contents {
  const scripts: PageScript[] = [];
  const skipped = new Set<string>();
  const lower = text.toLowerCase();
  for (let at = lower.search(SCRIPT_TAG); at !== -1 && scripts.length < SCRIPTS_PER_FILE; ) {
    const start = lower.indexOf('>', at);
    if (start === -1) break;
    const tag = text.slice(at, start);
    const end = tag.endsWith('/') ? start : lower.indexOf('</script', start);
    const body = tag.endsWith('/') ? '' : text.slice(start + 1, end === -1 ? text.length : end);
    const code = body.replace(/^\s*<!\[CDATA\[/, '').replace(/\]\]>\s*$/, '');
    const src = /\bsrc\s{0,9}=\s{0,9}["']([^"']{1,2000})["']/i.exec(tag)?.[1] ?? '';
    if (/language\s{0,9}=\s{0,9}["']?vb/i.test(tag)) skipped.add('VBScript');
    else scripts.push({ code: decodeScript(code) ?? code, src });
    const next = end === -1 ? -1 : lower.slice(end + 1).search(SCRIPT_TAG);
    at = next === -1 ? -1 : end + 1 + next;
  }
  const declared = [...text.matchAll(/<object\b([^<>]{1,500})>/gi)].slice(0, SCRIPTS_PER_FILE);
  const elements = declared.map(([, tag = '']) => ({ tag: 'object', attributes: attributesOf(tag), text: '' }));
  return { text, scripts, elements, skipped: [...skipped] };
}

const attributesOf = (tag: string): Record<string, string> =>
  Object.fromEntries(
    [...tag.matchAll(/([\w:-]{1,40})\s{0,9}=\s{0,9}["']([^"']{0,200})["']/g)].map(([, key = '', value = '']) => [
      key.toLowerCase(),
      value,
    ]),
  );

function page(text: string): Contents {
  const { scripts, elements, title, otherLanguages, isCut } = readPage(text);
  return {
    text,
    scripts,
    elements,
    title,
    skipped: [...otherLanguages, ...(isCut ? ['more elements than are read'] : [])],
  };
}
