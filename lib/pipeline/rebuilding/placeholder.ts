/** The text that replaces a removed file. It is written for the person who opens the mail. Pure. */
import { extensionsOf } from '../../formats/detection/file-names.ts';
import type { Replacement } from '../../message/model.ts';
import { wordsIn } from '../../words/in-language.ts';
import { type PlaceholderFacts, placeholderPage, placeholderText } from '../../words/placeholder.ts';
import type { FileArtifact } from '../ledger/artifact.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import type { Ledger, Part } from '../ledger/ledger.ts';
import type { TypeGroup } from '../model.ts';
import type { Policy } from '../policy/policy.ts';
import { inertText, safeFileName } from '../safe-text.ts';
import { helpOf, languageFor, whyRemoved } from './recipient-texts.ts';

/** Characters shown of a name. */
const NAME_LENGTH = 200;

/** Returns the page or the text for a removed leaf. No text of the sender or the service can act in it. */
export function placeholderFor(policy: Policy, ledger: Ledger, part: Part, artifact: FileArtifact): Replacement {
  const facts = factsOf(policy, ledger, part, artifact);
  const isPage = part.role !== 'body' && policy.told.placeholder === 'html';
  const extension = isPage ? 'html' : 'txt';
  const [name] = part.untrustedNames;
  const { suffix, laterSuffix } = wordsIn(facts.language).page;
  const filename = safeFileName(
    name === undefined ? null : `${inertText(name, 300)} (${facts.isLater ? laterSuffix : suffix}).${extension}`,
    extension,
  );
  return {
    type: isPage ? 'text/html' : 'text/plain',
    charset: 'utf-8',
    method: null,
    filename: part.role === 'body' ? null : filename,
    // A program that shows parts one below the other must not show our page as if it were the message.
    isInline: !isPage,
    keepContentId: false,
    bytes: new TextEncoder().encode(isPage ? placeholderPage(facts) : placeholderText(facts)),
  };
}

function factsOf(policy: Policy, ledger: Ledger, part: Part, artifact: FileArtifact): PlaceholderFacts {
  const language = languageFor(policy, ledger);
  const isBody = part.role === 'body';
  const [name] = part.untrustedNames;
  const kind = artifact.typeGroup === 'url' ? 'other' : artifact.typeGroup;
  return {
    language,
    file: isBody
      ? null
      : { name: name === undefined ? null : inertText(name, NAME_LENGTH), kind, sizeBytes: part.size },
    why: whyRemoved(language, artifact, isBody ? 'message' : 'file'),
    advice: isBody ? null : adviceFor(artifact, part),
    isLater: artifact.removedFor === 'still_examined',
    help: helpOf(policy),
    runId: ledger.runId,
    sha256: hashOf(artifact.id),
  };
}

/** Returns advice to the sender, so that the content arrives. There is none for a harmful file or a program. */
function adviceFor({ removedFor, typeGroup }: FileArtifact, part: Part): PlaceholderFacts['advice'] {
  if (removedFor === 'malicious' || typeGroup === 'script' || typeGroup === 'executable') return null;
  if (removedFor === 'timeout' || removedFor === 'service_error') return null;
  if (removedFor === 'encrypted') return 'withoutPassword';
  if (typeGroup === 'archive') return 'unpacked';
  const extensions = part.untrustedNames.flatMap(extensionsOf);
  const isOf = (family: RegExp, group: TypeGroup, names: RegExp) =>
    typeGroup === group || family.test(part.declaredType) || extensions.some((each) => names.test(each));
  if (isOf(/^(?:audio|video)\//, 'media', FILM_NAMES)) return 'asFilm';
  return isOf(/^image\//, 'image', PICTURE_NAMES) ? 'asPicture' : 'asPdf';
}

const FILM_NAMES = /^(?:mp[34]|m4[av]|mov|wav|3gp|aiff?|flac|og[gva]|opus|amr|avi|wm[av]|asf|mk[av]|webm|mpe?g|vob)$/;
const PICTURE_NAMES = /^(?:heic|heif|avif|jxl|jp2|psd|ico|emf|wmf|cr[23]|nef|arw|dng)$/;
