import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { fileIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import { fileOf, filesById } from '../../lib/pipeline/ledger/artifacts-of.ts';
import { checkConservation } from '../../lib/pipeline/ledger/conservation.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { fileCase } from '../fixtures/cases.ts';
import { packed } from '../formats/archives/archives.ts';
import { msgOf } from '../message/containers/outlook.ts';
import { createRig, emailWith, type RigOptions } from './rig.ts';

interface Mail {
  readonly text?: string;
  readonly html?: string;
  readonly subject?: string;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array | string }[];
}

async function check(mail: Mail | Uint8Array, options: RigOptions = {}, name?: string) {
  const rig = createRig(options);
  const run = await parse(rig.ctx, await rig.intake(mail instanceof Uint8Array ? mail : emailWith(mail), name));
  const ledger = await rig.ledger(run.runId);
  expect(checkConservation(ledger, false)).toEqual([]);
  return { rig, ledger };
}

/** Path and first name of everything that was found in containers. */
const inside = (ledger: Ledger) =>
  ledger.parts
    .filter(({ role }) => role === 'member')
    .map(({ path, untrustedNames }) => [path, untrustedNames[0] ?? '']);
const openingAt = (ledger: Ledger, path: string) => {
  const part = ledger.parts.find((one) => one.path === path);
  return (part && fileOf(filesById(ledger), part)?.opening) ?? null;
};
const codes = (ledger: Ledger) => ledger.warnings.map(({ code, path }) => [code, path]);

describe('a member of a container is an artifact, with its path of containers', () => {
  test('archives in archives', async () => {
    const inner = zipOf({ 'run.exe': 'MZ inner' });
    const { rig, ledger } = await check({
      files: [{ name: 'a.tgz', bytes: gzipSync(await packed('tar', { 'in.zip': inner, 'b.txt': 'b' })) }],
    });
    expect(inside(ledger)).toEqual([
      ['1.2!1', 'a.tar'],
      ['1.2!1!1', 'b.txt'],
      ['1.2!1!2', 'in.zip'],
      ['1.2!1!2!1', 'run.exe'],
    ]);
    expect(ledger.parts.at(-1)).toMatchObject({ container: '1.2!1!2', depth: 4, typeGroup: 'executable' });
    const id = sha256Hex('MZ inner');
    expect(filesById(ledger).get(fileIdOf(id))?.origins).toEqual(['1.2!1!2!1']);
    expect(sha256Hex(await rig.blobs.get('work', keys.artifact(id), { maxBytes: 100 }))).toBe(id);
    expect(ledger.warnings).toEqual([]);
  });

  test('a message under base64, one called by another type, one in a .msg and one in a zip', async () => {
    const inner = emailWith({ text: 'inner words', files: [{ name: 'x.exe', bytes: 'MZ' }] });
    const { ledger } = await check({
      files: [
        { name: 'fwd.eml', bytes: inner },
        { name: 'a.zip', bytes: zipOf({ 'b.eml': inner.replace('inner', 'other') }) },
        { name: 'c.msg', bytes: msgOf({ body: 'hi', files: { 'd.eml': inner.replace('inner', 'third') } }) },
      ],
    });
    expect(inside(ledger)).toEqual([
      ['1.2!1.1', ''],
      ['1.2!1.2', 'x.exe'],
      ['1.3!1', 'b.eml'],
      ['1.3!1!1.1', ''],
      ['1.3!1!1.2', 'x.exe'],
      ['1.4!1', ''],
      ['1.4!2', 'd.eml'],
      ['1.4!2!1.1', ''],
      ['1.4!2!1.2', 'x.exe'],
    ]);
  });

  test('a file that is two archives at once is opened as both', async () => {
    const bytes = Buffer.concat([gzipSync('first'), zipOf({ 'second.js': 'x' })]);
    const { ledger } = await check({ files: [{ name: 'a.gz', bytes }] });
    expect(inside(ledger)).toEqual([
      ['1.2!1', 'a'],
      ['1.2!zip.1', 'second.js'],
    ]);
  });

  test('a file written into a text is listed once: by the reading of its message, or as the member of another text', async () => {
    const written = 'see\r\nbegin 644 a.exe\r\n#0V%T\r\n`\r\nend\r\n';
    const nested = Buffer.from(emailWith({ text: `again ${written}`, files: [] }));
    const { ledger } = await check({
      text: written,
      files: [
        { name: 'notes.txt', bytes: `other ${written}` },
        { name: 'mail.eml', bytes: nested },
      ],
    });
    const id = sha256Hex('Cat');
    expect(filesById(ledger).get(fileIdOf(id))?.origins).toEqual(['1.2!1', '1.3!1.1~1', '1.1~1']);
    expect(openingAt(ledger, '1.1')).toBeNull();
  });

  test('URLs in members are judged, too', async () => {
    const { ledger } = await check({
      files: [{ name: 'a.zip', bytes: zipOf({ 'a.txt': 'see https://in.example/x' }) }],
    });
    expect(ledger.urls.map(({ path, normalised }) => [path, normalised])).toEqual([['1.2!1', 'https://in.example/x']]);
  });

  test('a bare archive in the intake is opened, too', async () => {
    const { ledger } = await check(zipOf({ 'a.js': 'x' }), {}, 'upload/a.zip');
    expect(inside(ledger)).toEqual([['1!1', 'a.js']]);
  });

  test('equal content is opened once and listed everywhere', async () => {
    const bytes = zipOf({ 'a.js': 'x' });
    const { ledger } = await check({
      files: [
        { name: 'a.zip', bytes },
        { name: 'b.zip', bytes },
      ],
    });
    expect(inside(ledger)).toEqual([['1.2!1', 'a.js']]);
    expect(openingAt(ledger, '1.3')).toMatchObject({ outcome: 'opened' });
  });

  test('an ordinary mail has no members and no openings', async () => {
    const { ledger } = await check({ html: '<p>hi</p>', files: [{ name: 'a.txt', bytes: 'hello' }] });
    expect([inside(ledger), ledger.artifacts.filter(({ opening }) => opening !== null)]).toEqual([[], []]);
  });
});

