/** The global object of the scripts as the environment uses it, and the evaluation of their code. */
import { layer, rec, Str } from './bridge.js';
import { isOurs } from './calls.js';
import { theirEval } from './evaluation.js';
import { fromScripts } from './from-scripts.js';

export const scriptGlobal = fromScripts(theirGlobal),
  RealDate = Date;
export const realEval = (code) => {
  try {
    return fromScripts(Reflect.apply(theirEval, undefined, [code]));
  } catch (error) {
    throw isOurs(error) ? error : fromScripts(error);
  }
};
if (isWindows)
  scriptGlobal.execScript = function execScript(code, language) {
    if (/vb/i.test(Str(language))) {
      rec('skipped', 'VBScript in execScript', code);
      return null;
    }
    realEval(layer(Str(code), 'execScript'));
    return null;
  };
