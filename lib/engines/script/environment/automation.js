/** Automation (COM) objects: names in any case, callable defaults, and a blank for what is not emulated. */
import { ITEMS, lower, PUT, rec, Str } from './bridge.js';
import { names } from './prepared-names.js';
import { dynamic } from './realms.js';
import { G } from './script-global.js';

const blanks = Object.create(null);
const wanting = (name) => {
  if (!blanks[name]) {
    blanks[name] = true;
    rec('missing', name);
  }
  return name;
};
export const answering = (proxy) => {
  dynamic.add(proxy);
  return proxy;
};
export const blank = (name) =>
  answering(
    new Proxy(function () {}, {
      get: (target, key) => {
        if (key === Symbol.toPrimitive || key === 'toString' || key === 'valueOf') return () => '';
        if (key === 'length' || key === 'Count' || key === 'count') return 0;
        if (key === 'then' || typeof key === 'symbol') return undefined;
        return key === 'constructor' ? Object : blank(wanting(name + '.' + Str(key)));
      },
      apply: () => blank(wanting(name + '()')),
      construct: () => blank(wanting('new ' + name)),
      set: () => true,
    }),
  );
// Emulated with all they have: what else is asked for is a check whether anything answers, and must fail.
const CLOSED = {
  'WScript.Shell': 1,
  'Scripting.FileSystemObject': 1,
  'ADODB.Stream': 1,
  'Scripting.Dictionary': 1,
  'WScript.Network': 1,
};
// The text that an object is: none, a text, or one that is made when it is asked for.
const textFrom = (text, otherwise) => (text === undefined ? otherwise : typeof text === 'function' ? text() : text);
const symbolOf = (members, key, text) => {
  if (key in members) return members[key];
  return key === Symbol.toPrimitive ? () => textFrom(text, '') : undefined;
};
export const com = (name, members, byDefault, text) => {
  if (members.item && members.item_put) members.item[PUT] = members.item_put;
  const target = byDefault ? () => {} : {};
  return answering(
    new Proxy(target, {
      get: (t, key) => {
        if (typeof key === 'symbol') return symbolOf(members, key, text);
        const low = lower(key);
        if (key === names.put)
          return (item, value) => {
            if (members.item_put) members.item_put(item, value);
          };
        if (low in members) return members[low];
        if (low === 'tostring' || low === 'valueof') return () => textFrom(text, '[object]');
        if (CLOSED[name]) {
          wanting(name + '.' + key);
          return undefined;
        }
        return blank(wanting(name + '.' + key));
      },
      set: (t, key, value) => {
        if (name === 'app' && typeof members[lower(key)] === 'function') return true;
        if (key !== '__proto__') members[typeof key === 'symbol' ? key : lower(key)] = value;
        return true;
      },
      apply: (t, self, args) => byDefault(...args),
      has: (t, key) => typeof key === 'string' && lower(key) in members,
      getPrototypeOf: () => Object.prototype,
    }),
  );
};
export const listing = (items) => {
  const members = Object.assign(Object.create(null), {
    count: items.length,
    length: items.length,
    item: (i) => (typeof i === 'number' ? items[i] : items[0]),
    [ITEMS]: items,
    [Symbol.iterator]: undefined,
  });
  return com('collection', members, members.item);
};
if (isWindows) {
  G.Enumerator = function Enumerator(collection) {
    const items = (collection && collection[ITEMS]) || (Array.isArray(collection) ? collection : []);
    let at = 0;
    return {
      atEnd: () => at >= items.length,
      moveNext: () => {
        at++;
      },
      item: () => items[at],
      moveFirst: () => {
        at = 0;
      },
    };
  };
  G.VBArray = function VBArray(array) {
    return {
      toArray: () => array,
      getItem: (i) => array[i],
      ubound: () => array.length - 1,
      lbound: () => 0,
      dimensions: () => 1,
    };
  };
  G.CollectGarbage = () => {};
  G.ScriptEngine = () => 'JScript';
  G.ScriptEngineMajorVersion = () => 5;
  G.ScriptEngineMinorVersion = () => 8;
  G.ScriptEngineBuildVersion = () => 16384;
}
