/** The first message of mail whose files are examined for long: what goes on early, what follows, and what proves both. */
import { describe, expect, test } from 'vitest';
import { extended, readChain } from '../../lib/pipeline/chain/chain.ts';
import { readKeyDocument } from '../../lib/pipeline/chain/ed25519.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { fetchEnded } from '../../lib/pipeline/fetch.ts';
import { canBeSplit } from '../../lib/pipeline/judging/early-leaves.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { Submission } from '../../lib/pipeline/ledger/artifact.ts';
import type { Early } from '../../lib/pipeline/ledger/early-record.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { early } from '../../lib/pipeline/rebuilding/early.ts';
import { verifyDelivery, verifyFirst } from '../../lib/pipeline/results/verify-delivery.ts';
import { lastAttempt, redrive } from '../../lib/pipeline/review/redrive.ts';
import { sentenceOf } from '../../lib/pipeline/runs/sentence.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { signedMail } from '../ordinary/signed-mail.ts';
import { bytesOf, ended, LINK, MAIL, type Opened, opened, polled, ROOM, readFirst, readWhole } from './early-rig.ts';
import { type Answer, emailWith, PDF, type RigOptions, type SentRequest } from './rig.ts';

/** The public keys as they lie in the clean bucket. */
const proving = ({ rig, run }: Opened) => ({
  limits: rig.ctx.limits,
  signer: {
    publicKey: async (stage: Parameters<typeof keys.publicKey>[0], keyId: string) => {
      const document = await rig.blobs.get('clean', keys.publicKey(stage, keyId), ROOM).catch(() => null);
      return document && readKeyDocument(document, stage, keyId);
    },
  },
  runId: run.runId,
});