describe('passwords come from the message', () => {
  const closed = () => packed('zip', { 'a.exe': 'MZ closed' }, { password: 'Sonne#42' });

  test.each([
    ['its text', { text: 'Das Passwort: Sonne#42' }],
    ['its HTML', { html: '<p>Mot de passe :<b>&nbsp;Sonne&#35;42</b></p>' }],
    ['its subject', { subject: 'Rechnung (PW Sonne#42)' }],
  ])('from %s, into the ledger and along with the submission', async (_, where) => {
    const { rig, ledger } = await (async () => {
      const made = createRig();
      return {
        rig: made,
        ...(await made.scan(emailWith({ ...where, files: [{ name: 'a.zip', bytes: await closed() }] }))),
      };
    })();
    const zip = ledger.parts.find(({ untrustedNames }) => untrustedNames[0] === 'a.zip');
    expect(openingAt(ledger, zip?.path ?? '')).toMatchObject({ outcome: 'opened', untrustedPassword: 'Sonne#42' });
    expect(inside(ledger)).toEqual([[`${zip?.path}!1`, 'a.exe']]);
    const sent = rig.analyzer.requests.filter(({ id }) => id === fileIdOf(zip?.sha256 ?? ''));
    expect(sent.map((request) => 'password' in request && request.password)).toEqual(['Sonne#42', 'Sonne#42']);
  });

  test('from the message around the archive, at any depth', async () => {
    const inner = emailWith({ text: 'пароль: Sonne#42', files: [{ name: 'a.zip', bytes: await closed() }] });
    const { ledger } = await check({ files: [{ name: 'fwd.eml', bytes: inner }] });
    expect(inside(ledger)).toContainEqual(['1.2!1.2!1', 'a.exe']);
  });

  test('a customary one', async () => {
    const bytes = await packed('7z', { 'a.exe': 'MZ' }, { password: 'infected' });
    const { ledger } = await check({ files: [{ name: 'a.7z', bytes }] });
    expect(openingAt(ledger, '1.2')?.untrustedPassword).toBe('infected');
  });

  test('an archive that stays closed causes a warning', async () => {
    const { ledger } = await check({ files: [{ name: 'a.zip', bytes: await closed() }] });
    expect(openingAt(ledger, '1.2')).toMatchObject({ as: 'zip', outcome: 'encrypted', untrustedPassword: null });
    expect(codes(ledger)).toEqual([['container_encrypted', '1.2']]);
  });
});

