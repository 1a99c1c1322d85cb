/** Every page of a desk and of a recipient over values whose texts are those of a test (`filled.ts`). */
import type { DeskParts } from '../../lib/desk/desk-parts.tsx';
import type { Dropped, Step } from '../../lib/desk/drops.ts';
import { recipientPage } from '../../lib/desk/recipients/page.tsx';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { STAGE_NAMES } from '../../lib/pipeline/model.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import type { Exposure } from '../../lib/pipeline/recall/recall.ts';
import type { Ask } from '../../lib/pipeline/review/ask.ts';
import type { AuditRecord, BlockRecord } from '../../lib/pipeline/review/audit.ts';
import { indexedRun, type RunRow } from '../../lib/pipeline/runs/row.ts';
import type { WhatIf } from '../../lib/pipeline/trial/policy-what-if.ts';
import { createRig, emailWith, PDF } from '../pipeline/rig.ts';
import { openDesk } from './desk-rig.ts';
import { type Fill, filledLedger, filledRecord } from './filled.ts';

const AT = '2026-11-20T12:00:00.000Z';
const HASH = 'a'.repeat(64);
const RELEASED = 'c'.repeat(32);
export const EVENTS = 'the stream of a dropped file';

let known: Promise<Ledger> | undefined;
/** The record of a held mail with a file, a picture of a text in it, and links that were rewritten and that show another address. */
function heldLedger(): Promise<Ledger> {
  const answer = (request: object) =>
    'filename' in request && String(request.filename).endsWith('.pdf') ? { verdict: 'malicious' as const } : {};
  const through = `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent('https://shop.example/a')}`;
  const html = `<p>Hello</p><a href="${through}">https://bank.example/</a>`;
  const mail = emailWith({
    html,
    files: [
      { name: 'a.pdf', bytes: PDF },
      { name: 'note.txt', bytes: 'Hello' },
    ],
  });
  known ??= createRig({ script: { polls: 0, answer } })
    .scan(mail)
    .then(({ ledger }) => ledger);
  return known;
}

/** The same mail after people released it. */
const released = (ledger: Ledger): Ledger => ({
  ...ledger,
  failure: null,
  artifacts: ledger.artifacts.map((artifact) => ({
    ...artifact,
    submissions: artifact.submissions.map((each) => ({ ...each, failure: null, status: 'completed' })),
  })),
  attempt: { ...ledger.attempt, reason: 'release', release: { form: 'rebuilt', covers: [] } },
  terminal: { state: 'delivered', at: AT, keys: [] },
});

/** A row of the index: each text of it is filled, so a new one does not compile before it is. */
function filledRow(ledger: Ledger, fill: Fill): RunRow {
  type Texts = { [Name in keyof RunRow as RunRow[Name] extends string ? Name : never]: string };
  const { row } = indexedRun(ledger);
  const own: Texts = {
    ...{ runId: row.runId, state: row.state, reference: fill('row.reference') },
    ...{ from: fill('row.from'), to: fill('row.to'), subject: fill('row.subject'), messageId: fill('row.messageId') },
  };
  return { ...row, ...own, state: row.state, reasons: [fill('row.reasons')] };
}

function partsOver(ledger: Ledger, fill: Fill): Partial<Omit<DeskParts, 'guard'>> {
  const row = filledRow(ledger, fill);
  const other = { ...row, runId: 'b'.repeat(32) };
  const people = [{ name: 'pat', why: 'x', at: AT }];
  const head = { schema: 'mail-airlock/audit/1', sequence: 1, previous: null, people } as const;
  const block: BlockRecord = { ...head, action: 'block', block: { kind: 'url', value: '' } };
  const record = filledRecord(block, fill);
  const about = { runId: row.runId, attempt: 2, form: 'original' as const, heldFor: [] };
  const records = [record, filledRecord<AuditRecord>({ ...head, action: 'release', ...about }, fill)];
  const exposure: Exposure = {
    ...{ cause: 'blocked', of: 'file', name: fill('exposure.name'), sha256: HASH, delivered: 'keep', verdict: null },
  };
  const ask: Ask = {
    ...{ schema: 'mail-airlock/ask/1', runId: row.runId, at: AT },
    ...{ recipient: fill('ask.recipient'), untrustedWhy: fill('ask.untrustedWhy') },
  };
  const step: Step = { times: 1, begunAt: 0, doneAt: 1, tookMs: 1 };
  const steps = new Map(STAGE_NAMES.map((name) => [name, step] as const));
  const dropped: Dropped = {
    ...{ runId: row.runId, untrustedName: fill('dropped.untrustedName'), size: 1, steps, version: 1 },
    ...{ end: { failed: fill('dropped.end.failed') }, changed: Promise.resolve() },
  };
  const values = { state: '', reason: '', sender: '', recipient: '', words: fill('view.values'), hash: '', host: '' };
  const result: WhatIf = {
    ...{ turn: 'held' as const, missing: [], reasons: { before: [], after: [fill('tried.reasons')] } },
    parts: [{ path: '1.1', untrustedName: fill('tried.parts.untrustedName'), before: 'keep', after: 'remove' }],
  };
  return {
    person: fill('person'),
    ledgerOf: async (runId) => (runId === RELEASED ? released(ledger) : ledger),
    headerOf: async () =>
      [
        `Received: from ${fill('header.from')} by ${fill('header.by')}; ${fill('header.at')}`,
        `Authentication-Results: ${fill('header.server')}; ${fill('header.method')}=${fill('header.result')}`,
        `Subject: ${fill('header.subject')}`,
      ].join('\r\n'),
    runs: {
      get: async () => row,
      list: async () => ({ rows: [row, other], next: null }),
      count: async () => 1,
      tally: async () => [],
      holds: async () => [{ reasons: row.reasons, holds: [1, 1, 1, 1] }],
      oldest: async () => row,
    } as unknown as DeskParts['runs'],
    asks: { of: async () => [ask], list: async () => [ask] },
    blocks: async () => [{ block: record.block, record }],
    auditWindow: async () => ({
      entries: records.map((each) => ({ sequence: 1, record: each })),
      newest: 1,
      isEndMissing: false,
    }),
    recalls: async function* () {
      yield { row, exposures: [exposure] };
    },
    tryPolicy: async function* () {
      yield { row, outcome: 'tried', result };
    },
    views: {
      list: async () => [{ name: fill('view.name'), values: { ...values, since: '', until: '' } }],
      change: async () => 'full',
    },
    drops: {
      enter: () => null,
      of: (runId) => ({ ...dropped, runId }),
      list: () => [dropped],
      begun: () => {},
      done: () => {},
    },
    drawn: async () => ({ outcome: 'drawn', pictures: [], untrustedText: fill('drawn.untrustedText') }),
    decide: async () => fill('told'),
  };
}

