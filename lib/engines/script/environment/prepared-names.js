/** The names by which prepared code calls the environment: other ones for every run. */
import { evaluate, layered } from './evaluation.js';
import { mend } from './jscript-errors.js';
import { native } from './native-functions.js';
import { define, fixed } from './realms.js';

export let names = { layer: '\0', evaluate: '\0', mend: '\0', put: '\0' };
export let mendCall = /a^/;

// The names by which prepared code calls the environment: other ones for every run.
export const useNames = (given) => {
  names = given;
  mendCall = new RegExp(names.mend + '\\([\\w$]+\\);', 'g');
  define(S, names.layer, fixed(native('', 1, (self, args) => layered(args[0], 'eval'))));
  define(S, names.evaluate, fixed(evaluate));
  define(S, names.mend, fixed(mend));
};
