/**
 * Which faults a seed has. Each has a name that says where it happens, and follows from the seed and that name alone: a seed can be run
 * again with some of its faults only, and the others stay what they were.
 */
import { pick, roll } from './random.ts';
import { settingOf } from './setting.ts';

/** What can go wrong with one call of a port. */
export const CALL_FAULTS = [
  'refused',
  'answer lost',
  'done twice',
  'slow',
  'killed before it',
  'killed after it',
  'object changed',
] as const;
/** What can go wrong with one task of the state machine, besides its calls. */
export const TASK_FAULTS = ['throttled', 'never started', 'given up while it runs'] as const;
/** What can go wrong around the state machine. */
export const OTHER_FAULTS = [
  'event twice',
  'event late',
  'message twice',
  'message not deleted',
  'object replaced',
  'aborted',
  'express broke',
  'slow analysis',
  'endless analysis',
  'clock wrong',
] as const;
/** Times in which everything of one kind goes wrong. */
export const WINDOWS = ['service away', 'key refused', 'store away', 'no function free', 'new engines'] as const;

export type CallFault = (typeof CALL_FAULTS)[number];
export type TaskFault = (typeof TASK_FAULTS)[number];
export type OtherFault = (typeof OTHER_FAULTS)[number];
export type WindowFault = (typeof WINDOWS)[number];
/** `decision`: a person decides. It is no fault, and is a cause like one. */
export type FaultKind = CallFault | TaskFault | OtherFault | WindowFault | 'decision';

export interface Fault {
  readonly name: string;
  readonly kind: FaultKind;
  /** Seconds after the beginning. */
  readonly atSeconds: number;
}

export interface Faults {
  /** The fault of this call, task or thing, if it has one. */
  of<Kind extends CallFault | TaskFault | OtherFault>(where: string, kinds: readonly Kind[]): Kind | null;
  /** True while a window of this kind is open. */
  isIn(kind: WindowFault): boolean;
  /** Notes that a person decides. False when it is left out. */
  isDecided(name: string): boolean;
  /** The faults that happened, in their order. */
  readonly happened: readonly Fault[];
}

/** How often a fault happens where it can, in a seed that has it: seldom, often, or nearly always. */
const RATES = [0.004, 0.02, 0.1, 0.4] as const;
const RATES_OF_CALLS = [0.002, 0.01, 0.04, 0.12] as const;
/** Faults that a run with none of them would not miss, and that hide others when they are frequent. */
const SELDOM: ReadonlySet<string> = new Set(['object changed', 'endless analysis', 'aborted', 'object replaced']);
const RATES_OF_SELDOM = [0.01, 0.05, 0.2] as const;
/**
 * Most seeds look closely at one place: what has this word in its name has many faults, and all else has few. A race needs two or three faults
 * in the same place, which no seed has whose faults are spread evenly, and a mail that fails everywhere never comes as far as its end.
 */
const PLACES = [
  ...[
    'Submit',
    'Poll',
    'Fetch',
    'Decide',
    'Rebuild',
    'Express',
    'intake',
    'casualties',
    'index',
    'Quarantine',
    'redrive',
  ],
  // Parts of the names of calls.
  ...['clean', 'terminal', 'emit', 'submit', 'artifacts', 'rebuilt'],
  // Where a mistake does most harm.
  ...['Deliver', 'Deliver', 'Deliver', 'Deliver'],
] as [string, ...string[]];
/** Where seeds look that have people who decide, told passwords, or a budget: half of those. */
const REVIEW_PLACES = ['review', 'review', 'put work/runs/RUN/2/begun', ' start'] as [string, ...string[]];
const PLACES_OF_SETTING = {
  passwords: ['words', 'passwords', 'put work/runs/RUN/2/beginning', 'attempt 2'],
  budget: ['budget', 'Submit'],
} as const satisfies Record<string, readonly [string, ...string[]]>;
/** Single calls. A fault there meets whoever comes behind it only when nothing before it goes wrong, so it is frequent. */
const NARROW: ReadonlySet<string> = new Set([
  ' start',
  'put work/runs/RUN/2/begun',
  'put work/runs/RUN/2/beginning',
  'budget',
]);
const RATES_IN_NARROW_PLACE = [0.2, 0.5, 0.8] as const;
const HAS_PLACE = 0.75;
/** Of half of the seeds that look at one place, all of these happen there: what goes on after its caller has given it up meets who takes its place. */
const RACE: ReadonlySet<FaultKind> = new Set(['slow', 'given up while it runs', 'aborted']);
const HAS_RACE = 0.5;
const LOOKS_CLOSE = 0.5;
const RATES_IN_PLACE = [0.05, 0.15, 0.5] as const;
const RATES_OF_CALLS_IN_PLACE = [0.02, 0.06, 0.2] as const;
/** Everywhere else, a fault is that much rarer. */
const ELSEWHERE = 0.2;

