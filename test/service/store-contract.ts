/** What every store of submissions must do. This suite runs on each adapter. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SubmissionFilter, SubmissionStore } from '../../lib/service/server/store/submission-store.ts';
import { scheduledReport, withReport } from '../../lib/service/server/store/submissions.ts';
import { type SubmissionFacts, storedSubmission } from './stored-submission.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);

/** Files and URLs of two workspaces, one for each day. */
const WORLD: readonly SubmissionFacts[] = [
  {
    uuid: 'a',
    filename: 'Invoice March.docx',
    text: 'one',
    level: 'malicious',
    extension: 'docx',
    findings: ['office-macro'],
  },
  { uuid: 'b', filename: 'invoice april.pdf', text: 'two', level: 'benign', extension: 'pdf', private: true },
  { uuid: 'c', filename: null, level: 'suspicious', findings: ['borrowed-brand'] },
  { uuid: 'd', filename: 'Überweisung 100%.zip', text: 'one', level: 'unknown', workspace: 'others' },
  {
    uuid: 'e',
    filename: 'secret.docx',
    text: 'three',
    level: 'malicious',
    workspace: 'others',
    private: true,
    extension: 'docx',
  },
  { uuid: 'f', filename: 'x"y*.txt', text: 'four', level: null, keyId: 'second' },
];