describe('one budget for the whole message', () => {
  test('depth', async () => {
    const nest = (content: Buffer) => zipOf({ 'in.zip': { content } });
    let bytes = zipOf({ 'a.txt': 'x' });
    for (let depth = 0; depth < 4; depth++) bytes = nest(bytes);
    const limits = { containerDepth: 5 };
    expect(codes((await check({ files: [{ name: 'a.zip', bytes }] }, { limits })).ledger)).toEqual([]);
    const { ledger } = await check({ files: [{ name: 'a.zip', bytes: nest(bytes) }] }, { limits });
    expect(codes(ledger)).toEqual([['container_over_budget', '1.2!1!1!1!1!1']]);
  });

  test('members, over all containers', async () => {
    const some = (tag: string) => zipOf(Object.fromEntries([1, 2, 3].map((at) => [`${tag}${at}.txt`, `${tag}${at}`])));
    const files = [
      { name: 'a.zip', bytes: some('a') },
      { name: 'b.zip', bytes: some('b') },
    ];
    expect(codes((await check({ files }, { limits: { containerMembers: 6 } })).ledger)).toEqual([]);
    expect(codes((await check({ files }, { limits: { containerMembers: 5 } })).ledger)).toEqual([
      ['container_over_budget', '1.3'],
    ]);
  });

  test('bytes, over all containers', async () => {
    const files = ['a', 'b'].map((tag) => ({ name: `${tag}.gz`, bytes: gzipSync(tag.repeat(1_000)) }));
    const { ledger } = await check({ files }, { limits: { containerBytes: 1_500 } });
    expect(codes(ledger)).toEqual([['container_over_budget', '1.3']]);
  });

  test('time: an archive that comes after it is over is not opened', async () => {
    let worked = 0;
    const overrides = () => ({ work: { workMs: () => (worked += 6_000) } });
    const files = ['a', 'b', 'c', 'd'].map((tag) => ({ name: `${tag}.gz`, bytes: gzipSync(tag) }));
    const { ledger } = await check({ files }, { overrides });
    expect(codes(ledger).at(-1)).toEqual(['container_over_budget', '1.5']);
  });

  test('a bomb of bombs is over budget', async () => {
    // Sixteen archives of sixteen archives of one large file: what 42.zip is made like.
    let bytes: Buffer = zipOf({ zeros: Buffer.alloc(12 * 1024 * 1024).toString('latin1') });
    for (let depth = 0; depth < 2; depth++) {
      const layer = bytes;
      bytes = zipOf(
        Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`${depth}-${at}.zip`, { content: layer }])),
      );
    }
    const { ledger } = await check({ files: [{ name: '42.zip', bytes }] });
    expect(ledger.artifacts.find(({ opening }) => opening?.outcome === 'over_budget')).toBeDefined();
    expect(ledger.parts.length).toBeLessThan(50);
  });
});

test('a zip of overlapping entries is over budget in a moment', async () => {
  const { ledger } = await check({ files: [{ name: 'bomb.zip', bytes: fileCase('bomb-overlap.zip') }] });
  expect([openingAt(ledger, '1.2')?.outcome, inside(ledger)]).toEqual(['over_budget', []]);
});
