/** RTF: control words that load objects or fetch content, and the objects' bytes for the rules. */
import { EngineError, type Finding } from '../engine.ts';
import { finding } from './findings.ts';
import type { StaticModule, View } from './module.ts';

const OBJECT_WORDS = /\\(?:object|objdata|objocx|objemb|objlink|objautlink|objupdate|objhtml|objclass)(?![a-z])/i;
const RAW_BYTES = /\\bin0*[1-9]\d*/;
const TEMPLATE = /\\\*\s*\\template(?![a-z])|\\(?:filetbl|nextfile)(?![a-z])/i;
const FIELD = /\\fldinst(?![a-z])([\s\S]{0,2000})/gi;
const ACTIVE_FIELD =
  /^\s*(?:DDE|DDEAUTO|LINK|EMBED|IMPORT|INCLUDE|INCLUDETEXT|INCLUDEPICTURE|DATABASE|RD|MACROBUTTON|HTMLCONTROL)\b/i;
const MAX_OBJECTS = 50;
const MAX_OBJECT_CHARACTERS = 16 * 1024 * 1024;

export const richTextModule: StaticModule = {
  name: 'rich text',
  accepts: (type) => type === 'application/rtf',
  run: ({ bytes }) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').replaceAll('\0', '');
    if (!/^\s*\{\\rt/i.test(text)) throw new EngineError('unreadable', 'the document does not start as RTF');
    return { findings: judge(text), views: objectViews(text), understood: text.trimEnd().endsWith('}') };
  },
};

function judge(text: string): Finding[] {
  const fields = [...text.matchAll(FIELD)].map(([, body = '']) => plainText(body));
  const acts = TEMPLATE.test(text) || fields.some((field) => ACTIVE_FIELD.test(field));
  return [
    ...(OBJECT_WORDS.test(text) ? [finding('rtf-object')] : []),
    ...(RAW_BYTES.test(text) ? [finding('rtf-binary')] : []),
    ...(acts ? [finding('rtf-active')] : []),
  ];
}

/** The letters of a field instruction without the groups and control words it is dressed in. */
function plainText(body: string): string {
  return body
    .replace(/\\'([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\[a-z]{1,32}-?\d{0,10} ?|\\\*|[{}\r\n]/gi, '')
    .replaceAll('"', '');
}

/** Hex of every object. Groups, control words and blanks strewn between the digits to break scanners are skipped, as Word does. */
function objectViews(text: string): View[] {
  const views: View[] = [];
  for (const match of text.matchAll(/\\objdata(?![a-z])/gi)) {
    if (views.length >= MAX_OBJECTS) break;
    const start = match.index + match[0].length;
    const group = text.slice(start, groupEnd(text, start));
    const hex = group.replace(/\\'..|\\[a-z]+-?\d* ?|\\[^a-z]/gi, '').replace(/[^0-9a-f]/gi, '');
    views.push({ where: `object at ${match.index}`, bytes: Buffer.from(hex, 'hex') });
  }
  return views;
}

function groupEnd(text: string, from: number): number {
  let depth = 1;
  const last = Math.min(text.length, from + MAX_OBJECT_CHARACTERS);
  for (let at = from; at < last; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x5c) at++;
    else if (char === 0x7b) depth++;
    else if (char === 0x7d && --depth === 0) return at;
  }
  return last;
}
