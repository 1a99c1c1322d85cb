/**
 * The policy: the analyses for each type group, and the action after each answer. It is a JSON file that may have comments. Every field has
 * a default, and the shipped `policy.default.json` shows them all (a test keeps the two equal).
 *
 * A starting function needs no schema for the shipped policy, so the parts of the schema are built on first use.
 *
 * The schema fails closed: `keep` is allowed for `benign` only. No policy can deliver an unknown, suspicious or failed artifact
 * unchanged.
 */
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { WARNING_CODES } from '../../message/model.ts';
import { ConfigError } from '../errors.ts';
import { type FailureClass, TYPE_GROUPS } from '../model.ts';
import { HELD_VERDICTS } from '../reason-codes.ts';
import { Authentication, sealIssues } from './authentication.ts';
import { Blocked } from './blocked.ts';
import { AnalysisBudget } from './budget.ts';
import { jsonValue, withoutComments } from './commented-json.ts';
import { located, policyFaults } from './faults.ts';
import { FirstMessage } from './first-message.ts';
import { ListRules } from './list-rules.ts';
import shipped from './policy.default.json' with { type: 'json' };
import { overlaid, Recipients } from './recipients.ts';
import { ReleaseRules, releaseIssues } from './release.ts';
import { Signed } from './signed.ts';
import { domain, incompleteNotices, incompleteTemplates, Notices, Told } from './texts.ts';

z.config(en());

const FileKind = z.enum(['static', 'sandbox', 'cdr']);
const BenignDisposition = z.enum(['keep', 'disarm', 'remove']);
const OtherDisposition = z.enum(['disarm', 'remove']);
type BenignDisposition = z.infer<typeof BenignDisposition>;
type OtherDisposition = z.infer<typeof OtherDisposition>;

interface RuleDefaults<Analysis> {
  readonly analyses: Analysis[];
  readonly benign: BenignDisposition;
  readonly suspicious: OtherDisposition;
  readonly unknown: OtherDisposition;
}

function verdictsSchema(defaults: RuleDefaults<unknown>) {
  const fields = {
    benign: z._default(BenignDisposition, defaults.benign),
    suspicious: z._default(OtherDisposition, defaults.suspicious),
    malicious: z._default(OtherDisposition, 'remove'),
    unknown: z._default(OtherDisposition, defaults.unknown),
  };
  return z.prefault(z.strictObject(fields), {});
}

const fileRule = (defaults: RuleDefaults<z.infer<typeof FileKind>>) =>
  z.prefault(
    z.strictObject({
      /** Which analyses to ask for. */
      analyses: z._default(z.array(FileKind), defaults.analyses),
      /** The disposition of the artifact once every analysis has a report. */
      verdicts: verdictsSchema(defaults),
    }),
    {},
  );

const disarmed: RuleDefaults<z.infer<typeof FileKind>> = {
  analyses: ['static', 'cdr'],
  benign: 'disarm',
  suspicious: 'disarm',
  unknown: 'disarm',
};
/** Code without any suspicion, delivered as a text under another name. The code of a suspicious file would still be in that text. */
const asText: RuleDefaults<z.infer<typeof FileKind>> = { ...disarmed, suspicious: 'remove' };
const others = { suspicious: 'remove', unknown: 'remove' } as const;
const removed: RuleDefaults<z.infer<typeof FileKind>> = { analyses: ['static'], benign: 'remove', ...others };
const read: RuleDefaults<z.infer<typeof FileKind>> = { analyses: ['static'], benign: 'keep', ...others };

const Types = z.lazy(() =>
  z.prefault(
    z.strictObject({
      text: fileRule(read),
      html: fileRule(disarmed),
      image: fileRule(disarmed),
      media: fileRule(disarmed),
      pdf: fileRule(disarmed),
      office: fileRule(disarmed),
      data: fileRule(disarmed),
      archive: fileRule(disarmed),
      email: fileRule(disarmed),
      script: fileRule(asText),
      executable: fileRule(removed),
      other: fileRule(removed),
      /** For a URL, `disarm` and `remove` both defang it everywhere in the message. */
      url: z.prefault(
        z.strictObject({
          analyses: z._default(z.array(z.enum(['url_analysis'])), ['url_analysis']),
          verdicts: verdictsSchema({ analyses: [], benign: 'keep', suspicious: 'disarm', unknown: 'disarm' }),
        }),
        {},
      ),
    }),
    {},
  ),
);