describe('a file that is still examined', () => {
  test('is a page in the first message, follows in the second, and both are proven', async () => {
    const mail = await opened();
    expect(await polled(mail)).toBeNull();
    expect(mail.run.waitSeconds).toBeLessThanOrEqual(30);
    mail.rig.advance(30_000);
    const sent = await polled(mail);
    expect(sent?.leaves.map(({ path, isLater }) => [path, isLater])).toEqual([
      ['1.1', false],
      ['1.2', false],
      ['1.3', true],
    ]);
    expect(sent?.sealed).toBeUndefined();
    const first = await readFirst(mail);
    const [page] = first.attachments;
    expect(first.text).toContain(`See ${LINK}`);
    expect(first.text).toContain('1 file is still being examined: you will receive it in a second message');
    expect(page?.filename).toBe('a.pdf (follows).html');
    expect(page?.content.toString()).toContain('You will receive it in a second message, or a note why not.');
    expect(
      Buffer.from(await bytesOf(mail, keys.cleanEarly)).includes(Buffer.from(PDF).toString('base64').slice(0, 40)),
    ).toBe(false);
    expect((await mail.rig.ledger(mail.run.runId)).terminal).toBeNull();

    mail.says.file = {};
    const ledger = await ended(mail);
    expect(ledger.terminal?.state).toBe('delivered');
    const whole = await readWhole(mail);
    expect(whole.attachments.map(({ filename }) => filename)).toEqual(['a.pdf']);
    expect(whole.text).toContain('takes the place of an earlier one without its files');
    expect(whole.subject).toBe(`Now complete: ${first.subject}`);
    expect([whole.inReplyTo, whole.references]).toEqual([first.messageId, first.messageId]);
    expect(whole.messageId).not.toBe(first.messageId);

    const firstProof = {
      message: await bytesOf(mail, keys.cleanEarly),
      evidence: await bytesOf(mail, keys.cleanEarlyEvidence),
    };
    expect(await verifyFirst(proving(mail), firstProof)).toMatchObject({ fits: true });
    const evidence = await bytesOf(mail, keys.cleanEvidence);
    expect(await verifyFirst(proving(mail), { ...firstProof, evidence })).toMatchObject({ fits: true });
    const message = await bytesOf(mail, keys.cleanMessage);
    expect(await verifyDelivery(proving(mail), { message, evidence, files: null })).toMatchObject({ fits: true });
    expect(await verifyFirst(proving(mail), { ...firstProof, message })).toMatchObject({ fits: false });
    expect(await verifyDelivery(proving(mail), { ...firstProof, files: null })).toMatchObject({ fits: false });
  });

  test('is not in a first message that was changed by one byte, and the proof says so', async () => {
    const mail = await opened();
    mail.rig.advance(30_000);
    await polled(mail);
    const message = Buffer.from(await bytesOf(mail, keys.cleanEarly));
    message[message.length - 10] = (message[message.length - 10] ?? 0) ^ 1;
    const evidence = await bytesOf(mail, keys.cleanEarlyEvidence);
    expect(await verifyFirst(proving(mail), { message, evidence })).toMatchObject({ fits: false });
  });

  test('inside an archive makes the archive follow', async () => {
    const zip = zipOf({ 'in.pdf': PDF });
    const mail = await opened(
      emailWith({ text: 'Hello', files: [{ name: 'a.zip', type: 'application/zip', bytes: zip }] }),
    );
    mail.rig.advance(30_000);
    expect((await polled(mail))?.leaves.map(({ isLater }) => isLater)).toEqual([false, true]);
    expect((await readFirst(mail)).attachments.map(({ filename }) => filename)).toEqual(['a[.]zip (follows).html']);
  });

  test('run twice, the first message is written once', async () => {
    const written: string[] = [];
    const overrides: RigOptions['overrides'] = ({ blobs }) => ({
      blobs: {
        ...blobs,
        put: (bucket, key, ...rest) => {
          if (key.endsWith('.eml')) written.push(`${bucket} ${key}`);
          return blobs.put(bucket, key, ...rest);
        },
      },
    });
    const mail = await opened(MAIL, {}, { overrides });
    mail.rig.advance(30_000);
    const before = await polled(mail);
    expect(before).not.toBeNull();
    mail.rig.advance(60_000);
    expect(await polled(mail)).toEqual(before);
    expect((await early(mail.rig.ctx, mail.run)).early).toEqual(before);
    expect(written).toEqual([`clean ${keys.cleanEarly(mail.run.runId)}`]);
  });

  test('goes on early also when the process died between its entry and the clean bucket', async () => {
    let isBroken = true;
    const overrides: RigOptions['overrides'] = ({ blobs }) => ({
      blobs: {
        ...blobs,
        put: async (bucket, ...rest) => {
          if (bucket === 'clean' && isBroken) throw new TransientError('the process died');
          return blobs.put(bucket, ...rest);
        },
      },
    });
    const mail = await opened(MAIL, {}, { overrides });
    mail.rig.advance(30_000);
    await expect(polled(mail)).rejects.toThrow('the process died');
    isBroken = false;
    expect(await polled(mail)).not.toBeNull();
    expect((await readFirst(mail)).attachments).toHaveLength(1);
    mail.says.file = {};
    expect((await ended(mail)).terminal?.state).toBe('delivered');
  });

  test('is not put into the clean bucket when its stored bytes are not those that were checked', async () => {
    let isLying = true;
    const overrides: RigOptions['overrides'] = ({ blobs }) => ({
      blobs: {
        ...blobs,
        get: async (bucket, key, options) => {
          const bytes = await blobs.get(bucket, key, options);
          // The lie has the size of the truth.
          return isLying && key.includes('/rebuilt') ? bytes.map((byte, at) => (at === 500 ? byte ^ 1 : byte)) : bytes;
        },
      },
    });
    const mail = await opened(MAIL, {}, { overrides });
    mail.rig.advance(30_000);
    expect(await polled(mail)).toBeNull();
    await expect(polled(mail)).rejects.toThrow('the first message has changed');
    expect(mail.rig.blobs.list('clean').filter((name) => name.includes('.eml'))).toEqual([]);
    isLying = false;
    expect(await polled(mail)).not.toBeNull();
    expect((await readFirst(mail)).attachments).toHaveLength(1);
  });

  test('that is held in the end ends the run once, and a later attempt still knows of the first message', async () => {
    const mail = await opened();
    mail.rig.advance(30_000);
    const sent = await polled(mail);
    mail.says.file = { verdict: 'malicious' };
    const held = await ended(mail);
    expect([held.terminal?.state, held.early]).toEqual(['quarantined', sent]);
    expect(sentenceOf(held)).toMatch(/^Held because of .*\. Its text went out without its files at 2026-/);
    const ctx = { ...mail.rig.ctx, parseAgain: async () => Promise.reject(new Error('it is read again')) };
    const again = await redrive(ctx, await lastAttempt(ctx, mail.run.runId));
    expect((await mail.rig.ledger(again.runId)).early).toEqual(sent);
    expect((await early(mail.rig.ctx, again)).early).toEqual(sent);
    // Whoever took it out of the clean bucket since does not get it back.
    mail.rig.blobs.remove('clean', keys.cleanEarly(mail.run.runId));
    expect((await early(mail.rig.ctx, again)).early).toEqual(sent);
    expect(await mail.rig.blobs.has('clean', keys.cleanEarly(mail.run.runId))).toBe(false);
  });

  test('is told of in the language of the recipient', async () => {
    const told = { told: { language: 'de' } };
    const mail = await opened(MAIL, told);
    mail.rig.advance(30_000);
    await polled(mail);
    const first = await readFirst(mail);
    expect(first.text).toContain('1 Datei wird noch geprüft');
    expect(first.attachments[0]?.filename).toBe('a.pdf (folgt).html');
    mail.says.file = {};
    await ended(mail);
    expect((await readWhole(mail)).subject).toBe(`Jetzt vollständig: ${first.subject}`);
  });
});

