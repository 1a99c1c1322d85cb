/** What a class of attack is: a generator of attempts, and a judge who shares nothing with the code that is attacked. */
import { shareOf } from '../share.ts';
import type { Airlock, Scan } from './airlock-run.ts';

/** One try of an attacker, or one ordinary file or mail that looks like an attack and must pass. */
export interface Attempt {
  /** Unique in its class. */
  readonly id: string;
  /** How the airlock ended it, in a word: `delivered`, `quarantined`, `refused`. */
  readonly ended: string;
  /** What got through, or what was spoiled, in words; null when nothing did. */
  readonly won: string | null;
}

export interface AttackClass {
  /** In kebab-case, as `--only` takes it. */
  readonly name: string;
  /** What an attacker wants, in a few plain words. */
  readonly title: string;
  /** Every attempt, hostile ones and ordinary ones. */
  attempts(airlock: Airlock): AsyncIterable<Attempt>;
}

/** A class of messages: its mails can be had without its judge, for judges that are too slow for each run of the tests. */
export interface MailAttackClass extends AttackClass {
  hostileMails(): Iterable<MailCase>;
  ordinaryMails(): Iterable<MailCase>;
}

/** A message or a bare file that is sent through the whole airlock. */
export interface MailCase {
  readonly id: string;
  readonly email: Uint8Array | string;
  /** The name of a bare file. @default the id with `.eml` */
  readonly name?: string;
}

export interface MailAttack<Case extends MailCase> {
  readonly name: string;
  readonly title: string;
  readonly cases: () => Iterable<Case>;
  /** Asked of every message that was delivered: what of the attack is still in it, in words; null when nothing is. */
  readonly judge: (attack: Case, delivered: Delivered) => string | null | Promise<string | null>;
  /** Ordinary mail of the same shape: it must be delivered. @default none */
  readonly ordinary?: () => Iterable<Case>;
  /** Asked of every ordinary message that was delivered: what of it was spoiled. @default it is enough that it arrives */
  readonly judgeOrdinary?: (mail: Case, delivered: Delivered) => string | null | Promise<string | null>;
}

export type Delivered = Scan & { readonly message: Uint8Array };

/** A class whose attempts are messages through the whole flow. */
export function mailAttack<Case extends MailCase>(attack: MailAttack<Case>): MailAttackClass {
  const { name, title, cases, judge, ordinary = () => [], judgeOrdinary = () => null } = attack;
  return {
    name,
    title,
    hostileMails: cases,
    ordinaryMails: ordinary,
    async *attempts(airlock) {
      const attempted = async (one: Case, isOrdinary: boolean) =>
        attemptOf(one, await scanCase(airlock, one), isOrdinary ? judgeOrdinary : judge, isOrdinary);
      yield* sideBySide(shareOf(cases()), (one) => attempted(one, false));
      yield* sideBySide(shareOf(ordinary()), (one) => attempted(one, true));
    },
  };
}

/** So many mails are under way at the same time, so that none waits for the polls of another. */
const SIDE_BY_SIDE = 6;

/** The results of work on each item, in order; the work on some items goes on at the same time. */
export async function* sideBySide<In, Out>(items: Iterable<In>, work: (item: In) => Promise<Out>): AsyncIterable<Out> {
  const underWay: Promise<Out>[] = [];
  for (const item of items) {
    const one = work(item);
    // Its fault is thrown when its turn comes.
    one.catch(() => {});
    underWay.push(one);
    if (underWay.length >= SIDE_BY_SIDE) yield underWay.shift() as Promise<Out>;
  }
  yield* underWay;
}

/** Sends one case through the whole airlock. */
export const scanCase = (
  airlock: Airlock,
  { id, email, name = `${id.replace(/[^\w.-]+/g, '-')}.eml` }: MailCase,
): Promise<Scan> => airlock.scan(email, name);

async function attemptOf<Case extends MailCase>(
  one: Case,
  scan: Scan,
  judge: (one: Case, delivered: Delivered) => string | null | Promise<string | null>,
  isOrdinary: boolean,
): Promise<Attempt> {
  const { id } = one;
  const { state: ended, message } = scan;
  if (ended === 'failed' || ended === 'interrupted')
    return { id, ended, won: `the run ended in ${ended}: ${scan.why}` };
  if (message !== null) return { id, ended, won: await judge(one, { ...scan, message }) };
  return { id, ended, won: isOrdinary ? `an ordinary mail was ${ended}: ${scan.why}` : null };
}
