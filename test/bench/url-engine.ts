/** The URL engine: which techniques are found, how often ordinary URLs are not benign, and how many URLs a second are judged. */
import type { Level } from '../../lib/engines/engine.ts';
import { analyseUrl } from '../../lib/engines/url/analyse-url.ts';
import type { UrlReport } from '../../lib/engines/url-report.ts';
import { ordinaryUrls } from '../hostile/urls/ordinary.ts';
import { HOSTILE_URLS, type HostileUrls } from '../hostile/urls/techniques.ts';
import { type Cell, count, type Measured, type Part, type Progress, quantity } from './figure.ts';
import { timed } from './statistics.ts';

const ROUNDS = 5;
const RANK: Readonly<Record<Level, number>> = { benign: 0, unknown: 1, suspicious: 2, malicious: 3 };

export const urlEngine: Part = {
  name: 'urls-engine',
  title: 'URLs judged as text: techniques found, false alarms, throughput',
  measure: async (progress) => await measure(progress),
};

async function measure(progress: Progress): Promise<Measured> {
  progress('techniques');
  const rows = HOSTILE_URLS.map(techniqueRow);
  const hostile = HOSTILE_URLS.reduce((sum, { urls }) => sum + urls.length, 0);
  const missed = HOSTILE_URLS.reduce((sum, technique) => sum + missedOf(technique).length, 0);
  progress('ordinary URLs');
  const ordinary = ordinaryUrls();
  const levels = ordinary.map((url) => judged(url).level);
  const falselyMalicious = levels.filter((level) => level === 'malicious').length;
  const falselySuspicious = levels.filter((level) => level === 'suspicious').length;
  progress('throughput');
  const all = [...ordinary, ...HOSTILE_URLS.flatMap(({ urls }) => urls)].filter((url) => url.length < 2_000);
  for (const url of all) analyseUrl(url);
  const roundsMs = await timed(async () => {
    for (let round = 0; round < ROUNDS; round += 1) for (const url of all) analyseUrl(url);
  });
  const perSecond = (ROUNDS * all.length * 1_000) / roundsMs;
  const percent = (part: number, whole: number) => `${((part * 100) / whole).toFixed(1)} %`;
  return {
    figures: [
      figure(`hostile URLs missed, of ${hostile}`, missed, Math.floor(hostile * 0.05)),
      figure(`ordinary URLs called malicious, of ${ordinary.length}`, falselyMalicious, 0),
      figure(
        `ordinary URLs called suspicious, of ${ordinary.length}`,
        falselySuspicious,
        Math.floor(ordinary.length / 100),
      ),
      { name: 'URLs judged, one thread', measured: quantity(perSecond, '/s'), atMost: null, baselines: [] },
    ],
    tables: [{ title: 'Techniques', columns: ['technique', 'found', 'of', 'at least'], rows }],
    notes: [
      `Found: ${percent(hostile - missed, hostile)} of the hostile URLs, at the level or above, for the right reason. Both sets are ours.`,
      'No URL is visited: nothing is resolved, nothing is asked.',
    ],
  };
}

const figure = (name: string, value: number, atMost: number) => ({
  name,
  measured: count(value),
  atMost,
  baselines: [],
});

function judged(url: string): Pick<UrlReport, 'level' | 'findings'> {
  const report = analyseUrl(url);
  return report.outcome === 'completed' ? report : { level: 'unknown', findings: [] };
}

function missedOf({ urls, level, finds }: HostileUrls): readonly string[] {
  return urls.filter((url) => {
    const report = judged(url);
    return RANK[report.level] < RANK[level] || !report.findings.some(({ id }) => finds.includes(id));
  });
}

function techniqueRow(technique: HostileUrls): Cell[] {
  const { urls, level } = technique;
  return [technique.technique, count(urls.length - missedOf(technique).length), count(urls.length), level];
}
