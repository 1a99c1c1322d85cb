/**
 * The emulated objects as a text for QuickJS: the modules of `environment/`, joined to one function. They are ordinary JavaScript,
 * formatted, linted and checked for types; nothing is built, so that a checkout, a test and a bundle read the same files. A bundle has
 * the folder beside it, as it has the YARA rules.
 */
import { readFileSync } from 'node:fs';
import type { ScriptObjects } from './script-file.ts';

/** What the scripts find: among which objects, and with the built-ins of which age. */
export interface Realm {
  readonly objects: ScriptObjects;
  /** Only what JScript 5.8 has. */
  readonly isOld: boolean;
}

const FOLDER = new URL('./environment/', import.meta.url);

/** Keeps the real `eval` of the scripts behind its bare name, where a direct call sees the variables around it. */
export const BARE_EVAL = 'let eval = globalThis.eval;';

/** In the order in which they are evaluated: first what the others use at once, while they are evaluated themselves. */
export const ENVIRONMENT_MODULES = {
  /** The only way out, the clock, and the border between the scripts' realm and this one. */
  border: ['bridge', 'clock', 'prepared-names', 'realms', 'calls', 'to-scripts', 'proxy-traps', 'from-scripts'],
  /** What scripts find changed among their own built-ins. */
  builtIns: [
    'native-functions',
    'script-clock',
    'evaluation',
    'function-text',
    'jscript-errors',
    'jscript-built-ins',
    'script-global',
    'timers',
    'automation',
    'bytes',
    'requests',
  ],
  /** Windows Script Host and the automation objects that its scripts use; pages and documents ask some of them, too. */
  scriptHost: [
    'machine',
    'disk',
    'text-stream',
    'file-system',
    'data-stream',
    'http',
    'dictionary',
    'shell',
    'wmi',
    'xml-document',
    'script-control',
    'create-object',
    'script-host',
  ],
  /** Automation objects beyond those, for scripts and applications of Windows only. */
  windows: ['used-machine', 'wmi-methods', 'scheduled-tasks', 'office', 'dot-net', 'class-ids'],
  /** A browser's page as far as smuggling, redirecting and form-filling scripts use it. */
  page: [
    'elements',
    'blobs',
    'events',
    'navigation',
    'node',
    'node-attributes',
    'document',
    'navigator',
    'url',
    'network',
    'readers',
    'window',
    'user',
  ],
  /** The objects of Acrobat's JavaScript that documents act with. */
  acrobat: ['acrobat-app', 'acrobat-document', 'acrobat'],
  /** The controls by which the run goes on. */
  run: ['run'],
} as const;

/**
 * An expression whose value is a function of the host function and the scripts' global object, which returns the controls by which
 * the run goes on. What a file cannot see is left out: parsing it takes time.
 */
export function environmentFor({ objects, isOld }: Realm): string {
  const { border, builtIns, scriptHost, windows, page, acrobat, run } = ENVIRONMENT_MODULES;
  const isWindows = objects === 'host' || objects === 'application';
  const modules = [
    ...border,
    ...builtIns,
    ...scriptHost,
    ...(isWindows ? windows : []),
    ...(objects === 'page' || objects === 'application' ? page : []),
    ...(objects === 'acrobat' ? acrobat : []),
    ...run,
  ];
  const facts = `'use strict'; const isOld = ${isOld}, isWindows = ${isWindows};`;
  return `(function (host, S) {${facts}\n${modules.map(joinable).join('')}return controls;\n})`;
}

/**
 * A module without its imports and exports: all names are those of one function, and no import gives another name. Without comments
 * and indentation as well: the interpreter keeps the text of every function, and each start copies its memory. No text of a module
 * spans lines.
 */
function joinable(module: string): string {
  const text = readFileSync(new URL(`${module}.js`, FOLDER), 'utf8');
  return text
    .replace(/^import \{[^}]*\} from '[^']*';\n/gm, '')
    .replace(/^export (?=(?:const|let|class) )/gm, '')
    .replace(/^\s*(?:\/\/.*|\/\*\*[\s\S]*?\*\/)\n/gm, '')
    .replace(/^ +/gm, '');
}
