import { expect, test } from 'vitest';
import { findValues } from '../../../lib/engines/static/findings/iocs.ts';

const HASH = 'a1B2'.repeat(16);

test.each<[string, string, string[]]>([
  ['a hash alone', HASH, [HASH]],
  ['a hash behind text', `${'x '.repeat(45)}${HASH}.`, [HASH]],
  ['a digit too few', HASH.slice(1), []],
  ['a digit too many', `${HASH}0`, []],
  ['a letter before it', `z${HASH}`, []],
  ['an address', 'to ann.b+c@mail.shop.example, bob', ['ann.b+c@mail.shop.example']],
  ['a mailbox of 64 letters', `${'q'.repeat(64)}@shop.example`, [`${'q'.repeat(64)}@shop.example`]],
  ['a mailbox of 65 letters', `${'q'.repeat(65)}@shop.example`, []],
  [
    'a URL as JavaScript and JSON write it',
    String.raw`"http:\/\/a.test\/x\u0026y\x3d1"`,
    ['a.test', 'http://a.test/x&y=1'],
  ],
  [
    'a URL as HTML writes it',
    'href="http://a.test/?x=1&amp;y=2&#38;z&#x3d;3"',
    ['a.test', 'http://a.test/?x=1&y=2&z=3'],
  ],
  ['one URL written twice', String.raw`"http:\/\/a.test\/x" "http://a.test/x"`, ['a.test', 'http://a.test/x']],
  ['a folder that looks like an escape', String.raw`C:\tools\x64\a.dll`, [String.raw`C:\tools\x64\a.dll`]],
  ['a URL of which every sign is escaped', String.raw`http\x3A\u002f\/a.test`, ['a.test', 'http://a.test']],
  ['a URL whose signs HTML escapes', 'http&#58;&#x2f;&#47;a.test', ['a.test', 'http://a.test']],
  ['a share behind a percent sign', String.raw`100%\\host\share\a.exe`, [String.raw`\\host\share\a.exe`]],
  ['a share of a host with one letter', String.raw`\\h\share\a.exe`, []],
  ['a folder of a variable', String.raw`copy %TEMP%\a.exe`, [String.raw`%TEMP%\a.exe`]],
  ['a folder of another variable', String.raw`copy %WINDIR%\a.exe`, []],
  ['a drive at the end', 'on C:\\', []],
  [
    'keys of the registry',
    String.raw`HKLM\Software\Run, HKEY_USERS\abc`,
    [String.raw`HKLM\Software\Run`, String.raw`HKEY_USERS\abc`],
  ],
  ['an address of numbers', 'to 203.0.113.77:80', ['203.0.113.77']],
  ['a version of three numbers', 'version 203.0.113', []],
  ['a label of 64 letters behind the sign', `a@${'q'.repeat(64)}.example`, []],
  ['no mailbox', ' @shop.example', []],
  ['two addresses in a row', 'a@b.example;c@d.example', ['a@b.example', 'c@d.example']],
])('values of %s', (_, text, expected) => {
  expect(findValues([{ where: '', bytes: Buffer.from(text) }]).map(({ value }) => value)).toEqual(expected);
});
