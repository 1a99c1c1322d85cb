/** Reference paths of the States Language: `$` and `$.a.b`. */
import { unknown } from '../assembly/refuse.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a path points at. Throws UnknownToTwinError for any other kind of path. */
export function valueAt(path: string, input: unknown): unknown {
  return stepsOf(path).reduce<unknown>((value, step) => (value as Json | undefined)?.[step], input);
}

/** The input with a result put where the path points. Null: the result is thrown away. */
export function withResult(path: string | null | undefined, input: unknown, result: unknown): unknown {
  if (path === null) return input;
  const steps = stepsOf(path ?? '$');
  return placed(steps, input, result);
}

function placed([step, ...rest]: readonly string[], input: unknown, result: unknown): unknown {
  if (step === undefined) return result;
  const object = (typeof input === 'object' && input !== null ? input : {}) as Json;
  return { ...object, [step]: placed(rest, object[step], result) };
}

function stepsOf(path: string): string[] {
  if (!/^\$(\.\w+)*$/.test(path)) unknown('path', path);
  return path.split('.').slice(1);
}
