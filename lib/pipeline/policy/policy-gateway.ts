/** The fields of a policy that count for mail of the gateway alone: nowhere else do recipients split a message, or get two. Pure. */
import type { Policy } from './policy.ts';

/** The names of the fields that say something which counts for the gateway alone. */
export function gatewayOnly({ recipients, firstMessage }: Pick<Policy, 'recipients' | 'firstMessage'>): string[] {
  return [
    ...(Object.keys(recipients).length > 0 ? ['recipients'] : []),
    ...(firstMessage.afterSeconds === null ? [] : ['firstMessage']),
  ];
}
