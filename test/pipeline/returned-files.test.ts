/** A disarm service of others lies, or fails without saying so. Its reports are those of an honest one; only the file is another. */
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { disarmFile } from '../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { createSecondLook } from '../../lib/engines/returned/second-look.ts';
import type { Looked } from '../../lib/formats/returned-file.ts';
import { DEFAULT_POLICY, type Policy } from '../../lib/pipeline/policy/policy.ts';
import type { SecondLook } from '../../lib/pipeline/ports.ts';
import { buildDocm, buildDocx, buildZip, withDescriptors } from '../fixtures/build-office.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { packedPdf, packedStream } from '../fixtures/pdf-file.ts';
import { withoutEvidence } from './delivered-keys.ts';
import { createRig, emailWith } from './rig.ts';

const secondLook = createSecondLook();
afterAll(() => secondLook.close());

/** Soft spots of light and dark, as in a photograph. The number chooses the picture. */
function photo(number: number): Promise<Buffer> {
  const [width, height] = [120, 90];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 3; channel++)
        pixels[(y * width + x) * 3 + channel] =
          128 + 100 * Math.sin((x * number) / 23 + channel) * Math.cos((y * (number + 1)) / 19);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

const SENTENCES = Array.from({ length: 40 }, (_, index) => `line ${index} of the agreement between them`).join(' ');
const OTHERS = Array.from({ length: 40 }, (_, index) => `clause ${index + 900} says nothing like that here`).join(' ');

async function disarmed(bytes: Uint8Array, name: string) {
  const report = await disarmFile({ bytes, untrustedName: name, password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') return expect.fail(report.failure.message);
  return report;
}

/** One mail with one file, for which the service returns `returned` with the report that an honest disarm gives. */
async function send(name: string, original: Uint8Array, returned: Uint8Array, options: { policy?: Policy } = {}) {
  const honest = await disarmed(original, name);
  const kinds = (action: string) => honest.details.filter((each) => each.action === action).map(({ kind }) => kind);
  const report = { removed: kinds('removed'), sanitized: kinds('sanitized') };
  const answer = (request: { kind: string; filename?: string }) =>
    request.kind === 'cdr' && !/\.(?:txt|html)$/.test(request.filename ?? '') ? { ...report, disarmed: returned } : {};
  const rig = createRig({ secondLook, script: { answer }, ...options });
  const scanned = await rig.scan(emailWith({ files: [{ name, bytes: original }] }));
  const file = scanned.ledger.artifacts.find(({ typeGroup }) => typeGroup !== 'text');
  const part = scanned.ledger.parts.find(({ role }) => role === 'attachment');
  return { rig, ...scanned, file, part };
}

const padded = (bytes: Uint8Array, length: number, tail: string) =>
  Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length - tail.length), 0x20), Buffer.from(tail)]);
const half = (bytes: Uint8Array) => bytes.subarray(0, Math.floor(bytes.length / 2));

const pdf = buildPdf({ text: SENTENCES, javascript: true });
const safePdf = (await disarmed(pdf, 'a.pdf')).bytes;
const otherPdf = (await disarmed(buildPdf({ text: OTHERS }), 'a.pdf')).bytes;
const docx = await buildDocx({ body: `<w:p><w:r><w:t>${SENTENCES}</w:t></w:r></w:p>` });
const safeDocx = (await disarmed(docx, 'a.docx')).bytes;
const emptyDocx = (await disarmed(await buildDocx(), 'a.docx')).bytes;
const docm = await buildDocm();
const picture = await photo(1);
const safePicture = (await disarmed(picture, 'a.jpg')).bytes;
const zip = await buildZip([
  ['one.txt', 'one'],
  ['two.txt', 'two'],
]);
const safeZip = (await disarmed(zip, 'a.zip')).bytes;
const fullerZip = await buildZip([
  ['one.txt', 'one'],
  ['two.txt', 'two'],
  ['three.txt', 'three'],
]);
const safeFullerZip = (await disarmed(fullerZip, 'a.zip')).bytes;
const safeDocm = (await disarmed(docm, 'a.docm')).bytes;
const otherPicture = (await disarmed(await photo(4), 'a.jpg')).bytes;
const grey = sharp({ create: { width: 120, height: 90, channels: 3, background: '#777777' } });
const plainPicture = (await disarmed(await grey.jpeg().toBuffer(), 'a.jpg')).bytes;
const tail = Buffer.from(safePdf).toString('latin1').slice(-120);

