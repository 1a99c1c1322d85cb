/** The versions of the engines in this code. Whoever sends a job and whoever does it tell them from the same file. */
import { ENGINE_VERSIONS } from '../engines/engine-versions.ts';
import type { KindVersions } from './job.ts';

/** For each kind, every engine that has a part in its report. */
export const OWN_VERSIONS: KindVersions = {
  static: ENGINE_VERSIONS.static,
  cdr: ENGINE_VERSIONS.disarm,
  // The static engine judges the script too, and the files that it writes.
  sandbox: `${ENGINE_VERSIONS.script} ${ENGINE_VERSIONS.static}`,
  url_analysis: ENGINE_VERSIONS.url,
};
