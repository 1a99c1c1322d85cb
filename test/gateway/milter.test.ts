/** Mail that a mail server offers by milter: it is changed there, taken, refused or put off, and always in exactly one place. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Judgement } from '../../lib/gateway/judge.ts';
import { editPackets, editsBetween } from '../../lib/gateway/milter/edits.ts';
import { NET_MS } from '../runner/net.ts';
import { ALL_STEPS, changed, type MilterClient, milterClient, milterPacket, numbers } from './milter-client.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { rawClient } from './raw-client.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';
import { runIdOfTest } from './scripted-judge.ts';

const PATIENT = { interval: 5, timeout: NET_MS };
const mail = (subject: string, body = 'Hello.\r\n') =>
  `From: a@sender.example\r\nTo: b@rcpt.example\r\nSubject: ${subject}\r\nX-One: 1\r\nX-One: 2\r\n\r\n${body}`;

let stub: Stub;
const open: (() => Promise<void> | void)[] = [];
beforeAll(async () => {
  stub = await nextHopStub();
});
afterAll(() => stub.close());
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function start(options: Partial<RigOptions> = {}, terms = {}): Promise<{ rig: Rig; client: MilterClient }> {
  const rig = await openRig({ nextPort: stub.port, milter: {}, ...options });
  open.push(() => rig.close());
  const client = await milterClient(rig.gateway.port, terms);
  open.push(() => client.end());
  return { rig, client };
}

const arrived = (subject: string) => stub.received.filter(({ data }) => data.includes(`Subject: ${subject}\r\n`));
const held = (id: string, isPassing = false): Judgement => ({
  ...{ state: 'quarantined', runId: runIdOfTest(id), reasons: ['policy'] },
  isPassing,
});
/** A judge that says nothing until its process is stopped. */
function stoppable(): Required<Pick<RigOptions, 'judge' | 'abandonJudgements'>> {
  let abandonJudgements: () => void = () => undefined;
  const ended = new Promise<Judgement>((resolve) => {
    abandonJudgements = () => resolve({ state: 'unfinished', why: 'stopped' });
  });
  return { judge: () => ended, abandonJudgements: () => abandonJudgements() };
}

const isEmpty = (rig: Rig) =>
  vi.waitFor(async () => {
    for (const folder of ['incoming', 'intake/gateway', 'intake/envelopes', 'queue'])
      expect([folder, await rig.list(folder)]).toEqual([folder, []]);
  }, PATIENT);

describe('a message that is safe', () => {
  test('goes on as it came when nothing had to change, and nothing of it stays here', async () => {
    const { rig, client } = await start();
    const end = await client.send({ data: mail('same') });
    expect(end).toEqual({ said: 'accept', message: mail('same'), quarantine: null, letters: 'c' });
    await isEmpty(rig);
    expect(arrived('same')).toEqual([]);
    expect(rig.judge.judged).toHaveLength(1);
  });

  test.each(['postfix', 'sendmail'] as const)('becomes the clean one by changes, as %s applies them', async (style) => {
    const clean = [
      'From: a@sender.example',
      'To: b@rcpt.example',
      'Subject: changed',
      'X-One: 3',
      'Content-Type: multipart/mixed;',
      '\tboundary="x"',
      'X-Airlock: made safe',
      '',
      '--x',
      '',
      'Safe.',
      '--x--',
      '',
    ].join('\r\n');
    const { rig, client } = await start({ judge: () => clean });
    const end = await client.send({ data: mail('changed'), style });
    expect([end.said, end.message]).toEqual(['accept', clean]);
    await isEmpty(rig);
    expect(await rig.metric('accepted_total')).toBe(0);
  });

  test('has the fields said anew that say how its body is read, whatever stands in front of their colon', async () => {
    const typed = mail('typed').replace('X-One: 1', 'Content-Type: text/plain\r\nX-One: 1');
    const { client } = await start();
    expect(await client.send({ data: typed })).toMatchObject({ said: 'accept', message: typed, letters: 'mc' });
  });

  test('of several messages over one connection each has its own answer', async () => {
    const { client } = await start({ judge: (text) => text.replace('Hello.', 'Bye.') });
    for (const subject of ['first', 'second', 'third']) {
      const end = await client.send({ data: mail(subject) });
      expect(end.message).toBe(mail(subject, 'Bye.\r\n'));
    }
  });

  test('of several pieces arrives whole, and its new body leaves in pieces', async () => {
    const long = `${'#'.repeat(70)}\r\n`.repeat(4000);
    const { client } = await start({ judge: (text) => text.replaceAll('#', '+') });
    const end = await client.send({ data: mail('long', long) });
    expect(end.message).toBe(mail('long', long.replaceAll('#', '+')));
    expect(end.letters).toMatch(/^b{4,}c$/);
  });

  test('whose changes the protocol cannot say is taken, and goes on by SMTP', async () => {
    const { rig, client } = await start({ judge: (text) => text.replace('X-One: 1', 'X-One:') });
    const end = await client.send({ data: mail('unsayable') });
    expect(end).toMatchObject({ said: 'discard', letters: 'd' });
    await vi.waitFor(() => expect(arrived('unsayable')).toHaveLength(1), PATIENT);
    await isEmpty(rig);
  });
});

