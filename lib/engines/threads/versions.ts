/** Versions of the engines and their rules. A verdict of other versions is no longer valid. */
import { ENGINE_VERSIONS } from '../engine-versions.ts';
import type { EngineReport, EngineTask } from './task.ts';
import { POOL_VERSION } from './task.ts';

/** For each kind of analysis, the version of every engine and rule pack behind it. Null while an engine does not answer. */
export type EngineVersions = Readonly<Record<'static' | 'cdr' | 'sandbox' | 'url_analysis', string | null>>;

/** The versions of the engines in this code with their own rules: for each kind, every engine that has a part in its report. */
export const OWN_VERSIONS = {
  static: ENGINE_VERSIONS.static,
  cdr: ENGINE_VERSIONS.disarm,
  // The static engine judges the script too, and the files that it writes.
  sandbox: `${ENGINE_VERSIONS.script} ${ENGINE_VERSIONS.static}`,
  url_analysis: ENGINE_VERSIONS.url,
} as const satisfies EngineVersions;

const none = { bytes: new Uint8Array(), untrustedName: 'none.txt', password: null };
/** Each engine gets this task only for the version in its answer. The input is empty or not accepted. */
const ASKED = {
  static: { engine: 'static', input: none },
  cdr: { engine: 'disarm', input: none },
  sandbox: { engine: 'sandbox', input: { ...none, bytes: Buffer.from(' ') } },
  url: { engine: 'url', url: 'none' },
} as const satisfies Readonly<Record<string, EngineTask>>;

/** Asks every engine once, as a task like any other, so that the answer names the loaded rules. Never rejects. */
export async function engineVersions(run: (task: EngineTask) => Promise<EngineReport>): Promise<EngineVersions> {
  const versionOf = async (task: EngineTask) => {
    const { engineVersion } = await run(task);
    return engineVersion === POOL_VERSION ? null : engineVersion;
  };
  const [files, cdr, sandbox, url] = await Promise.all(Object.values(ASKED).map(versionOf));
  return {
    static: files ?? null,
    cdr: cdr ?? null,
    // The static engine judges the files that a script writes.
    sandbox: sandbox && files ? `${sandbox} ${files}` : null,
    url_analysis: url ?? null,
  };
}

/** Returns versions for a service that visits URLs. The static engine judges files behind URLs. An unvisited URL is not known. */
export function versionsWithVisits(versions: EngineVersions): EngineVersions {
  const { static: files, url_analysis: url } = versions;
  return { ...versions, url_analysis: files && url ? `${url} visited ${ENGINE_VERSIONS.visit} ${files}` : null };
}
