import { parseUrl } from '../formats/urls/parse-url.ts';
import { choiceIssues } from './engines/analysis-choice.ts';
import type { MailAirlockProps } from './mail-airlock-props.ts';
import { readPolicy } from './policy-text.ts';

/** Known reports refer to disarmed files in the work bucket, so these files must be kept longer than the reports. */
const LEAST_WORK_DAYS = 7;
/** SQS event sources accept no smaller and no larger number. */
const [LEAST_CONCURRENT, MAX_CONCURRENT] = [2, 1_000];
/** The deadline of a run, in seconds. Below a minute every analysis times out. Above a day, waiting mail looks lost. */
const LEAST_DEADLINE = 60;
const MAX_DEADLINE = 24 * 60 * 60;

/** Returns the faults in the props, one line for each. */
export class PropsError extends TypeError {
  override readonly name = 'PropsError';

  constructor(issues: readonly string[]) {
    super(`MailAirlock cannot be built:\n${issues.map((line) => `  - ${line}`).join('\n')}`);
  }
}

/** The number of mails that one function can send in its time. */
const MAX_RECALL_MAILS = 1_000;

/**
 * Refuses props that can be deployed but cannot work. Throws PropsError, or ConfigError for the policy file.
 *
 * @example
 * ```ts
 * checkProps({ maxConcurrentParses: 2, maxConcurrentEngines: 50 });
 * ```
 */
export function checkProps(props: MailAirlockProps): void {
  if (props.policyFile !== undefined) readPolicy(props.policyFile);
  const issues: string[] = [];
  if (props.analysisUrl !== undefined) issues.push(...urlIssues('analysisUrl', props.analysisUrl));
  if (props.cdrUrl !== undefined) issues.push(...urlIssues('cdrUrl', props.cdrUrl));
  issues.push(...choiceIssues(props));
  issues.push(...recipientIssues('sesRecipients', props.sesRecipients));
  issues.push(...recipientIssues('mailManagerRecipients', props.mailManagerRecipients));
  issues.push(...recipientIssues('forwardSesIdentities', props.forwardSesIdentities));
  issues.push(...missingProps(props));
  if (typeof props.desk === 'object') issues.push(...urlIssues('desk.issuer', props.desk.issuer));
  issues.push(...originIssues('deskUrl', props.deskUrl), ...originIssues('recipientsUrl', props.recipientsUrl));
  issues.push(...digestIssues(props));
  const { recallMails = 1 } = props;
  if (!Number.isInteger(recallMails) || recallMails < 1 || recallMails > MAX_RECALL_MAILS)
    issues.push(`recallMails: from 1 to ${MAX_RECALL_MAILS}, not ${recallMails}`);
  issues.push(...deadlineIssues(props.deadline));
  if (props.workRetention !== undefined && props.workRetention.toDays() < LEAST_WORK_DAYS)
    issues.push(`workRetention: at least ${LEAST_WORK_DAYS} days, not ${props.workRetention.toDays()}`);
  issues.push(...concurrencyIssues('maxConcurrentParses', props.maxConcurrentParses));
  issues.push(...concurrencyIssues('maxConcurrentEngines', props.maxConcurrentEngines));
  if (issues.length > 0) throw new PropsError(issues);
}

