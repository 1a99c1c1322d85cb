/**
 * The fields of a policy that only count for mail of the gateway. Only there, a message is split by recipients, or goes out twice. Pure.
 */
import type { Policy } from './policy.ts';

/** Returns the names of the set fields that only count for the gateway. */
export function gatewayOnly({ recipients, firstMessage }: Pick<Policy, 'recipients' | 'firstMessage'>): string[] {
  return [
    ...(Object.keys(recipients).length > 0 ? ['recipients'] : []),
    ...(firstMessage.afterSeconds === null ? [] : ['firstMessage']),
  ];
}
