/** The scripts' global object, and evaluation of their code in it. */
import { layer, rec, Str } from './bridge.js';
import { isOurs } from './calls.js';
import { theirEval } from './evaluation.js';
import { toP } from './from-scripts.js';
import { R } from './realms.js';

export const G = toP(S),
  RealDate = Date;
export const realEval = (code) => {
  try {
    return toP(R.apply(theirEval, undefined, [code]));
  } catch (error) {
    throw isOurs(error) ? error : toP(error);
  }
};
if (isWindows)
  G.execScript = function execScript(code, language) {
    if (/vb/i.test(Str(language))) {
      rec('skipped', 'VBScript in execScript', code);
      return null;
    }
    realEval(layer(Str(code), 'execScript'));
    return null;
  };
