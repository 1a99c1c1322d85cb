/** Parts and header lines that we write ourselves: what they say, and that nothing given to them says more. */
import { describe, expect, test } from 'vitest';
import type { Replacement } from '../../../lib/message/model.ts';
import { addedHeaderLine, freshPart, isPlainContentId } from '../../../lib/message/rebuilding/fresh-part.ts';
import { withBytes } from './rig.ts';

const headerOf = (more: Partial<Replacement>, contentId: string | null = null) =>
  freshPart(withBytes('x', { charset: null, ...more }), contentId, '\n').header.split('\n');

test('a part has its type, its encoding, its disposition and its name', () => {
  const { header, body } = freshPart(
    withBytes('x'.repeat(58), { type: 'text/calendar', charset: 'utf-8', method: 'REQUEST', filename: 'a b.ics' }),
    null,
    '\r\n',
  );
  expect(header).toBe(
    [
      ...['Content-Type: text/calendar;', ' charset=utf-8;', ' method=REQUEST;', ' name="a b.ics"'],
      ...['Content-Transfer-Encoding: base64', 'Content-Disposition: inline;', ' filename="a b.ics"', ''],
    ].join('\r\n'),
  );
  expect(body).toBe(`${'eHh4'.repeat(19)}\r\neA==`);
});

test('a part without a name gets none, and stays an attachment', () => {
  expect(headerOf({ isInline: false, type: 'image/png' })).toEqual([
    'Content-Type: image/png',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment',
    '',
  ]);
});

test('a name that is not plain stands only in the disposition', () => {
  expect(headerOf({ filename: 'ü.txt' })).toEqual([
    'Content-Type: text/plain',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: inline;',
    " filename*=utf-8''%C3%BC.txt",
    '',
  ]);
});

describe('a type', () => {
  test.each(['text/html', 'IMAGE/PNG', 'application/vnd.a-b_c+xml', `${'a'.repeat(60)}/${'b'.repeat(100)}`])(
    'that is one stays: %s',
    (type) => expect(headerOf({ type })[0]).toBe(`Content-Type: ${type}`),
  );
  test.each(['', 'text', 'text/', '/html', 'text/html;a=b', 'x text/html', 'text/html\nX: y'])(
    'that is none is unknown: %j',
    (type) => expect(headerOf({ type })[0]).toBe('Content-Type: application/octet-stream'),
  );
  test.each([`${'a'.repeat(61)}/b`, `a/${'b'.repeat(101)}`])('that is too long is unknown', (type) =>
    expect(headerOf({ type })[0]).toBe('Content-Type: application/octet-stream'),
  );
});

describe('a method', () => {
  test.each(['CANCEL', 'A', 'A'.repeat(20)])('is a word of capitals: %s', (method) =>
    expect(headerOf({ method }).slice(0, 2)).toEqual(['Content-Type: text/plain;', ` method=${method}`]),
  );
  test.each(['', 'cancel', 'A B', 'A;b', '1A', 'A'.repeat(21)])('is nothing else: %j', (method) =>
    expect(headerOf({ method })[0]).toBe('Content-Type: text/plain'),
  );
});

describe('a Content-ID', () => {
  test('stands in brackets when it is asked for', () => {
    expect(headerOf({ keepContentId: true }, 'a@b')).toContain('Content-ID: <a@b>');
    expect(headerOf({ keepContentId: false }, 'a@b').join()).not.toContain('Content-ID');
    expect(headerOf({ keepContentId: true }, null).join()).not.toContain('Content-ID');
  });

  test.each(['a', 'a@b', "!#$%&'*+-./09=?@AZ^_`az{|}~", 'www@b', 'www', 'a.b/c', 'a'.repeat(250)])(
    'is plain: %s',
    (id) => expect(isPlainContentId(id)).toBe(true),
  );
  test.each([
    '',
    'a b',
    '<a',
    'a"',
    'a(',
    'a,b',
    'a:b',
    'a\\b',
    'ü',
    'www.a',
    'WWW123.a',
    'ftp.a',
    'a.example/b',
    'a.EX/b',
  ])('is not plain: %j', (id) => expect(isPlainContentId(id)).toBe(false));
  test('is not plain when it is too long', () => expect(isPlainContentId('a'.repeat(251))).toBe(false));
});

describe('an added line', () => {
  test.each([
    [' a ', 'X-Airlock-A: a\n'],
    ['a\tb\u2028c', 'X-Airlock-A: a b c\n'],
    ['é€\u{1f600}', 'X-Airlock-A: ???\n'],
    ['~ !', 'X-Airlock-A: ~ !\n'],
    ['x'.repeat(901), `X-Airlock-A: ${'x'.repeat(900)}\n`],
  ])('of %j', (value, line) => expect(addedHeaderLine({ name: 'X-Airlock-A', value }, '\n')).toBe(line));

  test.each([`X-Airlock-${'a'.repeat(60)}`, 'X-Airlock-Run-2'])('may have the name %s', (name) =>
    expect(addedHeaderLine({ name, value: 'a' }, '\r\n')).toBe(`${name}: a\r\n`),
  );
  test.each([
    'Subject',
    'X-Airlock-',
    'x-airlock-a',
    'X-Airlock-A: b',
    'YX-Airlock-A',
    'X-Airlock-A B',
    'X-Airlock-A\n',
  ])('may not have the name %j', (name) =>
    expect(() => addedHeaderLine({ name, value: 'a' }, '\n')).toThrow(TypeError),
  );
  test('may not have a longer name, and the error message is short', () => {
    expect(() => addedHeaderLine({ name: `X-Airlock-${'a'.repeat(61)}`, value: 'a' }, '\n')).toThrow(TypeError);
    expect(() => addedHeaderLine({ name: 'b'.repeat(5_000), value: 'a' }, '\n')).toThrow(
      /^not a header of ours: "b{80}"$/,
    );
  });
});
