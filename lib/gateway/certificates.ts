/**
 * The certificate of STARTTLS, and the authorities of known clients. Changed files are read again, so that a renewed one needs no restart.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { safeText } from '../pipeline/safe-text.ts';
import type { TlsSettings } from './settings.ts';

export interface SecureOptions {
  readonly key: string;
  readonly cert: string;
  readonly minVersion: 'TLSv1.2';
  /** There when clients are asked for a certificate. A client without one is served, too: its rights are checked for each command. */
  readonly ca?: string[];
  readonly crl?: string[];
  readonly requestCert?: true;
  readonly rejectUnauthorized?: false;
}

export interface Certificates {
  read(): SecureOptions;
  hasChanged(): boolean;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;
const REVOCATION_LIST = /-----BEGIN X509 CRL-----[\s\S]*?-----END X509 CRL-----/g;
/** Characters of a subject that are kept. */
const SUBJECT_LENGTH = 300;

/**
 * Returns the files of these settings. `read` throws the errors of the file system, and those of `authoritiesIn` and `revocationListsIn`.
 */
export function certificatesOf({ keyFile, certFile, clients }: Omit<TlsSettings, 'isRequired'>): Certificates {
  const stamp = () =>
    [keyFile, certFile, ...(clients ? [clients.caFile, ...(clients.crlFile ? [clients.crlFile] : [])] : [])]
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
      const { crlFile } = clients;
      const crl = crlFile === undefined ? {} : { crl: revocationListsIn(readFileSync(crlFile, 'utf8')) };
      return { ...own, ca, ...crl, requestCert: true, rejectUnauthorized: false };
    },
    hasChanged: () => stamp() !== known,
  };
}

/** Returns the certificates in PEM, one by one. Throws TypeError when there is none, or an unreadable one: TLS would skip it. */
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

/** Returns the lists of revoked certificates in PEM, each for itself. Throws TypeError when there is none, or one that cannot be read. */
export function revocationListsIn(text: string): string[] {
  const found = text.match(REVOCATION_LIST) ?? [];
  if (found.length === 0) throw new TypeError('it has no list of revoked certificates');
  for (const [index, crl] of found.entries())
    try {
      createSecureContext({ crl });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new TypeError(`list ${index + 1} cannot be used: ${why}`);
    }
  return found;
}

/**
 * Returns true for a connection whose client has shown a certificate of a known authority that is valid for clients. Node also calls a
 * resumed session of TLS 1.3 authorized when its first one had no certificate. It could have begun with a shared key. So the certificate
 * itself is checked.
 */
export function isCertified(connection: Pick<SMTPConnection, '_socket'>): boolean {
  return certificateOf(connection) !== null;
}

/** Returns the subject of that certificate on one line, or its serial number when it has none; null for any other connection. */
export function certifiedName(connection: Pick<SMTPConnection, '_socket'>): string | null {
  const found = certificateOf(connection);
  if (found === null) return null;
  const subject = (found.subject ?? '').replaceAll('\n', ', ');
  return safeText(subject === '' ? `serial number ${found.serialNumber}` : subject, SUBJECT_LENGTH);
}

function certificateOf({ _socket: socket }: Pick<SMTPConnection, '_socket'>): X509Certificate | null {
  return 'authorized' in socket && socket.authorized ? (socket.getPeerX509Certificate() ?? null) : null;
}
