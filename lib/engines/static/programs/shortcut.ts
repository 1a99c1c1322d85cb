/** Windows shortcuts ([MS-SHLLINK]): their targets, arguments and icons. */

import { oneOf } from '../../../formats/patterns.ts';
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import type { Piece, View } from '../findings/module.ts';
import { judgeCode } from '../scripts/code.ts';

const HEADER_SIZE = 0x4c;
const FLAG = {
  idList: 1,
  linkInfo: 2,
  name: 4,
  relativePath: 8,
  workingDir: 0x10,
  argument: 0x20,
  icon: 0x40,
  unicode: 0x80,
} as const;
/** The characters of the arguments that Windows shows. A shortcut can hold 65,535. */
const SHOWN_ARGUMENTS = 260;
const INTERPRETER = new RegExp(
  String.raw`(?:^|[\\/%\s"])${oneOf(String.raw`
    cmd powershell pwsh mshta wscript cscript rundll32 regsvr32 certutil bitsadmin msbuild installutil wmic forfiles
    explorer(?=\S*\s+\S*(?:\\\\|http)) conhost pcalua ftp curl msiexec odbcconf hh scp ssh
  `)}(?:\.exe)?(?=$|["\s\0])`,
  'i',
);
const DOCUMENT_ICON =
  /\.(?:pdf|docx?|xlsx?|pptx?|txt|jpe?g|png|zip)\b|imageres\.dll|shell32\.dll|acrord|winword|excel|msedge|chrome/i;
/** The most bytes behind the shortcut that are read. Attacks append files there. */
const MAX_TAIL = 8 * 1024 * 1024;

export interface ShortcutFacts {
  /** The paths of the item list, of the link information and the relative path, joined by blanks. Untrusted. */
  readonly target: string;
  readonly untrustedArguments: string;
  readonly icon: string;
  /** The offset behind all parts of the shortcut. */
  readonly end: number;
}

/** Judges a shortcut. Never throws: a shortcut that is cut off is read up to its end. */
export function judgeShortcut(bytes: Uint8Array): { findings: Finding[]; views: View[]; pieces: Piece[] } {
  const { target, untrustedArguments, icon, end } = readShortcut(bytes);
  const command = `${target} ${untrustedArguments}`.trim();
  const runs = INTERPRETER.test(target) || INTERPRETER.test(untrustedArguments);
  const code = judgeCode(command, 'text/x-script', 'command');
  const isHidden = untrustedArguments.length > SHOWN_ARGUMENTS || /\s{40,}\S/.test(untrustedArguments);
  const tail = bytes.subarray(end, end + MAX_TAIL);
  const isRemote =
    /^\s*(?:\\\\[^\\?.][^\\]{0,200}\\|https?:)/i.test(target) || /\\\\[\w.-]{2,60}(?:@\w{2,10})?\\\w/.test(command);
  const hasTail = tail.length > 512;
  return {
    findings: [
      ...(runs ? [finding('shortcut-interpreter', null, command)] : []),
      ...(runs && isHidden ? [finding('shortcut-hidden-arguments', null, untrustedArguments.trim())] : []),
      ...(runs && DOCUMENT_ICON.test(icon) ? [finding('shortcut-disguised', null, icon)] : []),
      ...(isRemote ? [finding('shortcut-remote', null, command)] : []),
      ...code.findings,
    ],
    views: [{ where: 'command', bytes: Buffer.from(command) }, ...code.views],
    pieces: [
      ...code.pieces,
      ...(hasTail
        ? [
            {
              where: `behind the shortcut at ${end}`,
              bytes: tail,
              kind: 'extracted_file',
              untrustedName: 'appended',
              scope: 'file',
            } as const,
          ]
        : []),
    ],
  };
}

/** Reads the target, the arguments and the icon of a shortcut. Never throws. */
export function readShortcut(bytes: Uint8Array): ShortcutFacts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const state = { target: [] as string[], untrustedArguments: '', icon: '', end: Math.min(HEADER_SIZE, bytes.length) };
  try {
    const flags = view.getUint32(20, true);
    let at = HEADER_SIZE;
    if (flags & FLAG.idList) {
      const size = view.getUint16(at, true);
      state.target.push(readableRuns(bytes.subarray(at + 2, at + 2 + size)));
      at += 2 + size;
    }
    if (flags & FLAG.linkInfo) {
      const size = Math.max(4, view.getUint32(at, true));
      state.target.push(readableRuns(bytes.subarray(at, at + size)));
      at += size;
    }
    state.end = at;
    for (const flag of [FLAG.name, FLAG.relativePath, FLAG.workingDir, FLAG.argument, FLAG.icon]) {
      if ((flags & flag) === 0) continue;
      const size = view.getUint16(at, true) * (flags & FLAG.unicode ? 2 : 1);
      const text = Buffer.from(bytes.subarray(at + 2, at + 2 + size)).toString(
        flags & FLAG.unicode ? 'utf16le' : 'latin1',
      );
      at += 2 + size;
      if (flag === FLAG.relativePath) state.target.push(text);
      if (flag === FLAG.argument) state.untrustedArguments = text;
      if (flag === FLAG.icon) state.icon = text;
      state.end = at;
    }
    state.end = endOfBlocks(view, at);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return { ...state, target: state.target.join(' ') };
}

/** Returns where the extra data ends (2.5). It consists of blocks behind their sizes, up to a size below four. */
function endOfBlocks(view: DataView, from: number): number {
  let at = from;
  for (let blocks = 0; blocks < 64 && at + 4 <= view.byteLength; blocks++) {
    const size = view.getUint32(at, true);
    if (size < 4) return at + 4;
    at += size;
  }
  return Math.min(at, view.byteLength);
}

/** Returns readable names in item ids and link information, with one or two bytes per character. */
function readableRuns(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, 16_384)).toString('latin1');
  const wide = text.match(/(?:[\x20-\x7e]\0){4,260}/g) ?? [];
  const narrow = text.match(/[\x20-\x7e]{4,260}/g) ?? [];
  return [...wide.map((run) => run.replaceAll('\0', '')), ...narrow].join(' ');
}
