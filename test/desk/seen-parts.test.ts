/** What a page that is a file shows of the parts of a mail: pictures that were drawn here and texts, original and delivered side by side. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { cloudPreview } from '../../lib/desk/cloud/preview.ts';
import { createDrawings } from '../../lib/desk/mail/drawings.ts';
import { mailFile } from '../../lib/desk/mail/file.ts';
import { type KeptPageContext, keepMailPage } from '../../lib/desk/mail/kept-page.ts';
import { preview } from '../../lib/desk/mail/preview.ts';
import { type DrawSmall, SEEN_LIMITS, seenPartsOf } from '../../lib/desk/mail/seen-parts.ts';
import { runWords } from '../../lib/desk/sentence.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { runEvent } from '../../lib/pipeline/results/run-event.ts';
import { PreviewAnswer, type PreviewRequest } from '../../lib/pipeline/review/preview-request.ts';
import { createRig, emailWith, PDF } from '../pipeline/rig.ts';
import { openDesk } from './desk-rig.ts';
import { elementsOf, readableText } from './inert-page.ts';

const pictureOf = (background: string, width = 900) =>
  sharp({ create: { width, height: 300, channels: 3, background } })
    .png()
    .toBuffer();
const [RED, BLUE] = [await pictureOf('#ff0000'), await pictureOf('#0000ff')];
const HOSTILE = '<script>alert(1)</script> <img src=x onerror=alert(2)> https://evil.example/x';

/** The pictures on a page, decoded. */
async function picturesOn(page: string) {
  const sources = elementsOf(page)
    .filter(({ name }) => name === 'img')
    .map(({ attributes }) => attributes.find(({ name }) => name === 'src')?.value ?? '');
  return Promise.all(
    sources.map(async (source) => {
      const [, base64 = ''] = /^data:image\/png;base64,([A-Za-z0-9+/]+=*)$/.exec(source) ?? [];
      const { data, info } = await sharp(Buffer.from(base64, 'base64')).raw().toBuffer({ resolveWithObject: true });
      return { width: info.width, red: data[0] === 255, blue: data[2] === 255 };
    }),
  );
}

const withoutPictures = (page: string) => page.replace(/data:image\/png;base64,[A-Za-z0-9+/=]+/g, '');

describe('a page that the desk gives as a file', () => {
  test('has pictures inside, smaller than they came, and its policy lets in nothing else', async () => {
    const desk = await openDesk();
    const mail = emailWith({ text: 'Hello', files: [{ name: 'red.png', bytes: RED }] });
    const page = await (await desk.get(`/mails/${await desk.scan(mail)}/report.html`)).text();
    const pictures = await picturesOn(page);
    expect(pictures.length).toBeGreaterThan(0);
    expect(pictures.every(({ width, red }) => width === 640 && red)).toBe(true);
    const policies = elementsOf(page).flatMap(({ attributes }) =>
      attributes.some(({ value }) => value === 'Content-Security-Policy')
        ? attributes.filter(({ name }) => name === 'content').map(({ value }) => value)
        : [],
    );
    expect(policies).toEqual([
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    ]);
    expect(Buffer.byteLength(withoutPictures(page))).toBeLessThanOrEqual(100_000);
  });

  test('shows the text of the message inert on both sides', async () => {
    const desk = await openDesk();
    const runId = await desk.scan(emailWith({ text: HOSTILE, files: [{ name: 'a.pdf', bytes: PDF }] }));
    const page = await (await desk.get(`/mails/${runId}/report.html`)).text();
    const names = new Set(elementsOf(page).map(({ name }) => name));
    expect([names.has('script'), names.has('a'), names.has('iframe')]).toEqual([false, false, false]);
    expect(readableText(page)).toContain('<script>alert(1)</script>');
    expect(page).not.toContain('https://evil.example');
    expect(page.indexOf('As it came')).toBeGreaterThan(page.indexOf('<h2>Before and after</h2>'));
    expect(page).toContain('It cannot be shown');
  });
});

