/** A delivery is proven with public keys alone, and a change of any byte of it is found. */
import { beforeAll, describe, expect, test } from 'vitest';
import { chainText, readChainText } from '../../lib/pipeline/chain/chain-text.ts';
import { readKeyDocument } from '../../lib/pipeline/chain/ed25519.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import type { Writer } from '../../lib/pipeline/model.ts';
import { type Delivered, verifyDelivery } from '../../lib/pipeline/results/verify-delivery.ts';
import { type Forged, forgedLines } from './forge.ts';
import { createRig, emailWith, PDF, type Rig } from './rig.ts';
import { WAY } from './way.ts';

const MAIL = emailWith({
  text: 'See https://good.example/',
  html: '<p>See <a href="https://bad.example/">this</a></p>',
  files: [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }],
});
const ROOM = { maxBytes: 10_000_000 };

interface Case {
  readonly rig: Rig;
  readonly runId: string;
  readonly delivered: Delivered & { readonly files: ReadonlyMap<string, Uint8Array> };
  /** The documents of the public keys in the clean bucket. */
  readonly keys: Map<string, Uint8Array>;
}

/** Everything that the clean bucket has of one mail. */
async function deliveredMail(content = MAIL, name?: string): Promise<Case> {
  const rig = createRig({
    script: { answer: ({ kind }) => (kind === 'url_analysis' ? { verdict: 'suspicious' } : {}) },
  });
  const { runId, ledger } = await rig.scan(content, name);
  expect(ledger.terminal?.state).toBe('delivered');
  const get = (key: string) => rig.blobs.get('clean', key, ROOM);
  const listed = rig.blobs.list('clean');
  const entriesBelow = async (prefix: string) =>
    new Map(
      await Promise.all(
        listed
          .filter((key) => key.startsWith(prefix))
          .map(async (key) => [key.slice(key.lastIndexOf('/') + 1), await get(key)] as const),
      ),
    );
  const last = ledger.terminal?.keys[0] ?? '';
  return {
    rig,
    runId,
    delivered: {
      message: await get(last),
      evidence: await get(keys.cleanEvidence(runId)),
      files: await entriesBelow(`${runId}/files/`),
    },
    keys: await entriesBelow('keys/'),
  };
}

/** Verifies with nothing but the documents of keys. */
const verify = (delivered: Delivered, documents: ReadonlyMap<string, Uint8Array>) => {
  const publicKey = async (stage: Writer, keyId: string) => {
    const document = documents.get(`${stage}-${keyId}.json`);
    return document === undefined ? null : readKeyDocument(document, stage, keyId);
  };
  return verifyDelivery({ signer: { publicKey }, limits: DEFAULT_LIMITS }, delivered);
};
const problemsOf = async (...args: Parameters<typeof verify>) => {
  const proof = await verify(...args);
  return proof.fits ? [] : proof.problems;
};

let mail: Case;
beforeAll(async () => {
  mail = await deliveredMail();
});

test('a mail as it was delivered fits', async () => {
  const proof = await verify(mail.delivered, mail.keys);
  expect(proof).toMatchObject({ fits: true, chain: { runId: mail.runId, attempt: 1 } });
  const stages = readChainText(mail.delivered.evidence, 'it').map(({ json }) => JSON.parse(json).stage);
  expect(stages).toEqual(['parse', ...WAY, 'deliver']);
  expect([...mail.delivered.files.keys()]).toEqual([`${sha256Hex(PDF)}.pdf`]);
});

test('so does a bare file, and mail that was delivered beside it by the same stages', async () => {
  const file = await deliveredMail(PDF, 'a.pdf');
  expect(await problemsOf(file.delivered, file.keys)).toEqual([]);
  expect(await problemsOf(mail.delivered, file.keys)).toEqual([]);
});

test('it says which engines judged each part, and under which policy', async () => {
  const proof = await verify(mail.delivered, mail.keys);
  if (!proof.fits) throw new Error(proof.problems.join());
  const { ledger, entries } = proof.chain;
  const engines = ledger.artifacts.flatMap(({ submissions }) => submissions.map((one) => one.engines));
  expect(new Set(engines)).toEqual(new Set(['scripted']));
  const policies = entries.map(({ stage, policy }) => [stage, policy?.length ?? null]);
  expect(policies).toContainEqual(['decide', 64]);
});

/** The same numbers in every run of the test. */
function* randomNumbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

