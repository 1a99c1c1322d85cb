/** Finds the parts of a message that people have blocked. These parts are removed, and the message is held. Pure. */
import type { Artifact } from '../ledger/artifact.ts';
import { hashOf, shortId } from '../ledger/artifact-id.ts';
import { addressesIn } from '../ledger/header-addresses.ts';
import type { Ledger, Reason } from '../ledger/ledger.ts';
import type { Policy } from '../policy/policy.ts';
import type { Judgement } from './judge.ts';

/**
 * Returns the judgement of a file or a link with regard to blocks. A block outweighs every analysis. A second application changes nothing.
 */
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

/** Returns a reason to hold the message when its sender is blocked: the sender in its header, or in its envelope if it has one. */
export function blockedSender(policy: Policy, { message, intake }: Ledger): Reason[] {
  const { senders } = setsOf(policy);
  if (senders.size === 0) return [];
  const named = [...addressesIn(message?.untrustedFrom ?? ''), ...addressesIn(intake.envelope?.sender ?? '')];
  const found = named.find(
    (address) => senders.has(address) || isBelow(senders, address.slice(address.lastIndexOf('@') + 1)),
  );
  return found === undefined ? [] : [{ code: 'blocked', text: 'its sender was blocked by hand' }];
}

/** Returns true when people have blocked this file or link. */
export function isBlocked(policy: Policy, artifact: Artifact): boolean {
  const { files, urls, hosts } = setsOf(policy);
  if (artifact.type === 'file') return files.has(hashOf(artifact.id));
  if (urls.has(artifact.untrustedUrl)) return true;
  return hosts.size > 0 && isBelow(hosts, hostOf(artifact.untrustedUrl));
}

/** Returns the host of a link. Every link of a ledger has the form of the WHATWG parser, so nothing is parsed again here. */
function hostOf(normalisedUrl: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]*)/.exec(normalisedUrl)?.[1] ?? '';
}

/** Returns true when a name is one of these, or below one. */
function isBelow(names: ReadonlySet<string>, name: string): boolean {
  const labels = name.toLowerCase().replace(/\.+$/, '').split('.');
  return labels.some((_, from) => names.has(labels.slice(from).join('.')));
}

type Sets = Readonly<Record<keyof Policy['blocked'], ReadonlySet<string>>>;
const SETS = new WeakMap<Policy, Sets>();

/** Makes a set for the list. A list may be long, and every file of every message is looked up in it. */
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