describe('a first message that is not what was judged', () => {
  const entry = (of: Early) => ({
    ...{ stage: 'early' as const, startedAt: of.at, durationMs: 0, policy: null, start: null },
    change: { ledger: { early: of } },
  });
  const lies: Readonly<Record<string, (leaves: Early['leaves'], pdf: string) => Early['leaves']>> = {
    'the file as it came': (leaves, pdf) => leaves.map((leaf) => (leaf.isLater ? { ...leaf, sha256: pdf } : leaf)),
    'a file that nobody judged': (leaves) => leaves.map((leaf) => ({ ...leaf, isLater: false })),
    'no place for a file': (leaves) => leaves.slice(0, -1),
    'a place more': (leaves) => [...leaves, { path: '1.4', sha256: 'a'.repeat(64), isLater: false }],
    'a judged text that follows': (leaves) => leaves.map((leaf) => ({ ...leaf, isLater: true })),
  };
  test.each(Object.entries(lies))('is refused in the chain: %s', async (_, lie) => {
    const mail = await opened();
    mail.run = await STAGES.poll(mail.rig.ctx, mail.run);
    mail.run = await fetchEnded(mail.rig.ctx, mail.run);
    const chain = await readChain(mail.rig.ctx, mail.run.runId, 1, mail.run.last);
    const leaves = ['1.1', '1.2', '1.3'].map((path) => ({ path, sha256: 'a'.repeat(64), isLater: path === '1.3' }));
    const honest = { at: '2026-11-20T12:00:30.000Z', rebuilt: { sha256: 'b'.repeat(64), size: 1 }, leaves };
    const write = (of: Early) => extended(mail.rig.ctx, { runId: chain.runId, attempt: 1 }, chain, entry(of));
    const written = await write(honest);
    expect(written.ledger.early).toEqual(honest);
    await expect(extended(mail.rig.ctx, written, written, entry(honest))).rejects.toThrow('may not follow');
    await expect(write({ ...honest, leaves: lie(leaves, sha256Hex(PDF)) })).rejects.toThrow('writes a first message');
  });
});

