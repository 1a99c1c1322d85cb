import { expect, test } from 'vitest';
import { yencSteps } from '../../lib/message/encodings/yenc.ts';

/** The files in a text, with all pauses of the search taken. */
function filesIn(text: string) {
  const steps = yencSteps(Buffer.from(text, 'latin1'));
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const encoded = (text: string) => Buffer.from(Buffer.from(text).map((byte) => byte + 42)).toString('latin1');
const named = (text: string) => filesIn(text).map(({ name, bytes }) => [name, Buffer.from(bytes).toString()] as const);

test('a file stands between its first and its last line', () => {
  expect(named(`hi\r\n=ybegin line=9 size=5 name=a b.txt\r\n${encoded('hello')}\r\n=yend size=5\r\nbye`)).toEqual([
    ['a b.txt', 'hello'],
  ]);
});

test('a file without a last line ends where the next begins, and the last one with the text', () => {
  const begin = (name: string) => `=ybegin line=9 size=5 name=${name}\n`;
  expect(named(`${begin('a')}${encoded('one')}\n${begin('b')}=ypart begin=1 end=3\n${encoded('two')}\n`)).toEqual([
    ['a', 'one'],
    ['b', 'two'],
  ]);
});
