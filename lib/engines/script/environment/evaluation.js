/** `eval` and `Function`. Every layer of code is recorded and prepared before it runs. */
import { layer, rec, Str } from './bridge.js';
import { fromScripts } from './from-scripts.js';
import { native, nativeConstructor, replace } from './native-functions.js';
import { THEIRS } from './realms.js';

export const layered = (code, how) => (typeof code === 'string' ? layer(code, how) : code);
export const theirEval = THEIRS.eval;
export const evaluate = native('eval', 1, (self, args) =>
  typeof args[0] === 'string' ? Reflect.apply(theirEval, undefined, [layered(args[0], 'eval')]) : args[0],
);
replace(theirGlobal, 'eval', evaluate);
export const asText = (value) => '' + Reflect.apply(String, undefined, [value]);
const makers = [];
for (const kind of [
  THEIRS.functions,
  ...theirEval('[function*(){},async function(){},async function*(){}]').map((f) => Reflect.getPrototypeOf(f)),
]) {
  const original = kind.constructor;
  makers.push(
    nativeConstructor(original.name, 1, kind, (args) => {
      const parts = [];
      for (let i = 0; i < args.length; i++) parts.push(asText(args[i]));
      if (parts.length > 0) parts.push(layered(parts.pop(), 'Function'));
      return Reflect.construct(original, parts);
    }),
  );
  if (makers.length > 1) Reflect.setPrototypeOf(makers[makers.length - 1], makers[0]);
}
replace(theirGlobal, 'Function', makers[0]);
export const compileHandler = (code) => {
  try {
    return fromScripts(Reflect.construct(makers[0], ['event', code]));
  } catch (error) {
    rec('script-error', Str(fromScripts(error)));
    return null;
  }
};
