/** `Date` and `Math.random` of the scripts. The clock moves faster than a real one, so that a loop that waits for it ends. */
import { chance, current } from './clock.js';
import { native, nativeConstructor, replace } from './native-functions.js';
import { look, place } from './place.js';
import { THEIRS } from './realms.js';

export const now = native('now', 0, () => current());
replace(
  theirGlobal,
  'Date',
  nativeConstructor('Date', 7, THEIRS.Date.prototype, (args, derived, isNew) => {
    if (!isNew) {
      const date = Reflect.construct(THEIRS.Date, [current()]);
      return isOld ? dateText(date) : Reflect.apply(theirDateText, date, []);
    }
    return Reflect.construct(
      THEIRS.Date,
      args.length === 0 ? [current()] : args,
      derived === undefined ? THEIRS.Date : derived,
    );
  }),
);
replace(theirGlobal.Date, 'now', now);
replace(theirGlobal.Date, 'parse', THEIRS.Date.parse);
replace(theirGlobal.Date, 'UTC', THEIRS.Date.UTC);
const theirOffset = THEIRS.Date.prototype.getTimezoneOffset;
replace(
  THEIRS.Date.prototype,
  'getTimezoneOffset',
  native('getTimezoneOffset', 0, (self) => {
    look('time zone');
    return Reflect.apply(theirOffset, self, []) + place.offset;
  }),
);
if (isWindows)
  replace(
    THEIRS.Date.prototype,
    'getVarDate',
    native('getVarDate', 0, (self) => self),
  );
const theirDateText = THEIRS.Date.prototype.toString;
const dateText = (date) => {
  const text = Reflect.apply(theirDateText, date, []),
    m = /^(\w+ \w+) (\d+) (\d+) ([\d:]+) GMT([+-]\d{4})/.exec(text);
  return m === null ? text : m[1] + ' ' + +m[2] + ' ' + m[4] + ' UTC' + (m[5] === '+0000' ? '' : m[5]) + ' ' + m[3];
};
if (isOld)
  replace(
    THEIRS.Date.prototype,
    'toString',
    native('toString', 0, (self) => dateText(self)),
  );
replace(
  theirGlobal.Math,
  'random',
  native('random', 0, () => chance()),
);
