/** Signatures and encryption by OpenSSL and GnuPG, with keys that are made for the occasion and thrown away. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from '../checkers/tools.ts';

/** What the shapes of `signed-mail.ts` are filled with. Each function takes and gives bytes. */
export interface SigningTools {
  /** A detached CMS signature, DER. */
  readonly signature: (entity: Buffer) => Buffer;
  /** CMS signed data with its content, DER. */
  readonly opaque: (entity: Buffer) => Buffer;
  /** CMS enveloped data, DER. `gcm`: authEnvelopedData. */
  readonly envelope: (entity: Buffer, gcm?: boolean) => Buffer;
  /** Armor of a detached OpenPGP signature. */
  readonly pgpSignature: (entity: Buffer) => string;
  /** Armor of an encrypted OpenPGP message. */
  readonly pgpMessage: (entity: Buffer) => string;
  /** The text with a signature around it. */
  readonly pgpClear: (text: string) => string;
  /** The certificate of the authority, PEM, and the public OpenPGP key, armored. */
  readonly authority: string;
  readonly publicKey: string;
  /** Verifies and throws what the program says when the signature is not good. */
  readonly check: {
    readonly smime: (mail: Buffer) => void;
    readonly pgp: (entity: Buffer, armor: string) => void;
  };
  readonly close: () => void;
}

export const SIGNER = 'alice@signed.example';
export const HAS_SIGNING_TOOLS = isInstalled('openssl') && isInstalled('gpg');
/** So that committed mail can be verified for a long time. */
const DAYS = '36500';

/** Makes an authority, a certificate and an OpenPGP key of alice@signed.example. Takes a second or two. */
export function createSigningTools(): SigningTools {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-sign-'));
  const at = (name: string) => join(folder, name);
  const run = (program: string, args: readonly string[], input?: Buffer | string): Buffer => {
    const ran = spawnSync(program, args, { input, cwd: folder, env: { ...process.env, GNUPGHOME: folder } });
    if (ran.status !== 0) throw new Error(`${program} ${args[0]} ended with ${ran.status}: ${ran.stderr}`);
    return ran.stdout;
  };
  const openssl = (args: string, input?: Buffer) => run('openssl', args.split(' '), input);
  const gpg = (args: string, input?: Buffer | string) =>
    run('gpg', ['--batch', '--yes', '--quiet', '--trust-model', 'always', ...args.split(' ')], input);
  writeFileSync(
    at('ext'),
    `subjectAltName=email:${SIGNER}\nextendedKeyUsage=emailProtection\nkeyUsage=digitalSignature,keyEncipherment\n`,
  );
  run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    DAYS,
    '-subj',
    '/CN=Test Authority',
  ]);
  run('openssl', [
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'alice.key',
    '-out',
    'alice.csr',
    '-subj',
    '/CN=Alice',
  ]);
  openssl(`x509 -req -in alice.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out alice.pem -days ${DAYS} -extfile ext`);
  run('gpg', [
    '--batch',
    '--quiet',
    '--passphrase',
    '',
    '--quick-gen-key',
    `Alice <${SIGNER}>`,
    'ed25519',
    'sign',
    'never',
  ]);
  const [fingerprint] = /(?<=^fpr:+)[0-9A-F]{40}/m.exec(gpg('--list-keys --with-colons').toString()) ?? [''];
  run('gpg', ['--batch', '--quiet', '--passphrase', '', '--quick-add-key', fingerprint, 'cv25519', 'encr', 'never']);
  const cms = 'cms -binary -signer alice.pem -inkey alice.key -outform DER';
  return {
    signature: (entity) => openssl(`${cms} -sign -md sha256`, entity),
    opaque: (entity) => openssl(`${cms} -sign -nodetach`, entity),
    envelope: (entity, gcm = false) =>
      openssl(`cms -encrypt -binary -outform DER ${gcm ? '-aes-256-gcm' : '-aes256'} alice.pem`, entity),
    pgpSignature: (entity) => gpg('--armor --detach-sign', entity).toString(),
    pgpMessage: (entity) => gpg(`--armor --encrypt --recipient ${SIGNER}`, entity).toString(),
    pgpClear: (text) => gpg('--clear-sign', text).toString(),
    authority: readFileSync(at('ca.pem'), 'utf8'),
    publicKey: gpg(`--armor --export ${SIGNER}`).toString(),
    check: {
      smime: (mail) => void openssl('cms -verify -CAfile ca.pem -binary -crlfeol -out content', mail),
      pgp: (entity, armor) => {
        writeFileSync(at('entity'), entity);
        writeFileSync(at('entity.asc'), armor);
        gpg('--verify entity.asc entity');
      },
    },
    close: () => {
      spawnSync('gpgconf', ['--kill', 'all'], { env: { ...process.env, GNUPGHOME: folder } });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
