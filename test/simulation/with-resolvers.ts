/**
 * Adds `Promise.withResolvers` to Node 20: aws-local-stepfunctions calls it, and Node has it from version 22 on. This module
 * is imported for that effect, before the library runs anything.
 */
function withResolvers<T>(): {
  promise: Promise<T>;
  resolve: (value: T | PromiseLike<T>) => void;
  reject: (reason?: unknown) => void;
} {
  let resolve!: (value: T | PromiseLike<T>) => void;
  let reject!: (reason?: unknown) => void;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}

if (!('withResolvers' in Promise)) Object.defineProperty(Promise, 'withResolvers', { value: withResolvers });
