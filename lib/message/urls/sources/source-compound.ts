/** Searches documents of older Office programs (MS-CFB): finds hyperlinks, fields and monikers by the strings of the file. */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { searchOf } from '../link-set.ts';
import { findInBinary, linksWritten } from './binary.ts';
import type { UrlExtractor } from './source.ts';

const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');

export const compoundFile: UrlExtractor = {
  name: 'compound-file',
  accepts: ({ bytes }) => bytes.length > MAGIC.length && MAGIC.equals(bytes.subarray(0, MAGIC.length)),
  async find({ bytes }, { limits }) {
    if (bytes.length > limits.textBytes) return { urls: [], notSearched: [`a document of ${bytes.length} bytes`] };
    const links = linksWritten(limits);
    findInBinary(asBuffer(bytes), { where: 'document', rank: 0 }, links);
    return searchOf([links], 'all of a document');
  },
};