describe('a link in the text that is still examined', () => {
  test('is off in the first message, and on in the second', async () => {
    const mail = await opened();
    mail.says.link = 'pending';
    mail.rig.advance(30_000);
    expect(await polled(mail)).not.toBeNull();
    const first = Buffer.from(await bytesOf(mail, keys.cleanEarly)).toString('latin1');
    expect(first).not.toContain(LINK);
    Object.assign(mail.says, { link: {}, file: {} });
    await ended(mail);
    expect((await readWhole(mail)).text).toContain(LINK);
  });

  test('alone makes nobody wait for a second message', async () => {
    const mail = await opened(emailWith({ text: `See ${LINK}`, files: [] }));
    mail.says.link = 'pending';
    mail.rig.advance(60_000);
    expect(await polled(mail)).toBeNull();
  });
});

describe('nothing goes on early', () => {
  test('before its time', async () => {
    const mail = await opened();
    mail.rig.advance(29_999);
    expect(await polled(mail)).toBeNull();
  });

  test('when policy wants all of it judged first, as shipped', async () => {
    const mail = await opened(MAIL, { firstMessage: { afterSeconds: null } });
    mail.rig.advance(600_000);
    expect(await polled(mail)).toBeNull();
  });

  test('when everything is known', async () => {
    const mail = await opened();
    mail.says.file = {};
    mail.rig.advance(60_000);
    expect(await polled(mail)).toBeNull();
    expect((await ended(mail)).early).toBeUndefined();
    expect((await readWhole(mail)).subject).not.toContain('Now complete');
  });

  test('while the text is still examined, and then it does', async () => {
    const mail = await opened();
    mail.says.body = 'pending';
    mail.rig.advance(60_000);
    expect(await polled(mail)).toBeNull();
    expect(await early(mail.rig.ctx, mail.run)).toMatchObject({ early: null, isOver: false });
    mail.says.body = {};
    expect(await polled(mail)).not.toBeNull();
  });

  test.each(['malicious link', 'malicious text'])('of a message with a %s', async (what) => {
    const mail = await opened(MAIL, { message: { quarantineVerdicts: [] } });
    mail.says[what === 'malicious link' ? 'link' : 'body'] = { verdict: 'malicious' };
    mail.rig.advance(60_000);
    expect(await polled(mail)).toBeNull();
  });

  test('when an invitation without a name waits, which programs show instead of the text', async () => {
    const invitation = (name: string) =>
      [
        'From: a@sender.example\r\nTo: b@rcpt.example\r\nSubject: Lunch\r\nMIME-Version: 1.0',
        'Content-Type: multipart/alternative; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nAt one?\r\n--x',
        `Content-Type: text/calendar; method=REQUEST${name}\r\n\r\nBEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n--x--\r\n`,
      ].join('\r\n');
    const [nameless, named] = [await opened(invitation('')), await opened(invitation('; name=lunch.ics'))];
    for (const mail of [nameless, named]) mail.rig.advance(60_000);
    expect(await polled(nameless)).toBeNull();
    expect(await polled(named)).not.toBeNull();
  });

  test('of a message that policy holds for what it is', async () => {
    const twice = MAIL.replace('MIME-Version', 'Content-Type: text/plain\r\nMIME-Version');
    const mail = await opened(twice);
    mail.rig.advance(60_000);
    expect(await polled(mail)).toBeNull();
  });

  test('of a message of which an analysis has timed out, when policy holds such mail', async () => {
    const mail = await opened();
    mail.says.body = { failure: { class: 'timeout', detail: 'it took too long' } };
    mail.rig.advance(60_000);
    expect(await polled(mail)).toBeNull();
  });

  test.each([
    ['', {}, false],
    [', and does when policy removes it', { failures: { service_error: 'remove' } }, true],
  ])(
    'of a file of which one analysis has failed while another goes on, when policy holds it%s',
    async (_, policy, goes) => {
      const failed = { failure: { class: 'service_error' as const, detail: 'it broke' } };
      const answer = (request: SentRequest): Answer => {
        if (request.kind === 'url_analysis' || !request.filename.endsWith('.pdf')) return {};
        return request.kind === 'static' ? failed : 'pending';
      };
      const mail = await opened(MAIL, policy, { script: { polls: 0, answer } });
      mail.rig.advance(60_000);
      expect((await polled(mail)) !== null).toBe(goes);
    },
  );

  test('of a message that is signed', async () => {
    const [signed] = [...signedMail()].filter(({ id }) => id === 'pgp-clear-mutt');
    const mail = await opened(signed?.bytes ?? '');
    expect((await mail.rig.ledger(mail.run.runId)).signatures).toHaveLength(1);
    mail.rig.advance(60_000);
    expect(await polled(mail)).toBeNull();
  });

  test('of a single file', async () => {
    const mail = await opened(PDF);
    mail.rig.advance(60_000);
    expect(await polled(mail)).toBeNull();
  });
});