describe('the parts of a mail', () => {
  const many = Array.from({ length: 11 }, (_, at) => ({ name: `${at}.png`, bytes: at % 2 ? RED : BLUE }));
  const painted =
    (bytes: number): DrawSmall =>
    async () => ({ outcome: 'drawn', pictures: [new Uint8Array(bytes)], untrustedText: '' });
  const never = () => false;

  async function ledgerOf(files = many) {
    return (await createRig({ script: { polls: 0 } }).scan(emailWith({ text: 'Hello', files }))).ledger;
  }

  test('are at most so many, and the page says how many more there are', async () => {
    const ledger = await ledgerOf();
    const seen = await seenPartsOf(ledger, runWords('en'), { draw: painted(9), isOver: never });
    expect([seen.parts.length, seen.left]).toEqual([SEEN_LIMITS.parts, 12 - SEEN_LIMITS.parts]);
    expect(mailFile(ledger, null, 'en', { seen })).toContain(`<p class="more">+ ${seen.left}</p>`);
  });

  test('take at most so many bytes', async () => {
    const bytes = SEEN_LIMITS.pictureBytes / 4 + 1;
    const seen = await seenPartsOf(await ledgerOf(), runWords('en'), { draw: painted(bytes), isOver: never });
    const sides = seen.parts.flatMap(({ before, after }) => [before, after]);
    const sum = sides.filter((side) => side !== null && typeof side !== 'string').length * bytes;
    expect([seen.parts.length > 0, sum <= SEEN_LIMITS.pictureBytes, seen.parts.length + seen.left]).toEqual([
      ...[true, true, 12],
    ]);
  });

  test('are not drawn when it took too long already', async () => {
    let draws = 0;
    const draw: DrawSmall = async () => {
      draws += 1;
      return null;
    };
    const seen = await seenPartsOf(await ledgerOf(), runWords('en'), { draw, isOver: () => draws > 2 });
    expect([seen.parts.length + seen.left, draws < 6]).toEqual([12, true]);
  });

  test('that nothing takes the place of say so', async () => {
    const answer = (request: object) =>
      'filename' in request && String(request.filename).endsWith('.pdf') ? { verdict: 'malicious' as const } : {};
    const rig = createRig({ script: { polls: 0, answer } });
    const { ledger } = await rig.scan(emailWith({ files: [{ name: 'a.pdf', bytes: PDF }] }));
    const seen = await seenPartsOf(ledger, runWords('en'), { draw: painted(9), isOver: never });
    expect(mailFile(ledger, null, 'en', { seen })).toContain('Nothing takes its place');
  });
});

describe('the page beside a chain', () => {
  async function kept(isBroken: boolean) {
    const rig = createRig({ script: { polls: 0 } });
    const files = [{ name: 'red.png', bytes: RED }];
    const { runId, ledger } = await rig.scan(emailWith({ text: 'Hello', files }));
    const asked: PreviewRequest[] = [];
    const failures: unknown[] = [];
    const drawings = createDrawings(rig.blobs);
    const parts = cloudPreview({
      preview: async (request) => {
        asked.push(request);
        if (isBroken) throw new Error('away');
        return PreviewAnswer.parse(await preview({ ctx: rig.ctx, drawings }, request));
      },
      onFailure: (error) => void failures.push(error),
    });
    const newDrawing = () => ({ draw: parts.drawnSmall, isOver: () => false });
    const ctx: KeptPageContext = { ...rig.ctx, language: 'en', headerOf: parts.headerOf, newDrawing };
    await keepMailPage(ctx, runEvent(rig.ctx, ledger, { bucket: 'clean', keys: [] }), 1);
    await drawings.close();
    const page = await rig.blobs.get('work', keys.mailPage(runId), { maxBytes: 4_000_000 });
    return { page: Buffer.from(page).toString(), asked, failures };
  }

  test('has pictures that another function has drawn, which was told of no bytes and no key', async () => {
    const { page, asked, failures } = await kept(false);
    expect((await picturesOn(page)).every(({ red }) => red)).toBe(true);
    expect((await picturesOn(page)).length).toBeGreaterThan(0);
    expect(failures).toEqual([]);
    for (const request of asked.filter(({ what }) => what === 'drawn'))
      expect(Object.keys(request).sort()).toEqual(['isSmall', 'page', 'path', 'runId', 'side', 'what']);
  });

  test('is there without them when that function does not answer', async () => {
    const { page, failures } = await kept(true);
    expect([await picturesOn(page), failures.length > 0, page.includes('It cannot be shown')]).toEqual([
      ...[[], true, true],
    ]);
  });
});
