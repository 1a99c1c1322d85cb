import { describe, expect, test } from 'vitest';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { buildPng } from '../fixtures/build-image.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { createRig, emailWith, type RigOptions } from './rig.ts';

const ledgerOf = async (mail: string, options: RigOptions = {}) => (await createRig(options).scan(mail)).ledger;
const codesOf = (ledger: { warnings: readonly { code: string }[] }) => ledger.warnings.map(({ code }) => code);
const blocking = (verdict: 'suspicious' | 'malicious'): RigOptions => ({
  script: { answer: ({ kind }) => (kind === 'url_analysis' ? { verdict } : {}) },
});
const pdf = (url: string) => ({ name: 'a.pdf', type: 'application/pdf', bytes: buildPdf({ links: [url] }) });
const withHeader = (mail: string, header: string) => `${header}\r\n${mail}`;

test('lists a rewritten link and its target, each as an artifact of its own', async () => {
  const wrapped = 'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Finner.example%2Fx';
  const ledger = await ledgerOf(emailWith({ html: `<a href="${wrapped}">x</a>` }));
  expect(ledger.urls.map(({ normalised, unwrapped }) => [normalised, unwrapped])).toEqual([
    [wrapped, ['https://inner.example/x']],
    ['https://inner.example/x', []],
  ]);
  expect(ledger.artifacts.filter(({ type }) => type === 'url')).toHaveLength(2);
});

test('keeps the address a link shows, and warns once per part', async () => {
  const link = '<a href="https://evil.example/x">https://bank.example/</a>';
  const ledger = await ledgerOf(emailWith({ html: link + link }));
  expect(ledger.urls[0]).toMatchObject({ where: 'attribute', untrustedShown: 'https://bank.example/' });
  expect(ledger.warnings.filter(({ code }) => code === 'link_text_differs')).toEqual([
    { code: 'link_text_differs', path: ledger.urls[0]?.path, detail: '2 links show one address and lead to another' },
  ]);
});

test('judges links that a click opens before URLs in text', async () => {
  const html =
    '<p>https://text.example/</p><img src="https://picture.example/"><p>hxxps://respelled.example/</p><a href="https://click.example/">x</a>';
  const ledger = await ledgerOf(emailWith({ html }), { limits: { urls: 2 } });
  expect(ledger.urls.map(({ normalised }) => normalised)).toEqual([
    'https://picture.example/',
    'https://click.example/',
  ]);
  expect(ledger.urlsOverLimit).toBe(2);
});

test('finds the links of headers and of files', async () => {
  const mail = withHeader(
    emailWith({ text: 'x', files: [pdf('https://pdf.example/')] }),
    'List-Unsubscribe: <https://list.example/>',
  );
  const places = (await ledgerOf(mail)).urls.map(({ normalised, where, path }) => [normalised, where, path]);
  expect(places).toEqual([
    ['https://list.example/', 'field', '1'],
    ['https://pdf.example/', 'document', '1.2'],
  ]);
});

describe('a blocked link', () => {
  test('in a file removes the file, and the message is delivered', async () => {
    const ledger = await ledgerOf(
      emailWith({ text: 'x', files: [pdf('https://bad.example/')] }),
      blocking('suspicious'),
    );
    expect(ledger.disposition).toBe('deliver');
    expect(ledger.parts.find(({ path }) => path === '1.2')?.disposition).toBe('remove');
    expect(ledger.artifacts.find(({ typeGroup }) => typeGroup === 'pdf')?.reasons.at(-1)).toMatch(/blocked address/);
  });

  test.each(['From: "https://bad.example/" <a@b.example>', 'Reply-To: "see https://bad.example/x" <a@b.example>'])(
    'in an address field holds the message: %s',
    async (field) => {
      const { reasons } = await ledgerOf(withHeader(emailWith({ text: 'x' }), field), blocking('suspicious'));
      expect(reasons.map(({ code }) => code)).toContain('blocked_link_in_header');
    },
  );

  test.each([
    'List-Unsubscribe: <https://bad.example/>',
    'List-Unsubscribe: <https://bad.example/a\r\n /b>',
    'X-Mailer: Letters (https://bad.example/)',
    'Received: from x (http://bad.example/ [198.51.100.7]) by y',
    'Comments: =?utf-8?B?aHR0cHM6Ly9iYWQuZXhhbXBsZS8=?=',
  ])('in another header field goes with it, and the message is delivered: %s', async (field) => {
    const rig = createRig(blocking('suspicious'));
    const { ledger, clean } = await rig.scan(withHeader(emailWith({ text: 'x' }), field));
    expect(ledger.disposition).toBe('deliver');
    expect(clean).not.toContain(field.slice(0, field.indexOf(':') + 1));
    expect(ledger.warnings).toEqual([
      { code: 'header_removed', path: '1', detail: 'header fields that were left out: 1, written anew: 0' },
    ]);
  });

  test('in the subject is defanged', async () => {
    const rig = createRig(blocking('suspicious'));
    const { clean } = await rig.scan(emailWith({ text: 'x', subject: 'Pay at https://bad.example/ today' }));
    expect(clean).toContain('\r\nSubject: Pay at hxxps://bad[.]example/ [link switched off] today\r\n');
  });

  test('that is defanged stays as it is, every byte', async () => {
    const { ledger, clean } = await createRig(blocking('suspicious')).scan(
      emailWith({ text: 'hxxps://bad[.]example/' }),
    );
    expect(ledger.parts.at(-1)?.disposition).toBe('keep');
    expect(clean).toContain('hxxps://bad[.]example/');
  });

  test('behind a rewritten link defangs the rewritten link', async () => {
    const wrapped = 'https://www.google.com/url?q=https%3A%2F%2Fbad.example%2F';
    const answer: RigOptions = {
      script: {
        answer: (request) =>
          request.kind === 'url_analysis' && request.url.includes('//bad') ? { verdict: 'suspicious' } : {},
      },
    };
    const { clean } = await createRig(answer).scan(emailWith({ text: `see ${wrapped}` }));
    expect(clean).not.toContain('google.com/url');
  });
});

