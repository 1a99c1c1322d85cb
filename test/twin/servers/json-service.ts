/** What the services with a JSON protocol have in common: the operation in a header, an object in and an object out. */
import { onlyKnown, unknown } from '../assembly/refuse.ts';
import type { Need } from '../policies/gate.ts';
import type { Answer, AwsCall, AwsError, KnownCaller, Service } from './call.ts';

export type Input = Readonly<Record<string, unknown>>;

export interface Operation {
  /** The fields of the input that the twin knows. */
  readonly fields: readonly string[];
  needs(input: Input): Need[];
  /** Throws AwsError. */
  run(input: Input, caller: KnownCaller): unknown;
}

/** A service whose `X-Amz-Target` begins with `target`. */
export function jsonService(target: string, operations: Readonly<Record<string, Operation>>): Service {
  const operationOf = (name: string) => operations[name] ?? unknown(`operation of ${target}`, name);
  const inputOf = (call: AwsCall): Input => {
    const input: Input = JSON.parse(call.body.toString('utf8') || '{}');
    onlyKnown(`field of ${call.operation}`, input, operationOf(call.operation).fields);
    return input;
  };
  return {
    operation({ headers }) {
      const [prefix, name = ''] = String(headers['x-amz-target']).split('.');
      if (prefix !== target) unknown(`target instead of ${target}`, headers['x-amz-target'] ?? headers);
      operationOf(name);
      return name;
    },
    needs: (call) => operationOf(call.operation).needs(inputOf(call)),
    async answer(call) {
      return json(200, (await operationOf(call.operation).run(inputOf(call), call.caller)) ?? {});
    },
    error: (error) => jsonError(error),
  };
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.0', ...headers }, body: JSON.stringify(body) };
}

function jsonError({ name, status, message, fields }: AwsError): Answer {
  return json(status, { __type: name, message, Message: message, ...fields }, { 'x-amzn-errortype': name });
}
