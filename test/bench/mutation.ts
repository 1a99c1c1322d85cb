/**
 * Bench part `mutation`: how many of the faults planted by `npm run mutate` the tests notice, as kept in test/mutation/results.json. A
 * figure counts only files that are today as they were when they were measured.
 */
import { readResults, roomResult, sharePercent } from '../mutation/results.ts';
import { ROOMS } from '../mutation/rooms.ts';
import { count, type Part } from './figure.ts';

export const mutation: Part = {
  name: 'mutation',
  title: 'Planted faults that no test notices',
  async measure() {
    const results = readResults();
    const rooms = ROOMS.map((room) => ({ room, found: roomResult(room, results) }));
    return {
      figures: rooms.flatMap(({ room, found }) => {
        const share = sharePercent(found);
        if (share === null) return [];
        const name = `${room.name}: of a hundred, in the ${found.fresh} of ${found.files} files that were measured`;
        return [{ name, measured: count(Math.round(100 - share)), atMost: 100 - room.atLeast, baselines: [] }];
      }),
      tables: [
        {
          title: 'Rooms',
          columns: ['room', 'files', 'measured as they are', 'out of date', 'noticed', 'not noticed', 'equivalent'],
          rows: rooms.map(({ room, found }) => [
            room.name,
            ...[found.files, found.fresh, found.stale, found.noticed, found.missed, found.equivalent].map(count),
          ]),
        },
      ],
      notes: [
        'Kept by npm run mutate -- ROOM, which plants the faults; nothing is planted here. A file that has changed since is out of date.',
        `Never measured: ${
          rooms
            .filter(({ found }) => found.fresh === 0)
            .map(({ room }) => room.name)
            .join(', ') || 'none'
        }.`,
      ],
    };
  },
};
