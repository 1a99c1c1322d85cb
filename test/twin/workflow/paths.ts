/** Reference paths of the States Language: `$` and `$.a.b`, and the payloads that are made with them. */
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

/** What a task gets for its parameters. Throws UnknownToTwinError for a function or a field of the context that is not here. */
export function payloadOf(parameters: Json, input: unknown, execution: string): Json {
  const filled = Object.entries(parameters).map(([name, value]) => {
    if (typeof value !== 'string') return unknown('parameter', value);
    return name.endsWith('.$') ? [name.slice(0, -2), madeOf(value, input, execution)] : [name, value];
  });
  return Object.fromEntries(filled);
}

function madeOf(expression: string, input: unknown, execution: string): unknown {
  if (expression === '$$.Execution.Name') return execution;
  const [, path] = /^States\.JsonToString\((.*)\)$/.exec(expression) ?? [];
  return path === undefined ? valueAt(expression, input) : JSON.stringify(valueAt(path, input));
}
