/** The text of a function. For a native one, it is the text that the emulated program shows. */
import { native, replace } from './native-functions.js';
import { mendCall, names } from './prepared-names.js';
import { natives, THEIRS } from './realms.js';

const theirText = THEIRS.functions.toString;
const nameOf = (made) => {
  const own = Reflect.getOwnPropertyDescriptor(made, 'name');
  return own === undefined || typeof own.value !== 'string' ? '' : own.value;
};
// The names of functions that have no property with their name.
export const oldNames = new WeakMap();
const NATIVE = /^function ([^()]*)\(\) \{\n {4}\[native code\]\n\}$/;
const nativeText = (name) =>
  isOld ? '\nfunction ' + name + '() {\n    [native code]\n}\n' : 'function ' + name + '() { [native code] }';
const withoutNames = (text) =>
  text.includes(names.layer) || text.includes(names.evaluate) || text.includes(names.mend)
    ? text
        .replaceAll(names.layer + '(', '')
        .replaceAll(',' + names.layer + ')', '')
        .replaceAll(names.evaluate, 'eval')
        .replace(mendCall, '')
    : text;
replace(
  THEIRS.functions,
  'toString',
  native('toString', 0, (self) => {
    const known = oldNames.get(self);
    if (known !== undefined || natives.has(self)) return nativeText(known === undefined ? nameOf(self) : known);
    const text = Reflect.apply(theirText, self, []),
      match = NATIVE.exec(text);
    return match === null ? withoutNames(text) : nativeText(match[1]);
  }),
);
