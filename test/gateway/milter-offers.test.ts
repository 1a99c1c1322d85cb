/** What a mail server is told of a message it offers when something that we had is gone, or we are stopping. */
import { expect, test } from 'vitest';
import { type Answer, type OfferOptions, openOffers } from '../../lib/gateway/milter/offers.ts';
import type { Entry } from '../../lib/gateway/spool-reading.ts';

const MESSAGE = Buffer.from('Subject: a\r\n\r\nwords\r\n');
const ENTRY = { envelope: { id: 'one' } } as Entry;
const DELIVERED = { state: 'delivered', runId: 'ab'.repeat(16), sha256: 'cd'.repeat(32), size: 1 } as const;

interface Script {
  readonly original?: Uint8Array | null;
  readonly clean?: Uint8Array | null;
  /** Resolves when the disk has noted that a message is ours. */
  readonly owned?: Promise<void>;
}

function desk({ original = MESSAGE, clean = MESSAGE, owned = Promise.resolve() }: Script = {}) {
  const [taken, faults, forgotten]: [string[], unknown[], string[]] = [[], [], []];
  const options: OfferOptions = {
    spool: { own: () => owned, disown: async () => undefined, read: async () => original } as OfferOptions['spool'],
    judge: { cleanMessage: async () => clean, forget: async (runId) => void forgotten.push(runId) },
    ...{ held: 'hold', waitMs: 1_000, now: () => 0, alarms: { at: () => () => undefined, close: () => undefined } },
    onTaken: ({ envelope }) => void taken.push(envelope.id),
    onFault: (error) => void faults.push(error),
  };
  const offers = openOffers(options);
  const answers: Answer[] = [];
  const offer = () => offers.offer(ENTRY, (answer) => void answers.push(answer));
  return { offers, offer, answers, taken, faults, forgotten };
}

test('a message goes on when the clean one is there', async () => {
  const { offers, offer, answers } = desk();
  offer();
  expect(await offers.answer(ENTRY, DELIVERED)).toBe('theirs');
  expect(answers).toEqual([{ kind: 'accept', edits: [] }]);
});

test.each([
  ['the clean message', { clean: null }],
  ['the message itself', { original: null }],
])('its sender comes back when %s is gone, and it is judged anew', async (_, script) => {
  const { offers, offer, answers, forgotten } = desk(script);
  offer();
  expect(await offers.answer(ENTRY, DELIVERED)).toBe('theirs');
  expect([answers, forgotten]).toEqual([[{ kind: 'later' }], [DELIVERED.runId]]);
});

test('what is offered to a milter that stops is answered at once, and never judged to go on', async () => {
  const { offers, offer, answers, taken } = desk();
  await offers.close();
  offer();
  expect(answers).toEqual([{ kind: 'later' }]);
  expect(await offers.take('one')).toBe('theirs');
  expect([answers.length, taken]).toEqual([1, []]);
});

test('a milter stops when what it is taking is taken', async () => {
  let note = () => {};
  const owned = new Promise<void>((resolve) => {
    note = resolve;
  });
  const { offers, offer, answers, taken } = desk({ owned });
  offer();
  const taking = offers.take('one');
  let isClosed = false;
  const closing = offers.close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([isClosed, answers]).toEqual([false, []]);
  note();
  await closing;
  expect([await taking, answers, taken]).toEqual(['ours', [{ kind: 'take' }], ['one']]);
});