describe('one changed byte anywhere is found', () => {
  const flipped = (bytes: Uint8Array, random: number) => {
    const changed = Uint8Array.from(bytes);
    const at = random % bytes.length;
    // Never by nothing.
    changed[at] = (changed[at] as number) ^ (1 + ((random >>> 8) % 255));
    return changed;
  };

  test('in the message, in the files, in the evidence, in every key', async () => {
    const random = randomNumbers(20_261_123);
    const next = () => random.next().value as number;
    const { delivered, keys: documents } = mail;
    const [fileName = '', file = new Uint8Array()] = [...delivered.files][0] ?? [];
    const cases: [string, () => [Delivered, ReadonlyMap<string, Uint8Array>]][] = [
      ['message', () => [{ ...delivered, message: flipped(delivered.message, next()) }, documents]],
      ['evidence', () => [{ ...delivered, evidence: flipped(delivered.evidence, next()) }, documents]],
      ['file', () => [{ ...delivered, files: new Map([[fileName, flipped(file, next())]]) }, documents]],
      ...[...documents].map(([name, document]): (typeof cases)[number] => [
        name,
        () => [delivered, new Map([...documents, [name, flipped(document, next())]])],
      ]),
    ];
    for (const [what, change] of cases)
      for (let round = 0; round < 40; round += 1)
        expect((await problemsOf(...change())).join(), `${what}, round ${round}`).not.toBe('');
  });

  test.each([
    ['a byte more', (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.from('\n')])],
    ['a byte less', (bytes: Uint8Array) => bytes.subarray(0, -1)],
    ['nothing', () => new Uint8Array()],
    ['a mark in front', (bytes: Uint8Array) => Buffer.concat([Buffer.from('\ufeff'), bytes])],
  ])('%s', async (_, change) => {
    const { delivered, keys: documents } = mail;
    for (const field of ['message', 'evidence'] as const)
      expect(await problemsOf({ ...delivered, [field]: change(delivered[field]) }, documents)).toHaveLength(1);
  });
});

describe('what does not fit is said in a sentence', () => {
  test('a file is missing, or is not of this run', async () => {
    const { delivered, keys: documents } = mail;
    const name = `${sha256Hex(PDF)}.pdf`;
    expect(await problemsOf({ ...delivered, files: new Map() }, documents)).toEqual([`the file ${name} is missing`]);
    const more = new Map([...delivered.files, ['other.pdf', Buffer.from(PDF)]]);
    expect(await problemsOf({ ...delivered, files: more }, documents)).toEqual([
      'the file other.pdf was not delivered by this run',
    ]);
    expect(await problemsOf({ ...delivered, files: null }, documents)).toEqual([]);
  });

  test('a key is missing', async () => {
    const name = [...mail.keys.keys()].find((each) => each.startsWith('decide-')) ?? '';
    const others = new Map([...mail.keys].filter(([each]) => each !== name));
    expect((await problemsOf(mail.delivered, others)).join()).toMatch(/line 5: decide has no key [0-9a-f]{32}$/);
  });

  test('the end of the evidence was cut off, so that it is that of no delivery', async () => {
    const lines = readChainText(mail.delivered.evidence, 'it').slice(0, -1);
    expect(await problemsOf({ ...mail.delivered, evidence: chainText(lines) }, mail.keys)).toEqual([
      'the evidence is not that of a delivery',
    ]);
  });

  test('a message of somebody else, with evidence of ours', async () => {
    const other = await deliveredMail(emailWith({ text: 'another mail' }));
    const [problem] = await problemsOf({ ...mail.delivered, message: other.delivered.message }, mail.keys);
    expect(problem).toMatch(
      /^the message is not the one that was rebuilt: its SHA-256 is [0-9a-f]{64}, and [0-9a-f]{64} was/,
    );
  });

  test('deliver lied: it put more than a seal in front of what was rebuilt', async () => {
    const begun = readChainText(mail.delivered.evidence, 'it').slice(0, 6);
    const { terminal } = await mail.rig.ledger(mail.runId);
    const sealedWith = async (front: string) => {
      const message = Buffer.concat([Buffer.from(front), mail.delivered.message]);
      const sealed = { sha256: sha256Hex(message), size: message.length };
      const change = { ledger: { terminal: { ...terminal, sealed } } };
      const lines = await forgedLines(mail.rig.ctx, mail.runId, [{ stage: 'deliver', change }], begun);
      return problemsOf({ ...mail.delivered, message, evidence: chainText(lines) }, mail.keys);
    };
    expect(await sealedWith('ARC-Seal: i=1; a=rsa-sha256;\r\n b=abc\r\n')).toEqual([]);
    for (const front of [
      'Subject: click here\r\n',
      'ARC-Seal: i=1\r\nTo: you\r\n',
      'ARC-Seal: i=1\r\n\r\nwords\r\n',
      ' ',
    ])
      expect(await sealedWith(front)).toEqual(['the message is not what was rebuilt with a seal in front']);
  });

  test('rebuild lied: what it signed has a part that nobody judged', async () => {
    const begun = readChainText(mail.delivered.evidence, 'it').slice(0, 5);
    const evil = Buffer.from(
      Buffer.from(mail.delivered.message).toString('latin1').replace('--b1--', '--b1\r\n\r\nmore\r\n--b1--'),
    );
    const { parts, terminal } = await mail.rig.ledger(mail.runId);
    const forged: Forged[] = [
      {
        stage: 'rebuild',
        change: {
          ledger: { rebuilt: { sha256: sha256Hex(evil), size: evil.length } },
          parts: parts.map(({ path, disposition, delivered }) => ({ path, disposition, delivered })),
        },
      },
      { stage: 'deliver', change: { ledger: { terminal } } },
    ];
    const lines = await forgedLines(mail.rig.ctx, mail.runId, forged, begun);
    expect(await problemsOf({ ...mail.delivered, message: evil, evidence: chainText(lines) }, mail.keys)).toEqual([
      'the message, read again, does not have the 3 parts that the evidence names',
    ]);
  });
});
