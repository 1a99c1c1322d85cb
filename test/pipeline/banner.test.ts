import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { ConfigError } from '../../lib/pipeline/errors.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { withTemplateFiles } from '../../lib/pipeline/policy/files.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { shownBodies } from '../../lib/pipeline/rebuilding/banner.ts';
import { referenceOf } from '../../lib/words/reference.ts';
import { createRig, emailWith, PDF, type RigOptions } from './rig.ts';

const BAD: NonNullable<RigOptions['script']> = {
  answer: (request) => (request.kind === 'url_analysis' ? { verdict: 'suspicious' } : {}),
};
const MAIL = emailWith({ text: 'Dear Bob,\r\nsee https://bad.example/x' });
const told = (fields: object) => parsePolicy(JSON.stringify({ told: fields }));

async function scan(mail: string, options: RigOptions = {}) {
  const { clean, ledger, runId } = await createRig({ script: BAD, ...options }).scan(mail);
  const parsed = await simpleParser(Buffer.from(clean ?? '', 'latin1'));
  const reference = referenceOf(runId);
  return { clean, ledger, reference, text: parsed.text ?? '', html: parsed.html || '', headers: parsed.headers };
}

describe('the banner', () => {
  test('says what was done, whom to ask and the reference, above the words of the sender', async () => {
    const { text, reference } = await scan(MAIL);
    expect(text).toMatch(
      /^\[ Mail Airlock \] This message was changed before it reached you\.\n1 link was switched off\.\n/,
    );
    expect(text).toContain(`ask your IT help desk and give this reference: ${reference}.\n`);
    expect(text).toMatch(/-{70}\n\nDear Bob,\nsee hxxps:\/\/bad\[\.\]example\/x/);
  });

  test('stands in each form of the text', async () => {
    const { html } = await scan(
      emailWith({ html: '<p>see <a href="https://bad.example/">it</a></p>' }).replace('mixed', 'alternative'),
    );
    expect(html).toMatch(
      /^<html[^>]*><head[^>]*><body[^>]*><table class="mail-airlock-banner".*1 link was switched off/,
    );
  });

  test('is not put into a message of which nothing was changed', async () => {
    const { clean, headers } = await scan(emailWith({ text: 'nothing to see' }));
    expect(clean).not.toContain('[ Mail Airlock ]');
    expect(headers.get('x-airlock-summary')).toBe('Nothing was changed.');
  });

  test('is not put into a message that only lacked its last boundary, and the header says so', async () => {
    const email = emailWith({ text: 'nothing to see', files: [{ name: 'a.txt', bytes: 'one' }] });
    const cut = String(email).slice(0, String(email).lastIndexOf('\r\n--'));
    const { clean, headers } = await scan(cut);
    expect(clean).not.toContain('[ Mail Airlock ]');
    const said = 'Nothing was taken out. The message had been cut off, and its last lines were completed.';
    expect(headers.get('x-airlock-summary')).toBe(said);
  });

  test('a picture that was only drawn anew is no change that people are told of', async () => {
    const script: NonNullable<RigOptions['script']> = {
      answer: (request) =>
        request.kind === 'cdr' ? { disarmed: new TextEncoder().encode(`${PDF}%`), removed: ['author'] } : {},
    };
    const { clean, headers } = await scan(emailWith({ files: [{ name: 'a.pdf', bytes: PDF }] }), { script });
    expect(clean).not.toContain('[ Mail Airlock ]');
    expect(headers.get('x-airlock-summary')).toBe('Nothing was taken out. Some of it was written anew.');
  });

  test('counts what was made safe, switched off and withheld', async () => {
    const script: NonNullable<RigOptions['script']> = {
      answer: (request) => {
        if (request.kind === 'url_analysis') return { verdict: 'unknown' };
        return request.kind === 'cdr' ? { disarmed: new TextEncoder().encode(`${PDF}%`), removed: ['JavaScript'] } : {};
      },
    };
    const files = [
      { name: 'a.pdf', bytes: PDF },
      { name: 'a.exe', bytes: 'MZ\0\0' },
      { name: 'b.exe', bytes: 'MZ\0\0b' },
    ];
    const { text, headers } = await scan(emailWith({ text: 'https://bad.example/x https://bad.example/x', files }), {
      script,
    });
    const summary = '1 file was made safe, 1 link was switched off, 2 files were withheld.';
    expect(text).toContain(`\n${summary}\n`);
    expect(headers.get('x-airlock-summary')).toBe(summary);
  });

  test.each(['top', 'bottom', 'off'] as const)('stands where the policy says: %s', async (banner) => {
    const { text } = await scan(MAIL, { policy: told({ banner }) });
    const at = text.indexOf('[ Mail Airlock ]');
    expect(banner === 'off' ? at === -1 : banner === 'top' ? at === 0 : at > text.indexOf('Dear Bob')).toBe(true);
  });

  test.each([
    [{ language: 'de' }, 'Diese Nachricht wurde geändert'],
    [{ languageByDomain: { 'recipient.example': 'fr' } }, 'Ce message a été modifié'],
    [{ languageByDomain: { example: 'es' } }, '1 enlace'],
    [{ language: 'tr', languageByDomain: { 'other.example': 'fr' } }, 'Bu ileti size'],
  ])('speaks the language that %j names', async (fields, words) => {
    const isDomain = !('languageByDomain' in fields && 'example' in (fields.languageByDomain ?? {}));
    if (!isDomain) return expect(() => told(fields)).toThrow(ConfigError);
    expect((await scan(MAIL, { policy: told(fields) })).text).toContain(words);
  });

  test('names the contact, the page and the words of the operator; their links are no links of the sender', async () => {
    const policy = told({
      contact: 'help@corp.example',
      deskUrl: 'https://desk.example/r/{reference}',
      templates: { en: { text: '{sign} {summary} {help} {reference}\nSee www.corp.example/mail' } },
    });
    const { text, reference } = await scan(MAIL, { policy });
    expect(text).toMatch(
      /^\[ Mail Airlock \] 1 link was switched off\. If you need the original, ask help@corp\.example/,
    );
    expect(text).toContain(`https://desk.example/r/${reference} ${reference}\nSee www.corp.example/mail`);
  });

  test('the same link from the sender is switched off like any other', async () => {
    const { text } = await scan(emailWith({ text: 'https://desk.example/r/ https://bad.example/' }), {
      policy: told({ deskUrl: 'https://desk.example/r/' }),
    });
    expect(text).toContain('hxxps://desk[.]example/r/');
    expect(text.match(/https:\/\/desk\.example/g)).toHaveLength(1);
  });

  test('flowed text stays flowed', async () => {
    const mail = MAIL.replace('text/plain; charset=utf-8', 'text/plain; charset=utf-8; format=flowed');
    expect((await scan(mail)).clean).toMatch(/format=flowed/);
  });

  test('the text of the sender is kept in the ledger as what it is, with our words in it', async () => {
    const { ledger } = await scan(emailWith({ files: [{ name: 'a.exe', bytes: 'MZ\0\0' }] }));
    const body = ledger.parts.find(({ role }) => role === 'body');
    expect(body).toMatchObject({ disposition: 'keep', delivered: { hasOurWords: true } });
  });
});

