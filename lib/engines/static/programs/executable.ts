/** Programs, scripts, shortcuts and disk images. Their kind is known but not their actions, so none is ever benign. */

import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { textEncoding } from '../../../formats/charsets/text-encoding.ts';
import { extensionOf } from '../../../formats/detection/detect.ts';
import type { Finding } from '../../engine.ts';
import { HARMLESS_EXTENSIONS, hasDoubleExtension } from '../findings/executable-kind.ts';
import { type FindingId, finding } from '../findings/findings.ts';
import { type ModuleResult, type StaticFile, type StaticModule, VBA_SOURCE } from '../findings/module.ts';
import { judgeCode } from '../scripts/code.ts';
import { judgeElf, judgeMachO } from './elf.ts';
import { installerPieces } from './installer.ts';
import { judgePortableExecutable } from './portable-executable.ts';
import { judgeShortcut } from './shortcut.ts';

const PROGRAMS = new Set([
  'application/vnd.microsoft.portable-executable',
  'application/x-dosexec',
  'application/x-executable',
  'application/x-mach-binary',
  'application/x-msi',
  'application/java-vm',
  'application/wasm',
]);
const SCRIPTS = new Set([
  'text/javascript',
  'text/vbscript',
  'application/x-powershell',
  'text/x-msdos-batch',
  'application/hta',
  'application/x-wsf',
  'text/scriptlet',
  'text/x-shellscript',
  'text/x-python',
  'text/x-script',
]);
const SHORTCUTS = new Set([
  'application/x-mswinurl',
  'application/x-ms-shortcut',
  'application/x-ms-link-file',
  'text/x-ms-iqy',
  'text/x-ms-regedit',
]);

export const programModule: StaticModule = {
  name: 'program',
  accepts: (type) => PROGRAMS.has(type),
  run: (file) => {
    const { type, bytes, limits } = file;
    const isWindows = type.type === 'application/vnd.microsoft.portable-executable';
    const structure = isWindows ? judgePortableExecutable(bytes) : [...judgeElf(bytes), ...judgeMachO(bytes)];
    const installer = type.type === 'application/x-msi' ? installerPieces(bytes, limits) : { findings: [], pieces: [] };
    return {
      findings: [finding('program'), ...disguises(file), ...structure, ...installer.findings],
      views: [],
      pieces: installer.pieces,
      understood: false,
    };
  },
};

export const scriptModule: StaticModule = {
  name: 'script',
  accepts: (type) => SCRIPTS.has(type),
  run: (file) => code(file, 'script'),
};

/** Macro source of documents. */
export const macroSourceModule: StaticModule = {
  name: 'macro source',
  accepts: (type) => type === VBA_SOURCE,
  run: (file) => {
    const { findings, views, pieces } = judgeCode(textOf(file), VBA_SOURCE);
    return { findings, views, pieces, understood: true };
  },
};

export const shortcutModule: StaticModule = {
  name: 'shortcut',
  accepts: (type) => SHORTCUTS.has(type),
  run: (file) => {
    if (isOnlyNamed(file)) return { findings: [], views: [], understood: false };
    if (file.type.type !== 'application/x-ms-shortcut') return code(file, 'shortcut');
    const { findings, views, pieces } = judgeShortcut(file.bytes);
    return { findings: [finding('shortcut'), ...disguises(file), ...findings], views, pieces, understood: false };
  },
};

/** Sections that Windows reads in a theme. Desktops of Unix use the same extension for lists of icons, which have no such sections. */
const WINDOWS_THEME = /\[(?:theme|visualstyles|control panel|boot|slideshow|masterthemeselector|sounds)/i;

/** Returns true when only the name says that a text is a shortcut. Windows does not follow one without sections or settings. */
function isOnlyNamed(file: StaticFile): boolean {
  const extension = extensionOf(file.untrustedName);
  const text = textOf(file);
  if (extension === 'theme') return /^\[Icon Theme\]/im.test(text) && !WINDOWS_THEME.test(text);
  return extension === 'url' && !/[[\]=<>]/.test(text.replace(/https?:\/\/\S{0,2000}/g, ''));
}

function code(file: StaticFile, id: FindingId): ModuleResult {
  const { findings, views, pieces } = judgeCode(textOf(file), file.type.type);
  return {
    findings: [finding(id), ...disguises(file), ...findings],
    views: [...utf8View(file), ...views],
    pieces,
    understood: false,
  };
}

function textOf({ bytes }: StaticFile): string {
  const encoding = textEncoding(bytes);
  return encoding === 'utf-16le' || encoding === 'utf-16be' || encoding === 'utf-8'
    ? decodeCharset(bytes, encoding)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function disguises({ type, untrustedName }: StaticFile): Finding[] {
  const isDisguised = PROGRAMS.has(type.type) && HARMLESS_EXTENSIONS.has(extensionOf(untrustedName));
  return [
    ...(isDisguised ? [finding('disguised-program')] : []),
    ...(hasDoubleExtension(untrustedName) ? [finding('double-extension')] : []),
  ];
}

/** Returns a view in UTF-8, for which the rules are written. Scripts in UTF-16 run as well. */
function utf8View({ bytes }: StaticFile) {
  const encoding = textEncoding(bytes);
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return [];
  return [{ where: 'text', bytes: Buffer.from(decodeCharset(bytes, encoding)) }];
}
