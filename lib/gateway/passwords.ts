/** The file of names and passwords for AUTH: a line `name:salt:hash` for each, with scrypt. A line that is none of these is refused. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const LINE = /^([^\s:]{1,100}):([0-9a-f]{32}):([0-9a-f]{64})$/;
const HASH_BYTES = 32;

/** Returns the line for a name and a password. */
export async function passwordLine(name: string, password: string): Promise<string> {
  const salt = randomBytes(16);
  return `${name}:${salt.toString('hex')}:${(await hashOf(password, salt)).toString('hex')}`;
}

/** Returns a check over the text of such a file. Throws TypeError with the number of the first line that cannot be read. */
export function passwordCheck(text: string): (name: string, password: string) => Promise<boolean> {
  const known = new Map<string, { readonly salt: Buffer; readonly hash: Buffer }>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, salt, hash] = LINE.exec(line) ?? [];
    if (name === undefined || salt === undefined || hash === undefined)
      throw new TypeError(`line ${index + 1} is not name:salt:hash`);
    known.set(name, { salt: Buffer.from(salt, 'hex'), hash: Buffer.from(hash, 'hex') });
  }
  // An unknown name takes as long as a wrong password.
  const nobody = { salt: randomBytes(16), hash: randomBytes(HASH_BYTES) };
  return async (name, password) => {
    const { salt, hash } = known.get(name) ?? nobody;
    return timingSafeEqual(await hashOf(password, salt), hash);
  };
}

function hashOf(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
