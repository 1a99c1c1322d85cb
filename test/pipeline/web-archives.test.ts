/** Attached web archives: they are delivered as a page, hold no mail, and rebuild trusts no disarm about them. */
import { afterAll, describe, expect, test } from 'vitest';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { buildPng } from '../fixtures/build-image.ts';
import { ARCHIVE_TYPES, explorerArchive, WEB_ARCHIVES } from '../fixtures/build-web-archive.ts';
import { openAirlock } from '../hostile/attack/airlock-run.ts';
import { type Answer, createRig } from './rig.ts';

const airlock = openAirlock();
afterAll(async () => (await airlock).close());

/** A mail with one file, declared and encoded as given. */
function mailWith(content: string, [type, encoding]: readonly [string, string], name = 'saved.mht'): string {
  const body =
    encoding === 'base64' ? Buffer.from(content, 'latin1').toString('base64').replace(/.{76}/g, '$&\r\n') : content;
  return [
    'From: Ann <ann@sender.example>',
    'To: Bob <bob@rcpt.example>',
    'Subject: The page',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    '--outer',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Hello Bob, here is the page.',
    '--outer',
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    body,
    '--outer--',
    '',
  ].join('\r\n');
}

/** The text of the delivered file that follows the body. */
function pageIn(message: Uint8Array | string | null): string {
  const text = typeof message === 'string' ? message : Buffer.from(message ?? '').toString('latin1');
  const [head = '', ...body] = (text.split(/\r\n--[^\r\n]*\r\n/).at(2) ?? '').split('\r\n\r\n');
  const content = body.join('\r\n\r\n');
  return /base64/i.test(head) ? Buffer.from(content, 'base64').toString() : content;
}

describe.each(Object.entries(WEB_ARCHIVES))('a page that %s saved', (_program, archive) => {
  test.each(ARCHIVE_TYPES)('is delivered as a page when it is declared as %s in %s', async (type, encoding) => {
    const { state, message, why } = await (await airlock).scan(mailWith(archive(), [type, encoding]), 'a.eml');
    expect([state, why]).toEqual(['delivered', '']);
    expect(Buffer.from(message ?? '').toString('latin1')).toContain('filename="saved.html"');
    expect(pageIn(message)).toContain('word119');
    expect(pageIn(message)).toContain('data:image/png;base64,');
  });
});

test('a saved page that comes without a mail is a file, and is delivered as a page', async () => {
  for (const archive of Object.values(WEB_ARCHIVES)) {
    const { state, why, files } = await (await airlock).scan(archive(), 'saved.mht');
    expect([state, why]).toEqual(['delivered', '']);
    expect(files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([expect.stringContaining('word119')]);
  }
});

const AS_MESSAGE = ['message/rfc822', 'base64'] as const;
const LINK = 'http://bus.example/lines/next.html';
const page = (more = '') => Buffer.from(`<html><head></head><body><p>Timetable</p>${more}</body></html>`);
const dataUri = (bytes: Uint8Array) => `<img src="data:image/png;base64,${Buffer.from(bytes).toString('base64')}">`;

/** Sends an archive through the flow; its disarm gives back `disarmed`, and its picture and links are what is said here. */
async function deliver(disarmed: Uint8Array, told: { readonly picture?: Answer; readonly link?: Answer } = {}) {
  const answer = ({ kind, ...request }: { kind: string; filename?: string }): Answer => {
    if (kind === 'url_analysis') return told.link ?? {};
    if (request.filename?.endsWith('.mht') === true) return kind === 'cdr' ? { disarmed } : {};
    return request.filename?.endsWith('.png') === true ? (told.picture ?? {}) : {};
  };
  const rig = createRig({ policy: parsePolicy('{}'), script: { answer } });
  return rig.scan(mailWith(explorerArchive(), AS_MESSAGE));
}

describe('a blocked link in an archive', () => {
  test('is switched off in the page, which stays', async () => {
    const { ledger, clean } = await deliver(page(`<a href="${LINK}">Next page</a>`), {
      link: { verdict: 'suspicious' },
    });
    expect(ledger.disposition).toBe('deliver');
    expect(ledger.parts.find(({ path }) => path === '1.2')?.disposition).toBe('disarm');
    expect(pageIn(clean)).toContain('Next page');
    expect(pageIn(clean)).not.toContain(LINK);
  });

  test('and one that only its disarm wrote is switched off, too', async () => {
    const { clean } = await deliver(page('<a href="https://nobody.example/judged">new</a>'));
    expect(pageIn(clean)).toContain('new');
    expect(pageIn(clean)).not.toContain('https://nobody.example');
  });
});

describe('the disarm of an archive lies', () => {
  test.each([
    ['the archive itself', Buffer.from(explorerArchive())],
    ['a PDF', Buffer.from('%PDF-1.4\n%%EOF\n')],
    ['a program', Buffer.from('MZ\0\0')],
  ])('and gives back %s: nothing of it is delivered', async (_what, disarmed) => {
    const { clean } = await deliver(disarmed);
    expect(clean ?? '').not.toContain(disarmed.toString('base64').slice(0, 60));
    expect(clean ?? '').not.toContain('saved.mht"');
  });

  test('and the picture that must go is in the page: the archive goes as a whole', async () => {
    const picture = { verdict: 'malicious' } as const;
    const kept = await deliver(page(dataUri(buildPng())), { picture });
    expect(pageIn(kept.clean)).not.toContain('data:image');
    const other = await deliver(page(dataUri(Buffer.from('GIF89a another picture'))), { picture });
    expect(pageIn(other.clean)).not.toContain('data:image');
  });
});

describe('an archive that would stay as it is', () => {
  const harmless = [
    'From: <Saved by a browser>',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Timetable',
  ].join('\r\n');

  test('holds its mail under the type of a message, because some programs decode it and others do not', async () => {
    const { ledger } = await createRig().scan(mailWith(harmless, AS_MESSAGE));
    expect(ledger.reasons).toMatchObject([{ code: 'encoded_container' }]);
  });

  test('stays under the type of a file', async () => {
    const { ledger } = await createRig().scan(mailWith(harmless, ['application/octet-stream', 'base64']));
    expect(ledger.disposition).toBe('deliver');
    expect(ledger.parts.find(({ path }) => path === '1.2')?.disposition).toBe('keep');
  });
});

describe('only a saved page counts as one', () => {
  test.each([
    ['another name', 'saved.eml'],
    ['a second extension', 'saved.mht.exe'],
    ['no web archive in its name', 'saved.html'],
  ])('an encoded multipart with %s still holds its mail', async (_what, name) => {
    const mail = mailWith(explorerArchive(), ['multipart/related', 'base64'], name);
    expect((await (await airlock).scan(mail, 'a.eml')).state).toBe('quarantined');
  });

  test('an archive whose parts programs tell apart in two ways goes alone', async () => {
    const twice = explorerArchive().replace(
      'Content-Type: text/html',
      'Content-Type: text/plain\r\nContent-Type: text/html',
    );
    const { state, message } = await (await airlock).scan(mailWith(twice, AS_MESSAGE), 'a.eml');
    expect(state).toBe('delivered');
    expect(Buffer.from(message ?? '').toString()).toContain('saved.mht (withheld)');
  });
});
