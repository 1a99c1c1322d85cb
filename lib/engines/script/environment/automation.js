/**
 * Automation (COM) objects. Their names work in any case, their defaults can be called, and a blank object replaces each one that is not
 * emulated.
 */
import { ITEMS, lower, PUT, rec, Str } from './bridge.js';
import { names } from './prepared-names.js';
import { dynamic } from './realms.js';
import { scriptGlobal } from './script-global.js';

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
// These objects are emulated completely. A script that asks them for anything else tests for an emulation, so the call must fail.
const CLOSED = {
  'WScript.Shell': 1,
  'Scripting.FileSystemObject': 1,
  'ADODB.Stream': 1,
  'Scripting.Dictionary': 1,
  'WScript.Network': 1,
};
// The text of an object: none, a text, or one that is made when a script asks for it.
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
  scriptGlobal.Enumerator = function Enumerator(collection) {
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
  scriptGlobal.VBArray = function VBArray(array) {
    return {
      toArray: () => array,
      getItem: (i) => array[i],
      ubound: () => array.length - 1,
      lbound: () => 0,
      dimensions: () => 1,
    };
  };
  scriptGlobal.CollectGarbage = () => {};
  scriptGlobal.ScriptEngine = () => 'JScript';
  scriptGlobal.ScriptEngineMajorVersion = () => 5;
  scriptGlobal.ScriptEngineMinorVersion = () => 8;
  scriptGlobal.ScriptEngineBuildVersion = () => 16384;
}
