/** Errors. They have the numbers and words of JScript where scripts run in it. Their stacks do not show the environment. */
import { defer } from './calls.js';
import { asText } from './evaluation.js';
import { native, nativeConstructor, replace } from './native-functions.js';
import { behindProxy, define, hasOwn, isObject, THEIRS } from './realms.js';

/** @type {[RegExp, number, (match: any) => string][]} */
const FAULTS = [
  [/^'?(.+?)'? is not defined$/, -2146823279, (m) => "'" + m[1] + "' is undefined"],
  [/not a function$/, -2146827850, () => "Object doesn't support this property or method"],
  [
    /^cannot (?:read|set) property '?(.+?)'? of (?:null|undefined)/,
    -2146823281,
    (m) => "'" + m[1] + "' is null or not an object",
  ],
  [/create object/, -2146827859, (m) => m.input],
  [/registry key|File not found/, -2147024894, (m) => m.input],
];
const worded = (message) => {
  for (const [pattern, number, text] of FAULTS) {
    const m = pattern.exec(message);
    if (m !== null) return { number, text: text(m) };
  }
  return { number: -2146828283, text: message };
};
const isError = (value) => {
  if (!isObject(value) || behindProxy.has(value)) return false;
  const own = Reflect.getOwnPropertyDescriptor(value, 'stack');
  return own !== undefined && 'value' in own && typeof own.value === 'string';
};
// Removes the calls of the environment from a stack, because a script would recognise the emulation by them.
const scriptFrames = (text) =>
  text
    .split('\n')
    .filter((line) => !line.includes('(native'))
    .join('\n');
// Changes a caught error before the script reads it.
export const mend = native('mend', 1, (self, args) => {
  const error = args[0];
  try {
    if (!isError(error)) return error;
    if (!isOld) {
      define(error, 'stack', {
        value: scriptFrames(/** @type {any} */ (Reflect.getOwnPropertyDescriptor(error, 'stack')).value),
      });
      return error;
    }
    Reflect.deleteProperty(error, 'stack');
    const own = Reflect.getOwnPropertyDescriptor(error, 'message'),
      { number, text } = worded(own === undefined ? '' : asText(own.value));
    for (const [key, value] of [
      ['message', text],
      ['description', text],
      ['number', number],
    ])
      if (key === 'message' || !hasOwn(error, key)) replace(error, key, value);
  } catch (again) {
    defer(again);
  }
  return error;
});
export const ERRORS = ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'];
// QuickJS has this error, and no program of Windows has it.
Reflect.deleteProperty(theirGlobal, 'InternalError');
const oldError = (original, args) => {
  const text = args.length === 0 ? '' : asText(args[args.length > 1 ? 1 : 0]);
  const error = Reflect.construct(original, [text]);
  Reflect.deleteProperty(error, 'stack');
  replace(error, 'message', text);
  replace(error, 'description', text);
  replace(error, 'number', args.length > 1 ? +args[0] : 0);
  return error;
};
export const replaceErrors = () => {
  for (const name of ERRORS) {
    const original = theirGlobal[name];
    const made = nativeConstructor(name, 1, original.prototype, (args, derived) => {
      if (isOld) return oldError(original, args);
      const error = Reflect.construct(original, args, derived === undefined ? original : derived);
      return isError(error) ? Reflect.apply(mend, undefined, [error]) : error;
    });
    for (const key of Reflect.ownKeys(original))
      if (!hasOwn(made, key)) define(made, key, /** @type {any} */ (Reflect.getOwnPropertyDescriptor(original, key)));
    Reflect.setPrototypeOf(made, name === 'Error' ? THEIRS.functions : theirGlobal.Error);
    replace(theirGlobal, name, made);
  }
};
const describedBy = (name, of) => {
  define(THEIRS.Error.prototype, name, {
    get: native(name, 0, (self) => {
      const own = isObject(self) ? Reflect.getOwnPropertyDescriptor(self, 'message') : undefined;
      return of(worded(own === undefined ? '' : asText(own.value)));
    }),
    set: native(name, 1, (self, args) => {
      replace(self, name, args[0]);
    }),
    enumerable: false,
    configurable: true,
  });
};
if (isWindows) {
  describedBy('number', ({ number }) => number);
  describedBy('description', ({ text }) => text);
}