/** `remove`: a placeholder takes the place of the artifact. `quarantine`: the whole message is quarantined. */
const FailureAction = z.enum(['remove', 'quarantine']);

const Failures = z.lazy(() =>
  z.prefault(
    z.strictObject({
      timeout: z._default(FailureAction, 'quarantine'),
      service_error: z._default(FailureAction, 'quarantine'),
      encrypted: z._default(FailureAction, 'remove'),
      unsupported: z._default(FailureAction, 'remove'),
      oversize: z._default(FailureAction, 'quarantine'),
      unreadable: z._default(FailureAction, 'remove'),
      unsafe_output: z._default(FailureAction, 'remove'),
      not_asked: z._default(FailureAction, 'quarantine'),
    } satisfies Record<FailureClass, unknown>),
    {},
  ),
);

/**
 * The action for mail that is encrypted to its recipient. `remove`: a placeholder takes its place. `hold`: the message is quarantined.
 */
export const ENCRYPTED_ACTIONS = ['deliver', 'remove', 'hold'] as const;
const EncryptedAction = z.enum(ENCRYPTED_ACTIONS);
const Encrypted = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /** S/MIME and OpenPGP that only the recipient can open. */
      mail: z._default(EncryptedAction, 'deliver'),
      /** The same for senders of a domain and the domains below it. The sender is the one that the message names. */
      senders: z._default(z.record(domain(), EncryptedAction), {}),
    }),
    {},
  ),
);

const Containers = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /**
       * `remove_member`: the container is written anew without the members that must be removed. `remove_container`: it is removed with
       * them.
       */
      badMember: z._default(z.enum(['remove_member', 'remove_container']), 'remove_member'),
      /**
       * The number of days before and after a held encrypted archive in which another mail may tell its password. 0: no other mail is
       * tried.
       */
      passwordDays: z._default(z.int().check(z.minimum(0), z.maximum(30)), 7),
    }),
    {},
  ),
);

const Message = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /** An artifact or URL with one of these verdicts quarantines the whole message. */
      quarantineVerdicts: z._default(z.array(z.enum(HELD_VERDICTS)), ['malicious']),
      /**
       * Links beyond those that are analysed (`links_not_analysed`). `disarm`: they are defanged, and files that hold one are
       * removed. `quarantine`: the whole message is quarantined.
       */
      linksOverBudget: z._default(z.enum(['disarm', 'quarantine']), 'disarm'),
      /** A warning of the reader with one of these codes quarantines the whole message. */
      quarantineWarnings: z._default(z.array(z.enum(WARNING_CODES)), [
        'readings_disagree',
        'limit_exceeded',
        'unaccounted_bytes',
        'broken_multipart',
        'odd_encoding',
        'odd_header',
        'content_elsewhere',
        'urls_over_limit',
        'text_too_large',
        'reading_skipped',
        'part_recovered',
        'boundary_inferred',
        'ambiguous_boundary',
        'duplicate_encoding',
        'encoded_container',
        'label_lies',
        'hidden_file',
        'duplicate_content_type',
        'bare_carriage_return',
        'nul_in_header',
        'missing_blank_line',
        'odd_start',
      ]),
    }),
    {},
  ),
);

export const Policy = z.strictObject({
  version: z._default(z.literal(1), 1),
  types: Types,
  failures: Failures,
  budget: AnalysisBudget,
  containers: Containers,
  encrypted: Encrypted,
  signed: Signed,
  authentication: Authentication,
  message: Message,
  firstMessage: FirstMessage,
  /**
   * Pictures, style sheets and fonts that a body loads from other servers. `keep`: it loads those whose link was judged and kept.
   * `proxy-note`: a note replaces each picture, and nothing is loaded. `remove`: nothing is loaded.
   */
  remoteContent: z._default(z.enum(['keep', 'proxy-note', 'remove']), 'keep'),
  told: Told,
  notices: Notices,
  release: ReleaseRules,
  blocked: Blocked,
  lists: ListRules,
  /** Other settings for some recipients: a part of a policy by address or domain. */
  recipients: Recipients,
});
export type Policy = z.infer<typeof Policy>;

