import { parseUrl } from '../formats/urls/parse-url.ts';
import type { MailAirlockProps } from './mail-airlock-props.ts';

/** Known reports refer to disarmed files in the work bucket, so these files must be kept longer than the reports. */
const LEAST_WORK_DAYS = 7;
/** SQS event sources accept no smaller number. */
const LEAST_PARSES = 2;
/** The deadline of a run, in seconds. Below a minute everything times out; above a day, mail that waits looks lost. */
const LEAST_DEADLINE = 60;
const MOST_DEADLINE = 24 * 60 * 60;

/**
 * Refuses props that would deploy and then fail. Throws a TypeError with one line for each fault.
 *
 * @example
 * ```ts
 * checkProps({ analysisUrl: 'https://analysis.example', maxConcurrentParses: 2 });
 * ```
 */
export function checkProps(props: MailAirlockProps): void {
  const issues: string[] = [];
  issues.push(...urlIssues('analysisUrl', props.analysisUrl));
  if (props.cdrUrl !== undefined) issues.push(...urlIssues('cdrUrl', props.cdrUrl));
  issues.push(...deadlineIssues(props.deadline));
  if (props.workRetention !== undefined && props.workRetention.toDays() < LEAST_WORK_DAYS)
    issues.push(`workRetention: at least ${LEAST_WORK_DAYS} days, not ${props.workRetention.toDays()}`);
  if (props.maxConcurrentParses !== undefined && !(props.maxConcurrentParses >= LEAST_PARSES))
    issues.push(`maxConcurrentParses: at least ${LEAST_PARSES}, not ${props.maxConcurrentParses}`);
  if (issues.length > 0)
    throw new TypeError(`MailAirlock cannot be built:\n${issues.map((line) => `  - ${line}`).join('\n')}`);
}

function deadlineIssues(deadline: MailAirlockProps['deadline']): string[] {
  const seconds = deadline?.toSeconds({ integral: false }) ?? LEAST_DEADLINE;
  if (seconds >= LEAST_DEADLINE && seconds <= MOST_DEADLINE) return [];
  return [`deadline: from ${LEAST_DEADLINE} seconds to 24 hours, not ${seconds} seconds`];
}

function urlIssues(name: string, value: string): string[] {
  const isFine = parseUrl(value)?.protocol === 'https:';
  // Mail and the key are sent to the service, so the connection must be encrypted.
  return isFine ? [] : [`${name}: must be an https:// URL, not ${JSON.stringify(value)}`];
}
