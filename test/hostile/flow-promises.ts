/** Checks what the flow promises for any bytes, with a service whose verdict follows from the hash of a file or link. */

import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import PostalMime from 'postal-mime';
import { parseUrl } from '../../lib/formats/urls/parse-url.ts';
import { fileIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import type { Verdict } from '../../lib/pipeline/model.ts';
import { createRig } from '../pipeline/rig.ts';

/** The verdict, from the last digit of a hash. Malicious is rare, because it holds the mail, and a held mail tests nothing more. */
const VERDICTS: readonly Verdict[] = [
  ...Array.from({ length: 11 }, () => 'benign' as const),
  ...(['suspicious', 'suspicious', 'unknown', 'unknown', 'malicious'] as const),
];
const verdictOf = (id: string): Verdict => VERDICTS[Number.parseInt(id.at(-1) ?? '0', 16)] ?? 'benign';

/** Checks the identity of parts and the links of the output. Returns what is wrong in words, or null. */
export async function brokenFlowPromise(email: Buffer): Promise<string | null> {
  const rig = createRig({ script: { answer: ({ id }) => ({ verdict: verdictOf(id) }) } });
  const { ledger, clean } = await rig.scan(email);
  const wrong = ledger.reasons.find(({ text }) => text.startsWith('TypeError'));
  if (wrong !== undefined) return `the flow ended in an error: ${wrong.text}`;
  return clean === null ? null : (mildLeaf(ledger) ?? (await unjudgedLink(ledger, Buffer.from(clean, 'latin1'))));
}

/** A leaf that is kept although the report of its own bytes does not say so. */
function mildLeaf({ parts }: Ledger): string | null {
  for (const { path, sha256, size, disposition } of parts)
    if (sha256 !== null && size > 0 && disposition === 'keep' && verdictOf(fileIdOf(sha256)) !== 'benign')
      return `part ${path} is kept, and its own file is ${verdictOf(fileIdOf(sha256))}`;
  return null;
}

/** A web link of the page that an independent parser finds, and that the ledger does not list or does not keep. */
async function unjudgedLink(ledger: Ledger, clean: Buffer): Promise<string | null> {
  const kept = new Set(
    ledger.artifacts.flatMap(({ untrustedUrl, disposition }) => (disposition === 'keep' ? [untrustedUrl] : [])),
  );
  const { html } = await PostalMime.parse(clean);
  for (const href of html === undefined ? [] : hrefsOf(parse(html))) {
    if (!/^\s*https?:/i.test(href) || parseUrl(href) === null) continue;
    if (!kept.has(new URL(href).href)) return `the page leads to ${href}, which was not judged or may not stay`;
  }
  return null;
}

function hrefsOf(node: DefaultTreeAdapterTypes.Node): string[] {
  const own = 'attrs' in node ? node.attrs.filter(({ name }) => name === 'href').map(({ value }) => value) : [];
  return [...own, ...('childNodes' in node ? node.childNodes.flatMap(hrefsOf) : [])];
}