export interface FaultOptions {
  readonly seed: number;
  readonly secondsNow: () => number;
  /** Only these faults happen. @default all of the seed */
  readonly only?: ReadonlySet<string> | undefined;
  /** Faults of these kinds never happen. */
  readonly without: ReadonlySet<FaultKind>;
}

/** After this time everything works, so that everything must come to its end. Seconds. */
export const CALM_AFTER = 3 * 3_600;
const MAX_WINDOW_LENGTH = 40 * 60;

/** The faults of a seed. */
export function createFaults({ seed, secondsNow, only, without }: FaultOptions): Faults {
  const happened: Fault[] = [];
  const noted = new Set<string>();
  const rates = ratesOf(seed, without);
  const place = placeOf(seed);
  const inPlace = ratesInPlace(seed, place, without);
  const factorOfRates = place === null ? 1 : ELSEWHERE;
  const [mostInPlace, most] = [sumOf(inPlace), factorOfRates * sumOf(rates)];
  const windows = windowsOf(seed, without);
  const allowed = (name: string) => only?.has(name) ?? true;
  const note = (name: string, kind: FaultKind) => {
    if (noted.has(name)) return;
    noted.add(name);
    happened.push({ name, kind, atSeconds: Math.round(secondsNow()) });
  };
  return {
    happened,
    of(where, kinds) {
      let left = roll(seed, where);
      // Most numbers are beyond all faults together.
      if (left >= most && left >= mostInPlace) return null;
      const isClose = place !== null && where.includes(place);
      const [found, factor] = isClose ? [inPlace, 1] : [rates, factorOfRates];
      for (const kind of kinds) {
        left -= factor * (found.get(kind) ?? 0);
        if (left >= 0) continue;
        const name = `${where}: ${kind}`;
        if (!allowed(name) || secondsNow() > CALM_AFTER) return null;
        note(name, kind);
        return kind;
      }
      return null;
    },
    isIn(kind) {
      const found = windows.find((one) => one.kind === kind && one.from <= secondsNow() && secondsNow() < one.to);
      if (found === undefined || !allowed(found.name)) return false;
      note(found.name, kind);
      return true;
    },
    isDecided(name) {
      if (allowed(name)) note(name, 'decision');
      return allowed(name);
    },
  };
}

const sumOf = (rates: ReadonlyMap<FaultKind, number>) => [...rates.values()].reduce((sum, rate) => sum + rate, 0);

function placeOf(seed: number): string | null {
  if (isCalm(seed) || roll(seed, 'has a place') >= HAS_PLACE) return null;
  const { name } = settingOf(seed);
  if (name !== 'shipped' && roll(seed, 'looks at its setting') < LOOKS_CLOSE)
    return pick<string>(seed, 'place of its setting', PLACES_OF_SETTING[name]);
  const isOfReview = isReviewed(seed) && roll(seed, 'looks at review') < LOOKS_CLOSE;
  return pick(seed, 'place', isOfReview ? REVIEW_PLACES : PLACES);
}

