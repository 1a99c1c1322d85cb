/** Searches pictures for QR codes and other codes. The codes are read elsewhere. */
import { linksOfCodes } from './codes.ts';
import { isOneOf, type UrlExtractor } from './source.ts';

const TYPES = /^image\/(?!svg)[a-z0-9.+-]+$/;
const EXTENSIONS = /^(?:png|jpe?g|jfif|gif|bmp|webp|tiff?|avif|hei[cf]|hif|ico|emf|wmf)$/;
/** A smaller picture holds no code. Most pictures of ordinary mail are tracking pixels and lines. */
const SMALLEST_BYTES = 100;

export const picture: UrlExtractor = {
  name: 'picture',
  accepts: (source) => source.bytes.length >= SMALLEST_BYTES && isOneOf(source, TYPES, EXTENSIONS),
  find: ({ bytes }, tools) => linksOfCodes({ kind: 'picture', bytes }, tools),
};