test('says which pictures were not searched for codes, where nothing can read them', async () => {
  const ledger = await ledgerOf(
    emailWith({ text: 'x', files: [{ name: 'a.png', type: 'image/png', bytes: buildPng({ width: 40, height: 40 }) }] }),
    { codes: null },
  );
  expect(codesOf(ledger)).toEqual(['urls_not_searched']);
});

test('reads codes when there is a code reader', async () => {
  const codes = { read: async () => ({ outcome: 'read' as const, untrustedTexts: ['https://code.example/'] }) };
  const files = [{ name: 'a.png', type: 'image/png', bytes: buildPng({ width: 40, height: 40 }) }];
  const ledger = await ledgerOf(emailWith({ text: 'x', files }), { codes });
  expect(ledger.urls).toMatchObject([{ normalised: 'https://code.example/', where: 'code' }]);
  expect(codesOf(ledger)).toEqual([]);
});

describe('links beyond those that are analysed', () => {
  const limits = { urls: 3 };
  const hosts = (count: number) => Array.from({ length: count }, (_, index) => `https://u${index}.example/`);

  test('are defanged in a text and a page, and the others stay', async () => {
    const html = hosts(5).map((url) => `<a href="${url}">x</a>`);
    const { ledger, clean } = await createRig({ limits }).scan(
      emailWith({ text: hosts(4).join(' '), html: html.join('') }),
    );
    expect([ledger.disposition, codesOf(ledger)]).toEqual(['deliver', ['links_not_analysed', 'links_not_analysed']]);
    const delivered = (clean ?? '').replace(/^[A-Za-z0-9+/=\r\n]{50,}$/gm, (text) =>
      Buffer.from(text, 'base64').toString(),
    );
    expect(delivered).toContain('<a href="https://u2.example/">x</a><a style="color:#5f6368;');
    expect(delivered).toContain('> [link switched off: hxxps://u3[.]example/]</span>');
    expect(delivered).toContain('https://u2.example/ hxxps://u3[.]example/ [link switched off]');
  });

  test('leave every host one that is analysed', async () => {
    const flood = [1, 2, 3, 4].map((each) => `https://flood.example/${each}`);
    const { urls } = await ledgerOf(
      emailWith({ text: [...flood, 'https://b.example/', 'https://c.example/'].join(' ') }),
      {
        limits,
      },
    );
    expect(urls.map(({ normalised }) => normalised)).toEqual([flood[0], 'https://b.example/', 'https://c.example/']);
  });

  test('take the file with them that they cannot be taken out of', async () => {
    const mail = emailWith({ text: hosts(3).join(' '), files: [pdf('https://u9.example/')] });
    const judgedLast = emailWith({
      html: hosts(3)
        .map((url) => `<a href="${url}">x</a>`)
        .join(''),
      files: [pdf('https://u9.example/')],
    });
    expect((await ledgerOf(judgedLast, { limits })).parts.map(({ disposition }) => disposition)).toContain('remove');
    expect((await ledgerOf(mail, { limits: { urls: 4 } })).parts.map(({ disposition }) => disposition)).not.toContain(
      'remove',
    );
  });

  test('hold the message when policy says so', async () => {
    const policy = parsePolicy('{"message":{"linksOverBudget":"quarantine"}}');
    const { reasons } = await ledgerOf(emailWith({ text: hosts(4).join(' ') }), { limits, policy });
    expect(reasons.map(({ code }) => code)).toEqual(['links_not_analysed']);
  });

  test('hold it in an address field, and in more parts than are listed', async () => {
    const html = hosts(3)
      .map((url) => `<a href="${url}">x</a>`)
      .join('');
    const from = emailWith({ html }).replace('From: Ana', 'From: "https://u9.example/"');
    expect((await ledgerOf(from, { limits })).reasons.map(({ code }) => code)).toEqual(['urls_over_limit']);
    const files = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        name: `${index}.txt`,
        type: 'text/plain',
        bytes: `https://v${index}.example/`,
      }));
    expect((await ledgerOf(emailWith({ html, files: files(10) }), { limits })).reasons).toEqual([]);
    const held = await ledgerOf(emailWith({ html, files: files(11) }), { limits });
    expect(held.reasons.map(({ code }) => code)).toEqual(['urls_over_limit']);
  });
});
