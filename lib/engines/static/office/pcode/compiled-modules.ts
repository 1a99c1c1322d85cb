/** The compiled code of all modules of a project, as source and as the words that it uses. */
import { asSource } from './as-source.ts';
import type { Dialect } from './instructions.ts';
import { type ModuleCode, readModuleCode, UNKNOWN_NAME } from './module-code.ts';
import { type ProjectNames, readProjectNames } from './project-names.ts';

export interface CompiledModule {
  /** The code as lines of VBA. */
  readonly source: string;
  /** The names and texts that the code uses, each once. */
  readonly words: readonly string[];
  /** False when not all of its instructions could be read. */
  readonly isWhole: boolean;
}

export type ReadCompiled = (cache: Uint8Array) => CompiledModule | null;

const NONE: ReadCompiled = () => null;
const NO_CODE: CompiledModule = { source: '', words: [], isWhole: true };

/** Returns a reader for the modules of a project. It returns null for a module in an unknown form. */
export function compiledModules(project: Uint8Array | undefined, is64: boolean): ReadCompiled {
  const known = project === undefined ? null : readProjectNames(project);
  return known === null ? NONE : (cache) => compiled(cache, known, is64);
}

function compiled(cache: Uint8Array, { names, version }: ProjectNames, is64: boolean): CompiledModule | null {
  const read = (wide: boolean) => readModuleCode(cache, names, { version, is64: wide } satisfies Dialect);
  const stated = read(is64);
  // When the project describes itself wrongly, the other reading fits.
  const code = stated?.isWhole === true ? stated : (whole(read(!is64)) ?? stated);
  if (code === null) return null;
  if (code.lines.length === 0) return code.isWhole ? NO_CODE : null;
  const words = new Set(code.lines.flat().flatMap(({ name, id, text }) => (isComment(name) ? [id] : [id, text])));
  words.delete('');
  words.delete(UNKNOWN_NAME);
  return { source: asSource(code), words: [...words], isWhole: code.isWhole };
}

const whole = (code: ModuleCode | null) => (code?.isWhole === true ? code : null);

const isComment = (name: string) => /^(?:Rem|QuoteRem|Reparse|LineCont)$/.test(name);
