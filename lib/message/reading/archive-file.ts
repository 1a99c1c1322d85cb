/**
 * A web archive (`.mht`) that is attached under the type of a message or a multipart. Browsers and Windows declare it so. RFC 2045 §6.4
 * allows these types no encoding, so some programs decode such a part and others do not. Here it is a file, and none of its bytes are
 * delivered. Its disarm writes a page, and `decide` holds a message in which the part would stay unchanged.
 */
import { areAllCalled } from '../../formats/detection/file-names.ts';
import type { PartFacts } from './part-facts.ts';

const DECLARED = /^(?:message\/rfc822|multipart\/related)$/;
const ARCHIVE_NAME = /^mht(?:ml)?$/;

/** Returns true when there is a claimed name, and every claimed name is one of a web archive. */
export function isCalledWebArchive(untrustedNames: readonly string[]): boolean {
  return untrustedNames.length > 0 && areAllCalled(untrustedNames, ARCHIVE_NAME);
}

/** Returns true for an encoded part that is a web archive by its name and whose header repeats no field. */
export function isArchiveFile(
  facts: Pick<PartFacts, 'declaredType' | 'encoding' | 'isNamed' | 'names' | 'otherTypes' | 'otherEncodings'>,
): boolean {
  const { declaredType, encoding, isNamed, names, otherTypes, otherEncodings } = facts;
  const isEncoded = encoding === 'base64' || encoding === 'quoted-printable';
  const isOnce = otherTypes.length + otherEncodings.length === 0;
  return isEncoded && isOnce && isNamed && DECLARED.test(declaredType) && isCalledWebArchive(names);
}
