/** What disarming takes out and what it keeps, format by format, beside the programs that people use in its place. */
import type { NamedFile } from '../checkers/office-opener.ts';
import { type OrdinaryFile, ordinaryFiles } from '../checkers/ordinary.ts';
import { READERS, type Seen, seeFiles, whyUnread } from '../checkers/readers.ts';
import { leftoversIn } from '../hostile/disarm/check-sample.ts';
import type { Format } from '../hostile/disarm/row.ts';
import type { Sample } from '../hostile/disarm/sample.ts';
import { FORMATS, samplesIn } from '../hostile/disarm/samples.ts';
import { type Kept, keptOf } from './disarm-kept.ts';
import { REWRITERS, type Rewriter, type Rewritten } from './disarm-rewriters.ts';
import { type Cell, count, type Figure, type Measured, type Part, quantity } from './figure.ts';
import { median } from './statistics.ts';

/** Samples of each format that go through the programs of others, which take up to a second for one. */
const SHARED_SAMPLES = 12;
const NOT_ASKED = 'n/a';

export const disarm: Part = {
  name: 'disarm',
  title: 'Disarming: what is gone, and what is kept',
  async measure(progress) {
    progress('ordinary documents are made');
    const ordinary = await ordinaryFiles(whyUnread('docx') === null);
    const judged: Judged[] = [];
    for (const format of FORMATS) {
      progress(format);
      const own = ordinary.filter((file) => file.format === format);
      judged.push(...(await judgeFormat({ format, samples: await samplesIn(format), ordinary: own })));
    }
    return reportOf(judged);
  },
};

interface Work {
  readonly format: Format;
  readonly samples: readonly Sample[];
  readonly ordinary: readonly OrdinaryFile[];
}

interface Judged {
  readonly rewriter: Rewriter;
  readonly format: Format;
  /** Every sample, or the few that everything gets. */
  readonly isEvery: boolean;
  readonly samples: number;
  readonly live: number;
  /** Reason of every sample that was refused. */
  readonly refusals: readonly string[];
  readonly speeds: readonly number[];
  readonly peakMb: number | null;
  /** Null where no program opens the format. */
  readonly kept: Kept | null;
}

const nameOf = (index: number, format: Format): string => `${index}.${format}`;

async function judgeFormat(work: Work): Promise<Judged[]> {
  const { format, samples, ordinary } = work;
  const rewriters = REWRITERS.filter(({ accepts, missing }) => accepts.test(format) && missing === null);
  const step = Math.max(1, Math.floor(samples.length / SHARED_SAMPLES));
  const isShared = (index: number): boolean => index % step === 0 && index / step < SHARED_SAMPLES;
  const results = new Map<Rewriter, Rewritten>();
  for (const [at, rewriter] of rewriters.entries()) {
    const hostile = samples.flatMap(({ bytes }, index): NamedFile[] =>
      at === 0 || isShared(index) ? [{ name: nameOf(index, format), bytes }] : [],
    );
    results.set(rewriter, await rewriter.rewrite([...hostile, ...ordinary], format));
  }
  const opened = whyUnread(format) === null && ordinary.length > 0 ? await openAll(work, results) : null;
  return [...results].flatMap(([rewriter, rewritten]) => {
    const kept = opened === null ? null : keptOf(ordinary, rewriter.name, opened);
    const judge = (isEvery: boolean): Judged =>
      judged(work, { rewriter, rewritten, kept, isEvery, isAsked: (index) => isEvery || isShared(index) });
    const few = rewriters.length > 1 ? [judge(false)] : [];
    return rewriter === REWRITERS[0] ? [judge(true), ...few] : few;
  });
}

/** What is seen of every ordinary file and of what each program made of it, by its name or `PROGRAM NAME`. */
async function openAll(
  { ordinary }: Work,
  results: ReadonlyMap<Rewriter, Rewritten>,
): Promise<ReadonlyMap<string, Seen>> {
  const files: NamedFile[] = [...ordinary];
  const nameAt = new Map<string, string>();
  for (const [{ name: program }, { files: written }] of results) {
    for (const { name } of ordinary) {
      const file = written.get(name);
      if (file === undefined) continue;
      files.push({ name: `${program} ${file.name}`, bytes: file.bytes });
      nameAt.set(`${program} ${file.name}`, `${program} ${name}`);
    }
  }
  return new Map([...(await seeFiles(files))].map(([name, seen]) => [nameAt.get(name) ?? name, seen]));
}