export interface FilledPages {
  /** By name. */
  readonly pages: Readonly<Record<string, string>>;
  /** What was asked for. */
  readonly addresses: ReadonlySet<string>;
  /** Every address of the desk that answers a GET, as its application has it. */
  readonly routes: readonly string[];
  readonly runId: string;
}

/** Opens every page. */
export async function filledPages(fill: Fill): Promise<FilledPages> {
  const ledger = filledLedger(await heldLedger(), fill);
  const desk = await openDesk('admin', parsePolicy('{}'), partsOver(ledger, fill));
  const { runId } = ledger;
  const addresses = new Set<string>();
  const get = async (path: string, headers: Record<string, string> = {}) => {
    addresses.add(path);
    return (await desk.get(path, headers)).text();
  };
  const post = async (path: string, fields: Record<string, string>) => (await desk.post(path, fields)).text();
  const mail = `/mails/${runId}`;
  const asked = { state: '', words: fill('asked.words'), sender: fill('asked.sender'), host: fill('asked.host') };
  const decision = { why: 'x', attempt: String(ledger.attempt.number) };
  const view = { language: 'en', path: '/r/x', formSecret: 'x', ask: null } as const;
  const pages = {
    'the list': await get('/mails'),
    'a search': await get(`/mails?${new URLSearchParams(asked)}`),
    'a mail': await get(mail),
    'a mail in German': await get(mail, { 'accept-language': 'de' }),
    'a mail as a file': await get(`${mail}/report.html`),
    'a released mail': await get(`/mails/${RELEASED}`),
    'a decision that was not carried out': await post(`${mail}/delete`, decision),
    'several decisions': await post('/selected', { ...decision, decision: 'delete', run: `${runId}-1` }),
    'a part': await get(`${mail}/parts/1.1`),
    'the text of a part': await get(`${mail}/parts/1.1/before/text`),
    'the overview': await get('/overview'),
    'what recipients ask for': await get('/asks'),
    'the blocks': await get('/blocks'),
    'the audit trail': await get('/audit'),
    'records that are searched for': await get(
      `/audit?${new URLSearchParams({ who: fill('audit.who'), mail: fill('audit.mail') })}`,
    ),
    'a block that was not taken': await post('/blocks/block', { kind: 'file', value: fill('typed.value'), why: 'x' }),
    'the recall': await get('/recall'),
    'a policy': await get('/policy'),
    'a policy that was tried': await post('/policy', { policy: '{}', days: '1' }),
    'a policy that is none': await post('/policy', { policy: fill('typed.policy'), days: fill('typed.days') }),
    'the files that were dropped': await get('/drop'),
    'a dropped file': await get(`/drops/${runId}`),
    'a dropped file that was released': await get(`/drops/${RELEASED}`),
    [EVENTS]: await get(`/drops/${runId}/events`),
    'a recipient': recipientPage({ ...view, ledger }),
    'a recipient of a released mail': recipientPage({ ...view, ledger: released(ledger) }),
  };
  const routes = desk.routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
  return { pages, addresses, routes, runId };
}

/** The lines of a stream that are no field of an event of ours. */
export function strangeLines(pages: FilledPages['pages']): string[] {
  const lines = (pages[EVENTS] ?? '').split('\n');
  return lines.filter((line) => line !== '' && !/^(?:data: \{.*\}|id: \d+|retry: \d+|: )$/.test(line));
}
