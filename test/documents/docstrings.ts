/** Reads the docstrings of exported functions and classes, and the examples in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** A function or class that a file exports. */
export interface Exported {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'function' | 'class' | 'abstract class' | 'error';
  /** Without the marks of the comment; empty when there is none. */
  readonly docstring: string;
  /** The code of the `@example`; null when there is none. */
  readonly example: string | null;
}

const DECLARATION =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^export (?:(?:async )?(function)\*? (\w+)|const (\w+) = (?:async )?(?:<[^=]*>)?\([^\n]*=>|(abstract class|class) (\w+)(?: extends (\w+))?)/gm;
const EXAMPLE = /@example\n```ts\n([\s\S]*?)\n```/;

/** The exported functions and classes of a file, in its order. */
export function exportsOf(path: string): Exported[] {
  return [...readFileSync(join(ROOT, path), 'utf8').matchAll(DECLARATION)].map((match) => {
    const [, comment = '', , named, assigned, classKind, className, parent] = match;
    const docstring = comment.replace(/^\s*\* ?/gm, '').trim();
    const isError = parent?.endsWith('Error') === true || className === 'AnalysisError';
    const kind = isError ? 'error' : classKind === 'class' || classKind === 'abstract class' ? classKind : 'function';
    const name = named ?? assigned ?? className ?? '';
    return { path, name, kind, docstring, example: EXAMPLE.exec(docstring)?.[1] ?? null };
  });
}

/** Every TypeScript file below a folder. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'));

/** The files whose API the reference describes: docs/reference/typedoc.json lists them. */
export function referenceFiles(): string[] {
  const { entryPoints } = JSON.parse(readFileSync(join(ROOT, 'docs/reference/typedoc.json'), 'utf8')) as {
    entryPoints: string[];
  };
  return entryPoints.map((path) => path.replace('../../', ''));
}

/** What a line of an example says that an expression is: `expression; // => value`. */
const CLAIM = /^(\S.*); \/\/ => (.+)$/gm;

/** The example as a module in `folder`, in which every claim is checked when it is run. */
export function moduleOf({ path, name, example }: Exported, others: readonly string[]): string {
  const code = (example ?? '')
    .replace(/from '\.\/((?:lib|bin|lambdas)\/[^']+)'/g, "from '../../$1'")
    .replace(/from '@mail-airlock\/client'/g, "from '../../lib/service/client/client.ts'")
    .replace(CLAIM, 'assert.deepEqual($1, $2);');
  const imported = new RegExp(`import[^;]*\\b${name}\\b[^;]*from`).test(code);
  const used = others.filter((other) => new RegExp(`\\b${other.replace('type ', '')}\\b`).test(code));
  const own = imported ? [] : [`import { ${used.join(', ')} } from '../../${path}';`];
  return ["import assert from 'node:assert/strict';", ...own, code, 'export { assert };', ''].join('\n');
}

/** Whether an example says what comes out of it. */
export const hasClaim = ({ example }: Exported) => example?.match(CLAIM) !== null && example !== null;

/** Names that a file exports, types too. */
export function namesOf(path: string): string[] {
  const source = readFileSync(join(ROOT, path), 'utf8');
  return [
    ...source.matchAll(/^export (abstract class|async function\*?|function\*?|class|const|interface|type) (\w+)/gm),
  ].map(([, kind = '', name = '']) => (kind === 'interface' || kind === 'type' ? `type ${name}` : name));
}
