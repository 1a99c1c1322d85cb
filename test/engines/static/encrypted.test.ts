/** Office documents behind a password: what is behind it is judged when the password is known. */
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { buildDocm, buildMacroFreeDocx } from '../../fixtures/build-office.ts';
import { LOCKED_WORKBOOK } from '../../fixtures/locked-workbook.ts';
import { verdictOn } from './analyse.ts';

const { encrypt } = createRequire(import.meta.url)('officecrypto-tool') as typeof import('officecrypto-tool');

/** The password that Excel tries by itself. */
const SILENT = 'VelvetSweatshop';

const macros = Buffer.from(await buildDocm());
const plain = Buffer.from(await buildMacroFreeDocx());

describe.each(['agile', 'standard'])('a document that was encrypted by the %s method', (type) => {
  const locked = (bytes: Buffer, password: string) =>
    encrypt(bytes, type === 'standard' ? { password, type } : { password });

  test('is judged like the document behind it, with the password that programs try without asking', async () => {
    const open = await verdictOn(macros, 'a.docm');
    expect(open).toContain('office-macro');
    expect(await verdictOn(await locked(macros, SILENT), 'a.docm')).toBe(open);
    expect(await verdictOn(await locked(plain, SILENT), 'a.docx')).toBe('benign');
  });

  test('is judged with the password that the mail gives, and with no other', async () => {
    const bytes = await locked(macros, 'secret');
    expect(await verdictOn(bytes, 'a.docm', 'secret')).toContain('office-macro');
    for (const wrong of [null, 'wrong']) expect(await verdictOn(bytes, 'a.docm', wrong)).toBe('failed:encrypted');
  });
});

test('a workbook of Excel 97 is judged behind the password that Excel tries by itself', async () => {
  expect(await verdictOn(LOCKED_WORKBOOK, 'a.xls')).toBe('benign');
});
