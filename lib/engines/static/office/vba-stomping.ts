/** Finds macros whose compiled form, which runs, was not made from the source that people and scanners read. */

import { anyOf, oneOf } from '../../../formats/patterns.ts';
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import type { CompiledModule } from './pcode/compiled-modules.ts';
import { namesInProject, textsInCache } from './vba-cache.ts';

/** A module whose source holds only attributes has less compiled code than this. */
const EMPTY_MODULE_CACHE = 4_096;
/** Compiled code that is this many times as large as its source was not made from it. */
const STOMPED_RATIO = 25;
/** In code longer than this, even comments do not explain that ratio. */
const LONG_CACHE = 32_768;
/** This many texts, and most of all texts, come from another source. One or two may be left over from before an edit. */
const OTHER_TEXTS = 3;
const EVIDENCE = 8;
/** The most characters of compiled code that a finding shows. */
const MAX_SHOWN = 2_000;

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
  /** The compiled code, which precedes the source in the stream of the module. */
  readonly cache: Uint8Array;
  /** The source; null when it cannot be unpacked. */
  readonly source: Uint8Array | null;
  /** The compiled code, which is empty for a module without any; null when it cannot be read. */
  readonly compiled: CompiledModule | null;
}

export interface FormsJudged {
  readonly findings: readonly Finding[];
  /** The modules whose compiled code was not made from their source. */
  readonly others: readonly ModuleForms[];
}

/** Compares both forms of every module. `project` is the stream `_VBA_PROJECT`, which holds the names of all of them. */
export function judgeForms(modules: readonly ModuleForms[], project: Uint8Array | undefined): FormsJudged {
  const sources = modules.map(({ source }) => Buffer.from(source ?? []).toString('latin1')).join('\n');
  const shown = sources.replaceAll('""', '"');
  const lower = shown.toLowerCase();
  const used = wordsThatRun(modules);
  const hidden = namesInProject(project ?? new Uint8Array()).filter(
    (name) =>
      ACTING_NAME.test(name) && !lower.includes(name.toLowerCase()) && (used === null || used.has(name.toLowerCase())),
  );
  const judged = modules.map((module) => ({ module, findings: judgeModule(module, shown, lower) }));
  return {
    findings: [
      ...judged.flatMap(({ findings }) => findings),
      ...(hidden.length === 0
        ? []
        : [finding('vba-source-differs', '_VBA_PROJECT', hidden.slice(0, EVIDENCE).join(', '))]),
    ],
    others: judged
      .filter(({ module, findings }) => module.compiled !== null && (findings.length > 0 || hidden.length > 0))
      .map(({ module }) => module),
  };
}

/**
 * Returns the names and texts of all compiled code, or null when some of it could not be read. The list of names of a project also keeps
 * names that no code uses any more, and names of controls.
 */
function wordsThatRun(modules: readonly ModuleForms[]): ReadonlySet<string> | null {
  const words = new Set<string>();
  for (const { cache, compiled } of modules) {
    if (compiled === null ? cache.length > 0 : !compiled.isWhole) return null;
    for (const word of compiled?.words ?? []) words.add(word.toLowerCase());
  }
  return words;
}

function judgeModule({ where, cache, source, compiled }: ModuleForms, shown: string, lower: string): Finding[] {
  const texts = [...new Set(textsInCache(cache))];
  const missing = texts.filter((text) => !shown.includes(text));
  const evidence = missing.slice(0, EVIDENCE).join(' | ');
  const hidden = (compiled?.words ?? []).filter((word) => !lower.includes(word.toLowerCase()));
  const commands = [...new Set([...missing, ...hidden])].filter((word) => COMMAND.test(word) || ACTING_NAME.test(word));
  const code = codeLength(source);
  if (
    code === 0
      ? (compiled?.source ?? '') !== '' ||
        missing.length > 1 ||
        commands.length > 0 ||
        cache.length > EMPTY_MODULE_CACHE * 2
      : isTooLarge(cache, code)
  )
    return [finding('vba-stomped', where, compiled?.source.slice(0, MAX_SHOWN) || evidence || undefined)];
  if (commands.length > 0) return [finding('vba-source-replaced', where, commands.slice(0, EVIDENCE).join(' | '))];
  const isOther =
    (missing.length >= OTHER_TEXTS && missing.length * 2 > texts.length) ||
    (hidden.length >= OTHER_TEXTS && hidden.length * 2 > (compiled?.words.length ?? 0));
  return isOther ? [finding('vba-source-differs', where, evidence || hidden.slice(0, EVIDENCE).join(' | '))] : [];
}

/** Returns true for much compiled code with little source. */
function isTooLarge(cache: Uint8Array, code: number): boolean {
  return cache.length > LONG_CACHE && cache.length > code * STOMPED_RATIO;
}

/** Returns the number of characters of a source without attributes and blanks. */
function codeLength(source: Uint8Array | null): number {
  return Buffer.from(source ?? [])
    .toString('latin1')
    .replace(/^Attribute [^\r\n]{0,400}\r?\n?/gm, '')
    .replace(/[\s\0]/g, '').length;
}
