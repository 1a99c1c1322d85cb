/** Whether the compiled form of macros was made from the source that is shown: what runs against what people and checkers read. */
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import { namesInProject, textsInCache } from './vba-cache.ts';

/** Compiled code of a module with nothing in its source but attributes takes less than this. */
const EMPTY_MODULE_CACHE = 4_096;
/** Compiled code this many times as large as its source was not made from that source. */
const STOMPED_RATIO = 25;
/** Of a long module even comments do not explain that ratio. */
const LONG_CACHE = 32_768;
/** A text or two may be left over from before an edit; this many, and most of all, are of another source. */
const OTHER_TEXTS = 3;
const EVIDENCE = 8;

/** Texts that attacks hand to the system. */
const COMMAND =
  /powershell|\bcmd(?:\.exe)?\s{0,9}\/c|mshta|rundll32|regsvr32|certutil|bitsadmin|schtasks|wscript\.|shell\.application|winmgmts|xmlhttp|winhttp|adodb\.stream|https?:\/\/|\.(?:exe|dll|hta|vbs|ps1)\b/i;
/** Names that make a macro run by itself or reach the system. Left out are those that Office enters by itself. */
const ACTING_NAME =
  /^(?:auto_?(?:open|close|exec|exit|new)|document_(?:open|close|new)|workbook_(?:open|close|activate|beforeclose)|shell|shellexecute[aw]?|createobject|getobject|callbyname|urldownloadtofile[aw]?|winexec|createprocess[aw]?|virtualalloc(?:ex)?|virtualprotect|rtlmovememory|createthread|createremotethread|writeprocessmemory)$/i;

export interface ModuleForms {
  readonly where: string;
  /** What stands before the source in the stream of the module. */
  readonly cache: Uint8Array;
  /** Null when it cannot be unpacked. */
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

/** Much compiled code over little source. */
function isTooLarge(cache: Uint8Array, code: number): boolean {
  return cache.length > LONG_CACHE && cache.length > code * STOMPED_RATIO;
}

/** Characters of a source without attributes and blanks. */
function codeLength(source: Uint8Array | null): number {
  return Buffer.from(source ?? [])
    .toString('latin1')
    .replace(/^Attribute [^\r\n]{0,400}\r?\n?/gm, '')
    .replace(/[\s\0]/g, '').length;
}