/** The policy as shipped. It equals the result of the schema for an empty file, but takes no time to build the schema. */
export const DEFAULT_POLICY = shipped as unknown as Policy;

/** Warnings that show that the message was not read completely. A policy that ignored them would deliver unseen content. */
export const ALWAYS_QUARANTINED = [
  'readings_disagree',
  'limit_exceeded',
  'unaccounted_bytes',
  'broken_multipart',
  'odd_encoding',
  'content_elsewhere',
  'urls_over_limit',
  'text_too_large',
  'reading_skipped',
  'part_recovered',
] as const;

/**
 * Reads a policy file: JSON, with comments. Absent fields take their defaults. Unknown fields are refused, because a misspelt rule would
 * silently do nothing, and so are fields that are there twice. Throws ConfigError with one sentence for each fault: its line, the field,
 * and what is accepted.
 */
export function parsePolicy(json: string, name = 'the policy'): Policy {
  const text = withoutComments(json);
  const { value, fault } = jsonValue(text.json);
  if (fault !== null) throw new ConfigError(name, [fault]);
  const twice = text.repeated.map((path) => `${located(path, text.lines)} is there twice`);
  const parsed = Policy.safeParse(value);
  const faulty = { schema: Policy, value, lines: text.lines, prefix: '' };
  const issues = parsed.success
    ? [...twice, ...contradictions(parsed.data), ...recipientIssues(parsed.data, text.lines)]
    : [...twice, ...parsed.error.issues.flatMap((issue) => policyFaults(issue, faulty))];
  if (!parsed.success || issues.length > 0) throw new ConfigError(name, issues);
  return parsed.data;
}

/** Returns the faults in the policy of each rule for recipients. */
function recipientIssues(policy: Policy, lines: ReadonlyMap<string, number>): string[] {
  return Object.entries(policy.recipients).flatMap(([name, rule]) => {
    const at = `recipients.${name}`;
    if ('recipients' in rule) return [`${at}.recipients: a rule has no rules in it`];
    if ('blocked' in rule) return [`${at}.blocked: what is blocked is blocked for everybody`];
    if ('budget' in rule) return [`${at}.budget: the analyses of all mail are paid from one budget`];
    const value = { ...(overlaid(policy, rule) as object), recipients: {} };
    const parsed = Policy.safeParse(value);
    const faulty = { schema: Policy, value, lines, prefix: `${at}.` };
    if (!parsed.success) return parsed.error.issues.flatMap((issue) => policyFaults(issue, faulty));
    return contradictions(parsed.data).map((issue) => `${at}: ${issue}`);
  });
}

function contradictions(policy: Policy): string[] {
  const issues: string[] = [];
  for (const group of TYPE_GROUPS) {
    const rule: { analyses: readonly string[]; verdicts: Record<string, string> } = policy.types[group];
    const disarms = Object.entries(rule.verdicts).filter(([, disposition]) => disposition === 'disarm');
    if (group !== 'url' && disarms.length > 0 && !rule.analyses.includes('cdr'))
      issues.push(
        `types.${group}.verdicts.${disarms[0]?.[0]}: "disarm" needs the disarmed file; add "cdr" to types.${group}.analyses`,
      );
  }
  if (policy.remoteContent !== 'keep' && policy.types.html.verdicts.benign === 'keep')
    issues.push(`remoteContent: "${policy.remoteContent}" needs types.html.verdicts.benign "disarm" or "remove"`);
  issues.push(...sealIssues(policy.authentication), ...releaseIssues(policy.release));
  for (const code of ALWAYS_QUARANTINED)
    if (!policy.message.quarantineWarnings.includes(code))
      issues.push(`message.quarantineWarnings: must contain "${code}", because such a message was not read completely`);
  return [...issues, ...incompleteTemplates(policy.told), ...incompleteNotices(policy.notices)];
}
