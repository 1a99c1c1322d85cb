/** The names by which prepared code calls the environment. They differ for every file. */
import { evaluate, layered } from './evaluation.js';
import { mend } from './jscript-errors.js';
import { native } from './native-functions.js';
import { define, fixed } from './realms.js';

export let names = { layer: '\0', evaluate: '\0', mend: '\0', put: '\0' };
export let mendCall = /a^/;

export const useNames = (given) => {
  names = given;
  mendCall = new RegExp(names.mend + '\\([\\w$]+\\);', 'g');
  define(theirGlobal, names.layer, fixed(native('', 1, (self, args) => layered(args[0], 'eval'))));
  define(theirGlobal, names.evaluate, fixed(evaluate));
  define(theirGlobal, names.mend, fixed(mend));
};
