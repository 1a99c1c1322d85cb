/** Names of files written to act in a path, a command or an expression, through the gateway and the real flow: three hundred in one mail. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGatewayJudge } from '../../lib/local/gateway/gateway-judge.ts';
import { openSession, type Session } from '../../lib/local/session/session.ts';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, sendWith } from './raw-client.ts';
import { openRig, type Rig } from './rig.ts';
import { scriptedJudge } from './scripted-judge.ts';

let stub: Stub;
let outer: string;
let session: Session;
let rig: Rig;
beforeAll(async () => {
  stub = await nextHopStub();
  // What leaves the spool by some `../` is still found.
  outer = await mkdtemp(join(tmpdir(), 'airlock-names-'));
  const root = join(outer, 'a/b/spool');
  await mkdir(root, { recursive: true });
  const signal = new AbortController().signal;
  session = await openSession({
    ...{ out: root, policy: DEFAULT_POLICY, service: null, cdrService: null, signal },
    onStage: () => undefined,
  });
  const judgeInstead = { ...scriptedJudge(root), ...createGatewayJudge(root, DEFAULT_POLICY, session) };
  rig = await openRig({ nextPort: stub.port, root, judgeInstead });
});
afterAll(async () => {
  await rig.close();
  await session.close();
  await stub.close();
  await rm(outer, { recursive: true, force: true });
});

const MARK = 'airlock-was-here';
/** Each would make a file of this name, if a shell, a path or an expression heard it. */
const ways = (place: string): string[] => [
  ...[`../${place}`, `../../${place}`, `../../../../${place}`, `/${place}`, `${outer}/${place}`, `./${place}`],
  ...[`..\\${place}`, `..\\..\\${place}`, `C:\\${place}`, `\\\\host\\share\\${place}`, `file://${outer}/${place}`],
  ...[`$(touch ${outer}/${place})`, `\`touch ${outer}/${place}\``, `;touch ${outer}/${place};`],
  ...[`|touch ${outer}/${place}`, `&& touch ${outer}/${place}`, `'; touch ${outer}/${place} #`],
  ...[`\${run{/bin/touch ${outer}/${place}}}`, `\${IFS}touch\${IFS}${outer}/${place}`],
  ...[`-o${outer}/${place}`, `--output=${outer}/${place}`, `-rf ${place}`, `@${outer}/${place}`, `%s%n%x${place}`],
  ...[`{{require('fs').writeFileSync('${outer}/${place}','')}}`, `__proto__/${place}`, `CON/${place}`, `..%2f${place}`],
];
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => `filename="${name.replace(/["\\]/g, '\\$&')}"`,
  (name) => `filename*=utf-8''${Buffer.from(name).toString('hex').replace(/../g, '%$&')}`,
  (name) => `filename="=?utf-8?B?${Buffer.from(name).toString('base64')}?="`,
  (name) => `filename*0*=utf-8''${Buffer.from(name).toString('hex').replace(/../g, '%$&')}; filename*1="${MARK}.txt"`,
  (name) => `filename=${name.replace(/[\s;"]/g, '_')}`,
];
const NAMES = SPELLINGS.flatMap((spell, index) => ways(`${MARK}-${index}`).map(spell));
const MEMBERS = ['.txt', '', '/', '\0.txt', '.tar', '.7z'].flatMap((end) => ways(MARK).map((name) => `${name}${end}`));

function mail(): string {
  const part = (head: string, body: string) => `--b\r\nContent-Type: ${head}\r\n\r\n${body}\r\n`;
  const files = NAMES.map((name) => part(`text/plain\r\nContent-Disposition: attachment; ${name}`, 'Just a text.'));
  const zip = zipOf(Object.fromEntries(MEMBERS.map((name) => [name, 'just a text']))).toString('base64');
  const body = zip.replace(/.{76}/g, '$&\r\n');
  const head = 'application/zip; name=a.zip\r\nContent-Disposition: attachment; filename=a.zip';
  return [
    'From: a@sender.example\r\nTo: b@rcpt.example\r\nSubject: Names\r\nMIME-Version: 1.0\r\n',
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n',
    ...[part('text/plain', 'See the files.'), ...files, part(`${head}\r\nContent-Transfer-Encoding: base64`, body)],
    '--b--\r\n',
  ].join('');
}

test('there are three hundred', () => {
  expect(new Set(NAMES).size + new Set(MEMBERS).size).toBeGreaterThanOrEqual(300);
});

test('none makes a file or a folder, in the spool or outside of it, and none is the name of one', async () => {
  const client = await greeted(rig.gateway.port);
  expect(await sendWith(client, { data: mail() })).toMatch(/^250/);
  client.end();
  await Promise.race([rig.event('done'), rig.event('held')]);
  expect(rig.log.filter(({ event }) => event === 'fault')).toEqual([]);
  const all = await readdir(outer, { recursive: true, withFileTypes: true });
  const paths = all.map((each) => relative(outer, join(each.parentPath, each.name)));
  expect(paths.filter((path) => !/^a(?:\/b(?:\/spool(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*)?)?$/.test(path))).toEqual([]);
  expect(paths.filter((path) => path.includes(MARK))).toEqual([]);
  for (const place of [`/${MARK}`, join(tmpdir(), MARK), join(process.cwd(), MARK)])
    expect([place, existsSync(place)]).toEqual([place, false]);
});
