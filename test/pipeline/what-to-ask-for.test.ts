/** The page in the place of a removed file says what to ask the sender for. */
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { createRig, emailWith } from './rig.ts';

test.each([
  ['IMG_1.HEIC', 'image/heic', 'JPEG or PNG'],
  ['picture.psd', 'application/octet-stream', 'JPEG or PNG'],
  ['clip.avi', 'video/x-msvideo', 'MP4 or MP3'],
  ['voice.amr', 'application/octet-stream', 'MP4 or MP3'],
  ['drawing.vsdx', 'application/octet-stream', 'as a PDF'],
])('%s', async (name, type, words) => {
  const { clean } = await createRig().scan(emailWith({ files: [{ name, type, bytes: '\0\x01\x02 unknown' }] }));
  const { attachments } = await PostalMime.parse(clean ?? '', { attachmentEncoding: 'utf8' });
  expect(String(attachments[0]?.content)).toContain(words);
});
