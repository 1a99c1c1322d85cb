/**
 * Decides which Content- fields of a part are delivered: a closed list of names, each with a grammar of its value. A field that follows its
 * grammar stays byte for byte, because a signature may cover it. Any other field is written anew from the values read in it, or left out.
 * RFC 2045, 2183, 2231, 6532.
 */
import { isUtf8 } from 'node:buffer';
import { decodeHeaderText } from '../../formats/mail/encoded-words.ts';
import { isPlainName } from '../../formats/names/plain-name.ts';
import { hasSafeValue, PARAMS } from '../headers/mime-params.ts';
import { isRunByName } from '../headers/name-checks.ts';
import { nameParams } from '../headers/name-params.ts';
import { parseStructured } from '../headers/params.ts';
import type { RawField } from '../headers/raw-fields.ts';
import { hasActingBytes } from '../headers/root-fields.ts';
import type { MessagePart } from '../model.ts';
import { isPlainContentId, structured } from './fresh-part.ts';

/** A part, and how its Content- fields are written. */
export interface MimeSource {
  readonly part: MessagePart;
  /** The name that replaces all names the part claims. Null when it keeps them or gets none. */
  readonly safeName: string | null;
  readonly eol: string;
}

/** `keep`: the field stays byte for byte. Null: it is left out. Any other text replaces it. */
export type Rewritten = 'keep' | null | string;

type Rule = (field: RawField, source: MimeSource) => Rewritten;

const RULES: Readonly<Record<string, Rule>> = {
  'content-type': typed,
  'content-disposition': typed,
  'content-transfer-encoding': ({ value, isNameStrict }, { part, eol }) => {
    if (isNameStrict && /^(?:7bit|8bit|binary|base64|quoted-printable)$/i.test(value)) return 'keep';
    return part.encoding === 'unknown' && isNameStrict ? 'keep' : `Content-Transfer-Encoding: ${part.encoding}${eol}`;
  },
  'content-id': ({ value }, { part, eol }) => {
    if (value.startsWith('<') && value.endsWith('>') && isPlainContentId(value.slice(1, -1))) return 'keep';
    const id = part.untrustedContentId ?? '';
    return isPlainContentId(id) ? `Content-ID: <${id}>${eol}` : null;
  },
  'content-description': ({ value }) => when(isPlainDescription(value)),
  'content-language': ({ value }) => when(/^[a-z0-9-]{1,35}(?:\s{0,9},\s{0,9}[a-z0-9-]{1,35}){0,20}$/i.test(value)),
  'content-md5': ({ value }) => when(/^[a-z0-9+/]{22}==$/i.test(value)),
  // A page finds its picture by this name. An address or a path could lead elsewhere, so it is left out.
  'content-location': ({ value }) => when(/^"?[\w-]{1,80}\.(?:png|jpe?g|gif|bmp|webp)"?$/i.test(value)),
  'content-class': ({ value }) =>
    when(/^urn:content-classes:(?:message|calendarmessage|appointment|dsn|mdn)$/i.test(value)),
  'mime-version': ({ value }, { eol }) =>
    /^1\.0(?:\s*\([\w .\\()]{1,80}\))?$/.test(value) ? 'keep' : `MIME-Version: 1.0${eol}`,
  // Gmail finds an attachment again by this id.
  'x-attachment-id': ({ value }) => when(/^[\w-]{1,80}(?:\.[\w-]{1,20})?$/.test(value)),
};

const when = (isKept: boolean): Rewritten => (isKept ? 'keep' : null);

/** Returns true for a name that has a rule here. */
export function isMimeField(name: string): boolean {
  return Object.hasOwn(RULES, name);
}

/** Decides about a field for which `isMimeField` is true. */
export function mimeField(field: RawField, source: MimeSource): Rewritten {
  const rule = RULES[field.name];
  if (rule === undefined) return null;
  const kept = rule(field, source);
  if (kept !== 'keep' || (field.isNameStrict && !hasActingBytes(field.text))) return kept;
  // The value may stay, but the form of the field may not.
  const name = field.name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
  return `${name}: ${field.value}${source.eol}`;
}

/** Texts with which programs describe the parts of signed and encrypted mail. Because of their slash they are no names. */
const SECURED_PARTS: ReadonlySet<string> = new Set([
  'PGP/MIME version identification',
  'PGP/MIME Versions Identification',
  'S/MIME Cryptographic Signature',
  'S/MIME Encrypted Message',
]);

