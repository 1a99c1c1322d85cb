/**
 * Mail that is encrypted to its recipient (S/MIME, OpenPGP). Nobody here can read it, and it cannot start anything by itself, so policy
 * decides about it. Pure.
 */
import type { ContainerName } from '../../message/model.ts';
import type { Place } from '../judging/body-removals.ts';
import { type Judgement, judgeArtifact } from '../judging/judge.ts';
import type { Artifact } from '../ledger/artifact.ts';
import { isLeaf, type Ledger, MEMBER_MARK, type Part } from '../ledger/ledger.ts';
import type { TypeGroup } from '../model.ts';
import { ENCRYPTED_ACTIONS, type Policy } from '../policy/policy.ts';

type EncryptedAction = (typeof ENCRYPTED_ACTIONS)[number];

/**
 * Returns true for a file of the message that is mail to a private key from its first byte to its last, or a text in which each message is.
 * The same bytes inside a container are a closed file like any other, and so is mail that a password opens.
 */
export function isEncryptedMail({ opening, origins, typeGroup }: Artifact): boolean {
  if (opening?.outcome !== 'encrypted' || opening.needsPassword === true) return false;
  if (origins.some((path) => path.includes(MEMBER_MARK))) return false;
  return ENCRYPTED_MAIL[opening.as]?.includes(typeGroup) ?? false;
}

/** The forms of encrypted mail. A picture or a document with an encrypted message inside is a closed file. */
const ENCRYPTED_MAIL: Readonly<Partial<Record<ContainerName, readonly TypeGroup[]>>> = {
  smime: ['other'],
  pgp: ['other', 'text'],
  'inline-pgp': ['text', 'html'],
};

/** Returns the parts of a decided ledger that nobody read, and which are nevertheless delivered. */
export function deliveredUnseen({ parts, artifacts }: Ledger): Part[] {
  const sealed = new Set(artifacts.filter(isEncryptedMail).flatMap(({ origins }) => origins));
  return parts.filter((part) => isLeaf(part) && part.disposition !== 'remove' && sealed.has(part.path));
}

/** Returns the judgement of an encrypted artifact. The text and the names around the encrypted data are judged as usual. */
export function judgeEncrypted(policy: Policy, artifact: Artifact, place: Place, ledger: Ledger): Judgement {
  const { opening } = artifact;
  const judged = judgeArtifact(policy, { ...artifact, opening: null }, place, ledger);
  const { verdict, typeGroup } = judged.artifact;
  const withOpening = (changed: Partial<Artifact>) => ({ ...judged.artifact, ...changed, opening }) as Artifact;
  const action = actionFor(policy, ledger.message?.untrustedFrom ?? '');
  if (action === 'remove')
    return {
      ...judged,
      artifact: withOpening({
        disposition: 'remove',
        removedFor: 'encrypted',
        reasons: ['policy removes encrypted mail'],
      }),
    };
  const holds = action === 'hold' ? [holdFor(artifact)] : [];
  // No analysis can prove anything about encrypted bytes, but a finding against them counts.
  const isUnjudged = !judged.hasFailed && typeGroup === 'other' && (verdict === 'unknown' || verdict === 'benign');
  if (!isUnjudged) return { ...judged, artifact: withOpening({}), holds: [...judged.holds, ...holds] };
  const reasons = ['it is encrypted to its recipient: nobody could look inside, and policy delivers such mail'];
  return { ...judged, artifact: withOpening({ disposition: 'keep', reasons }), holds };
}

function holdFor({ origins }: Artifact) {
  const text = `part ${origins.join(', ')} is encrypted to its recipient, and policy holds such mail of this sender`;
  return { code: 'encrypted_mail' as const, text };
}

/**
 * Returns the action for a sender. The name in a From field may contain an address, too. The strictest action of all addresses counts,
 * because programs show different ones.
 */
function actionFor({ encrypted }: Policy, untrustedFrom: string): EncryptedAction {
  const domains = [...untrustedFrom.matchAll(/@([^\s<>()[\]",;:@]+)/g)].map(([, domain = '']) => domain.toLowerCase());
  const named = new Map(Object.entries(encrypted.senders));
  const actions = domains.map((domain) => namedAction(named, domain) ?? encrypted.mail);
  return strictest(actions.length > 0 ? actions : [encrypted.mail, ...named.values()]);
}

/** Returns the action for the domain itself or the nearest domain above it. */
function namedAction(named: ReadonlyMap<string, EncryptedAction>, domain: string): EncryptedAction | undefined {
  const labels = domain.replace(/\.$/, '').split('.');
  return labels.map((_, at) => named.get(labels.slice(at).join('.'))).find((action) => action !== undefined);
}

const strictest = (actions: readonly EncryptedAction[]): EncryptedAction =>
  ENCRYPTED_ACTIONS.findLast((action) => actions.includes(action)) ?? 'hold';