/** Objects of a document of one page, with further objects from number 6 on. */
const page = (text: string, catalog = '', more: readonly string[] = []) => [
  `<< /Type /Catalog /Pages 2 0 R ${catalog}>>`,
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  packedStream(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`),
  ...more,
];
const SCRIPT = '<< /Type /Action /S /JavaScript /JS (app.alert\\("hello"\\)) >>';
const foreignPdf = packedPdf(page(SENTENCES));
const foreignLivePdf = packedPdf(page(SENTENCES, '/OpenAction 6 0 R ', [SCRIPT]));
const foreignHalfPdf = packedPdf(page(SENTENCES.slice(0, SENTENCES.length * 0.4)));
const foreignOtherPdf = packedPdf(page(OTHERS));
const macroZip = await buildZip([
  ['one.txt', 'one'],
  ['two.docm', docm],
]);
const flatZip = await buildZip([
  ['one.txt', 'one'],
  ['two.docm', safeDocm],
]);
const foreignDocx = await withDescriptors(docx);
const foreignDocm = await withDescriptors(docm);
const foreignZip = await withDescriptors(zip);
const foreignMacroZip = await withDescriptors(macroZip);
const foreignFullerZip = await withDescriptors(fullerZip);
const foreignEmptyDocx = await withDescriptors(await buildDocx());
const foreignFlatZip = await withDescriptors(flatZip);

describe('what an honest service returns is delivered', () => {
  test.each([
    ['a.pdf', pdf, safePdf],
    ['a.docx', docx, safeDocx],
    ['a.docm', docm, safeDocm],
    ['a.jpg', picture, safePicture],
    ['a.zip', zip, safeZip],
  ])('%s', async (name, original, returned) => {
    const { ledger, part } = await send(name, original, returned);
    expect(ledger.terminal?.state).toBe('delivered');
    expect(part?.disposition).not.toBe('remove');
  });
});

describe('what a service returns is not delivered when it is', () => {
  test.each<[string, string, Uint8Array, Uint8Array]>([
    ['half of the document, filled up to the right length', 'a.pdf', pdf, padded(half(safePdf), safePdf.length, '')],
    ['half of the document with the right end', 'a.pdf', pdf, padded(half(safePdf), safePdf.length, tail)],
    ['half of the document with an end mark', 'a.pdf', pdf, padded(half(safePdf), safePdf.length, '\n%%EOF\n')],
    ['the document of somebody else', 'a.pdf', pdf, otherPdf],
    ['the original document with its script', 'a.pdf', pdf, pdf],
    ['the original with its macro', 'a.docm', docm, docm],
    ['the original with its macro, under the name without', 'a.docx', docm, docm],
    ['a document without the text', 'a.docx', docx, emptyDocx],
    ['another type', 'a.pdf', pdf, safeDocx],
    ['a picture instead of a document', 'a.pdf', pdf, safePicture],
    ['a picture of other pixels', 'a.jpg', picture, otherPicture],
    ['a picture of one colour', 'a.jpg', picture, plainPicture],
    ['half of a picture', 'a.jpg', picture, padded(half(safePicture), safePicture.length, '')],
    ['an archive with a member more', 'a.zip', zip, safeFullerZip],
    ['an archive with a member less', 'a.zip', fullerZip, safeZip],
    ['an empty file', 'a.pdf', pdf, new Uint8Array()],
    ['a document with its macro, written in another way', 'a.docm', docm, foreignDocm],
    ['half of the document, written in another way', 'a.pdf', pdf, foreignHalfPdf],
    ['the document of somebody else, written in another way', 'a.pdf', pdf, foreignOtherPdf],
    ['a document without the text, written in another way', 'a.docx', docx, foreignEmptyDocx],
    ['an archive with a member more, written in another way', 'a.zip', zip, foreignFullerZip],
    ['the original, which is kept only when it passes as it is', 'a.pdf', foreignLivePdf, foreignLivePdf],
  ])('%s', async (_, name, original, returned) => {
    const { ledger, clean, file, part, rig } = await send(name, original, returned);
    expect(ledger.terminal?.state).toBe('delivered');
    expect(part).toMatchObject({ disposition: 'remove', delivered: { type: 'text/html' } });
    expect(file).toMatchObject({ disposition: 'remove', removedFor: 'unsafe_output' });
    const sent = Buffer.from(returned).toString('base64').slice(0, 60);
    if (sent !== '') expect(clean).not.toContain(sent);
    expect(withoutEvidence(rig.blobs.list('clean'))).toHaveLength(1);
  });

  test('unknown to policy as anything else: it may hold the message', async () => {
    const policy = {
      ...DEFAULT_POLICY,
      failures: { ...DEFAULT_POLICY.failures, unsafe_output: 'quarantine' as const },
    };
    const { ledger, clean } = await send('a.pdf', pdf, otherPdf, { policy });
    expect({ state: ledger.terminal?.state, clean }).toEqual({ state: 'quarantined', clean: null });
    expect(ledger.reasons).toEqual([{ code: 'unsafe_output', text: expect.stringContaining('text-lost') }]);
  });
});

/** The one file that was delivered, as it stands in the clean bucket. */
async function delivered({ rig, part }: Awaited<ReturnType<typeof send>>): Promise<Buffer> {
  const names = withoutEvidence(rig.blobs.list('clean'));
  const files = await Promise.all(names.map((key) => rig.blobs.get('clean', key, { maxBytes: 1_000_000 })));
  const file = files.find((bytes) => createHash('sha256').update(bytes).digest('hex') === part?.delivered?.sha256);
  return Buffer.from(file ?? expect.fail('the file that the ledger names is not in the clean bucket'));
}

/** Everything in a document or archive that is packed and not, as one text. */
async function everythingIn(bytes: Buffer): Promise<string> {
  if (bytes.subarray(0, 2).toString() !== 'PK') {
    const text = bytes.toString('latin1');
    const streams = [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, data = '']) => {
      const opened = data.startsWith('x') ? inflateSync(Buffer.from(data, 'latin1')) : Buffer.from(data, 'latin1');
      return opened.toString('latin1');
    });
    return [text, ...streams].join('\n');
  }
  const entries = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries();
  const files = entries.map(async (entry) => {
    const content = entry.directory ? [] : await entry.getData(new Uint8ArrayWriter());
    return `${entry.filename}\n${await (/\.doc[xm]$/.test(entry.filename) ? everythingIn(Buffer.from(content)) : Buffer.from(content).toString('latin1'))}`;
  });
  return (await Promise.all(files)).join('\n');
}

describe('what a service writes in its own way is written anew and delivered', () => {
  test.each<[string, string, Uint8Array, Uint8Array, string]>([
    ['a document with compressed objects', 'a.pdf', pdf, foreignPdf, 'line 39 of the agreement'],
    ['one with a script in them', 'a.pdf', pdf, foreignLivePdf, 'line 39 of the agreement'],
    ['an Office document of another program', 'a.docx', docx, foreignDocx, 'line 39 of the agreement'],
    ['a zip of another program', 'a.zip', zip, foreignZip, 'two.txt\ntwo'],
    ['one with a macro in it', 'a.zip', macroZip, foreignMacroZip, 'one.txt\none'],
    ['one out of which the macro was taken', 'a.zip', macroZip, foreignFlatZip, 'one.txt\none'],
  ])('%s', async (_, name, original, returned, words) => {
    const sent = await send(name, original, returned);
    expect(sent.part).toMatchObject({ disposition: 'disarm' });
    expect(sent.file?.reasons).toContain('what the service returned was written anew before delivery');
    // The ledger goes on naming what the service returned.
    const hash = createHash('sha256').update(returned).digest('hex');
    expect(sent.file?.submissions.find(({ kind }) => kind === 'cdr')?.disarmed?.sha256).toBe(hash);
    const file = await delivered(sent);
    expect(file.equals(returned)).toBe(false);
    const text = await everythingIn(file);
    expect(text).toContain(words);
    expect(text).not.toMatch(/\/JavaScript|\/ObjStm|vbaProject|made by another program/);
  });
});

/** A second look that gives one answer. */
const answering = (looked: Looked): SecondLook => ({ look: async () => looked });
const mail = emailWith({ files: [{ name: 'a.pdf', bytes: pdf }] });

describe('a second look that gives no answer', () => {
  test('holds the message when it took too long', async () => {
    const { ledger, clean } = await createRig({ secondLook: answering({ outcome: 'out of time' }) }).scan(mail);
    expect(clean).toBeNull();
    expect(ledger.reasons.map(({ code }) => code)).toEqual(['timeout']);
  });

  test('holds every message when its code is missing', async () => {
    const { ledger, clean } = await createRig({ secondLook: answering({ outcome: 'not started' }) }).scan(mail);
    expect(clean).toBeNull();
    expect(ledger.reasons.map(({ text }) => text).join()).toContain('the code is missing');
  });

  test('has one budget for all files of a message', async () => {
    const asked: number[] = [];
    const secondLook: SecondLook = {
      look: async ({ workMs }, onWork) => {
        asked.push(workMs);
        onWork(50_000);
        return { outcome: 'passed' };
      },
    };
    const files = ['a', 'b', 'c'].map((name) => ({ name: `${name}.pdf`, bytes: buildPdf({ text: name }) }));
    await createRig({ secondLook, limits: { returnedWorkSeconds: 110 } }).scan(emailWith({ files }));
    expect(asked).toEqual([110_000, 60_000, 10_000]);
  });
});

test('compares with what was sent, and with nothing else in its place', async () => {
  let isDecided = false;
  const rig = createRig({
    secondLook,
    overrides: ({ blobs }) => ({
      blobs: {
        ...blobs,
        // Once the message is decided, the store lies about what was sent.
        get: async (bucket, key, options) =>
          isDecided && key.startsWith('artifacts/') ? safePdf : blobs.get(bucket, key, options),
      },
      log: {
        info: (_, { stage }) => {
          if (stage === 'decide') isDecided = true;
        },
        warn: () => {},
      },
    }),
  });
  const { ledger, clean } = await rig.scan(mail);
  expect(clean).toBeNull();
  expect(ledger.reasons[0]?.text).toContain('has changed');
});