interface Judging {
  readonly rewriter: Rewriter;
  readonly rewritten: Rewritten;
  readonly kept: Kept | null;
  readonly isEvery: boolean;
  readonly isAsked: (index: number) => boolean;
}

function judged({ format, samples, ordinary }: Work, { rewriter, rewritten, kept, isEvery, isAsked }: Judging): Judged {
  const asked = samples.flatMap((sample, index) => (isAsked(index) ? [{ sample, name: nameOf(index, format) }] : []));
  const live = asked.filter(({ sample, name }) => {
    const file = rewritten.files.get(name);
    return file !== undefined && leftoversIn(file.bytes, sample).length > 0;
  });
  const timed = ordinary.length > 0 ? ordinary.map(({ name }) => name) : asked.map(({ name }) => name);
  return {
    rewriter,
    format,
    isEvery,
    samples: asked.length,
    live: live.length,
    refusals: asked.flatMap(({ name }) => rewritten.refusals.get(name) ?? []),
    speeds: timed.flatMap((name) => rewritten.speeds.get(name) ?? []),
    peakMb: rewritten.peakMb,
    kept,
  };
}

const COLUMNS = [
  'format',
  'with',
  'samples',
  'live left',
  'refused',
  'ordinary',
  'open',
  'words kept',
  'pages kept',
  'MB/s',
  'memory',
];

function share(part: number, whole: number): string {
  return whole === 0 ? NOT_ASKED : `${((100 * part) / whole).toFixed(1)} %`;
}

function rowOf({ rewriter, format, samples, live, refusals, speeds, peakMb, kept }: Judged): Cell[] {
  const opened =
    kept === null
      ? [NOT_ASKED, NOT_ASKED, NOT_ASKED, NOT_ASKED]
      : [
          String(kept.files),
          share(kept.opened, kept.files),
          share(kept.wordsKept, kept.words),
          share(kept.pagesKept, kept.pages),
        ];
  const speed = speeds.length === 0 ? NOT_ASKED : median(speeds).toFixed(2);
  const memory = peakMb === null ? NOT_ASKED : quantity(peakMb, 'MB');
  return [format, rewriter.name, count(samples), count(live), count(refusals.length), ...opened, speed, memory];
}

function reasonRows(every: readonly Judged[]): Cell[][] {
  return every.flatMap(({ format, samples, refusals }) =>
    [...new Set(refusals)].map((code): Cell[] => {
      const times = refusals.filter((each) => each === code).length;
      return [format, code, count(times), share(times, samples)];
    }),
  );
}

function reportOf(judged: readonly Judged[]): Measured {
  const every = judged.filter(({ isEvery }) => isEvery);
  const total = (of: (each: Judged) => number): number => every.reduce((sum, each) => sum + of(each), 0);
  const figure = (name: string, value: number, atMost: number | null): Figure => ({
    name,
    measured: count(value),
    atMost,
    baselines: [],
  });
  return {
    figures: [
      figure(
        'hostile samples tried',
        total(({ samples }) => samples),
        null,
      ),
      figure(
        'with something live left',
        total(({ live }) => live),
        0,
      ),
      figure(
        'ordinary documents that no longer open',
        total(({ kept }) => (kept === null ? 0 : kept.files - kept.opened)),
        0,
      ),
      figure(
        'pages lost by ordinary documents',
        total(({ kept }) => (kept === null ? 0 : kept.pages - kept.pagesKept)),
        0,
      ),
    ],
    tables: [
      { title: 'Every sample, through Mail Airlock', columns: COLUMNS, rows: every.map(rowOf) },
      {
        title: `${SHARED_SAMPLES} samples of each format, the same through everything that is installed`,
        columns: COLUMNS,
        rows: judged.filter(({ isEvery }) => !isEvery).map(rowOf),
      },
      { title: 'Why samples were refused', columns: ['format', 'reason', 'samples', 'share'], rows: reasonRows(every) },
    ],
    notes: [
      'Opening, words and pages are what LibreOffice (Office), poppler (PDF), Chromium (pages) and Python (the rest) see of the original and of the result; a page of an archive, message, table, calendar or film is a member, part, row, entry or frame.',
      'MB/s is the median over small files, where starting costs more than reading; the part disarm-speed has files of more than a megabyte. Memory is the most that one process had resident that disarmed all files of the format, the runtime (about 100 MB) included.',
      ...READERS.flatMap(({ name, missing }) => (missing === null ? [] : [`Not opened by ${name}: ${missing}.`])),
      ...REWRITERS.flatMap(({ name, missing }) =>
        missing === null ? [] : [`${name} is not in the tables: ${missing}.`],
      ),
    ],
  };
}
