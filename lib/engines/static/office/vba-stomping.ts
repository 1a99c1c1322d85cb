/** Finds macros whose compiled form, which runs, was not made from the source that people and scanners read. */

import { anyOf, oneOf } from '../../../formats/patterns.ts';
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import { namesInProject, textsInCache } from './vba-cache.ts';

/** A module whose source holds only attributes has less compiled code than this. */
const EMPTY_MODULE_CACHE = 4_096;
/** Compiled code that is this many times as large as its source was not made from it. */
const STOMPED_RATIO = 25;
/** In code longer than this, even comments do not explain that ratio. */
const LONG_CACHE = 32_768;
/** So many texts, and most of all texts, come from another source. One or two may be left over from before an edit. */
const OTHER_TEXTS = 3;
const EVIDENCE = 8;

/** Texts that attacks pass to the system. */
const COMMAND = anyOf(
  [
    /powershell/,
    /\bcmd(?:\.exe)?\s{0,9}\/c/,
    /mshta/,
    /rundll32/,
    /regsvr32/,
    /certutil/,
    /bitsadmin/,
    /schtasks/,
    /wscript\./,
    /shell\.application/,
    /winmgmts/,
    /xmlhttp/,
    /winhttp/,
    /adodb\.stream/,
    /https?:\/\//,
    /\.(?:exe|dll|hta|vbs|ps1)\b/,
  ],
  'i',
);
/** Names that make a macro run by itself or reach the system. Names that Office itself adds are left out. */
const ACTING_NAME = new RegExp(
  `^${oneOf(`
    auto_?(?:open|close|exec|exit|new) document_(?:open|close|new) workbook_(?:open|close|activate|beforeclose)
    shell shellexecute[aw]? createobject getobject callbyname urldownloadtofile[aw]? winexec createprocess[aw]?
    virtualalloc(?:ex)? virtualprotect rtlmovememory createthread createremotethread writeprocessmemory
  `)}$`,
  'i',
);

export interface ModuleForms {
  readonly where: string;
  /** The compiled code, which stands in front of the source in the stream of the module. */
  readonly cache: Uint8Array;
  /** The source; null when it cannot be unpacked. */
  readonly source: Uint8Array | null;
}

/** Compares both forms of every module. `project` is the stream `_VBA_PROJECT`, which holds the names of all of them. */
export function judgeForms(modules: readonly ModuleForms[], project: Uint8Array | undefined): Finding[] {
  const sources = modules.map(({ source }) => Buffer.from(source ?? []).toString('latin1')).join('\n');
  const shown = sources.replaceAll('""', '"');
  const lower = shown.toLowerCase();
  const hidden = namesInProject(project ?? new Uint8Array()).filter(
    (name) => ACTING_NAME.test(name) && !lower.includes(name.toLowerCase()),
  );
  return [
    ...modules.flatMap((module) => judgeModule(module, shown)),
    ...(hidden.length === 0
      ? []
      : [finding('vba-source-differs', '_VBA_PROJECT', hidden.slice(0, EVIDENCE).join(', '))]),
  ];
}

function judgeModule({ where, cache, source }: ModuleForms, shown: string): Finding[] {
  const texts = [...new Set(textsInCache(cache))];
  const missing = texts.filter((text) => !shown.includes(text));
  const evidence = missing.slice(0, EVIDENCE).join(' | ');
  const commands = missing.filter((text) => COMMAND.test(text));
  const code = codeLength(source);
  if (
    code === 0
      ? missing.length > 1 || commands.length > 0 || cache.length > EMPTY_MODULE_CACHE * 2
      : isTooLarge(cache, code)
  )
    return [finding('vba-stomped', where, evidence === '' ? undefined : evidence)];
  if (commands.length > 0) return [finding('vba-source-replaced', where, commands.slice(0, EVIDENCE).join(' | '))];
  const isOther = missing.length >= OTHER_TEXTS && missing.length * 2 > texts.length;
  return isOther ? [finding('vba-source-differs', where, evidence)] : [];
}

/** True for much compiled code with little source. */
function isTooLarge(cache: Uint8Array, code: number): boolean {
  return cache.length > LONG_CACHE && cache.length > code * STOMPED_RATIO;
}

/** The number of characters of a source without attributes and blanks. */
function codeLength(source: Uint8Array | null): number {
  return Buffer.from(source ?? [])
    .toString('latin1')
    .replace(/^Attribute [^\r\n]{0,400}\r?\n?/gm, '')
    .replace(/[\s\0]/g, '').length;
}
