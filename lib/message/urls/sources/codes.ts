/** Finds the links in the codes (QR codes and others) of pictures and pages. */
import type { CodeRequest } from '../../../formats/codes/request.ts';
import { distinct, linkOf, linksIn, type Search, type SearchTools } from './source.ts';

/** The processor time for one picture. It leaves some for the next one. */
const MAX_MS = 5_000;
/** A telephone opens a code that begins like this. Any other text is searched for URLs. */
const OPENED = /^\s*(?:https?|ftp|market|intent|itms-apps|itms-services|webcal|file|ms-[a-z-]+):/i;
/** Older readers write bookmarks as `URLTO:` and `MEBKM:URL:`. */
const BOOKMARK = /^\s*(?:urlto|url):(?=\S)/i;

/** Returns the URLs of every code found. `notSearched` names everything that could not be searched. */
export async function linksOfCodes(
  request: Omit<CodeRequest, 'workMs'>,
  { readCodes, limits, workLeftMs }: SearchTools,
): Promise<Search> {
  const what = request.kind === 'pdf' ? 'the pages of a PDF' : 'a picture';
  if (readCodes === null) return { urls: [], notSearched: [`${what}, for codes: there is no code reader here`] };
  const { outcome, untrustedTexts } = await readCodes({ ...request, workMs: Math.min(MAX_MS, workLeftMs()) });
  const place = { where: 'code', rank: 0 } as const;
  const urls = untrustedTexts.flatMap((text) => {
    const plain = text.replace(BOOKMARK, '');
    return [...(OPENED.test(plain) ? linkOf(plain.trim(), place, limits) : []), ...linksIn(plain, place, limits)];
  });
  const notSearched = {
    read: [],
    partly: [`${what} to its end, for codes`],
    unreadable: [`${what}, for codes: it cannot be decoded`],
  };
  return { urls: distinct(urls), notSearched: notSearched[outcome] };
}
