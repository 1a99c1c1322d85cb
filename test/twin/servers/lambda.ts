/** Lambda as people and programs call it: Invoke, and what finds a function by its stack. */

import { onlyKnown, unknown } from '../assembly/refuse.ts';
import { STACK } from '../assembly/synthesize.ts';
import type { ToldClock } from '../clock.ts';
import type { FunctionSettings } from '../lambdas/function-settings.ts';
import type { Functions } from '../lambdas/functions.ts';
import { type Answer, type AwsCall, AwsError, type Service } from './call.ts';

interface Route {
  readonly operation: 'Invoke' | 'ListFunctions' | 'ListTags';
  /** Name or ARN of the function; empty for all. */
  readonly name: string;
}

const STACK_TAG = 'aws:cloudformation:stack-name';

/** The service over these functions. */
export function lambdaService(functions: Functions, clock: ToldClock): Service {
  const find = (name: string): FunctionSettings => {
    const found = functions.list().find((one) => one.arn === name || one.name === name);
    if (!found) throw new AwsError('ResourceNotFoundException', 404, `Function not found: ${name}`);
    return found;
  };
  const invoke = async (name: string, { body, caller }: AwsCall): Promise<Answer> => {
    const event: unknown = JSON.parse(body.toString('utf8') || '{}');
    const isFunction = caller.pid !== null;
    const result = await clock.work(() => functions.invoke(find(name).arn, event, () => {}, isFunction));
    if (!('error' in result)) return json(result.result);
    return { ...json(result.error), headers: { 'x-amz-function-error': 'Unhandled' } };
  };
  return {
    operation: (call) => routeOf(call).operation,
    needs(call) {
      const { operation, name } = routeOf(call);
      const resource = name === '' ? '*' : find(name).arn;
      return [{ action: operation === 'Invoke' ? 'lambda:InvokeFunction' : `lambda:${operation}`, resource }];
    },
    async answer(call) {
      const { operation, name } = routeOf(call);
      if (operation === 'Invoke') return invoke(name, call);
      if (operation === 'ListTags') return json({ Tags: find(name) && { [STACK_TAG]: STACK } });
      const described = functions.list().map(({ arn, name: FunctionName, description, environment }) => ({
        FunctionName,
        FunctionArn: arn,
        Description: description,
        Environment: { Variables: environment },
      }));
      return json({ Functions: described });
    },
    error: ({ name, status, message }) => ({
      status,
      headers: { 'content-type': 'application/json', 'x-amzn-errortype': name },
      body: JSON.stringify({ Message: message }),
    }),
  };
}

function routeOf({ method, target }: Pick<AwsCall, 'method' | 'target'>): Route {
  const [path = '', search = ''] = target.split('?');
  onlyKnown('query parameter of Lambda', Object.fromEntries(new URLSearchParams(search)), ['x-id']);
  const [, date = '', what = '', name = '', rest = ''] = path.split('/').map(decodeURIComponent);
  if (method === 'POST' && date === '2015-03-31' && what === 'functions' && rest === 'invocations')
    return { operation: 'Invoke', name };
  if (method === 'GET' && date === '2015-03-31' && what === 'functions' && name === '')
    return { operation: 'ListFunctions', name: '' };
  if (method === 'GET' && what === 'tags' && rest === '') return { operation: 'ListTags', name };
  return unknown('request to Lambda', `${method} ${path}`);
}

function json(body: unknown): Answer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? null) };
}
