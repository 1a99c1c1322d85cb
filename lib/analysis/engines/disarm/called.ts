/** What the program that a file's name starts will take the file for: it goes by the name, and so must the disarm. */
import { extensionOf } from '../detect.ts';
import { type DetectedType, EngineError, type FileInput } from '../engine.ts';
import { describeType, type FileType } from '../file-types.ts';
import { textEncoding } from '../text-encoding.ts';

interface Kind {
  readonly extensions: readonly string[];
  /** Types that a file of these names may be found to be: macro twins, templates and what their programs open by content. */
  readonly accepts: RegExp;
  /** What any other file is read as, since that is what its program will do; without it, the file is refused. */
  readonly opensAs?: FileType;
}

/** One module takes all of Office Open XML, and looks at the parts of each program in any package. */
const officeAnd = (others: string) =>
  new RegExp(
    `^application\\/(?:vnd\\.(?:openxmlformats-officedocument\\.|ms-(?:word|excel|powerpoint)\\.)|(?:encrypted|${others})$)`,
  );
const word = (list: string) => list.split(' ');

/** Names that make a program open a file as one kind. A name that is not here says nothing, and the content decides. */
const KINDS: readonly Kind[] = [
  { extensions: word('csv tsv'), accepts: /^text\/csv$/, opensAs: 'text/csv' },
  { extensions: word('ics vcs'), accepts: /^text\/calendar$/, opensAs: 'text/calendar' },
  { extensions: word('vcf'), accepts: /^text\/vcard$/, opensAs: 'text/vcard' },
  { extensions: word('html htm'), accepts: /^text\/html$/, opensAs: 'text/html' },
  { extensions: word('svg'), accepts: /^image\/svg\+xml$/, opensAs: 'image/svg+xml' },
  { extensions: word('pdf'), accepts: /^application\/pdf$/, opensAs: 'application/pdf' },
  {
    extensions: word('xml'),
    accepts:
      /^(?:text\/xml|application\/xhtml\+xml|image\/svg\+xml|application\/vnd\.oasis\.opendocument\..*-flat-xml)$/,
    opensAs: 'text/xml',
  },
  {
    extensions: word('docx docm dotx dotm doc dot rtf'),
    accepts: officeAnd('msword|rtf'),
  },
  {
    extensions: word('xlsx xlsm xltx xltm xlsb xlam xls xlt'),
    accepts: officeAnd('vnd\\.ms-excel'),
  },
  {
    extensions: word('pptx pptm potx potm ppsx ppsm ppam ppt pps pot'),
    accepts: officeAnd('vnd\\.ms-powerpoint'),
  },
  {
    extensions: word('odt ott ods ots odp otp odg otg odm fodt fods fodp fodg'),
    accepts: /^application\/vnd\.oasis\.opendocument\./,
  },
  {
    extensions: word('png jpg jpeg jpe jfif gif webp bmp tif tiff ico heic heif avif jxl jp2'),
    accepts: /^image\/(?!svg)/,
  },
  {
    // Office documents are zip archives; unpackers open every kind of archive by its content.
    extensions: word('zip 7z rar tar gz tgz bz2 tbz tbz2 xz txz'),
    accepts:
      /^application\/(?:zip|x-7z-compressed|vnd\.rar|x-tar|gzip|x-bzip2|x-xz|vnd\.(?:openxmlformats-|ms-(?:word|excel|powerpoint)\.|oasis\.opendocument\.(?!.*flat)).*)$/,
  },
  { extensions: word('eml emlx'), accepts: /^(?:message\/rfc822|multipart\/related)$/ },
  { extensions: word('mht mhtml'), accepts: /^(?:message\/rfc822|multipart\/related)$/ },
  { extensions: word('msg'), accepts: /^(?:application\/vnd\.ms-outlook|message\/rfc822)$/ },
];

/** A program that reads text can still find its own between other bytes, but no module here reads it then as that program would. */
function isReadable(type: FileType, bytes: Uint8Array): boolean {
  return type === 'application/pdf' || textEncoding(bytes) !== null;
}

interface Called {
  readonly type: DetectedType;
  /** Whether only the name says so. */
  readonly isByName: boolean;
}

/** The type to disarm a file as. Throws EngineError `unsupported` when its name and its bytes do not go together. */
export function typeAsCalled(detected: DetectedType, { bytes, untrustedName }: FileInput): Called {
  const extension = extensionOf(untrustedName);
  const kind = KINDS.find(({ extensions }) => extensions.includes(extension));
  // A file of no bytes is nothing to any program.
  if (kind === undefined || bytes.length === 0 || kind.accepts.test(detected.type))
    return { type: detected, isByName: false };
  if (kind.opensAs === undefined || !isReadable(kind.opensAs, bytes)) throw miscalled(detected, untrustedName);
  return { type: describeType(kind.opensAs), isByName: true };
}

/** The refusal of a file whose name and bytes do not go together. */
export function miscalled({ description }: DetectedType, untrustedName: string): EngineError {
  const called = `the file is called .${extensionOf(untrustedName)}, but its bytes are something else (${description})`;
  return new EngineError('unsupported', `${called}; ask the sender for it under its right name`);
}
