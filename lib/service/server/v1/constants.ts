/** The constants of v1. Every answer is an object, because public clients expect one. */
import { REPORT_STATUSES, THREAT_LEVELS } from '../../contract/common.ts';
import { V1_LEVEL_LABELS, V1_LEVEL_OF, V1_STATUS_LABELS, V1_STATUS_OF } from '../../contract/v1-words.ts';
import type { MetafieldOption, MetafieldsByScanType } from '../../contract/v3-config.ts';

/** GET /public-api/constants/levels. */
export function v1LevelConstants() {
  const levels = THREAT_LEVELS.map((name) => ({
    value: V1_LEVEL_OF[name],
    name,
    label: V1_LEVEL_LABELS[V1_LEVEL_OF[name]],
  }));
  return { levels };
}

/** GET /public-api/constants/statuses. */
export function v1StatusConstants() {
  const statuses = REPORT_STATUSES.map((name) => ({
    value: V1_STATUS_OF[name],
    name,
    label: V1_STATUS_LABELS[V1_STATUS_OF[name]],
  }));
  return { statuses: statuses.sort((a, b) => a.value - b.value) };
}

/** GET /public-api/constants/metafields: the options of v3 under the name that v1 has for their key. */
export function v1Metafields(options: MetafieldsByScanType) {
  const renamed = (list: readonly MetafieldOption[]) => list.map((option) => ({ ...option, metafieldId: option.key }));
  return {
    sandbox: renamed(options.sandbox),
    static: renamed(options.static),
    cdr: renamed(options.cdr),
    url: renamed(options.url),
  };
}

/** GET /public-api/constants/samplemetafield: the defaults of a sandbox scan, ready to be sent as `analyzeConfig`. */
export function v1SampleMetafield({ sandbox }: MetafieldsByScanType) {
  const defaults = sandbox.map((option) => ({ metafieldId: option.key, value: option.default }));
  return { analyzeConfig: [{ metafieldId: 'private', value: true }, ...defaults] };
}
