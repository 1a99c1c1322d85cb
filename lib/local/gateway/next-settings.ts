/** Reads the options that say where mail goes on to. */
import { hostname } from 'node:os';
import { isLoopback } from '../../gateway/metrics-server.ts';
import type { CertificateFiles, NextSettings } from '../../gateway/settings.ts';
import { type Console, UsageError } from '../console.ts';
import { checkCertificate, placeOf, readText, type SpoolVerbOptions } from './gateway-settings.ts';

/** Reads where messages go on to. Throws UsageError. */
export async function nextOf({ env }: Console, options: SpoolVerbOptions): Promise<NextSettings> {
  const place = placeOf('--next', options.next);
  if (options.next === options.listen)
    throw new UsageError('--next and --listen are the same place: the gateway would send all mail to itself.');
  const tls = options.nextTls ?? (isLoopback(place.host) ? 'off' : 'required');
  const ca = options.nextCa === undefined ? undefined : await readText('--next-ca', options.nextCa);
  const certificate = await certificateOf(options, tls);
  const { nextUser } = options;
  const password = env.AIRLOCK_NEXT_PASSWORD;
  if (nextUser !== undefined && !password)
    throw new UsageError('--next-user needs a password: put it into the environment variable AIRLOCK_NEXT_PASSWORD.');
  if (nextUser !== undefined && tls !== 'required')
    throw new UsageError('--next-user needs --next-tls required: passwords are sent over TLS only.');
  return {
    ...place,
    tls,
    name: options.name ?? hostname(),
    ...(ca !== undefined && { ca }),
    ...(certificate !== null && { certificate }),
    ...(nextUser !== undefined && password && { user: { name: nextUser, password } }),
  };
}

/** Returns the files of our own certificate. Throws UsageError. */
async function certificateOf(
  { nextKey: keyFile, nextCert: certFile }: SpoolVerbOptions,
  tls: NextSettings['tls'],
): Promise<CertificateFiles | null> {
  if (keyFile === undefined && certFile === undefined) return null;
  if (keyFile === undefined || certFile === undefined)
    throw new UsageError('A certificate for the next server needs two files in PEM: --next-key and --next-cert.');
  if (tls !== 'required')
    throw new UsageError('--next-cert needs --next-tls required: certificates are shown over TLS only.');
  await checkCertificate('--next', { keyFile, certFile });
  return { keyFile, certFile };
}