/** Nothing goes wrong by itself in a calm seed. */
const isCalm = (seed: number) => roll(seed, 'a calm seed') < 0.05;

const isCall = (kind: FaultKind) => (CALL_FAULTS as readonly string[]).includes(kind);

function ratesOf(seed: number, without: ReadonlySet<FaultKind>): ReadonlyMap<FaultKind, number> {
  const kinds = [...CALL_FAULTS, ...TASK_FAULTS, ...OTHER_FAULTS].filter((kind) => !without.has(kind) && !isCalm(seed));
  return new Map(
    kinds.map((kind) => {
      if (SELDOM.has(kind))
        return [kind, roll(seed, `has ${kind}`) < 0.2 ? pick(seed, `rate of ${kind}`, RATES_OF_SELDOM) : 0];
      const isOn = roll(seed, `has ${kind}`) < 0.4;
      return [kind, isOn ? pick(seed, `rate of ${kind}`, isCall(kind) ? RATES_OF_CALLS : RATES) : 0];
    }),
  );
}

/** Two in five kinds happen in the place of a seed, whatever else it has, and those of a race together. */
function ratesInPlace(
  seed: number,
  place: string | null,
  without: ReadonlySet<FaultKind>,
): ReadonlyMap<FaultKind, number> {
  const isNarrow = place !== null && NARROW.has(place);
  const kinds = [...CALL_FAULTS, ...TASK_FAULTS, ...OTHER_FAULTS].filter((kind) => !without.has(kind));
  const isRace = roll(seed, 'has a race') < HAS_RACE;
  return new Map(
    kinds.map((kind) => {
      const isOn = (isRace && RACE.has(kind)) || roll(seed, `has ${kind} in its place`) < 0.4;
      const ofCalls = isNarrow ? RATES_IN_NARROW_PLACE : RATES_OF_CALLS_IN_PLACE;
      const rates = isCall(kind) ? ofCalls : RATES_IN_PLACE;
      return [kind, isOn ? pick(seed, `rate of ${kind} in its place`, rates) : 0];
    }),
  );
}

interface Window {
  readonly name: string;
  readonly kind: WindowFault;
  readonly from: number;
  readonly to: number;
}

/** So many seeds have a person who begins held mail again. */
const HAS_OPERATOR = 0.4;
export const isRedriven = (seed: number): boolean => roll(seed, 'has an operator') < HAS_OPERATOR;
/** So many seeds have people who decide about held mail at the desk. */
const HAS_ANALYSTS = 0.4;
export const isReviewed = (seed: number): boolean => roll(seed, 'has analysts') < HAS_ANALYSTS;
/** In half of those the service is away for longer than a mail waits, or there would seldom be held mail to begin again. */
const HAS_OUTAGE = 0.5;

function windowsOf(seed: number, without: ReadonlySet<FaultKind>): Window[] {
  const short = shortWindowsOf(seed, without);
  if (
    without.has('service away') ||
    !(isRedriven(seed) || isReviewed(seed)) ||
    roll(seed, 'has an outage') >= HAS_OUTAGE
  )
    return short;
  const from = roll(seed, 'start of the outage') * 300;
  const outage = { kind: 'service away', from, to: from + MAX_WINDOW_LENGTH } as const;
  return [{ ...outage, name: `service away from ${Math.round(from)} s for long` }, ...short];
}

function shortWindowsOf(seed: number, without: ReadonlySet<FaultKind>): Window[] {
  return WINDOWS.filter((kind) => !without.has(kind) && roll(seed, `has ${kind}`) < 0.15).map((kind) => {
    const from = roll(seed, `start of ${kind}`) ** 3 * 1_200;
    // Most are short.
    const seconds = roll(seed, `length of ${kind}`) ** 3 * MAX_WINDOW_LENGTH;
    const to = kind === 'new engines' ? Number.POSITIVE_INFINITY : from + seconds;
    return { name: `${kind} from ${Math.round(from)} s to ${Math.round(to)} s`, kind, from, to };
  });
}
