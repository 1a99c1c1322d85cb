/** Verifies signed mail with OpenSSL and GnuPG, with the committed certificate and key. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { committed } from '../ordinary/signed-mail.ts';
import { inFolder } from './office-opener.ts';
import { runTool } from './tools.ts';

const PROGRAM_MS = 60_000;
/** A key that expired since is no fault of the mail. */
const GPG = ['--batch', '--quiet', '--no-autostart', '--trust-model', 'always'];

/** Null when the S/MIME signature of a whole message is good; else what OpenSSL says. */
export async function smimeProblem(mail: Uint8Array): Promise<string | null> {
  return inFolder(async (folder) => {
    const [message, authority] = [join(folder, 'mail.eml'), join(folder, 'authority.pem')];
    await writeFile(message, mail);
    await writeFile(authority, committed('authority.pem'));
    const args = ['cms', '-verify', '-CAfile', authority, '-in', message, '-out', join(folder, 'content')];
    const { code, output } = await runTool('openssl', args, PROGRAM_MS);
    return code === 0 ? null : `openssl cms -verify: ${output.trim().split('\n').slice(0, 2).join('; ')}`;
  });
}

/** Null when the OpenPGP signature of a message is good, beside its content or around its text; else what GnuPG says. */
export async function pgpProblem(mail: Uint8Array): Promise<string | null> {
  return inFolder(async (folder) => {
    const home = join(folder, 'home');
    await mkdir(home, { mode: 0o700 });
    const key = join(folder, 'key.asc');
    await writeFile(key, committed('key.asc'));
    const gpg = (...args: readonly string[]) => runTool('gpg', ['--homedir', home, ...GPG, ...args], PROGRAM_MS);
    await gpg('--import', key);
    const files = filesOf(Buffer.from(mail).toString('latin1')).map(
      (text, at) => [join(folder, `${at}`), text] as const,
    );
    for (const [path, text] of files) await writeFile(path, Buffer.from(text, 'latin1'));
    const { code, output } = await gpg('--verify', ...files.map(([path]) => path));
    return code === 0 ? null : `gpg --verify: ${output.trim().split('\n').slice(0, 2).join('; ')}`;
  });
}

/** What is given to GnuPG: the signature and what it signs, or the text with the signature around it. */
function filesOf(mail: string): readonly string[] {
  const [, boundary] = /multipart\/signed[\s\S]*?boundary="?([^"\r\n;]+)/i.exec(mail) ?? [];
  if (boundary === undefined)
    return [/-----BEGIN PGP SIGNED[\s\S]*-----END PGP SIGNATURE-----\r\n/.exec(mail)?.[0] ?? ''];
  const [, content = '', signature = ''] = mail.split(`--${boundary}\r\n`);
  return [signature.slice(signature.indexOf('\r\n\r\n') + 4), content.replace(/\r\n$/, '')];
}
