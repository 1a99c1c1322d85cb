/** Which rooms there are, and who imports whom directly. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Import, imports, isIn, ROOMS, ROOT, read, roomOf, sources } from './imports.ts';

const arrowOf = ({ from, to }: Import) => `${dirname(from)} -> ${dirname(to)}`;
const arrows = (rule: (found: Import) => boolean) => [...new Set(imports.filter(rule).map(arrowOf))].sort();

/** What the files of `folder` import that they must not, of the given kinds of import. */
const offenders = (folder: string, isForbidden: (to: string) => boolean, ...kinds: readonly Import['kind'][]) =>
  imports
    .filter(
      ({ from, to, kind }) => isIn(from, folder) && isForbidden(to) && (kinds.length === 0 || kinds.includes(kind)),
    )
    .map(({ from, to }) => `${from} -> ${to}`);

describe('who may import whom', () => {
  test('lib has these rooms and no others', () => {
    expect(readdirSync(join(ROOT, 'lib')).sort()).toEqual(Object.keys(ROOMS).sort());
  });

  test('ARCHITECTURE.md says of each room what it may import', () => {
    const rows = read('ARCHITECTURE.md').matchAll(/^\| \[`lib\/(\w+)`\]\([^)]+\) \| [^|]+ \| ([^|]+) \|$/gm);
    const written = [...rows].map(([, room = '', cell = '']) => [
      room,
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort(),
    ]);
    expect(Object.fromEntries(written)).toEqual(
      Object.fromEntries(Object.entries(ROOMS).map(([room, others]) => [room, [...others].sort()])),
    );
  });

  test('no arrow runs up: a room imports the rooms below it', () => {
    const up = arrows((found) => {
      const [from, to] = [roomOf(found.from), roomOf(found.to)];
      return from !== null && to !== null && from !== to && !ROOMS[from]?.includes(to);
    });
    expect(up).toEqual([]);
  });

  test('no two folders import each other', () => {
    const isBelow = (one: string, other: string) => one === other || `${one}/`.startsWith(`${other}/`);
    const inLib = arrows(
      ({ from, to }) =>
        isIn(from, 'lib') &&
        isIn(to, 'lib') &&
        !isBelow(dirname(from), dirname(to)) &&
        !isBelow(dirname(to), dirname(from)),
    );
    expect(inLib.filter((arrow) => inLib.includes(arrow.split(' -> ').reverse().join(' -> ')))).toEqual([]);
    // Nothing would be found where nothing is looked at.
    expect(inLib.length).toBeGreaterThan(50);
  });

  test('no import goes round in a circle', () => {
    const edges = new Map<string, string[]>();
    for (const { from, to, kind } of imports) if (kind !== 'file') edges.set(from, [...(edges.get(from) ?? []), to]);
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (path: string, trail: readonly string[]) => {
      if (state.get(path) === 'open') circles.push([...trail, path].join(' -> '));
      if (state.has(path)) return;
      state.set(path, 'open');
      for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
      state.set(path, 'done');
    };
    for (const path of sources) visit(path, []);
    expect(circles).toEqual([]);
  });

  test('client and server meet only in the contract, in types too', () => {
    const met = [
      ...offenders('lib/service/client', (to) => isIn(to, 'lib/service/server', 'lib/engines')),
      ...offenders('lib/service/server', (to) => isIn(to, 'lib/service/client')),
    ];
    expect(met).toEqual([]);
  });

  test('the engine that looks imports nothing of the one that disarms, in types too', () => {
    expect(offenders('lib/engines/static', (to) => isIn(to, 'lib/engines/disarm'))).toEqual([]);
    // Nothing would be found where nothing is looked at.
    expect(offenders('lib/engines/static', (to) => isIn(to, 'lib/formats')).length).toBeGreaterThan(20);
  });

  test('the engine that disarms imports nothing of the one that looks, in types too', () => {
    expect(offenders('lib/engines/disarm', (to) => isIn(to, 'lib/engines/static'))).toEqual([]);
  });

  test('pipeline and message know no I/O, in types too', () => {
    const io =
      /^(node:(fs|http|https|net|dns|tls|child_process|worker_threads|os|process|timers).*|@aws-sdk\/.*|undici|hono|@hono\/.*)$/;
    expect([
      ...offenders('lib/pipeline', (to) => io.test(to)),
      ...offenders('lib/message', (to) => io.test(to)),
    ]).toEqual([]);
  });

  test('infra imports the names and the memory of stages, the reader of URLs and no other runtime code, in types too', () => {
    const allowed = [
      'model.ts',
      'stage-memory.ts',
      'policy/policy.ts',
      'policy/files.ts',
      'policy/gateway.ts',
      'deployed-machines.ts',
      'scan-email.asl.json',
      'errors.ts',
      'ports.ts',
    ];
    const isAllowed = (to: string) =>
      isIn(to, 'lib/infra', 'lib/formats/urls') || allowed.includes(to.replace('lib/pipeline/', ''));
    expect(offenders('lib/infra', (to) => isIn(to, 'lib') && !isAllowed(to), 'code', 'type')).toEqual([]);
  });

  test('the analyzer alone in the service imports the pipeline', () => {
    const analyzer = ['', '-call', '-cdr', '-renewal', '-reports'].map((part) => `lib/service/analyzer${part}.ts`);
    const found = imports.filter(
      ({ from, to }) => isIn(from, 'lib/service') && !analyzer.includes(from) && isIn(to, 'lib/pipeline'),
    );
    expect(found).toEqual([]);
  });
});
