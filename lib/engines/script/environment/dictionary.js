/** Scripting.Dictionary. */
import { com } from './automation.js';
import { push } from './bridge.js';

export const dictionary = () => {
  let keys = [],
    values = [];
  const find = (key) => {
    for (let i = 0; i < keys.length; i++) if (keys[i] === key) return i;
    return -1;
  };
  const put = (key, value) => {
    const i = find(key);
    if (i < 0) {
      push(keys, key);
      push(values, value);
    } else values[i] = value;
  };
  return com(
    'Scripting.Dictionary',
    {
      add: put,
      item: (key) => values[find(key)],
      item_put: put,
      exists: (key) => find(key) >= 0,
      remove: (key) => {
        const i = find(key);
        if (i >= 0) {
          keys.splice(i, 1);
          values.splice(i, 1);
        }
      },
      removeall: () => {
        keys = [];
        values = [];
      },
      keys: () => keys,
      items: () => values,
      get count() {
        return keys.length;
      },
      comparemode: 0,
    },
    (key) => values[find(key)],
  );
};
