/** Archives that open with a password, of a form of our own: no 7-Zip is needed, and no time passes that nobody tells. */
import { collectWithin, unopenedArchive } from '../../lib/formats/archives/unpacking.ts';
import type { Unpacker } from '../../lib/pipeline/ports.ts';

const MAGIC = '7z\xbc\xaf\x27\x1c';

interface Sealed {
  /** Stands in it for everybody to read. */
  readonly note: string;
  readonly password: string;
  /** The only file in it. */
  readonly name: string;
  readonly text: string;
}

/** The bytes of an archive. Neither its password nor its file can be read in them. */
export function sealedArchive({ note, ...secret }: Sealed): Uint8Array {
  const body = Buffer.from(JSON.stringify(secret)).toString('base64');
  return Buffer.from(`${MAGIC}${note}\n${body}`, 'latin1');
}

/** True for the text of such an archive, one letter for each byte. */
export const isSealed = (text: string): boolean => text.startsWith(MAGIC);

/** Opens these archives, and no others. */
export const SEALED_UNPACKER: Unpacker = {
  async unpack({ bytes, passwords, allowance }) {
    const text = Buffer.from(bytes).toString('latin1');
    if (!isSealed(text)) return unopenedArchive('unsupported', 'an archive of the world outside');
    const body = Buffer.from(text.slice(text.indexOf('\n') + 1), 'base64').toString();
    const secret = JSON.parse(body) as Omit<Sealed, 'note'>;
    if (!passwords.includes(secret.password)) return unopenedArchive('encrypted', 'it needs a password');
    const found = collectWithin(allowance, bytes.length);
    found.add({ untrustedNames: [secret.name], bytes: Buffer.from(secret.text) });
    return found.result({ untrustedPassword: secret.password });
  },
};