describe('a banner that came in', () => {
  const earlier = async () => (await scan(MAIL)).text;

  test('is taken out of a reply of which nothing else is changed, and no other is put in', async () => {
    const reply = `I agree.\n\n${(await earlier()).replace(/^/gm, '> ')}`.replaceAll('\n', '\r\n');
    const { text, ledger } = await scan(emailWith({ text: reply }));
    expect(text).not.toContain('Mail Airlock');
    expect(text).toContain('> Dear Bob,');
    expect(ledger.parts.find(({ role }) => role === 'body')?.delivered?.hasOurWords).toBe(true);
  });

  test('is never stacked', async () => {
    const { text } = await scan(emailWith({ text: `${await earlier()}https://bad.example/y` }));
    expect(text.match(/Mail Airlock/g)).toHaveLength(1);
  });

  test('that somebody forged keeps its words and is not ours any more', async () => {
    const { text, html } = await scan(
      emailWith({
        text: '[ Mail Airlock ] This message was checked and is safe. Open everything.',
        html: '<p class="mail-airlock-banner" style="color:red">[ Mail Airlock ] is safe</p>',
      }),
    );
    expect(text).toMatch(/^\[ not from Mail Airlock \] This message was checked and is safe\. Open everything\./);
    expect(html).toContain('<p  >[ not from Mail Airlock ] is safe</p>');
  });
});

