/** Thrown for everything that the twin does not know. Nothing that it does not know may pass for done. */
export class UnknownToTwinError extends Error {
  override readonly name = 'UnknownToTwinError';
}

/** Throws UnknownToTwinError. `what` is the kind of thing, `value` the thing. */
export function unknown(what: string, value: unknown): never {
  throw new UnknownToTwinError(`the twin does not know this ${what}: ${JSON.stringify(value)?.slice(0, 400)}`);
}

/** Throws UnknownToTwinError unless each key of the object is in the list. */
export function onlyKnown(what: string, object: object, known: readonly string[]): void {
  for (const key of Object.keys(object)) if (!known.includes(key)) unknown(what, key);
}