/** Props that have no meaning without another one, and pairs that exclude each other. */
function missingProps(props: MailAirlockProps): string[] {
  const noMail = props.sesRecipients === undefined;
  const noIndex = props.indexRuns !== true;
  const rows: readonly (readonly [boolean, string])[] = [
    [
      props.sesRuleSetName !== undefined && noMail,
      'sesRuleSetName: nothing is received; say with sesRecipients for whom',
    ],
    [
      props.forwardSecret !== undefined && noMail,
      'forwardSecret: only mail that SES received goes on; say with sesRecipients for whom',
    ],
    [
      props.forwardSesIdentities !== undefined && noMail,
      'forwardSesIdentities: only mail that SES received goes on; say with sesRecipients for whom',
    ],
    [
      props.forwardSesIdentities !== undefined && props.forwardSecret !== undefined,
      'forwardSesIdentities, forwardSecret: mail goes on by one of them; leave the other out',
    ],
    [
      props.denyUncleanReads === true && props.tagSources !== true,
      'denyUncleanReads: nothing could be read without tags; set tagSources, too',
    ],
    [
      props.desk !== undefined && props.desk !== false && noIndex,
      'desk: it shows nothing without an index; set indexRuns, too',
    ],
    [
      props.deskDrop === true && (props.desk ?? false) === false,
      'deskDrop: nobody can drop anything without a desk; set desk, too',
    ],
    [
      props.passwordMail === true && noIndex,
      'passwordMail: nothing finds the mail without an index; set indexRuns, too',
    ],
    [props.recheck === true && noIndex, 'recheck: nothing finds the mail without an index; set indexRuns, too'],
    [
      props.recheck !== true && (props.recheckDays ?? props.recheckBudget ?? props.recallMails) !== undefined,
      'recheckDays, recheckBudget, recallMails: nothing is asked again; set recheck, too',
    ],
    [props.digest === true && noIndex, 'digest: nothing finds the mail without an index; set indexRuns, too'],
    [
      props.digest !== true && (props.recipientsUrl ?? props.digestHour ?? props.digestLinks) !== undefined,
      'recipientsUrl, digestHour, digestLinks: nobody gets a link without a digest; set digest, too',
    ],
  ];
  return rows.flatMap(([isMissing, issue]) => (isMissing ? [issue] : []));
}

function concurrencyIssues(name: string, value = LEAST_CONCURRENT): string[] {
  if (value >= LEAST_CONCURRENT && value <= MAX_CONCURRENT) return [];
  return [`${name}: from ${LEAST_CONCURRENT} to ${MAX_CONCURRENT}, not ${value}`];
}

/** SES takes a hundred for one rule. */
const MAX_RECIPIENTS = 100;

/** With an empty list, SES would receive mail for everybody. */
function recipientIssues(name: string, recipients: readonly string[] = ['example.com']): string[] {
  if (recipients.length === 0 || recipients.length > MAX_RECIPIENTS)
    return [`${name}: from 1 to ${MAX_RECIPIENTS} addresses or domains, not ${recipients.length}`];
  const isFine = (text: string) => /^(?:[\w!#$%&'*+/=?^`{|}~.-]{1,64}@)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(text);
  return recipients
    .filter((text) => !isFine(text))
    .map((text) => `${name}: an address or a domain is expected, not ${JSON.stringify(text)}`);
}

function deadlineIssues(deadline: MailAirlockProps['deadline']): string[] {
  const seconds = deadline?.toSeconds({ integral: false }) ?? LEAST_DEADLINE;
  if (seconds >= LEAST_DEADLINE && seconds <= MAX_DEADLINE) return [];
  return [`deadline: from ${LEAST_DEADLINE} seconds to 24 hours, not ${seconds} seconds`];
}

function urlIssues(name: string, value: string): string[] {
  const isFine = parseUrl(value)?.protocol === 'https:';
  // Mail and the key are sent to the service, so the connection must be encrypted.
  return isFine ? [] : [`${name}: must be an https:// URL, not ${JSON.stringify(value)}`];
}

function originIssues(name: string, url = 'https://example.com'): string[] {
  const isOrigin = url.startsWith('https://') && parseUrl(url)?.origin === url;
  return isOrigin ? [] : [`${name}: https:// and a name, without a path, is expected, not ${JSON.stringify(url)}`];
}

/** The longest time for which links of digests work, as in `airlock digest`. */
const MAX_LINK_DAYS = 365;

function digestIssues({ digestHour: hour = 0, digestLinks, deskUrl, recipientsUrl }: MailAirlockProps): string[] {
  const days = digestLinks?.toDays({ integral: false }) ?? 1;
  const rows: readonly (readonly [boolean, string])[] = [
    [!Number.isInteger(hour) || hour < 0 || hour > 23, `digestHour: from 0 to 23, not ${hour}`],
    [
      !Number.isInteger(days) || days < 1 || days > MAX_LINK_DAYS,
      `digestLinks: from 1 to ${MAX_LINK_DAYS} days, not ${days}`,
    ],
    // A browser would send the cookies of the desk to pages that are for everybody.
    [recipientsUrl !== undefined && recipientsUrl === deskUrl, 'recipientsUrl: must be another address than deskUrl'],
  ];
  return rows.flatMap(([isWrong, issue]) => (isWrong ? [issue] : []));
}
