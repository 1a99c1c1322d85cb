/**
 * What a stranger chose (the name of a file or of a member of an archive, and what an analysis says of it) becomes a link in words of
 * our own: the notice in place of a removed file, and the list of what was left out of an archive.
 */
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { simpleParser } from 'mailparser';
import { zipOf } from '../../engines/zip-fixture.ts';
import { emailWith } from '../../pipeline/rig.ts';
import { mailAttack } from './attack-class.ts';
import { linksOrAddressesOthersMark } from './linkifiers.ts';

const NAMES = [
  'evil.example',
  'https://evil.example/x',
  'www.evil.example',
  'ftp.evil.example',
  'evil.berlin',
  '198.51.100.7',
  'mailto:a@evil.example',
  'a@evil.example',
  '\\\\evil.example\\share\\a',
  'file:\\\\evil\\a',
  '//evil.example/a',
  'ms-word:ofe|u|https:evil.example',
  'search-ms:query=a',
  'steam://run',
  'http:evil.example',
  'evil\u3002example',
  'see evil.example now',
  '<https://evil.example>',
  '[https://evil.example]',
  'evil.com.',
];
const EXTENSIONS = ['exe', 'js', 'com', 'zip'];
const PROGRAM = Buffer.from('MZ\x90\0 not a program', 'latin1');
const SCRIPT = "new ActiveXObject('WScript.Shell').Run('cmd /c start https://evil.example/x')";

/** Ways a name gets into a mail, each to another place of our words. */
const PLACES: Readonly<Record<string, (name: string) => { name: string; bytes: Uint8Array | string }>> = {
  'a file': (name) => ({ name, bytes: PROGRAM }),
  'a script': (name) => ({ name, bytes: SCRIPT }),
  'a member that is left out': (name) => ({
    name: 'files.zip',
    bytes: zipOf({ 'note.txt': 'a note', [name]: { content: PROGRAM } }),
  }),
  'a link in an archive': (name) => ({
    name: 'files.zip',
    bytes: zipOf({ 'note.txt': 'a note', [name]: { content: 'https://evil.example', unixMode: 0o120777 } }),
  }),
  'a locked member': (name) => ({ name: 'files.zip', bytes: zipOf({ [name]: { content: PROGRAM, encrypted: true } }) }),
  'a member of a member': (name) => ({
    name: 'files.zip',
    bytes: zipOf({ 'inner.zip': { content: zipOf({ [name]: { content: SCRIPT } }) }, 'note.txt': 'a note' }),
  }),
};

/** The words of ours in a message: its notices, and the lists in its archives, at any depth. */
async function ourWords(message: Uint8Array): Promise<string[]> {
  const { text = '', attachments } = await simpleParser(Buffer.from(message));
  const lists = attachments
    .filter(({ content }) => content.subarray(0, 2).toString() === 'PK')
    .map(({ content }) => listsIn(content));
  const notices = attachments
    .filter(({ contentType }) => contentType === 'text/plain')
    .map(({ content }) => content.toString());
  return [text, ...notices, ...(await Promise.all(lists)).flat()];
}

async function listsIn(archive: Uint8Array): Promise<string[]> {
  const reader = new ZipReader(new Uint8ArrayReader(new Uint8Array(archive)));
  const texts: string[] = [];
  for (const entry of await reader.getEntries())
    if (!entry.directory && /^REMOVED FILES|\(removed\)/.test(entry.filename))
      texts.push(await entry.getData(new TextWriter()));
  await reader.close();
  return texts;
}

export const removedNames = mailAttack({
  name: 'removed-names',
  title: 'a link in our own notices, from the name of a removed file',
  *cases() {
    for (const name of NAMES)
      for (const extension of EXTENSIONS)
        for (const [place, build] of Object.entries(PLACES))
          yield {
            id: `${name} ${extension} as ${place}`,
            email: emailWith({ text: 'See the file.', files: [build(`${name}.${extension}`)] }),
          };
  },
  async judge(_, { message }) {
    const links = (await ourWords(message)).flatMap(linksOrAddressesOthersMark);
    return links.length > 0 ? `a program marks ${links[0]} in our notice` : null;
  },
});
