/** The name of a removed file becomes a link in the notice that stands in its place. */
import { simpleParser } from 'mailparser';
import { emailWith } from '../../pipeline/rig.ts';
import { mailAttack } from './attack-class.ts';
import { linksOthersMark } from './linkifiers.ts';

const NAMES = ['evil.example', 'https://evil.example/x', 'www.evil.example', 'ftp.evil.example'];
const EXTENSIONS = ['exe', 'js', 'com', 'bat', 'lnk', 'hta', 'vbs', 'scr', 'ps1', 'jar', 'msi', 'cpl', 'zip'];

export const removedNames = mailAttack({
  name: 'removed-names',
  title: 'a link in our own notices, from the name of a removed file',
  *cases() {
    for (const name of NAMES)
      for (const extension of EXTENSIONS)
        yield {
          id: `${name} ${extension}`,
          email: emailWith({
            text: 'See the file.',
            files: [
              { name: `${name}.${extension}`, type: 'application/octet-stream', bytes: 'MZ\x90\0 not a program' },
            ],
          }),
        };
  },
  async judge(_, { message }) {
    const { text = '', attachments } = await simpleParser(Buffer.from(message));
    const texts = [text, ...attachments.map(({ content }) => content.toString())];
    const links = texts.flatMap(linksOthersMark);
    return links.length > 0 ? `a program marks ${links[0]} in our notice` : null;
  },
});
