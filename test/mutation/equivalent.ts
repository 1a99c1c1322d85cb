/**
 * Planted faults that no test can notice, because the program does the same with them or because nothing promises that it does not:
 * each with the reason. An entry that fits no fault which went unnoticed is told, so that the list does not outlive its reasons.
 */
import type { Fault } from './plant.ts';

export interface Equivalent {
  readonly file: string;
  /** As the command prints them. */
  readonly was: string;
  readonly becomes: string;
  readonly why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'lib/engines/disarm/gate.ts',
    was: String.raw`/^image\/(?!svg)/`,
    becomes: String.raw`/image\/(?!svg)/`,
    why: 'no type of the table of types holds the name of another in front of or behind it',
  },
  {
    file: 'lib/engines/disarm/gate.ts',
    was: String.raw`/^(?:picture-metadata|(?:office|odf|rtf|ole|pdf)-properties)$/`,
    becomes: String.raw`/(?:picture-metadata|(?:office|odf|rtf|ole|pdf)-properties)$/`,
    why: 'the findings are a closed list, and none holds the name of another in front of or behind it',
  },
  {
    file: 'lib/engines/disarm/gate.ts',
    was: String.raw`/^(?:picture-metadata|(?:office|odf|rtf|ole|pdf)-properties)$/`,
    becomes: String.raw`/^(?:picture-metadata|(?:office|odf|rtf|ole|pdf)-properties)/`,
    why: 'the findings are a closed list, and none holds the name of another in front of or behind it',
  },
  {
    file: 'lib/engines/disarm/kept.ts',
    was: String.raw`/^(?:message\/rfc822|application\/(?:zip|vnd\.ms-outlook|vnd\.ms-tnef))$/`,
    becomes: String.raw`/(?:message\/rfc822|application\/(?:zip|vnd\.ms-outlook|vnd\.ms-tnef))$/`,
    why: 'no type of the table of types holds the name of another in front of or behind it',
  },
  {
    file: 'lib/engines/disarm/kept.ts',
    was: String.raw`/^(?:message\/rfc822|application\/(?:zip|vnd\.ms-outlook|vnd\.ms-tnef))$/`,
    becomes: String.raw`/^(?:message\/rfc822|application\/(?:zip|vnd\.ms-outlook|vnd\.ms-tnef))/`,
    why: 'no type of the table of types holds the name of another in front of or behind it',
  },
  {
    file: 'lib/engines/inspect/media/movie.ts',
    was: 'at + 8 <= end',
    becomes: 'true',
    why: 'fewer than eight bytes are left, and a size of eight or more does not fit into them either',
  },
  {
    file: 'lib/engines/inspect/media/movie.ts',
    was: 'at + 8',
    becomes: 'at - 8',
    why: 'fewer than eight bytes are left, and a size of eight or more does not fit into them either',
  },
  {
    file: 'lib/message/containers/archives.ts',
    was: 'bytes.length >= at + magic.length',
    becomes: 'true',
    why: 'behind the end of the bytes there is no byte that is equal to a letter',
  },
  {
    file: 'lib/message/containers/archives.ts',
    was: 'at + magic.length',
    becomes: 'at - magic.length',
    why: 'behind the end of the bytes there is no byte that is equal to a letter',
  },
  {
    file: 'lib/message/containers/data-url.ts',
    was: "''",
    becomes: '"Stryker was here!"',
    why: 'the compiler asks for a value where a group of a pattern always matched',
  },
  {
    file: 'lib/message/containers/email.ts',
    was: '() => false',
    becomes: '() => undefined',
    why: 'only whether it is true is asked',
  },
  {
    file: 'lib/message/containers/pgp-armor.ts',
    was: 'index < read',
    becomes: 'false',
    why: 'data that reach into another message hold the signs of its begin line, which are no base64',
  },
  {
    file: 'lib/message/containers/pgp-armor.ts',
    was: 'end < 0',
    becomes: 'end <= 0',
    why: 'it is looked for behind the beginning of the data, which is never at the start',
  },
  {
    file: 'lib/message/containers/pgp-armor.ts',
    was: String.raw`/\s+/g`,
    becomes: String.raw`/\s/g`,
    why: 'all blanks are taken out, one by one or together',
  },
  {
    file: 'lib/message/containers/pgp-armor.ts',
    was: '[]',
    becomes: '["Stryker was here"]',
    why: 'only the second element is looked at',
  },
  {
    file: 'lib/message/rebuilding/clean-header.ts',
    was: "''",
    becomes: '"Stryker was here!"',
    why: 'the name of a line that is no field is only compared with the names of fields',
  },
  {
    file: 'lib/message/rebuilding/mime-fields.ts',
    was: 'rule === undefined',
    becomes: 'false',
    why: 'only fields with a rule are handed in; the compiler asks for the check',
  },
  {
    file: 'lib/message/rebuilding/mime-fields.ts',
    was: String.raw`/^[^\s;]+/`,
    becomes: String.raw`/[^\s;]+/`,
    why: 'a value begins with no blank, and behind one that begins with a semicolon a sign of the type itself is left over',
  },
  {
    file: 'lib/message/rebuilding/mime-fields.ts',
    was: "''",
    becomes: '"Stryker was here!"',
    why: 'the compiler asks for a value where a group of a pattern always matched, and a text with blanks is no Content-ID either',
  },
  {
    file: 'lib/message/rebuilding/fresh-part.ts',
    was: 'method !== null',
    becomes: 'true',
    why: 'the compiler asks for the check; the pattern of a method takes capitals only, so that null is none',
  },
  {
    file: 'lib/message/rebuilding/rebuild.ts',
    was: "'a message with parts that only lenient programs find cannot be rebuilt'",
    becomes: '""',
    why: 'a text for people; programs go by the code of the error',
  },
  {
    file: 'lib/storage/directory/submissions.ts',
    was: "error instanceof Error && 'code' in error",
    becomes: 'true',
    why: 'what is asked are errors of the file system and our own, which all are Errors with a code',
  },
  {
    file: 'lib/storage/directory/submissions.ts',
    was: "error instanceof Error && 'code' in error",
    becomes: "error instanceof Error || 'code' in error",
    why: 'what is asked are errors of the file system and our own, which all are Errors with a code',
  },
  {
    file: 'lib/storage/directory/submissions.ts',
    was: 'holder',
    becomes: 'true',
    why: 'without a record there is nothing to move away, and the move of what is not there changes nothing',
  },
  {
    file: 'lib/pipeline/chain/chain-memory.ts',
    was: "''",
    becomes: '"Stryker was here!"',
    why: 'a text that only stands where there is no line or no chain, for which the compiler asks; nothing has that key',
  },
  {
    file: 'lib/pipeline/chain/chain-memory.ts',
    was: 'last.slice(-100)',
    becomes: 'last',
    why: 'the key only finds a candidate, of which every line is compared',
  },
  {
    file: 'lib/pipeline/chain/chain-memory.ts',
    was: '-100',
    becomes: '+100',
    why: 'the key only finds a candidate, of which every line is compared',
  },
  {
    file: 'lib/pipeline/chain/chain-memory.ts',
    was: 'found !== undefined',
    becomes: 'true',
    why: 'what is not there has no lines, and so not as many as were asked for',
  },
];

/** The entry of the list that excuses a fault. */
export function excuseOf(fault: Fault): Equivalent | undefined {
  return EQUIVALENT.find(
    ({ file, was, becomes }) => file === fault.file && was === fault.was && becomes === fault.becomes,
  );
}
