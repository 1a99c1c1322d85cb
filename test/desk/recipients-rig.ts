/** The pages of recipients over a desk with held mail, and what a digest sends to each recipient. */
import { digestsOf } from '../../lib/desk/recipients/digest.ts';
import { linkReader, linkSigner } from '../../lib/desk/recipients/links.ts';
import { createRecipientPages } from '../../lib/desk/recipients/recipients.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import type { Desk } from './desk-rig.ts';

export const ORIGIN = 'https://airlock.example';
/** The day of a rig. */
export const DAY = '2026-11-20';

export const policyFor = (more: object = {}) =>
  parsePolicy(
    JSON.stringify({ notices: { from: 'airlock@recipient.example', domains: ['recipient.example'] }, ...more }),
  );

export function openRecipients(desk: Desk, policy = policyFor()) {
  const links = linkSigner('a secret');
  const read = linkReader(links.document) ?? (() => 'invalid' as const);
  const ledgerOf = (runId: string) => desk.rig.ledger(runId).catch(() => null);
  const now = () => desk.rig.ctx.clock.now();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const pages = createRecipientPages({
    origin: ORIGIN,
    links: async () => read,
    policy,
    asks: desk.asks,
    ledgerOf,
    now,
    onFailure,
  });
  const send = async (path: string, { headers, ...init }: RequestInit = {}) =>
    pages.request(`${ORIGIN}${path}`, {
      ...init,
      headers: { host: 'airlock.example', ...(headers as Record<string, string>) },
    });
  return {
    links,
    failures,
    send,
    /** Sends the form of a page. */
    post: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
      const body = new URLSearchParams(fields).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
      return send(path, { method: 'POST', body, headers: { origin: ORIGIN, ...type, ...headers } });
    },
    digests: async (day = DAY) =>
      (await digestsOf({ runs: desk.runs, ledgerOf, policy, links, origin: ORIGIN, linkDays: 14, now: now() }, day))
        .digests,
    /** The address of the page of a message for a recipient. */
    path: (runId: string, recipient = 'bob@recipient.example', days = 14) =>
      `/r/${links.sign({ runId, recipient, expiresAtSeconds: Math.floor(now() / 1000) + days * 86_400 })}`,
  };
}

/** The text of a mail of ours. */
export function textOf(email: string): string {
  const [, body = ''] = email.split('\r\n\r\n');
  return Buffer.from(body, 'base64').toString();
}

/** What stands in the form of a page. */
export const secretIn = (page: string) => /name="form" value="([\w-]+)"/.exec(page)?.[1] ?? '';
