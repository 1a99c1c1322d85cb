/** Makes a self-signed certificate with OpenSSL. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TestCertificate {
  readonly keyFile: string;
  readonly certFile: string;
  readonly key: string;
  readonly cert: string;
}

const HERE = ['DNS:localhost', 'IP:127.0.0.1'];

/** Writes `key.pem` and `cert.pem` into a folder; unless told otherwise, for the name `localhost` and the address 127.0.0.1. */
export function makeCertificate(folder: string, names: readonly string[] = HERE): TestCertificate {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'],
      ...['-subj', `/CN=${names[0]?.slice('DNS:'.length)}`, '-addext', `subjectAltName=${names.join()}`],
      ...['-keyout', keyFile, '-out', certFile],
    ],
    { stdio: 'ignore' },
  );
  return { keyFile, certFile, key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
}
