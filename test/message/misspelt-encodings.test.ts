/** Labels of bodies that are not encoded, as mailers misspell them. */
import { expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { mail, multipart, TEXT } from './mail-builder.ts';
import { partHeader } from './rebuilding/rig.ts';

const labelled = (label: string) => `Content-Transfer-Encoding: ${label}`;
const read = (label: string) =>
  readMessage(mail(multipart('mixed', 'b', [TEXT, `${labelled(label)}\r\n\r\nR2/=C3 stays`])), DEFAULT_LIMITS);

test.each([
  ['8bits', '8bit'],
  ['8-Bit', '8bit'],
  ['8 bit', '8bit'],
  ['8bit;', '8bit'],
  ['7bits', '7bit'],
  ['7 bits', '7bit'],
  ['7-bit ;', '7bit'],
])('%s means %s, which is written instead', async (label, encoding) => {
  const { parts, warnings } = await read(label);
  expect(warnings).toEqual([]);
  expect(parts.at(-1)).toMatchObject({ encoding, size: 'R2/=C3 stays'.length, readings: ['structure', 'stream'] });
  expect(await partHeader([labelled(label)])).toBe(labelled(encoding));
});

test.each([
  'utf-8',
  'us-ascii',
  'none',
  '16bit',
  '8  bit',
  '8bit base64',
  '8bit; base64',
  'base64;',
  'quoted-printable;',
  'x-8bit',
  '(8bit)',
  '"8bit"',
])('%s is still told', async (label) => {
  expect((await read(label)).warnings.map(({ code }) => code)).toContain('odd_encoding');
});
