/**
 * `Promise.withResolvers` for Node 20, which aws-local-stepfunctions calls and Node has from version 22 on. Imported for its
 * effect before the library runs anything.
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
