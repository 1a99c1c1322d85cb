/** Every built-in of the interpreter that the sandbox uses, found by walking a realm of it that is not the sandbox's. */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core';

export interface BuiltIn {
  /** An expression for the object that has it. */
  readonly owner: string;
  /** An expression for its key: a text or a symbol. */
  readonly key: string;
  readonly isAccessor: boolean;
}

/** Objects that no name leads to. */
const NAMELESS = [
  'Object.getPrototypeOf(function* () {})',
  'Object.getPrototypeOf(function* () {}).prototype',
  'Object.getPrototypeOf(async function () {})',
  'Object.getPrototypeOf(async function* () {})',
  'Object.getPrototypeOf(async function* () {}).prototype',
  'Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype)',
  'Object.getPrototypeOf([][Symbol.iterator]())',
  'Object.getPrototypeOf(""[Symbol.iterator]())',
  'Object.getPrototypeOf(new Map()[Symbol.iterator]())',
  'Object.getPrototypeOf(new Set()[Symbol.iterator]())',
  'Object.getPrototypeOf(/a/[Symbol.matchAll]("a"))',
  'Object.getPrototypeOf(Uint8Array)',
  'Object.getPrototypeOf(Uint8Array.prototype)',
];

/** Text for QuickJS: breadth first from the global object, each object once, by the shortest expression for it. */
const WALK = `(function (nameless) {
  const rows = [], seen = new Map(), queue = [['globalThis', globalThis], ...nameless.map((text) => [text, (0, eval)('(' + text + ')')])];
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
  for (const [text, value] of queue) {
    if (!isObject(value) || seen.has(value)) continue;
    seen.set(value, text);
    for (const key of Reflect.ownKeys(value)) {
      const own = Reflect.getOwnPropertyDescriptor(value, key);
      const name = typeof key === 'symbol' ? String(key.description) : JSON.stringify(key);
      const isFunction = typeof own.value === 'function' || own.get !== undefined;
      if (isFunction && own.configurable) rows.push([text, name, own.get !== undefined]);
      if (own.value !== undefined && name !== '"constructor"') queue.push([text === 'globalThis' ? String(key) : text + '[' + name + ']', own.value]);
    }
  }
  return JSON.stringify(rows);
})`;

/** All of them: functions and accessors that a script can replace. */
export async function builtIns(): Promise<readonly BuiltIn[]> {
  const quickjs = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
  const context = quickjs.newContext();
  const found = context.unwrapResult(context.evalCode(`${WALK}(${JSON.stringify(NAMELESS)})`));
  const rows = JSON.parse(context.getString(found)) as [string, string, boolean][];
  return rows.map(([owner, key, isAccessor]) => ({ owner, key, isAccessor }));
}
