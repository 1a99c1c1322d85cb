/**
 * Bench part `mutation`: how many of the faults planted by `npm run mutate` the tests notice, as kept in test/mutation/results.json. A
 * figure counts only files that are today as they were when they were measured.
 */
import { howMeasured, readResults, roomResult, sharePercent, totalOf } from '../mutation/results.ts';
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
        const share = sharePercent(found.fresh);
        if (share === null) return [];
        const name = `${room.name}: of a hundred (${howMeasured(found)})`;
        return [{ name, measured: count(Math.ceil(100 - share)), atMost: 100 - room.atLeast, baselines: [] }];
      }),
      tables: [
        {
          title: 'Rooms',
          columns: ['room', 'files', 'measured', 'noticed', 'not noticed', 'equivalent'],
          rows: rooms.map(({ room, found }) => {
            const { noticed, missed, equivalent } = totalOf(found.fresh);
            return [room.name, count(found.files), howMeasured(found), ...[noticed, missed, equivalent].map(count)];
          }),
        },
      ],
      notes: [
        'Kept by npm run mutate -- ROOM, which plants the faults; nothing is planted here. A file whose code has changed since is out of date.',
        'A fault of a sample counts for those that were left out. A fault that spans many lines is seldom in a sample.',
        `Never measured: ${
          rooms
            .filter(({ found }) => found.fresh.length === 0)
            .map(({ room }) => room.name)
            .join(', ') || 'none'
        }.`,
      ],
    };
  },
};