/** Returns true for a description that may stay. Programs show it beside an attachment, and some take it for its name. */
function isPlainDescription(value: string): boolean {
  if (SECURED_PARTS.has(value)) return true;
  const text = decodeHeaderText(value);
  return isUtf8(Buffer.from(value, 'latin1')) && isPlainName(text);
}

/** Returns the rule of Content-Type and Content-Disposition. */
function typed(field: RawField, source: MimeSource): Rewritten {
  const isDisposition = field.name === 'content-disposition';
  return isStrict(field, source) ? 'keep' : writtenAnew(field, source, isDisposition);
}

/** Main types of the registry, and customary ones. They have no dot, so that no program takes one for a host. */
const MAIN_TYPES = 'text|image|audio|video|application|multipart|message|model|font|chemical|x-[a-z]{1,20}';
const TYPE = new RegExp(`^(?:${MAIN_TYPES})/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$`, 'i');
const DISPOSITION = /^(?:inline|attachment)$/i;
/** A parameter whose value is a token, or a quoted string without escapes. */
const PARAM = /[ \t]*;[ \t]*([a-z][a-z0-9-]{0,40})((?:\*\d{1,3})?\*?)=(?:"([^"\\]*)"|([!#-'*+.0-9A-Z^-~-]+))/iy;

function isStrict({ name, text, value }: RawField, { part, safeName }: MimeSource): boolean {
  const main = /^[^\s;]+/.exec(value)?.[0] ?? '';
  if (!(name === 'content-type' ? TYPE : DISPOSITION).test(main) || hasActingBytes(text)) return false;
  const seen = new Set<string>();
  const pieces: string[] = [];
  let at = main.length;
  PARAM.lastIndex = at;
  for (let match = PARAM.exec(value); match !== null; match = PARAM.exec(value)) {
    const [, label = '', section = '', quoted, token] = match;
    const param = label.toLowerCase();
    if (seen.has(param + section) || !isStrictParam(param, section, quoted ?? token ?? '')) return false;
    if (PARAMS[param] === 'name' && (safeName !== null || !part.untrustedNames.every(isPlainName))) return false;
    if (/\d/.test(section) && !isNextPiece(pieces, section, quoted ?? token ?? '')) return false;
    seen.add(param + section);
    at = PARAM.lastIndex;
  }
  return /^[ \t]*;?[ \t]*$/.test(value.slice(at));
}

/**
 * Returns true when the pieces of a name are in order, as all programs join them, and when the first pieces alone are no name of a program.
 * Some programs read only the first ones.
 */
function isNextPiece(pieces: string[], section: string, value: string): boolean {
  if (Number(section.replaceAll('*', '')) !== pieces.length) return false;
  pieces.push(value);
  return !isRunByName(pieces.join(''));
}

/** Encoded words. */
const ENCODED_WORDS = /=\?[\w-]{1,40}(?:\*[\w-]{1,20})?\?[bq]\?[!->@-~]{0,2000}\?=/gi;

function isStrictParam(param: string, section: string, value: string): boolean {
  if (PARAMS[param] !== 'name') return section === '' && hasSafeValue(param, value);
  const rest = value.replace(ENCODED_WORDS, '');
  return isUtf8(Buffer.from(value, 'latin1')) && !rest.includes('=?') && !rest.includes('?=');
}

function writtenAnew({ value }: RawField, source: MimeSource, isDisposition: boolean): string {
  const { part, safeName, eol } = source;
  const read = parseStructured(value);
  const params = [...read.params].flatMap(([param, values]) => {
    const bytes = values[0]?.bytes ?? '';
    if (param === 'charset' || !hasSafeValue(param, bytes)) return [];
    return [/^[\w.+-]+$/.test(bytes) ? `${param}=${bytes}` : `${param}="${bytes}"`];
  });
  if (!isDisposition && part.charset !== null) params.unshift(`charset=${part.charset}`);
  const name = safeName ?? (part.untrustedNames.every(isPlainName) ? (part.untrustedNames[0] ?? null) : null);
  const names = name === null ? [] : nameParams(isDisposition ? 'filename' : 'name', name);
  if (isDisposition)
    return structured('Content-Disposition', part.isInline ? 'inline' : 'attachment', [...names, ...params], eol);
  const type = TYPE.test(part.declaredType) ? part.declaredType : 'application/octet-stream';
  return structured('Content-Type', type, [...params, ...names], eol);
}
