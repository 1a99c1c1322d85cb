/** Dots at the beginning of lines: however a message is cut into pieces, it arrives as it was sent, and dots cost no more than other bytes. */
import { describe, expect, test } from 'vitest';
import { openUnstuffing, stuffed } from '../../lib/gateway/dot-stuffing.ts';
import { pick, roll } from '../simulation/random.ts';
import { nextHopStub } from './next-hop-stub.ts';
import { greeted, PLAIN, sendWith } from './raw-client.ts';
import { openRig } from './rig.ts';

const MESSAGES = 2_000;
const WORDS = ['.', '..', 'a', '\r\n', '\r\n', '.\r\n', '\r', '\n', '\r\n.\r', '\r\n..'] as const;

const messageOf = (seed: number) =>
  Array.from({ length: Math.floor(roll(seed, 'words') * 9) }, (_, at) => pick(seed, `word${at}`, WORDS)).join('');

/** The rule in words of regular expressions: what stands in front of the end without its dots, and what stands behind. */
function ruled(said: string): { text: string; behind: string | null } {
  const [text = '', ...rest] = `\r\n${said}`.split('\r\n.\r\n');
  const ended = rest.length === 0 ? text : `${text}\r\n`;
  return { text: ended.replace(/\r\n\./g, '\r\n').slice(2), behind: rest.length === 0 ? null : rest.join('\r\n.\r\n') };
}

function unstuffed(said: string, most: number): { text: string; behind: string | null } {
  const unstuffing = openUnstuffing();
  let text = '';
  for (let at = 0; at < said.length; at += most) {
    const found = unstuffing.feed(Buffer.from(said.slice(at, at + most), 'latin1'));
    text += found.text.toString('latin1');
    if (found.behind !== null) return { text, behind: found.behind.toString('latin1') + said.slice(at + most) };
  }
  return { text, behind: null };
}

describe('a message that arrives', () => {
  test.each([1, 2, 3, 5, 100])(
    'in pieces of %i bytes ends where RFC 5321 says, and loses one dot of each line',
    (most) => {
      for (let seed = 0; seed < MESSAGES; seed += 1) {
        const said = `${messageOf(seed)}\r\n.\r\n${messageOf(seed + MESSAGES)}`;
        expect({ said, ...unstuffed(said, most) }).toEqual({ said, ...ruled(said) });
      }
    },
  );

  test('and is sent on is the same again', () => {
    for (let seed = 0; seed < MESSAGES; seed += 1) {
      const text = messageOf(seed).replace(/\r(?!\n)|(?<!\r)\n/g, 'x');
      const sent = stuffed(Buffer.from(`${text}\r\n`, 'latin1'), null).toString('latin1');
      expect(unstuffed(`${sent}.\r\n`, 7)).toEqual({ text: `${text}\r\n`, behind: '' });
    }
  });
});

const LINES = 100_000;
/** Far more than the difference, and far less than what each such line cost once. */
const MAX_TIMES = 10;

test('a message in which each line begins with a dot takes as long as any other', async () => {
  const stub = await nextHopStub();
  const rig = await openRig({ nextPort: stub.port });
  const client = await greeted(rig.gateway.port);
  let done = 0;
  const secondsOf = async (line: string) => {
    const data = `${PLAIN}${line.repeat(LINES)}`;
    const start = process.cpuUsage();
    expect(await sendWith(client, { data })).toMatch(/^250/);
    done += 1;
    await rig.event('done', done);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000_000;
  };
  await secondsOf('xx\r\n');
  const plain = await secondsOf('xx\r\n');
  expect(await secondsOf('..\r\n')).toBeLessThan(MAX_TIMES * plain);
  expect(stub.received.at(-1)?.data.endsWith('..\r\n..\r\n')).toBe(true);
  client.end();
  await rig.close();
  await stub.close();
});
