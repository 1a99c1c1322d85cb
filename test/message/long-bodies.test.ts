/** Of a long base64 body, mailparser reads both ends. What is not whole lines of base64 digits in its middle is read whole, and said. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { MessageReading } from '../../lib/message/model.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';

const CONTENT = Buffer.alloc(300 * 1024, 'the same words again and again, ');
const LINES = CONTENT.toString('base64').match(/.{1,76}/g) ?? [];
const HEAD = 'From: a@sender.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n';
const PART = 'Content-Type: application/octet-stream; name=a.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n';

function read(lines: readonly string[]): Promise<MessageReading> {
  return readMessage(Buffer.from(`${HEAD}${PART}${lines.join('\r\n')}\r\n--x--\r\n`), DEFAULT_LIMITS);
}
const withLine = (line: string) => LINES.toSpliced(LINES.length >> 1, 0, line);
const leaves = ({ parts }: MessageReading) => parts.filter(({ sha256 }) => sha256 !== null);

test('a long body is one leaf that both readings list, with the hash of its content', async () => {
  const reading = await read(LINES);
  const sha256 = createHash('sha256').update(CONTENT).digest('hex');
  expect(leaves(reading)).toMatchObject([{ sha256, size: CONTENT.length, readings: ['structure', 'stream'] }]);
  expect(reading.warnings).toEqual([]);
});

test.each([
  ['a delimiter', '--x', 2],
  ['a delimiter and a header', '--x\r\nContent-Type: text/html\r\n\r\n<p>', 2],
])('%s in its middle ends the leaf in both readings', async (_, line, count) => {
  const reading = await read(withLine(line));
  expect(leaves(reading)).toMatchObject(Array.from({ length: count }, () => ({ readings: ['structure', 'stream'] })));
});

test.each([
  ['a header', 'Content-Type: text/html'],
  ['an empty line and a header', '\r\nContent-Type: text/html\r\n'],
  ['the begin of a file', 'begin 644 a.exe'],
  ['padding', 'QQ=='],
])('%s in its middle is odd', async (_, line) => {
  expect((await read(withLine(line))).warnings).not.toEqual([]);
});

test('a header that announces costly quoted-printable is found behind a flood of dashes', async () => {
  const dashes = `${'- '.repeat(5_000)}\r\n\r\n`;
  const costly = `Content-Transfer-Encoding: quoted-printable\r\n\r\n${'a'.padEnd(30_000)}\r\n`;
  const mail = (text: string) => Buffer.from(`${HEAD}\r\n${text}--x\r\nContent-Type: text/plain\r\n${costly}--x--\r\n`);
  for (const text of ['', dashes]) {
    const { warnings } = await readMessage(mail(text), DEFAULT_LIMITS);
    expect(warnings.map(({ code }) => code)).toContain('reading_skipped');
  }
});

test('a long text is searched for files under each of its names: a saved page has parts in bare digits, and no other text has', async () => {
  const program = Buffer.concat([Buffer.from('MZ'.padEnd(60, '\0')), Buffer.from([0x80, 0, 0, 0]), Buffer.alloc(200)]);
  const saved = `From: <saved>\r\nSubject: a\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="b"\r\n\r\n--b\r\n`;
  const page = `Content-Type: text/html\r\nContent-Location: file:///C:/a.htm\r\n\r\n<p>${'word '.repeat(60_000)}</p>\r\n--b\r\n`;
  const file = `Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${program.toString('base64')}\r\n--b--\r\n`;
  const lines =
    Buffer.from(saved + page + file)
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  const hidden = async (name: string) => {
    const part = `Content-Type: text/plain; name=${name}\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n`;
    const { warnings } = await readMessage(
      Buffer.from(`${HEAD}${part}${lines.join('\r\n')}\r\n--x--\r\n`),
      DEFAULT_LIMITS,
    );
    return warnings.some(({ code }) => code === 'hidden_file');
  };
  const found: boolean[] = [];
  for (const name of ['a.mht', 'a.txt', 'a.mht', 'a.txt']) found.push(await hidden(name));
  expect(found).toEqual([false, true, false, true]);
});
