/** The answer of GET /me: the owner of the key, its rights, and its use. */

import type { EngineVersions } from '../../../engines/threads/versions.ts';
import type { Me } from '../../contract/v3-config.ts';
import type { Usage } from '../jobs/quotas.ts';
import type { ServiceLimits } from '../limits.ts';
import type { Caller } from '../store/api-keys.ts';

const MIB = 1024 * 1024;
/** The number for "no limit". With 0, some public clients would subtract what was used and refuse to submit. */
const UNLIMITED = 1_000_000_000;

/** Returns the body of GET /me. Without `versions`, the modules have none. */
export function meView(
  caller: Caller,
  usage: Usage,
  limits: Pick<ServiceLimits, 'uploadBytes'>,
  versions: EngineVersions | null,
): Me {
  const period = { startTime: new Date(caller.createdAtMs).toISOString(), endTime: 'Unlimited' };
  const { requestsPerMinute, submissionsPerDay, concurrentSubmissions } = caller.quotas;
  return {
    userInfo: {
      email: `${addressWord(caller.workspace)}@localhost`,
      fullName: caller.name,
      workspace: {
        name: caller.workspace,
        alias: addressWord(caller.workspace),
        private: true,
        type: 'organization',
      },
      workspaceName: caller.workspace,
      limitsCount: {
        apiRequestCount: usage.requests,
        dailySubmissionCount: usage.dailySubmissions,
        concurrentSubmissionCount: usage.concurrentSubmissions,
      },
    },
    plan: {
      planName: 'Local',
      name: 'Local',
      status: 'active',
      ...period,
      subsTime: 'Unlimited',
      fileLimits: { extensions: [], fileSize: `${Number((limits.uploadBytes / MIB).toFixed(2))} MiB` },
      submissionLimits: {
        apiLimit: requestsPerMinute || UNLIMITED,
        dailyLimit: submissionsPerDay || UNLIMITED,
        concurrentLimit: concurrentSubmissions || UNLIMITED,
      },
    },
    modules: MODULES.map(([moduleId, name]) => {
      const version = versions?.[moduleId];
      // The name has the keys of both interfaces.
      return { moduleId, moduleName: name, name, ...(version && { version }), ...period };
    }),
  };
}

const MODULES: readonly (readonly [keyof EngineVersions, string])[] = [
  ['static', 'Static analysis'],
  ['cdr', 'Content disarm and reconstruction'],
  ['sandbox', 'Script emulation'],
  ['url_analysis', 'URL analysis'],
];

/** Returns the name of a workspace as one word of an address. */
const addressWord = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'workspace';
