/** Delivered messages are sealed with ARC (RFC 8617). mailauth verifies the seals, and makes those that come in. */
import { generateKeyPairSync } from 'node:crypto';
import { arc, sealMessage } from 'mailauth/lib/arc/index.js';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { describe, expect, test } from 'vitest';
import { keys } from '../../lib/pipeline/keys.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { createSealer } from '../../lib/storage/seal-key.ts';
import { nextRsaKeys } from '../runner/rsa-keys.ts';
import { createRig, emailWith, type RigOptions } from './rig.ts';

function newKey({ privateKey, publicKey } = nextRsaKeys()) {
  const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
  return { pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), record };
}

const own = newKey();
const other = newKey();
/** The whole DNS of these tests. */
const DNS: Readonly<Record<string, string>> = {
  'arc1._domainkey.airlock.example': own.record,
  's1._domainkey.list.example': other.record,
};
const resolver = async (name: string) => {
  const record = DNS[name];
  if (record === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
  return [[record]];
};

const policy = parsePolicy(
  JSON.stringify({
    authentication: {
      servers: ['mx.airlock.example'],
      seal: { domain: 'airlock.example', selector: 'arc1', server: 'airlock.example' },
    },
  }),
);
const sealer = createSealer(async () => own.pem);
const SEALED: RigOptions = { policy, sealer };

const found = (results: string, server = 'mx.airlock.example') => `Authentication-Results: ${server}; ${results}\r\n`;
const FOUND = found('spf=pass smtp.mailfrom=ana@sender.example; dkim=pass (2048-bit key) header.d=sender.example');
const LETTER = emailWith({ text: 'Hello Bob,\r\n\r\nsee  you \t soon.  \r\n\r\n\r\n' });

/** What mailauth says of the chain of a message. */
async function chainOf(message: string) {
  const { arc: chain } = (await dkimVerify(Buffer.from(message, 'latin1'), { resolver })) as never as { arc: object };
  const { status, i } = (await arc(chain as never, { resolver } as never)) as never as {
    status: { result: string; comment?: string };
    i: number;
  };
  return { result: status.result, ...(status.comment !== undefined && status.result !== 'pass' && status), i };
}

/** A message that a list has sealed. */
async function fromList(message: string, cv: 'none' | 'pass' | 'fail' = 'none', instance = 1): Promise<string> {
  const seal = { signingDomain: 'list.example', selector: 's1', privateKey: other.pem, i: instance, cv };
  const options = { ...seal, authResults: 'list.example; spf=pass', signTime: new Date('2026-11-20T10:00:00Z') };
  const fields = await sealMessage(Buffer.from(message, 'latin1'), options as never);
  return `${fields.toString('latin1')}${message}`;
}

async function delivered(message: string, options: RigOptions = SEALED) {
  const rig = createRig(options);
  const scanned = await rig.scan(Buffer.from(message, 'latin1'));
  expect(scanned.ledger.terminal?.state).toBe('delivered');
  const why = scanned.ledger.warnings.filter(({ code }) => code === 'not_sealed').map(({ detail }) => detail);
  return { ...scanned, rig, clean: scanned.clean as string, why };
}

const setsIn = (message: string) => message.split('\r\n\r\n')[0]?.match(/^arc-seal:/gim)?.length ?? 0;

describe('a delivered message', () => {
  test('has a seal that verifies, in front of the bytes that were rebuilt', async () => {
    const { clean, ledger, rig, runId } = await delivered(FOUND + LETTER);
    expect(await chainOf(clean)).toEqual({ result: 'pass', i: 1 });
    expect(clean).toMatch(/^ARC-Seal: i=1; a=rsa-sha256; d=airlock\.example; s=arc1; t=\d+; cv=none;\r\n b=/);
    expect(clean).toMatch(
      /^ARC-Authentication-Results: i=1; airlock\.example; spf=pass\r\n smtp\.mailfrom=ana@sender\.example; dkim=pass header\.d=sender\.example\r\n/m,
    );
    const rebuilt = Buffer.from(
      await rig.blobs.get('work', keys.rebuilt(runId, ledger.rebuilt?.sha256 ?? ''), { maxBytes: 1e6 }),
    ).toString('latin1');
    expect(clean.endsWith(rebuilt)).toBe(true);
    expect(ledger.terminal?.sealed?.size).toBe(clean.length);
  });

  test.each([
    ['another subject', (text: string) => text.replace('Subject: Files', 'Subject: Filed')],
    ['another body', (text: string) => text.replace('soon', 'noon')],
    ['other results', (text: string) => text.replace('dkim=pass', 'dkim=fail')],
    ['another sender', (text: string) => text.replace('From: Ana', 'From: Eva')],
  ])('does not verify any more with %s', async (_, change) => {
    const { clean } = await delivered(FOUND + LETTER);
    expect(change(clean)).not.toBe(clean);
    expect((await chainOf(change(clean))).result).toBe('fail');
  });

  test.each([
    ['lines that end in LF', (FOUND + LETTER).replaceAll('\r\n', '\n')],
    ['no result of a trusted server', LETTER],
    ['an empty body', 'From: ana@sender.example\r\nSubject: Hi\r\n\r\n'],
    ['a body without a line break at its end', 'From: ana@sender.example\r\nSubject: Hi\r\n\r\nHello'],
    ['two fields of one name, folds and blanks', `X-Mailer: a\r\nReferences: <a@b>\r\n\t  <c@d>\r\n${LETTER}`],
    ['letters beyond ASCII', emailWith({ subject: 'Gr\u00fc\u00dfe', text: 'Gr\u00fc\u00dfe' })],
  ])('verifies with %s', async (_, message) => {
    const { clean, why } = await delivered(message);
    expect({ ...(await chainOf(clean)), why }).toEqual({ result: 'pass', i: 1, why: [] });
  });

  test('verifies when something of it was changed, with the results that were found before', async () => {
    const script: RigOptions['script'] = {
      answer: ({ kind }) => (kind === 'url_analysis' ? { verdict: 'suspicious' } : {}),
    };
    const list = await fromList(emailWith({ text: 'See https://bad.example/x now' }));
    const { clean } = await delivered(found('dkim=pass header.d=sender.example; arc=pass') + list, {
      ...SEALED,
      script,
    });
    expect(clean).not.toContain('https://bad.example/x');
    // The seal of the list does not fit any more; ours does, and says that it did.
    expect(clean).toMatch(/^ARC-Seal: i=2; [^\r]*\r?\n? ?(?:[^\r]*)cv=pass/m);
    expect(await chainOf(clean)).toEqual({ result: 'pass', i: 2 });
  });

  test('is the same when the stage runs twice', async () => {
    const { clean } = await delivered(FOUND + LETTER);
    const again = await delivered(FOUND + LETTER);
    expect(again.clean).toBe(clean);
  });
});

describe('behind earlier sets', () => {
  test('that a trusted server found whole, the chain goes on', async () => {
    const { clean } = await delivered(found('arc=pass (i=1 spf=pass)') + (await fromList(LETTER)));
    expect(await chainOf(clean)).toEqual({ result: 'pass', i: 2 });
  });

  test('that a trusted server found broken, the seal says so', async () => {
    const { clean } = await delivered(found('arc=fail') + (await fromList(LETTER)));
    expect(clean).toContain('cv=fail');
    expect(setsIn(clean)).toBe(2);
  });

  test.each<[string, string, () => Promise<string>, string]>([
    ['no server says how they fared', found('dkim=pass'), () => fromList(LETTER), 'no server'],
    ['only a server of others says it', found('arc=pass', 'mx.evil.example'), () => fromList(LETTER), 'no server'],
    ['two say different things', found('arc=pass') + found('arc=fail'), () => fromList(LETTER), 'no server'],
    ['a comment says it', found('spf=pass (a (b); arc=pass )'), () => fromList(LETTER), 'no server'],
    ['a quoted text says it', found('spf=pass reason="; arc=pass "'), () => fromList(LETTER), 'no server'],
    ['a server says that there are none', found('arc=none'), () => fromList(LETTER), 'no server'],
    [
      'the newest says that the chain is broken',
      found('arc=fail'),
      async () => (await fromList(LETTER)).replace('cv=none', 'cv=fail'),
      'broken',
    ],
    [
      'a field is missing',
      found('arc=pass'),
      async () => (await fromList(LETTER)).replace(/^ARC-Authentication-Results:/im, 'X-Was:'),
      'not whole',
    ],
    ['a number comes twice', found('arc=pass'), async () => fromList(await fromList(LETTER)), 'not whole'],
    ['a number is missing', found('arc=pass'), () => fromList(LETTER, 'none', 2), 'not whole'],
    ['there are fifty', found('arc=pass'), async () => fifty() + LETTER, '50 sets'],
  ])('nothing is sealed when %s, and a warning says why', async (_, results, message, warning) => {
    const before = await message();
    const { clean, why } = await delivered(results + before);
    expect(setsIn(clean)).toBe(setsIn(before));
    expect(why).toEqual([expect.stringContaining(warning)]);
  });
});

/** Fifty sets, of which nobody looks at the signatures. */
const fifty = () =>
  Array.from({ length: 50 }, (_, index) =>
    ['ARC-Seal', 'ARC-Message-Signature', 'ARC-Authentication-Results']
      .map((name) => `${name}: i=${50 - index}; a=rsa-sha256; cv=pass\r\n`)
      .join(''),
  ).join('');

describe('the key', () => {
  test('that is missing leaves the message as it was rebuilt, and the log says so', async () => {
    const logged: unknown[] = [];
    const log = {
      info: () => {},
      warn: (message: string, { fault }: Record<string, unknown>) => void logged.push([message, fault]),
    };
    const { clean, ledger } = await delivered(FOUND + LETTER, { policy, overrides: () => ({ log }) });
    expect(setsIn(clean)).toBe(0);
    expect(ledger.terminal?.sealed).toBeUndefined();
    // The alarm NotSealed counts these lines.
    expect(logged).toContainEqual(['not sealed', 'not_sealed']);
  });

  test('is used only when the policy asks for a seal', async () => {
    const { clean } = await delivered(FOUND + LETTER, { sealer });
    expect(setsIn(clean)).toBe(0);
  });

  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  test.each([
    ['is too short', newKey(generateKeyPairSync('rsa', { modulusLength: 1_024 })).pem, 'rsa with 1024 bits'],
    ['is of another kind', ed25519, 'ed25519'],
    ['is none', 'hunter2, and nothing else', 'something else'],
  ])('that %s is refused, with what to do, and without its text', async (_, pem, what) => {
    const refused = createSealer(async () => pem).sign(new Uint8Array());
    await expect(refused).rejects.toMatchObject({ name: 'ConfigError', message: expect.stringContaining(what) });
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('openssl genrsa') });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining(pem.slice(-60)) });
  });
});

