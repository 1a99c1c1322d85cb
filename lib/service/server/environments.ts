/**
 * The environments of a sandbox submission. Only the emulation of scripts exists here. The other environments are the defaults of public
 * clients. They are accepted, so that these clients get their static report, and the list says that they are not installed.
 */
import { SCRIPT_ENVIRONMENT } from '../../engines/script/environment.ts';
import type { EnvironmentOption } from '../contract/v3-config.ts';
import { ServiceError } from './service-error.ts';

const NOT_INSTALLED: readonly (readonly [keys: readonly string[], name: string, EnvironmentOption['platform']])[] = [
  [['w7_x64', 'w7_64'], 'Windows 7', 'windows'],
  [['w10_x64', 'w10_64'], 'Windows 10', 'windows'],
  [['w11_x64', 'w11_64'], 'Windows 11', 'windows'],
  [['linux-ubuntu_2204', 'ubuntu_22', 'ub22'], 'Ubuntu 22.04', 'linux'],
  [['macos-ventura'], 'macOS Ventura', 'macos'],
  [['android9'], 'Android 9', 'android'],
];

/** Every environment that a submission may name; `active` is the one that runs files. */
export const ENVIRONMENTS: readonly EnvironmentOption[] = [
  { ...SCRIPT_ENVIRONMENT, default: true, active: true, accessible: true },
  ...NOT_INSTALLED.flatMap(([keys, name, platform]) =>
    keys.map((key) => ({
      key,
      name: `${name}: not installed here, scripts run in the emulation`,
      platform,
      default: false,
      active: false,
      accessible: false,
    })),
  ),
];

const ACCEPTED = ENVIRONMENTS.map(({ key }) => key);

/**
 * Checks the name of an environment. An empty text means that the service picks one. Throws ServiceError INVALID_BODY for an environment
 * outside the list.
 */
export function requireEnvironment(untrustedKey: string | number | boolean | null | undefined): void {
  if (untrustedKey === null || untrustedKey === undefined || untrustedKey === '') return;
  if (ACCEPTED.includes(String(untrustedKey))) return;
  throw new ServiceError('INVALID_BODY', {
    message: 'there is no such environment; GET /config/environments lists those that are accepted',
    details: { param: 'environment', accepted: ACCEPTED },
  });
}