describe('a message that policy holds', () => {
  test('is taken: it lies in the spool, and goes on when somebody releases it', async () => {
    const { rig, client } = await start({ judge: (_, { id }) => held(id) });
    const end = await client.send({ data: mail('held') });
    expect(end).toMatchObject({ said: 'discard', message: mail('held') });
    const { fields } = await rig.event('held');
    expect(await rig.metric('accepted_total')).toBe(1);
    rig.judge.clean.set(String(fields.runId), Buffer.from(mail('held', 'Released.\r\n')));
    const released = await rig.judge.released(String(fields.runId));
    expect(released).not.toBeNull();
    const again = await openRigAgain(rig);
    await vi.waitFor(() => expect(arrived('held')).toHaveLength(1), PATIENT);
    expect(arrived('held')[0]?.data).toContain('Released.');
    await isEmpty(again);
  });

  test('is refused when that is wanted, with a reference that finds the run', async () => {
    const { rig, client } = await start({ milter: { held: 'reject' }, judge: (_, { id }) => held(id) });
    const end = await client.send({ data: mail('refused') });
    expect(end.said).toMatch(/^550 5\.7\.1 Held by the mail filter \(reference [0-9A-Z-]+\)$/);
    await isEmpty(rig);
    expect(rig.judge.forgotten).toEqual([]);
  });

  test('is left in a quarantine of the mail server when that is wanted', async () => {
    const { rig, client } = await start({ milter: { held: 'quarantine' }, judge: (_, { id }) => held(id) });
    const end = await client.send({ data: mail('there') });
    expect(end).toMatchObject({ said: 'accept', message: mail('there'), letters: 'qc' });
    expect(end.quarantine).toMatch(/^Held by the mail filter \(reference /);
    await isEmpty(rig);
  });
});

describe('a message that cannot be judged now', () => {
  test.each<[string, (id: string) => Judgement]>([
    ['by a fault that passes', (id) => held(id, true)],
    ['because it did not come to an end', () => ({ state: 'unfinished', why: 'killed' })],
  ])('%s stays with the mail server, and is forgotten here', async (_, judge) => {
    const { rig, client } = await start({ judge: (_text, { id }) => judge(id) });
    const end = await client.send({ data: mail('later') });
    expect(end.said).toMatch(/^451 4\.7\.1 /);
    await isEmpty(rig);
    expect(arrived('later')).toEqual([]);
  });

  test('within the time that its sender waits is taken, and goes on later', async () => {
    let release: () => void = () => undefined;
    const judging = new Promise<null>((resolve) => {
      release = () => resolve(null);
    });
    const { rig, client } = await start({ judge: () => judging });
    const sent = client.send({ data: mail('slow') });
    await vi.waitFor(() => expect(rig.judge.judged).toHaveLength(1), PATIENT);
    rig.time.advance(60_000);
    expect((await sent).said).toBe('discard');
    expect(arrived('slow')).toEqual([]);
    release();
    await vi.waitFor(() => expect(arrived('slow')).toHaveLength(1), PATIENT);
    await isEmpty(rig);
  });

  test('before the mail server gave up stays there', async () => {
    let release: () => void = () => undefined;
    const judging = new Promise<null>((resolve) => {
      release = () => resolve(null);
    });
    const { rig, client } = await start({ judge: () => judging });
    const sent = client.send({ data: mail('given-up') });
    await vi.waitFor(() => expect(rig.judge.judged).toHaveLength(1), PATIENT);
    client.end();
    expect((await sent).said).toBe('closed');
    // The judgement must not overtake the end of the connection.
    await vi.waitFor(async () => expect(await rig.metric('connections')).toBe(0), PATIENT);
    release();
    await isEmpty(rig);
    expect(arrived('given-up')).toEqual([]);
    expect(rig.judge.forgotten).toHaveLength(1);
  });

  test('before the milter was stopped stays with the mail server', async () => {
    const judging = stoppable();
    const { rig, client } = await start(judging);
    const sent = client.send({ data: mail('stopped') });
    await vi.waitFor(() => expect(rig.judge.judged).toHaveLength(1), PATIENT);
    const stopped = rig.stop();
    expect((await sent).said).toMatch(/^451 4\.7\.1 /);
    judging.abandonJudgements();
    await stopped;
    const again = await openRigAgain(rig);
    await isEmpty(again);
    expect(arrived('stopped')).toEqual([]);
  });
});

test('a message to recipients under different rules is taken, and each share goes on by itself', async () => {
  const ruleOf = (recipient: string) => (recipient.startsWith('strict') ? 'strict' : '');
  const { rig, client } = await start({ ruleOf });
  const end = await client.send({ data: mail('shares'), to: ['b@rcpt.example', 'strict@rcpt.example'] });
  expect(end.said).toBe('discard');
  await vi.waitFor(() => expect(arrived('shares')).toHaveLength(2), PATIENT);
  await isEmpty(rig);
});

test('what a process that died had not answered is not sent by the next one, and what it had taken is', async () => {
  const root = await mkdtemp(join(tmpdir(), 'airlock-milter-'));
  open.push(() => rm(root, { recursive: true, force: true }));
  const judging = stoppable();
  const first = await openRig({ nextPort: stub.port, root, milter: {}, ...judging });
  const clients = [await milterClient(first.gateway.port), await milterClient(first.gateway.port)] as const;
  const taken = clients[0].send({ data: mail('taken') });
  await vi.waitFor(() => expect(first.judge.judged).toHaveLength(1), PATIENT);
  first.time.advance(60_000);
  expect((await taken).said).toBe('discard');
  const asked = clients[1].send({ data: mail('unanswered') });
  await vi.waitFor(() => expect(first.judge.judged).toHaveLength(2), PATIENT);
  const names = await first.list('intake/gateway');
  expect(names).toHaveLength(2);
  // Its process is gone: the folder is as it is now.
  const second = await openRig({ nextPort: stub.port, root, milter: {} });
  open.push(() => second.stop());
  await vi.waitFor(() => expect(arrived('taken')).toHaveLength(1), PATIENT);
  await isEmpty(second);
  expect(arrived('unanswered')).toEqual([]);
  for (const client of clients) client.end();
  expect((await asked).said).toBe('closed');
  judging.abandonJudgements();
  await first.stop();
});

test('mail that did not come by SMTP has its addresses without brackets', async () => {
  const { client } = await start();
  for (const [command, address] of [
    ['M', ''],
    ['M', 'a@sender.example'],
    ['R', 'b@rcpt.example'],
  ] as const) {
    client.say(milterPacket(command, `${address}\0`));
    expect([command, address, (await client.next())?.letter]).toEqual([command, address, 'c']);
  }
});

describe('a mail server', () => {
  test.each(['A', 'Q', 'M'])('that says %s instead of waiting for the answer keeps the message', async (command) => {
    let release: () => void = () => undefined;
    const judging = new Promise<null>((resolve) => {
      release = () => resolve(null);
    });
    const { rig, client } = await start({ judge: () => judging });
    const sent = client.send({ data: mail('impatient') });
    await vi.waitFor(() => expect(rig.judge.judged).toHaveLength(1), PATIENT);
    client.say(milterPacket(command, 'a\0'));
    expect((await sent).said).toBe('closed');
    rig.time.advance(60_000);
    release();
    await isEmpty(rig);
    expect(arrived('impatient')).toEqual([]);
  });

  test('finds a milter again whose process was killed and left its Unix socket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'airlock-socket-'));
    open.push(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'milter.sock');
    const killed = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    await once(spawn(process.execPath, ['-e', killed]), 'exit');
    const rig = await openRig({ nextPort: stub.port, milter: { path } });
    open.push(() => rig.close());
    const client = await milterClient(path);
    expect((await client.send({ data: mail('again') })).said).toBe('accept');
    client.end();
    // One that somebody listens at is not taken away.
    await expect(openRig({ nextPort: stub.port, milter: { path } })).rejects.toThrow('EADDRINUSE');
  });

  test('that does not let a filter change messages gets no answer, and the log says so', async () => {
    for (const terms of [{ actions: 0x01 }, { steps: ALL_STEPS & ~0x100000 }]) {
      const rig = await openRig({ nextPort: stub.port, milter: {} });
      open.push(() => rig.close());
      const client = await milterClient(rig.gateway.port, terms);
      expect(client.terms).toBeNull();
      expect((await rig.event('fault')).fields).toMatchObject({ error: 'PacketError' });
    }
  });

  test('that waits for each answer gets each', async () => {
    const { client } = await start({}, { steps: 0x100000 });
    expect(client.terms).toEqual({ actions: 0x13, steps: 0x100000 });
    expect((await client.send({ data: mail('each') })).said).toBe('accept');
  });

  test('at an address that is not named gets nothing', async () => {
    const rig = await openRig({ nextPort: stub.port, milter: { clients: ['192.0.2.1'] } });
    open.push(() => rig.close());
    const client = await milterClient(rig.gateway.port);
    expect(client.terms).toBeNull();
  });

  test('at a Unix socket is served', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'airlock-socket-'));
    open.push(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'milter.sock');
    const rig = await openRig({ nextPort: stub.port, milter: { path } });
    open.push(() => rig.close());
    const client = await milterClient(path);
    expect((await client.send({ data: mail('socket') })).said).toBe('accept');
    client.end();
  });

  test.each<[string, Buffer]>([
    ['a packet of four gigabytes', numbers(0xffffffff)],
    ['a packet of nothing', numbers(0)],
    ['a command that there is not', milterPacket('Z')],
    ['a field without an envelope', milterPacket('L', 'A\0 b\0')],
    ['the end of a message without an envelope', milterPacket('E')],
    ['half an offer', milterPacket('O', numbers(6))],
  ])('that says %s is cut off, and others are served', async (_, bytes) => {
    const { rig, client } = await start();
    client.say(bytes);
    expect(await client.next()).toBeNull();
    const other = await milterClient(rig.gateway.port);
    expect((await other.send({ data: mail('other') })).said).toBe('accept');
    other.end();
  });

  test.each([
    ['a field behind the body', 'LNBL'],
    ['a field behind the end of the header', 'LNL'],
    ['a body before the end of the header', 'LB'],
    ['a second end of the header', 'LNN'],
    ['the end of a message before the end of its header', 'LE'],
    ['a recipient behind a field', 'LR'],
  ])('that says %s is cut off, and nothing of the message stays', async (_, letters) => {
    const { rig, client } = await start();
    const data: Record<string, string> = { L: 'Subject\0 x\0', B: 'x\r\n', R: '<c@rcpt.example>\0' };
    client.say(milterPacket('M', '<a@sender.example>\0'), milterPacket('R', '<b@rcpt.example>\0'));
    client.say(...[...letters].map((letter) => milterPacket(letter, data[letter])));
    const answers = [];
    for (let answer = await client.next(); answer !== null; answer = await client.next()) answers.push(answer.letter);
    expect(answers).toEqual(['c', 'c']);
    await isEmpty(rig);
  });

  test('that says anything before both sides have agreed is cut off', async () => {
    const { rig } = await start();
    const hasty = await rawClient(rig.gateway.port);
    await hasty.say(milterPacket('M', '<a@sender.example>\0'));
    expect(await hasty.reply()).toBe('closed');
  });

  // Postfix takes such addresses, and names them so to its milters.
  test.each([
    ['of its own users without a domain', 'MAILER-DAEMON', 'root'],
    ['with dots beside each other and at the end', 'a..b@sender.example', 'c.@rcpt.example'],
  ])('that has taken addresses %s is answered about the message, which goes on to them', async (_, from, to) => {
    const { client } = await start({ judge: (text) => text.replace('X-One: 1', 'X-One:') });
    expect((await client.send({ data: mail(`to ${to}`), from, to: [to] })).said).toBe('discard');
    await vi.waitFor(() => expect(arrived(`to ${to}`)).toHaveLength(1), PATIENT);
    const [message] = arrived(`to ${to}`);
    expect(message?.from.split(' ', 2).join(' ')).toBe(`MAIL FROM:<${from}>`);
    expect(message?.to).toEqual([`RCPT TO:<${to}>`]);
  });

  test.each([
    ['a bare line feed', 'One\nTwo\r\n', /^550 5\.6\.11 /],
    ['a bare carriage return', 'One\rTwo\r\n', /^550 5\.6\.11 /],
    ['a NUL', 'One\0Two\r\n', /^550 5\.6\.0 /],
  ])('that offers %s in a message is told to refuse it', async (_, body, reply) => {
    const { rig, client } = await start();
    expect((await client.send({ data: mail('odd', body) })).said).toMatch(reply);
    await isEmpty(rig);
  });

  test.each([
    ['a line end', 'a\r\nRCPT@sender.example'],
    ['two addresses', 'a@b@sender.example'],
    ['a bracket', 'a<b@sender.example'],
  ])('that offers a sender with %s is told to refuse it', async (_, from) => {
    const { client } = await start();
    expect((await client.send({ data: mail('sender'), from })).said).toMatch(/^501 5\./);
  });

  test('that offers a message while there is no room is told to come back', async () => {
    const { client } = await start({ limits: { residentBytes: 1 } });
    expect((await client.send({ data: mail('full') })).said).toMatch(/^452 4\.3\.1 /);
  });
});

