/** The headers that a rebuilt message gets, for mail programs, gateways and people who read the source. */
import type { AddedHeader } from '../../message/model.ts';
import { leavesOf, linksOf } from '../ledger/artifacts-of.ts';
import { tally } from '../ledger/conservation.ts';
import type { Ledger, Signature } from '../ledger/ledger.ts';
import { deliveredUnseen } from '../signatures/encrypted-mail.ts';
import { summaryFor } from './recipient-texts.ts';

/**
 * Returns the headers. `X-Airlock-Run` names the run. `X-Airlock-Outcome` lists the dispositions of the parts for programs, and
 * `X-Airlock-Summary` tells them to people, always in English. `X-Airlock-Encrypted` names parts that nobody could read.
 * `X-Airlock-Signature` has the result of a signature. The only text of the sender is the plain address of a signer.
 */
export function airlockHeaders(ledger: Ledger): AddedHeader[] {
  const { kept, disarmed, removed } = tally(ledger);
  const links = linksOf(ledger).filter(({ disposition }) => disposition !== 'keep').length;
  const later = leavesOf(ledger).filter(({ artifact }) => artifact.removedFor === 'still_examined').length;
  const unseen = deliveredUnseen(ledger).map(({ path }) => path);
  return [
    { name: 'X-Airlock-Run', value: ledger.runId },
    {
      name: 'X-Airlock-Outcome',
      value: `delivered; kept=${kept}; disarmed=${disarmed}; removed=${removed}; blocked-urls=${links}${later > 0 ? `; later=${later}` : ''}`,
    },
    { name: 'X-Airlock-Summary', value: summaryFor('en', ledger) || quietSummary(ledger, disarmed + removed + links) },
    ...ledger.signatures.slice(0, MAX_SIGNATURES).map((signature) => ({
      name: 'X-Airlock-Signature',
      value: signatureWords(signature),
    })),
    ...(unseen.length === 0 ? [] : [{ name: 'X-Airlock-Encrypted', value: encryptedNotice(unseen) }]),
  ];
}

/** Returns the summary when nothing was done that a person would notice. `changes` counts the files and links that were changed. */
function quietSummary({ warnings }: Ledger, changes: number): string {
  const isCutOff = warnings.some(({ code }) => code === 'cut_off');
  if (isCutOff) return 'Nothing was taken out. The message had been cut off, and its last lines were completed.';
  return changes > 0 ? 'Nothing was taken out. Some of it was written anew.' : 'Nothing was changed.';
}

/** The most headers about signatures. A message may contain a hundred signed ones. */
const MAX_SIGNATURES = 5;
/** An address that cannot act in a header. All other addresses are left out. */
const PLAIN_ADDRESS = /^[\w.+-]{1,64}@[a-z0-9.-]{1,200}$/;

function signatureWords({ result, untrustedSigner, contentPath, isDelivered }: Signature): string {
  const by = untrustedSigner !== null && PLAIN_ADDRESS.test(untrustedSigner) ? `; by=${untrustedSigner}` : '';
  return `${result}${by}; part=${contentPath}; ${isDelivered ? 'delivered' : 'removed'}`;
}

/**
 * Returns the notice that a mail is encrypted. It is in a header, because programs open encrypted mail only if the message contains nothing
 * else.
 */
const encryptedNotice = (paths: readonly string[]) =>
  `nobody could look inside before delivery, because it is encrypted to its recipient; parts=${paths.slice(0, 20).join(',')}`;
