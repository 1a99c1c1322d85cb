import { expect, test } from 'vitest';
import { AnalyzerRefusal, TransientError } from '../../lib/pipeline/errors.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { submit } from '../../lib/pipeline/submit.ts';
import { createRig, emailWith, PDF, type RigOptions } from './rig.ts';

const MAIL = emailWith({
  text: 'see https://one.example/ and https://one.example/',
  files: [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }],
});

async function parsed(options: RigOptions = {}, mail = MAIL) {
  const rig = createRig(options);
  return { rig, run: await parse(rig.ctx, await rig.intake(mail)) };
}

test('asks for what the policy wants of each type, once per content', async () => {
  const { rig, run } = await parsed();
  const after = await submit(rig.ctx, run);
  const asked = rig.analyzer.requests.map(
    (request) => `${request.kind} ${request.kind === 'url_analysis' ? request.url : request.filename.split('.')[1]}`,
  );
  expect(asked.sort()).toEqual(['cdr pdf', 'static pdf', 'static txt', 'url_analysis https://one.example/']);
  expect(after.outstanding).toBe(4);
});

test('two parts with the same bytes are one artifact and one submission', async () => {
  const files = ['a.pdf', 'b.pdf'].map((name) => ({ name, bytes: PDF }));
  const { rig, run } = await parsed({}, emailWith({ files }));
  await submit(rig.ctx, run);
  expect(rig.analyzer.requests.filter(({ kind }) => kind === 'cdr')).toHaveLength(1);
});

test('the service never sees a name that the sender chose', async () => {
  const { rig, run } = await parsed({}, emailWith({ files: [{ name: '../../etc/passwd.pdf', bytes: PDF }] }));
  await submit(rig.ctx, run);
  const names = rig.analyzer.requests.flatMap((request) => ('filename' in request ? [request.filename] : []));
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{16}\.(pdf|txt)$/);
});

test('run twice, it sends nothing twice', async () => {
  const { rig, run } = await parsed();
  await submit(rig.ctx, run);
  const before = await rig.ledger(run.runId);
  await submit(rig.ctx, run);
  expect(rig.analyzer.requests).toHaveLength(4);
  expect((await rig.ledger(run.runId)).artifacts).toEqual(before.artifacts);
});

test('run again after it died before its ledger was written, it finds what it had sent', async () => {
  const { rig, run } = await parsed();
  const dying = { ...rig.ctx, blobs: { ...rig.blobs, put: async () => Promise.reject(new Error('died')) } };
  await expect(submit(dying, run)).rejects.toThrow('died');
  expect(rig.analyzer.requests).toHaveLength(4);
  const after = await submit(rig.ctx, run);
  expect(rig.analyzer.requests).toHaveLength(4);
  expect(after.outstanding).toBe(4);
});

test('run again after it died before it heard the answer, it asks the service before it sends again', async () => {
  const { rig, run } = await parsed();
  const deaf = {
    ...rig.ctx,
    submissions: {
      ...rig.ctx.submissions,
      update: async () => Promise.reject(new Error('died')),
      release: async () => {},
    },
  };
  await expect(submit(deaf, run)).rejects.toThrow('died');
  const sent = rig.analyzer.requests.length;
  await submit(rig.ctx, run);
  const { requests } = rig.analyzer;
  expect(new Set(requests.map(({ kind, id }) => kind + id)).size).toBe(requests.length);
  expect(sent).toBeGreaterThan(0);
});

test('a hash that another run has sent is not sent again', async () => {
  const { rig, run } = await parsed();
  await submit(rig.ctx, run);
  const other = await parse(rig.ctx, await rig.intake(MAIL.replace('Subject: Files', 'Subject: Again'), 'other.eml'));
  const after = await submit(rig.ctx, other);
  expect(rig.analyzer.requests).toHaveLength(4);
  expect(after.outstanding).toBe(4);
  const sources = (await rig.ledger(other.runId)).artifacts.flatMap(({ submissions }) =>
    submissions.map(({ source }) => source),
  );
  expect(new Set(sources)).toEqual(new Set(['joined']));
});