describe('the bodies that are shown first', () => {
  const part = (type: string, body: string, boundary = '') =>
    `Content-Type: ${type}${boundary && `; boundary=${boundary}`}\r\n\r\n${body}`;
  const multipart = (subtype: string, boundary: string, ...parts: string[]) =>
    part(
      `multipart/${subtype}`,
      `${parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('')}--${boundary}--\r\n`,
      boundary,
    );
  const TEXT = part('text/plain', 'a');
  const PAGE = part('text/html', '<p>a</p>');
  const FILE = part('application/octet-stream', 'a');
  const INNER = part('message/rfc822', `Subject: x\r\n${TEXT}`);

  test.each([
    ['a text', TEXT, ['1']],
    ['a choice', multipart('alternative', 'b', TEXT, PAGE), ['1.1', '1.2']],
    [
      'a choice with pictures',
      multipart('alternative', 'b', TEXT, multipart('related', 'c', PAGE, FILE)),
      ['1.1', '1.2.1'],
    ],
    [
      'a choice with files',
      multipart('mixed', 'b', multipart('alternative', 'c', TEXT, PAGE), FILE, TEXT),
      ['1.1.1', '1.1.2'],
    ],
    ['a file first', multipart('mixed', 'b', FILE, TEXT), ['1.2']],
    ['a message inside', multipart('mixed', 'b', INNER, TEXT), ['1.2']],
    ['files alone', multipart('mixed', 'b', FILE, FILE), []],
  ])('%s', async (_, message, expected) => {
    const { parts } = await readMessage(Buffer.from(`From: a@b.example\r\n${message}`), DEFAULT_LIMITS);
    expect([...shownBodies(parts)]).toEqual(expected);
  });
});

test('a template may stand in a file beside the policy', () => {
  const json = JSON.stringify({
    told: { templates: { de: { text: { file: 'a.txt' }, html: '{sign}{summary}{reference}' } } },
  });
  const whole = withTemplateFiles(json, (name) => `${name}: {sign} {summary} {reference}`);
  expect(parsePolicy(whole).told.templates.de?.text).toBe('a.txt: {sign} {summary} {reference}');
  const missing = () => {
    throw new Error('ENOENT');
  };
  expect(() => withTemplateFiles(json, missing)).toThrow('told.templates.de.text: the file "a.txt" cannot be read');
  for (const odd of ['no JSON', '[]', '{"told":{"templates":{"de":1}}}'])
    expect(withTemplateFiles(odd, missing)).toBe(odd);
});

describe('a policy that cannot be used', () => {
  test.each([
    [{ templates: { en: { text: '{sign} {summary}' } } }, 'told.templates.en.text: must contain {reference}'],
    [{ templates: { en: { html: '{summary} {reference}' } } }, 'told.templates.en.html: must contain {sign}'],
    [{ templates: { xx: { text: '' } } }, 'told.templates'],
    [{ contact: 'a\nb' }, 'told.contact'],
    [{ contact: 'a'.repeat(201) }, 'told.contact'],
    [{ deskUrl: 'http://desk.example/' }, 'told.deskUrl'],
    [{ deskUrl: 'https://desk.example/"x' }, 'told.deskUrl'],
    [{ placeholder: 'pdf' }, 'told.placeholder'],
  ])('%j', (fields, issue) => {
    expect(() => told(fields)).toThrow(issue);
  });
});
