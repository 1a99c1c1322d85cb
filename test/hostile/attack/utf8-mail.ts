/** A message with texts and files, as UTF-8. */
import { emailWith } from '../../pipeline/rig.ts';

export const utf8Mail = (parts: Parameters<typeof emailWith>[0]): Uint8Array => Buffer.from(emailWith(parts));
