/**
 * The certificate of STARTTLS, and the authorities whose clients are known: read again when a file has changed, so that a renewed one needs
 * no restart.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { TlsSettings } from './settings.ts';

export interface SecureOptions {
  readonly key: string;
  readonly cert: string;
  readonly minVersion: 'TLSv1.2';
  /** There when clients are asked for a certificate. One without is served, too: what it may do is decided for each command. */
  readonly ca?: string[];
  readonly requestCert?: true;
  readonly rejectUnauthorized?: false;
}

export interface Certificates {
  read(): SecureOptions;
  hasChanged(): boolean;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** The files of these settings. `read` throws what the file system throws, and as `authoritiesIn` does. */
export function certificatesOf({ keyFile, certFile, clients }: Omit<TlsSettings, 'isRequired'>): Certificates {
  const stamp = () =>
    [keyFile, certFile, ...(clients ? [clients.caFile] : [])]
      .map((path) => {
        const found = statSync(path, { throwIfNoEntry: false });
        return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : 'missing';
      })
      .join('; ');
  let known = '';
  return {
    read() {
      known = stamp();
      const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')];
      const own = { key, cert, minVersion: 'TLSv1.2' } as const;
      if (clients === undefined) return own;
      const ca = authoritiesIn(readFileSync(clients.caFile, 'utf8'));
      return { ...own, ca, requestCert: true, rejectUnauthorized: false };
    },
    hasChanged: () => stamp() !== known,
  };
}

/** The certificates in PEM, each for itself. Throws TypeError when there is none, or one that cannot be read: TLS would pass over them. */
export function authoritiesIn(text: string): string[] {
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) throw new TypeError('it has no certificate');
  for (const [index, pem] of found.entries())
    try {
      if (!new X509Certificate(pem).ca) throw new TypeError('it is not of an authority');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new TypeError(`certificate ${index + 1} cannot be used: ${why}`);
    }
  return found;
}

/**
 * True for a connection whose client has shown a certificate of a known authority that is valid for clients. Node also calls a session of
 * TLS 1.3 authorized that resumes one without any certificate (it could have been begun with a shared key), so the certificate itself is asked for.
 */
export function isCertified({ _socket: socket }: Pick<SMTPConnection, '_socket'>): boolean {
  return 'authorized' in socket && socket.authorized && socket.getPeerX509Certificate() !== undefined;
}
