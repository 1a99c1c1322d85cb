/** Makes certificates with OpenSSL: self-signed ones, and those of an authority. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
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

export interface TestAuthority {
  readonly certFile: string;
  /** A certificate of this authority. It is valid for so many days, and for what its extended key usage says. */
  issue(name: string, options?: { readonly days?: number; readonly usage?: string }): { key: string; cert: string };
  /** The list of what it has revoked: these clients. An old one is out of date. */
  revoked(clients: readonly string[], options?: { readonly isOld?: boolean }): string;
}

/** Writes an authority into a folder. */
export function makeAuthority(folder: string, name: string): TestAuthority {
  const at = (file: string) => join(folder, `${name}-${file}`);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const [keyFile, certFile] = [at('ca.key'), at('ca.pem')];
  openssl('req', '-x509', ...newKey, '-days', '30', '-subj', `/CN=${name}`, '-keyout', keyFile, '-out', certFile);
  return {
    certFile,
    issue(client, { days = 30, usage = 'clientAuth' } = {}) {
      const [key, request, cert, extensions] = ['key', 'csr', 'pem', 'ext'].map((end) => at(`${client}.${end}`)) as [
        ...[string, string, string, string],
      ];
      writeFileSync(extensions, `extendedKeyUsage=${usage}\n`);
      openssl('req', '-new', ...newKey, '-subj', `/CN=${client}`, '-keyout', key, '-out', request);
      openssl(
        ...['x509', '-req', '-in', request, '-CA', certFile, '-CAkey', keyFile, '-CAcreateserial'],
        ...['-days', String(days), '-extfile', extensions, '-out', cert],
      );
      return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    },
    revoked(clients, { isOld = false } = {}) {
      const [index, config, list] = [at('index.txt'), at('crl.cnf'), at('crl.pem')];
      writeFileSync(index, '');
      writeFileSync(config, `[ca]\ndefault_ca=own\n[own]\ndatabase=${index}\ndefault_md=sha256\n`);
      const own = ['-config', config, '-cert', certFile, '-keyfile', keyFile];
      for (const client of clients) openssl('ca', ...own, '-revoke', at(`${client}.pem`));
      const dates = isOld
        ? ['-crl_lastupdate', '20200101000000Z', '-crl_nextupdate', '20200201000000Z']
        : ['-crldays', '1'];
      openssl('ca', ...own, '-gencrl', ...dates, '-out', list);
      return readFileSync(list, 'utf8');
    },
  };
}