test('a known hash needs no submission at all', async () => {
  const rig = createRig();
  await rig.scan(MAIL);
  const { ledger } = await rig.scan(MAIL.replace('Subject: Files', 'Subject: Again'), 'other.eml');
  expect(rig.analyzer.requests).toHaveLength(4);
  expect(ledger.terminal?.state).toBe('delivered');
  expect(ledger.polls).toBe(0);
});

test('a known report is no longer known after its time, or for another service', async () => {
  const rig = createRig();
  await rig.scan(MAIL);
  rig.advance(rig.ctx.limits.knownSeconds * 1000 + 1);
  await rig.scan(MAIL.replace('Subject: Files', 'Subject: Late'), 'late.eml');
  expect(rig.analyzer.requests).toHaveLength(8);
});

test('a temporary failure is not remembered, so that the next mail asks again', async () => {
  const failure = { class: 'service_error' as const, detail: '' };
  const rig = createRig({ script: { answer: () => ({ verdict: 'unknown', failure }) } });
  await rig.scan(MAIL);
  await rig.scan(MAIL.replace('Subject: Files', 'Subject: Again'), 'other.eml');
  expect(rig.analyzer.requests).toHaveLength(8);
});

test('a refusal is the result of the submission; the claim is given up for others', async () => {
  const { rig, run } = await parsed({ script: { refuse: () => new AnalyzerRefusal('oversize', 'at most 1 MB') } });
  expect((await submit(rig.ctx, run)).outstanding).toBe(0);
  const [first] = (await rig.ledger(run.runId)).artifacts;
  expect(first?.submissions[0]).toMatchObject({
    status: 'error',
    failure: { class: 'oversize', detail: 'at most 1 MB' },
  });
});

test('a service that is away fails the stage, so that the state machine repeats it', async () => {
  const { rig, run } = await parsed({ script: { refuse: () => new TransientError('away') } });
  await expect(submit(rig.ctx, run)).rejects.toThrow(TransientError);
});

test('the sandbox is asked when the policy wants it', async () => {
  const policy = parsePolicy(JSON.stringify({ types: { pdf: { analyses: ['static', 'cdr', 'sandbox'] } } }));
  const { rig, run } = await parsed({ policy });
  await submit(rig.ctx, run);
  expect(rig.analyzer.requests.map(({ kind }) => kind)).toContain('sandbox');
  expect(DEFAULT_POLICY.types.pdf.analyses).not.toContain('sandbox');
});

test('a known report is void when the engines or rules of its kind have changed', async () => {
  const scope = { now: 'rules 1' };
  const rig = createRig({ script: { scope: () => scope.now } });
  const kindsSent = () => rig.analyzer.requests.map(({ kind }) => kind).sort();
  await rig.scan(MAIL, 'first.eml');
  const sentFirst = kindsSent();
  await rig.scan(`X-Again: 1\r\n${MAIL}`, 'second.eml');
  expect(kindsSent()).toEqual(sentFirst);
  scope.now = 'rules 2';
  const { ledger } = await rig.scan(`X-Again: 2\r\n${MAIL}`, 'third.eml');
  expect(kindsSent()).toEqual([...sentFirst, ...sentFirst].sort());
  const sources = ledger.artifacts.flatMap(({ submissions }) => submissions.map(({ source }) => source));
  expect(new Set(sources)).toEqual(new Set(['submitted']));
});

test('only the first artifacts of a message that is held for its size are analysed, and its reasons stay few', async () => {
  const files = Array.from({ length: 300 }, (_, at) => ({ name: `${at}.txt`, bytes: `note ${at}` }));
  const rig = createRig({ limits: { parts: 200 } });
  const { ledger } = await rig.scan(emailWith({ files }));
  expect(ledger.terminal?.state).toBe('quarantined');
  const codes = ledger.reasons.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['limit_exceeded', 'oversize']));
  // It would be a fault of the service, which calls an operator and has the mail tried again.
  expect(codes).not.toContain('service_error');
  expect(ledger.reasons.length).toBeLessThan(100);
  expect(rig.analyzer.requests).toHaveLength(rig.ctx.limits.artifactsOfOversize);
});
