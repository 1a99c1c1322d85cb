/** RTF: finds control words that load objects or fetch content, and extracts the bytes of objects. */
import { EngineError, type Finding } from '../../engine.ts';
import { asFact, finding } from '../findings/findings.ts';
import type { Piece, StaticModule } from '../findings/module.ts';
import { fieldAction } from './active-fields.ts';
import { hasOverlongFont, readPackage } from './ole-package.ts';
import { withoutRawBytes } from './rich-text-bytes.ts';
import { hasComputedRichField, hasFarTemplate, judgeRichLinks, richFields } from './rich-text-links.ts';

const OBJECT_WORDS = /\\(?:object|objdata|objocx|objemb|objlink|objautlink|objupdate|objhtml|objclass)(?![a-z])/i;
const OTHER_FILE = /\\(?:filetbl|nextfile)(?![a-z])/i;
const MAX_OBJECTS = 50;
const MAX_OBJECT_CHARACTERS = 16 * 1024 * 1024;

export const richTextModule: StaticModule = {
  name: 'rich text',
  accepts: (type) => type === 'application/rtf',
  run: ({ bytes }) => {
    const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const text = latin1.replaceAll('\0', '');
    if (!/^\s*\{\\rt/i.test(text)) throw new EngineError('unreadable', 'the document does not start as RTF');
    const raw = withoutRawBytes(latin1);
    const objects = readObjectData(text);
    const isStrewn = objects.some(({ strewn }) => strewn > MAX_ORDINARY_STREWN);
    return {
      findings: [
        ...judge(text),
        ...(raw.rest === text ? [] : judge(raw.rest)),
        ...(raw.kind === 'none'
          ? []
          : [raw.kind === 'pictures' ? asFact(finding('rtf-binary')) : finding('rtf-binary')]),
        ...(isStrewn ? [finding('rtf-obfuscated-object')] : []),
        ...objects.flatMap(judgeObject),
      ],
      views: objects.map(({ where, bytes: object }) => ({ where, bytes: object })),
      pieces: objects.flatMap(objectPieces),
      understood: text.trimEnd().endsWith('}'),
    };
  },
};

function judge(text: string): Finding[] {
  const fields = richFields(text);
  const actions = (fields ?? []).map((field) => fieldAction(field.replaceAll('"', '')));
  // Rich text holds no macros.
  const acts = fields === null || actions.some((action) => action !== null && action !== 'macro');
  return [
    ...(OBJECT_WORDS.test(text) ? [finding('rtf-object')] : []),
    ...(acts || hasComputedRichField(text) || OTHER_FILE.test(text) || hasFarTemplate(text)
      ? [finding('rtf-active')]
      : actions.includes('macro')
        ? [asFact(finding('rtf-active'))]
        : []),
    ...judgeRichLinks(text, fields ?? []),
  ];
}

interface ObjectData {
  readonly where: string;
  readonly bytes: Uint8Array;
  /** The number of control words and groups between the digits. */
  readonly strewn: number;
}

/** The most control words between the digits of an ordinary object. Word writes digits, line ends and few words. */
const MAX_ORDINARY_STREWN = 3;

/**
 * Returns the bytes of every object. Groups, control words and blanks between the digits are skipped, as in Word. Attacks use them to
 * mislead scanners.
 */
function readObjectData(text: string): ObjectData[] {
  const objects: ObjectData[] = [];
  for (const match of text.matchAll(/\\objdata(?![a-z])/gi)) {
    if (objects.length >= MAX_OBJECTS) break;
    const start = match.index + match[0].length;
    const group = text.slice(start, groupEnd(text, start));
    const digits = group.replace(/\\'..|\\[a-z]+-?\d* ?|\\[^a-z]/gi, '');
    const strewn = group.length < 64 ? 0 : (group.match(/\\[a-z*']|\{/gi)?.length ?? 0);
    objects.push({
      where: `object at ${match.index}`,
      bytes: Buffer.from(digits.replace(/[^0-9a-f]/gi, ''), 'hex'),
      strewn,
    });
  }
  return objects;
}

function judgeObject({ where, bytes }: ObjectData): Finding[] {
  const embedded = readEmbedded(bytes);
  if (embedded === null) return [];
  const isEquation = /^equation/i.test(embedded.className) && hasOverlongFont(embedded.data);
  const isPackage = /^(?:ole2?)?package/i.test(embedded.className);
  return [
    ...(isEquation ? [finding('equation-overflow', where)] : []),
    ...(isPackage ? [finding('rtf-package', where, readPackaged(embedded.data)?.untrustedName)] : []),
  ];
}

/** Reads an embedded object ([MS-OLEDS] 2.2.5): version, format, class name, topic, item and data, the last four behind their lengths. */
function readEmbedded(bytes: Uint8Array): { className: string; data: Uint8Array } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const nameLength = view.getUint32(8, true);
    const className = Buffer.from(bytes.subarray(12, 12 + Math.min(nameLength, 200)))
      .toString('latin1')
      .replaceAll('\0', '');
    const topic = 12 + nameLength;
    const item = topic + 4 + view.getUint32(topic, true);
    const at = item + 4 + view.getUint32(item, true);
    return { className, data: bytes.subarray(at + 4, at + 4 + view.getUint32(at, true)) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads a package in an RTF object. The package stream has no first number there, which is the total size. */
function readPackaged(data: Uint8Array): Pick<Piece, 'untrustedName' | 'bytes'> | null {
  const withSize = new Uint8Array(data.length + 4);
  withSize.set(data, 4);
  return readPackage(withSize) ?? readPackage(data);
}

const COMPOUND_START = Buffer.from('d0cf11e0a1b11ae1', 'hex');

function objectPieces({ where, bytes }: ObjectData): Piece[] {
  const embedded = readEmbedded(bytes);
  const packaged = embedded !== null && /package/i.test(embedded.className) ? readPackaged(embedded.data) : null;
  if (packaged !== null) return [{ where, ...packaged, kind: 'extracted_file', scope: 'file' }];
  // Obfuscated objects have false lengths. A compound file in one is found by its first bytes.
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(COMPOUND_START);
  return at === -1
    ? []
    : [{ where, bytes: bytes.subarray(at), kind: 'extracted_file', untrustedName: 'object', scope: 'file' }];
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