describe('a message is split only when it can be', () => {
  const failure = { class: 'oversize', detail: 'too large' } as const;
  const signature = { kind: 'pgp', path: '1', contentPath: '1.1', signaturePath: '1.2', result: 'verified' } as const;
  const release = { form: 'rebuilt', covers: [] } as const;
  const isPdf = ({ typeGroup }: Pick<Ledger['artifacts'][number], 'typeGroup'>) => typeGroup === 'pdf';
  /** The ledger with other submissions of the PDF, or of everything else. */
  const submitted = (ledger: Ledger, { ofPdf }: { ofPdf: boolean }, change: Partial<Submission>): Ledger => ({
    ...ledger,
    artifacts: ledger.artifacts.map((artifact) =>
      isPdf(artifact) === ofPdf
        ? { ...artifact, submissions: artifact.submissions.map((one) => ({ ...one, ...change })) }
        : artifact,
    ),
  });
  const parts = (ledger: Ledger, change: (part: Ledger['parts'][number]) => object): Ledger => ({
    ...ledger,
    parts: ledger.parts.map((part) => ({ ...part, ...change(part) })),
  });

  test.each<[string, (ledger: Ledger) => Ledger, boolean]>([
    ['as it came, with a file that waits', (ledger) => ledger, true],
    ['a bare file', (ledger) => ({ ...ledger, kind: 'file' }), false],
    ['that could not be read', (ledger) => ({ ...ledger, failure }), false],
    ['that a person released', (ledger) => ({ ...ledger, attempt: { ...ledger.attempt, release } as never }), false],
    ['that is signed', (ledger) => ({ ...ledger, signatures: [signature as never] }), false],
    ['with something malicious', (ledger) => submitted(ledger, { ofPdf: false }, { verdict: 'malicious' }), false],
    ['of which nothing waits', (ledger) => submitted(ledger, { ofPdf: true }, { fetched: true }), false],
    [
      'of which the text waits',
      (ledger) => submitted(ledger, { ofPdf: false }, { fetched: false, failure: null }),
      false,
    ],
    ['whose file has no name', (ledger) => parts(ledger, () => ({ untrustedNames: [''] })), false],
    ['without a text', (ledger) => parts(ledger, ({ role }) => (role === 'body' ? { role: 'attachment' } : {})), false],
  ])('%s', async (_, change, isSplit) => {
    const mail = await opened();
    mail.run = await STAGES.poll(mail.rig.ctx, mail.run);
    mail.run = await fetchEnded(mail.rig.ctx, mail.run);
    const { ledger } = await readChain(mail.rig.ctx, mail.run.runId, 1, mail.run.last);
    expect(canBeSplit(change(ledger))).toBe(isSplit);
  });
});
