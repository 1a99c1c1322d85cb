/**
 * A web archive (`.mht`) that is attached under the type of a message or a multipart, as browsers and Windows declare it. RFC 2045 §6.4
 * allows these types no encoding, so some programs decode such a part and others do not. It is a file here, and nothing of its bytes
 * is delivered: its disarm writes a page, and `decide` holds a message in which the part would stay as it is.
 */
import { areAllCalled } from '../../formats/detection/file-names.ts';
import type { PartFacts } from './part-facts.ts';

const DECLARED = /^(?:message\/rfc822|multipart\/related)$/;
const ARCHIVE_NAME = /^mht(?:ml)?$/;

/** True when every claimed name is one of a web archive, and there is one. */
export function isCalledWebArchive(untrustedNames: readonly string[]): boolean {
  return untrustedNames.length > 0 && areAllCalled(untrustedNames, ARCHIVE_NAME);
}

/** True for an encoded part that is a web archive by its name, and of which the header says everything only once. */
export function isArchiveFile(
  facts: Pick<PartFacts, 'declaredType' | 'encoding' | 'isNamed' | 'names' | 'otherTypes' | 'otherEncodings'>,
): boolean {
  const { declaredType, encoding, isNamed, names, otherTypes, otherEncodings } = facts;
  const isEncoded = encoding === 'base64' || encoding === 'quoted-printable';
  const isOnce = otherTypes.length + otherEncodings.length === 0;
  return isEncoded && isOnce && isNamed && DECLARED.test(declaredType) && isCalledWebArchive(names);
}
