/** What the engines and their rules are: a verdict of other versions is void. */
import type { EngineReport, EngineTask } from './task.ts';
import { POOL_VERSION } from './task.ts';

/** By what can be asked for: every engine and rule pack that has a say in it. Null while an engine does not answer. */
export type EngineVersions = Readonly<Record<'static' | 'cdr' | 'sandbox' | 'url_analysis', string | null>>;

const none = { bytes: new Uint8Array(), untrustedName: 'none.txt', password: null };
/** Asked of each engine only for the version in its answer: nothing to look at, or nothing that it takes. */
const ASKED = {
  static: { engine: 'static', input: none },
  cdr: { engine: 'disarm', input: none },
  sandbox: { engine: 'sandbox', input: { ...none, bytes: Buffer.from(' ') } },
  url: { engine: 'url', url: 'none' },
} as const satisfies Readonly<Record<string, EngineTask>>;

/** Asks every engine once, as a task like any other, so that the answer names the rules that are loaded. Never rejects. */
export async function engineVersions(run: (task: EngineTask) => Promise<EngineReport>): Promise<EngineVersions> {
  const versionOf = async (task: EngineTask) => {
    const { engineVersion } = await run(task);
    return engineVersion === POOL_VERSION ? null : engineVersion;
  };
  const [files, cdr, sandbox, url] = await Promise.all(Object.values(ASKED).map(versionOf));
  return {
    static: files ?? null,
    cdr: cdr ?? null,
    // What a script writes is judged by the static engine.
    sandbox: sandbox && files ? `${sandbox} ${files}` : null,
    url_analysis: url ?? null,
  };
}

/** Of a service that opens URLs: what a URL leads to is judged by the static engine, and a URL not opened is not known. */
export function versionsWithVisits(versions: EngineVersions): EngineVersions {
  const { static: files, url_analysis: url } = versions;
  return { ...versions, url_analysis: files && url ? `${url} visited ${files}` : null };
}