describe('deliver distrusts what rebuild prepared', () => {
  test.each([
    ['another plan', (json: string) => json.replace('"cv":"none"', '"cv":"pass"')],
    ['a plan with a line of its own', (json: string) => json.replace('"results":[', '"results":["a=b\\r\\nBcc: x",')],
  ])('%s', async (_, change) => {
    let isRebuilt = false;
    const rig = createRig({
      ...SEALED,
      overrides: ({ blobs }) => ({
        blobs: {
          ...blobs,
          get: async (bucket, key, options) => {
            const bytes = await blobs.get(bucket, key, options);
            if (!isRebuilt || !key.endsWith('.seal.json')) return bytes;
            return Buffer.from(change(Buffer.from(bytes).toString()));
          },
        },
        log: {
          info: (_message, { stage }) => {
            if (stage === 'rebuild') isRebuilt = true;
          },
          warn: () => {},
        },
      }),
    });
    const { ledger, clean } = await rig.scan(Buffer.from(FOUND + LETTER, 'latin1'));
    expect({ state: ledger.terminal?.state, clean }).toEqual({ state: 'quarantined', clean: null });
  });
});

describe('the policy', () => {
  test.each([
    ['without servers', { seal: policy.authentication.seal }, 'needs authentication.servers'],
    [
      'with a selector that is none',
      { servers: ['a'], seal: { ...policy.authentication.seal, selector: 'a.b' } },
      'selector',
    ],
    ['with a domain that is none', { servers: ['a'], seal: { ...policy.authentication.seal, domain: 'x' } }, 'domain'],
  ])('%s is refused', (_, authentication, what) => {
    expect(() => parsePolicy(JSON.stringify({ authentication }))).toThrow(what);
  });

  test('as shipped seals nothing', () => {
    expect(DEFAULT_POLICY.authentication.seal).toBeNull();
  });
});
