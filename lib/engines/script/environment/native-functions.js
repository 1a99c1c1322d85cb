/** Functions of the scripts' realm that look native. They get the values of scripts without wrappers. */
import { isOurs, thrown } from './calls.js';
import { define } from './realms.js';
import { asNative } from './to-scripts.js';

export const native = (name, length, work) =>
  asNative(
    {
      m(...args) {
        try {
          return work(this, args);
        } catch (error) {
          throw isOurs(error) ? thrown(error) : error;
        }
      },
    }.m,
    name,
    length,
  );
export const nativeConstructor = (name, length, kind, work) => {
  const made = asNative(
    function (...args) {
      try {
        return work(args, new.target === made ? undefined : new.target, new.target !== undefined);
      } catch (error) {
        throw isOurs(error) ? thrown(error) : error;
      }
    },
    name,
    length,
  );
  define(made, 'prototype', { value: kind, writable: false });
  define(kind, 'constructor', { value: made, writable: true, enumerable: false, configurable: true });
  return made;
};
export const replace = (owner, name, value) =>
  define(owner, name, { value, writable: true, enumerable: false, configurable: true });