describe('the changes between two messages', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  test('are none for equal ones', () => expect(editsBetween(bytes(mail('a')), bytes(mail('a')))).toEqual([]));
  test.each([
    ['a line of the header that is no field', 'A: b\r\nno field\r\n\r\nc\r\n'],
    ['a field with nothing behind its colon', 'A:\r\n\r\nc\r\n'],
  ])('cannot be said for %s', (_, clean) => expect(editsBetween(bytes('B: c\r\n\r\nc\r\n'), bytes(clean))).toBeNull());

  test('make one of any two, in either way to count', async () => {
    let random = 7;
    const pick = <T>(list: readonly T[]): T => {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
      return list[(random >> 8) % list.length] as T;
    };
    const any = () => {
      const line = () => `${pick(['A', 'a', 'B-b', 'C'])}:${pick([' 1', ' 2', '\t3', ' 4\r\n 5', '6'])}\r\n`;
      const lines = Array.from({ length: pick([0, 1, 2, 3, 4, 5, 6]) }, line).join('');
      return `From: x\r\n${lines}\r\n${pick(['', 'x\r\n', 'y\r\n'])}`;
    };
    for (let round = 0; round < 3_000; round += 1) {
      const [original, clean] = [any(), any()];
      const packets = editPackets(editsBetween(bytes(original), bytes(clean)) ?? []);
      for (const style of ['postfix', 'sendmail'] as const)
        expect(byName(await changed(original, packets, style))).toEqual(byName(clean));
    }
  });
});

/** The body, and the fields of each name in their order: in which order names stand means nothing to who reads a message. */
function byName(message: string): unknown {
  const end = message.indexOf('\r\n\r\n');
  const fields = message.slice(0, end).split(/\r\n(?![ \t])/);
  const nameOf = (field: string) => field.slice(0, field.indexOf(':')).toLowerCase();
  const names = [...new Set(fields.map(nameOf))].sort();
  return [names.map((name) => fields.filter((field) => nameOf(field) === name)), message.slice(end + 4)];
}

/** The same folder with the same judge, in a new process. */
async function openRigAgain(rig: Rig): Promise<Rig> {
  await rig.stop();
  const again = await openRig({ nextPort: stub.port, milter: {}, root: rig.root, judgeInstead: rig.judge });
  open.push(() => again.close());
  return again;
}
