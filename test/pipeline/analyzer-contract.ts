/** What every adapter of the Analyzer port does over the scripted engines, whatever is between. */
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import { fileIdOf, hashOf, urlIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import { KINDS, type Kind, type Report } from '../../lib/pipeline/model.ts';
import type { AnalysisRequest, Analyzer } from '../../lib/pipeline/ports.ts';

export interface AnalyzerRig {
  readonly analyzer: Analyzer;
  /** Puts the artifact into the work bucket, as `parse` does before anything is submitted. */
  store(sha256: string, bytes: Uint8Array): Promise<unknown>;
}

type FileKind = Exclude<Kind, 'url_analysis'>;

const RUN = 'ab'.repeat(16);

/** The request for a file whose text is its script, or for a URL with that path. */
export function requestOf(kind: Kind, text: string, more: { password?: string; group?: string } = {}): AnalysisRequest {
  const group = more.group ?? RUN;
  const url = `https://a.test/${text}`;
  if (kind === 'url_analysis') return { kind, id: urlIdOf(url), url, group };
  const id = fileIdOf(sha256Hex(text));
  return { kind, id, bytes: async () => Buffer.from(text), filename: 'a.doc', password: more.password ?? null, group };
}

/** Submits what is in the work bucket by then. */
export async function submitted({ analyzer, store }: AnalyzerRig, request: AnalysisRequest): Promise<string> {
  if (request.kind !== 'url_analysis') await store(hashOf(request.id), await request.bytes());
  return await analyzer.submit(request);
}

/** Submits, waits until it is finished, and reads the report. */
export async function analysed(rig: AnalyzerRig, request: AnalysisRequest): Promise<{ id: string; report: Report }> {
  const id = await submitted(rig, request);
  const state = async () => (await rig.analyzer.progress(request.kind, id)).state;
  await expect.poll(state, { interval: 1 }).toBe('finished');
  return { id, report: await rig.analyzer.report(request.kind, id) };
}

/** Runs the suite over an adapter. The rig may be the same for all tests. */
export function describeAnalyzer(name: string, rigOf: () => AnalyzerRig): void {
  describe(`${name} as Analyzer`, () => {
    test.each<[Kind, string, string, string | null]>([
      ['static', 'benign', 'benign', null],
      ['static', 'malicious', 'malicious', null],
      ['static', 'unknown', 'unknown', null],
      ['static', 'encrypted', 'unknown', 'encrypted'],
      ['static', 'unsupported', 'unknown', 'unsupported'],
      ['static', 'oversize', 'unknown', 'oversize'],
      ['static', 'unreadable', 'unknown', 'unreadable'],
      ['static', 'timeout', 'unknown', 'timeout'],
      ['static', 'engine_failed', 'unknown', 'service_error'],
      ['static', 'unsafe_output', 'unknown', 'unsafe_output'],
      ['sandbox', 'suspicious', 'suspicious', 'unsupported'],
      ['sandbox', 'benign', 'unknown', 'unsupported'],
      ['sandbox', 'encrypted', 'unknown', 'encrypted'],
      ['cdr', 'confused', 'unknown', 'service_error'],
      ['url_analysis', 'malicious', 'malicious', null],
      ['url_analysis', 'benign', 'benign', null],
      ['url_analysis', 'crash', 'unknown', 'service_error'],
    ])('%s of "%s" is %s, failure %s', async (kind, text, verdict, failure) => {
      const { report } = await analysed(rigOf(), requestOf(kind, text));
      expect([report.verdict, report.failure?.class ?? null]).toEqual([verdict, failure]);
    });

    test.each(KINDS)('a %s that has ended has its report in the answer, too', async (kind) => {
      const rig = rigOf();
      const { id, report } = await analysed(rig, requestOf(kind, 'benign'));
      expect(await rig.analyzer.progress(kind, id)).toEqual({ state: 'finished', report });
    });

    test('says what was found, and where', async () => {
      const { report } = await analysed(rigOf(), requestOf('static', 'suspicious'));
      const reasons = ['Office macro: The document carries a macro (word/vbaProject.bin)'];
      expect(report).toMatchObject({ score: 60, reasons, hasDisarmedFile: false, readAs: null });
    });

    test('says where a visit was led on to, at most ten addresses of 300 characters', async () => {
      const { report } = await analysed(rigOf(), requestOf('url_analysis', 'visited'));
      const hops = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((hop) => `https://hop-${hop}.test/`);
      expect(report.redirects).toEqual(hops);
      const once = await analysed(rigOf(), requestOf('url_analysis', 'visited?once'));
      expect(once.report.redirects).toEqual([`https://b.test/${'x'.repeat(285)}`]);
      const { report: other } = await analysed(rigOf(), requestOf('url_analysis', 'benign'));
      expect(other.redirects).toBeUndefined();
    });

    test('a disarm brings the file and what was done', async () => {
      const rig = rigOf();
      const { id, report } = await analysed(rig, requestOf('cdr', 'benign'));
      expect(report).toMatchObject({
        verdict: 'unknown',
        removed: ['macro'],
        sanitized: ['external template'],
        hasDisarmedFile: true,
        failure: null,
        readAs: 'office',
      });
      expect(Buffer.from(await rig.analyzer.disarmedFile(id, 1_000)).toString()).toBe('disarmed benign');
    });

    test('a disarm that fails says why and has no file', async () => {
      const rig = rigOf();
      const { id, report } = await analysed(rig, requestOf('cdr', 'unsupported'));
      expect(report).toMatchObject({ failure: { class: 'unsupported' }, hasDisarmedFile: false });
      await expect(rig.analyzer.disarmedFile(id, 1_000)).rejects.toMatchObject({ code: 'ANALYZER_REFUSAL' });
    });

    test('a disarmed file that is larger than allowed is refused', async () => {
      const rig = rigOf();
      const { id } = await analysed(rig, requestOf('cdr', 'benign'));
      await expect(rig.analyzer.disarmedFile(id, 5)).rejects.toMatchObject({ failureClass: 'oversize' });
    });

    test.each<FileKind>(['static', 'cdr'])(
      'a %s that has not ended is pending, and its report is refused',
      async (kind) => {
        const rig = rigOf();
        const id = await submitted(rig, requestOf(kind, 'silent'));
        expect((await rig.analyzer.progress(kind, id)).state).toBe('pending');
        await expect(rig.analyzer.report(kind, id)).rejects.toMatchObject({ code: 'ANALYZER_REFUSAL' });
      },
    );

    test('finds again what was answered, for the same kind and the same name only', async () => {
      const rig = rigOf();
      // Two adapters may ask one service.
      const text = `benign and looked for by ${name}`;
      const request = requestOf('static', text);
      expect(await rig.analyzer.find(request)).toBeNull();
      const { id } = await analysed(rig, request);
      expect(await rig.analyzer.find(request)).toBe(id);
      expect(await rig.analyzer.find({ ...request, filename: 'a.xls' } as AnalysisRequest)).toBeNull();
      expect(await rig.analyzer.find(requestOf('sandbox', text))).toBeNull();
    });

    test('never finds what failed', async () => {
      const rig = rigOf();
      await analysed(rig, requestOf('static', 'timeout for now'));
      expect(await rig.analyzer.find(requestOf('static', 'timeout for now'))).toBeNull();
    });

    test('a request that comes twice has the same report twice', async () => {
      const [one, two] = [await analysed(rigOf(), requestOf('static', 'malicious twice')), rigOf()];
      expect((await analysed(two, requestOf('static', 'malicious twice'))).report).toEqual(one.report);
    });

    test('names what answers each kind, always in the same words', async () => {
      const { analyzer } = rigOf();
      for (const kind of KINDS) {
        const scope = await analyzer.scope(kind);
        expect([scope.length > 0, await analyzer.scope(kind)]).toEqual([true, scope]);
      }
    });
  });
}
