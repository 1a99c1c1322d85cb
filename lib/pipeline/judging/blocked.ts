/** Finds the parts of a message that people have blocked: they are removed, and the message is held. Pure. */
import type { Artifact } from '../ledger/artifact.ts';
import { hashOf, shortId } from '../ledger/artifact-id.ts';
import { addressesIn } from '../ledger/header-addresses.ts';
import type { Ledger, Reason } from '../ledger/ledger.ts';
import type { Policy } from '../policy/policy.ts';
import type { Judgement } from './judge.ts';

/** The judgement of a file or a link, when it is blocked: nothing that analysis says changes that. Asked twice, it says the same. */
export function judgeBlocked(policy: Policy, judged: Judgement): Judgement {
  const { artifact } = judged;
  const isSaid = artifact.removedFor === 'blocked' && artifact.disposition === 'remove';
  if (isSaid || !isBlocked(policy, artifact)) return judged;
  const text = `${shortId(artifact.id)} in part ${artifact.origins.join(', ')}: it was blocked by hand`;
  const reasons = [...artifact.reasons, 'it was blocked by hand'];
  return {
    ...judged,
    artifact: { ...artifact, disposition: 'remove', removedFor: 'blocked', reasons },
    holds: [...judged.holds.filter(({ code }) => code !== 'blocked'), { code: 'blocked', text }],
  };
}

/** A reason to hold the message when its sender is blocked: the one of its header, or of its envelope where it came with one. */
export function blockedSender(policy: Policy, { message, intake }: Ledger): Reason[] {
  const { senders } = setsOf(policy);
  if (senders.size === 0) return [];
  const named = [...addressesIn(message?.untrustedFrom ?? ''), ...addressesIn(intake.envelope?.sender ?? '')];
  const found = named.find(
    (address) => senders.has(address) || isBelow(senders, address.slice(address.lastIndexOf('@') + 1)),
  );
  return found === undefined ? [] : [{ code: 'blocked', text: 'its sender was blocked by hand' }];
}

/** True when people have blocked this file or link. */
export function isBlocked(policy: Policy, artifact: Artifact): boolean {
  const { files, urls, hosts } = setsOf(policy);
  if (artifact.type === 'file') return files.has(hashOf(artifact.id));
  if (urls.has(artifact.untrustedUrl)) return true;
  return hosts.size > 0 && isBelow(hosts, hostOf(artifact.untrustedUrl));
}

/** The host of a link in the form of the WHATWG parser, which every link of a ledger has: nothing is parsed anew here. */
function hostOf(normalisedUrl: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]*)/.exec(normalisedUrl)?.[1] ?? '';
}

/** True when a name is one of these, or below one. */
function isBelow(names: ReadonlySet<string>, name: string): boolean {
  const labels = name.toLowerCase().replace(/\.+$/, '').split('.');
  return labels.some((_, from) => names.has(labels.slice(from).join('.')));
}

type Sets = Readonly<Record<keyof Policy['blocked'], ReadonlySet<string>>>;
const SETS = new WeakMap<Policy, Sets>();

/** A list may be long, and every file of every message is looked up in it. */
function setsOf(policy: Policy): Sets {
  const { files, urls, hosts, senders } = policy.blocked;
  const sets = SETS.get(policy) ?? {
    files: new Set(files),
    urls: new Set(urls),
    hosts: new Set(hosts),
    senders: new Set(senders),
  };
  SETS.set(policy, sets);
  return sets;
}
