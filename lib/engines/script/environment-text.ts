/**
 * The emulated objects as a text for QuickJS: the modules of `environment/`, joined to one function. They are ordinary JavaScript,
 * formatted, linted and checked for types. Nothing is built, so that a checkout, a test and a bundle read the same files. A bundle has
 * the folder beside it, like the YARA rules.
 */
import { readFileSync } from 'node:fs';
import type { ScriptObjects } from './script-file.ts';

/** The environment that scripts find: the objects, and whether the built-ins are old. */
export interface Realm {
  readonly objects: ScriptObjects;
  /** True when the built-ins are only those of JScript 5.8. */
  readonly isOld: boolean;
}

const FOLDER = new URL('./environment/', import.meta.url);

/** Keeps the real `eval` of the scripts under its plain name, where a direct call sees the variables around it. */
export const BARE_EVAL = 'let eval = globalThis.eval;';

/** The modules, in the order of their evaluation. A module follows the modules that it uses while it is evaluated. */
export const ENVIRONMENT_MODULES = {
  /** The only way out of the interpreter, the clock, and the border between the realm of the scripts and that of the environment. */
  border: [
    'bridge',
    'place',
    'clock',
    'prepared-names',
    'realms',
    'calls',
    'to-scripts',
    'proxy-traps',
    'from-scripts',
  ],
  /** Changes to the built-ins of the scripts. */
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
  /** Windows Script Host and the automation objects that its scripts use. Pages and documents use some of them, too. */
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
  /** More automation objects, for scripts and applications of Windows only. */
  windows: ['used-machine', 'wmi-methods', 'scheduled-tasks', 'office', 'dot-net', 'class-ids'],
  /** The parts of a browser's page that are used by scripts which smuggle files, redirect or fill in forms. */
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
  /** The controls of the run. */
  run: ['run'],
} as const;

/**
 * Returns an expression that is a function. It takes the host function and the global object of the scripts, and returns the controls of
 * the run. Objects that a file cannot see are left out, because parsing them takes time.
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
  return `(function (host, theirGlobal) {${facts}\n${modules.map(joinable).join('')}return controls;\n})`;
}

/**
 * Returns a module without imports and exports, because all names belong to one function and no import renames any. Comments and
 * indentation are left out as well, because the interpreter keeps the text of every function and each start copies its memory. No string
 * literal of a module spans lines.
 */
function joinable(module: string): string {
  const text = readFileSync(new URL(`${module}.js`, FOLDER), 'utf8');
  return text
    .replace(/^import \{[^}]*\} from '[^']*';\n/gm, '')
    .replace(/^export (?=(?:const|let|class) )/gm, '')
    .replace(/^\s*(?:\/\/.*|\/\*\*[\s\S]*?\*\/)\n/gm, '')
    .replace(/^ +/gm, '');
}
