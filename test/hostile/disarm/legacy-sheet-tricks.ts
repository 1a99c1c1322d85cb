/** Workbooks that hide something where no list of sheets and no record shows it. */
import { label, words, type XlsOptions, type XlsRecord } from '../../fixtures/build-xls.ts';
import { KEEP, LIVE } from './sample.ts';

const shown = label(0, 0, `${KEEP} invoice`);
const begin = (kind: number): XlsRecord => [0x0809, words(0x0600, kind, 0, 0, 0, 0, 0, 0)];
const END: XlsRecord = [0x000a, Buffer.alloc(0)];
const book = (...records: readonly XlsRecord[]): XlsOptions => ({
  sheets: [{ name: 'Sheet1', records: [shown, ...records] }],
});

export const XLS_TRICKS: Readonly<Record<string, XlsOptions>> = {
  'inner-sheet': book(begin(0x40), label(1, 1, LIVE), END),
  'inner-module': book(begin(0x20), begin(0x06), label(1, 1, LIVE), END, END),
  'continued-formula': book([0x0006, words(1, 1, 15, 0, 0, 0, 0, 0, 0, 0, 99)], [0x003c, Buffer.from(LIVE)]),
};