/** Runs the suite over a store that `open` makes for each test. */
export function storeContract(name: string, open: () => Promise<SubmissionStore> | SubmissionStore): void {
  describe(`${name}, as a store of submissions,`, () => {
    let store: SubmissionStore;
    beforeEach(async () => {
      store = await open();
      for (const [index, facts] of WORLD.entries()) {
        await store.add(
          storedSubmission({ ...facts, createdAtMs: START_MS + index * DAY_MS }),
          `password of ${facts.uuid}`,
        );
      }
    });
    afterEach(() => store.close());
    const ids = async (filter: SubmissionFilter, page = { offset: 0, limit: 100 }) => {
      const { items, total } = await store.list(filter, page);
      return { ids: items.map(({ uuid }) => uuid).join(''), total };
    };

    test('gives back what it was given', async () => {
      const expected = storedSubmission({ ...WORLD[0], createdAtMs: START_MS });
      expect(await store.get('a')).toEqual(expected);
      expect(await store.get('nobody')).toBeNull();
    });

    const sha = storedSubmission({ text: 'one' }).subject;
    const one = sha.type === 'file' ? sha.hashes : { md5: '', sha1: '', sha256: '' };
    test.each<[string, SubmissionFilter, string]>([
      ['nothing', {}, 'fedcba'],
      ['what a workspace may see', { visibleTo: 'local' }, 'fdcba'],
      ['what another may see', { visibleTo: 'others' }, 'fedca'],
      ['what a workspace made', { workspace: 'others' }, 'ed'],
      ['a level', { levels: ['malicious'] }, 'ea'],
      ['a level of what one may see', { levels: ['malicious'], visibleTo: 'local' }, 'a'],
      ['several levels', { levels: ['benign', 'suspicious', 'suspicious'] }, 'cb'],
      ['unknown, which is also what is under way', { levels: ['unknown'] }, 'fd'],
      ['every level', { levels: ['malicious', 'benign', 'unknown', 'suspicious'] }, 'fedcba'],
      ['files', { type: 'file' }, 'fedba'],
      ['URLs', { type: 'url' }, 'c'],
      ['private ones', { private: true }, 'eb'],
      ['public ones', { private: false }, 'fdca'],
      ['a SHA-256', { hash: { algorithm: 'sha256', value: one.sha256 } }, 'da'],
      ['a SHA-1', { hash: { algorithm: 'sha1', value: one.sha1 } }, 'da'],
      ['an MD5', { hash: { algorithm: 'md5', value: one.md5 } }, 'da'],
      ['the start of a SHA-256', { hash: { algorithm: 'sha256', value: one.sha256.slice(0, 10) } }, 'da'],
      ['a hash nobody has', { hash: { algorithm: 'sha256', value: 'f'.repeat(64) } }, ''],
      ['part of a name in any case', { filename: 'INVOICE' }, 'ba'],
      ['part of a name of two letters', { filename: 'ec' }, 'e'],
      ['part of a name of one letter', { filename: '%' }, 'd'],
      ['part of a name outside ASCII', { filename: 'ÜBERW' }, 'd'],
      ['part of a name with quotes and stars', { filename: 'x"y*' }, 'f'],
      ['a name that looks like a query', { filename: 'invoice OR secret' }, ''],
      ['days', { createdFromMs: START_MS + DAY_MS, createdToMs: START_MS + 3 * DAY_MS }, 'dcb'],
      ['days from', { createdFromMs: START_MS + 4 * DAY_MS }, 'fe'],
      ['days to', { createdToMs: START_MS }, 'a'],
      ['days that have no submission', { createdFromMs: START_MS + 1, createdToMs: START_MS + 2 }, ''],
      ['days the wrong way round', { createdFromMs: START_MS + DAY_MS, createdToMs: START_MS }, ''],
      ['a tag in any case', { tags: ['OFFICE-MACRO'] }, 'a'],
      ['any of several tags', { tags: ['docx', 'office-macro', 'borrowed-brand'] }, 'eca'],
      ['a tag nobody has', { tags: ["' OR 1"] }, ''],
      [
        'all at once',
        {
          visibleTo: 'local',
          levels: ['malicious'],
          type: 'file',
          filename: 'march',
          private: false,
          hash: { algorithm: 'sha256', value: one.sha256.slice(0, 4) },
          tags: ['docx'],
          createdFromMs: START_MS,
          createdToMs: START_MS,
        },
        'a',
      ],
      ['a short name and a tag', { filename: '.d', tags: ['docx'] }, 'ea'],
      ['a level and a tag and days', { levels: ['malicious'], tags: ['docx'], createdFromMs: START_MS + DAY_MS }, 'e'],
    ])('lists by %s, newest first, and counts the same', async (_, filter, expected) => {
      expect(await ids(filter)).toEqual({ ids: expected, total: expected.length });
      const oldestFirst = await store.list(filter, { offset: 0, limit: 100, order: 'asc' });
      expect(oldestFirst.items.map(({ uuid }) => uuid).join('')).toBe([...expected].reverse().join(''));
      for (let offset = 0; offset <= expected.length; offset += 1) {
        expect((await ids(filter, { offset, limit: 1 })).ids).toBe(expected.slice(offset, offset + 1));
      }
    });

    test('keeps lists and their totals right while submissions come, change and go', async () => {
      const filters: SubmissionFilter[] = [
        { levels: ['malicious'] },
        { filename: 'new' },
        { tags: ['docx'] },
        {},
        { filename: 'x' },
      ];
      const totals = () =>
        Promise.all(filters.map(async (filter) => (await store.list(filter, { offset: 0, limit: 9 })).total));
      expect(await totals()).toEqual([2, 0, 2, 6, 3]);
      await store.add(storedSubmission({ uuid: 'g', filename: 'new.docx' }), null);
      expect(await totals()).toEqual([2, 1, 2, 7, 4]);
      const report = { ...scheduledReport('static'), status: 'completed', level: 'malicious' } as const;
      const detectedType = { type: 'x/y', extension: 'docx', description: '' };
      await store.update('g', (stored) => {
        const subject = stored.subject.type === 'file' ? { ...stored.subject, detectedType } : stored.subject;
        return { ...withReport(stored, report, 1), subject };
      });
      expect(await totals()).toEqual([3, 1, 3, 7, 4]);
      await store.forgetOldest();
      expect(await totals()).toEqual([2, 1, 2, 6, 3]);
    });

    test('knows the unfinished submissions, the oldest first, and a password only until its submission ends', async () => {
      expect((await store.unfinished()).map(({ uuid }) => uuid)).toEqual(['f']);
      expect(await store.pending('a')).toBeNull();
      expect(await store.pending('nobody')).toBeNull();
      expect((await store.pending('f'))?.password).toBe('password of f');
      const error = { code: 'timeout', message: 'late' } as const;
      await store.update('f', (stored) =>
        withReport(stored, { ...scheduledReport('static'), status: 'error', error }, 1),
      );
      expect(await store.pending('f')).toBeNull();
      expect(await store.unfinished()).toEqual([]);
      expect((await store.get('f'))?.reports[0]?.error).toEqual(error);
    });

    test('updates only a submission that exists', async () => {
      expect(await store.update('nobody', (stored) => stored)).toBeNull();
      const changed = await store.update('a', (stored) => ({ ...stored, attempts: 2 }));
      expect([changed?.attempts, (await store.get('a'))?.attempts]).toEqual([2, 2]);
    });

    test('finds the submission of a sanitized file', async () => {
      const sanitizedFile = {
        fileId: 'file',
        filename: 'a.docx',
        extension: 'docx',
        type: 'x/y',
        sha256: 'f'.repeat(64),
        size: 5,
      };
      await store.update('a', (stored) => ({ ...stored, sanitizedFile }));
      expect((await store.getByFile('file'))?.uuid).toBe('a');
      expect(await store.getByFile('other')).toBeNull();
      expect(await store.needs('f'.repeat(64))).toBe(true);
    });

    test('counts what a key made since a time', async () => {
      expect(await store.countSince('key', START_MS)).toBe(5);
      expect(await store.countSince('key', START_MS + 2 * DAY_MS)).toBe(3);
      expect(await store.countSince('second', START_MS)).toBe(1);
      expect(await store.countSince('nobody', START_MS)).toBe(0);
    });

    test('deletes the oldest finished one, and names the blobs that no submission needs any more', async () => {
      expect(await store.usage()).toEqual({ submissions: 6, bytes: 3 + 3 + 0 + 3 + 5 + 4 });
      expect(await store.needs(one.sha256)).toBe(true);
      // The same bytes were submitted twice. The first submission that is deleted leaves them to the other.
      expect(await store.forgetOldest()).toEqual([]);
      expect(await store.get('a')).toBeNull();
      expect(await store.forgetOldest()).toHaveLength(1);
      expect(await store.forgetOldest()).toEqual([]);
      expect(await store.forgetOldest()).toEqual([one.sha256]);
      expect(await store.needs(one.sha256)).toBe(false);
      expect(await store.forgetOldest()).toHaveLength(1);
      expect(await store.forgetOldest()).toBeNull();
      expect(await ids({})).toEqual({ ids: 'f', total: 1 });
      expect(await store.usage()).toEqual({ submissions: 1, bytes: 4 });
    });
  });
}
