/**
 * Disarm of comma-separated tables. The text stays unchanged. A cell that a spreadsheet program would calculate gets an apostrophe, which
 * makes it text. A cell that would start a program is emptied.
 */
import { isUtf8 } from 'node:buffer';
import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { textEncoding } from '../../../formats/charsets/text-encoding.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { cellsOf, delimiterOf, kindOfCell, namedDelimiter, otherStarts } from './csv-cells.ts';
import { withoutControls } from './terminal-escapes.ts';

/** Replaces a command. None of its characters has a meaning to a spreadsheet program or to the table. */
const EMPTIED = 'command removed';

/** The start of a file that Excel reads as SYLK; tables start with it, too. */
const SYLK_START = /^[\ufeff\s"]{0,9}ID;/;
/** A record of SYLK with a formula, or with a name, for example of a macro that starts by itself. */
const SYLK_CODE = /^(?:C(?:;[^;\r\n]{0,300}){0,20};[EM]|NN?;[^\r\n]{0,300};E)/m;

/**
 * Disarms a table. `already_safe` when no cell had to change. Throws EngineError: `oversize`, `unsupported` for a table that is also a
 * workbook of formulas, or `unreadable` for other data than text.
 */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  if (input.bytes.length > limits.inputBytes) throw new EngineError('oversize', 'the table is larger than the limit');
  const { bytes, isChanged } = withoutControls(input.bytes);
  const encoding = encodingOf(bytes);
  const text = encoding.decode(bytes);
  // Excel decides by the first two letters, despite the name of the file.
  if (SYLK_START.test(text) && SYLK_CODE.test(text))
    throw new EngineError('unsupported', 'Excel reads this table as a SYLK workbook with formulas');
  const log = removalLog();
  const safe = withoutOtherReadings(withoutFormulas(text, log), log);
  if (encoding.isRare) log.note('text encoding', 'file', 'sanitized');
  if (isChanged) log.note('control characters', 'file', 'sanitized');
  if (safe === text && !isChanged && !encoding.isRare)
    return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  return { outcome: 'disarmed', bytes: encoding.encode(safe), type, details: log.removals };
}

interface Encoding {
  readonly decode: (bytes: Uint8Array) => string;
  readonly encode: (text: string) => Uint8Array;
  /** Spreadsheet programs do not read it, so the table is written in UTF-8 with the mark that Excel looks for. */
  readonly isRare?: true;
}

/** Encodings that return every unchanged byte, byte order marks included. */
function encodingOf(bytes: Uint8Array): Encoding {
  const encoding = textEncoding(bytes);
  if (encoding === null) throw new EngineError('unreadable', 'the file holds bytes that text does not have');
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const swap = (buffer: Buffer) => (encoding === 'utf-16be' ? buffer.swap16() : buffer);
    return {
      decode: (each) => swap(Buffer.from(each)).toString('utf16le'),
      encode: (text) => swap(Buffer.from(text, 'utf16le')),
    };
  }
  if (encoding === 'utf-32le' || encoding === 'utf-32be')
    return {
      decode: (each) => decodeCharset(each, encoding),
      encode: (text) => Buffer.from(`\ufeff${text}`),
      isRare: true,
    };
  // With one byte per character, signs and delimiters can be found in any Latin charset.
  const name = isUtf8(bytes) ? 'utf8' : 'latin1';
  return { decode: (each) => Buffer.from(each).toString(name), encode: (text) => Buffer.from(text, name) };
}

function withoutFormulas(text: string, log: RemovalLog): string {
  const out: string[] = [];
  let copied = 0;
  let number = 0;
  for (const { start, end } of cellsOf(text, delimiterOf(text))) {
    number += 1;
    const cell = text.slice(start, end);
    const kind = kindOfCell(cell);
    if (kind === 'safe') continue;
    out.push(text.slice(copied, start));
    if (kind === 'command') {
      log.note('DDE command', `cell ${number}`);
      out.push(EMPTIED);
    } else {
      log.note('formula', `cell ${number}`, 'sanitized');
      out.push(cell.startsWith('"') ? `"'${cell.slice(1)}` : `'${cell}`);
    }
    copied = end;
  }
  out.push(text.slice(copied));
  return out.join('');
}

/** Also marks cells that are formulas only with another delimiter or without quotes: programs choose both by their country. */
function withoutOtherReadings(text: string, log: RemovalLog): string {
  const out: string[] = [];
  let copied = 0;
  for (const at of otherStarts(text, namedDelimiter(text))) {
    log.note('formula', 'in another reading of the table', 'sanitized');
    out.push(text.slice(copied, at), "'");
    copied = at;
  }
  out.push(text.slice(copied));
  return out.join('');
}
