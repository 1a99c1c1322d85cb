/**
 * Metrics in CloudWatch's embedded format. A line of the log says which of its own fields are metrics, and CloudWatch counts them without a
 * request. People can still read and query the line.
 */
import type { Log } from '../../lib/pipeline/ports.ts';
import { FAULT_REASONS } from '../../lib/pipeline/reason-codes.ts';
import { RUN_ENDED } from '../../lib/pipeline/results/run-ended.ts';

/** The namespace of all metrics of the airlock. */
const NAMESPACE = 'MailAirlock';
/** The log message of a stage that leaves analyses outstanding. */
export const OUTSTANDING = 'outstanding';

type Fields = Parameters<Log['info']>[1];

type JsonFields = Readonly<Record<string, unknown>>;

/** Returns a log that writes its fields as JSON. */
interface JsonLog {
  info(message: string, fields: JsonFields): void;
  warn(message: string, fields: JsonFields): void;
}

/** Dimensions, and the fields of the line that are metrics under them. */
type Directive = readonly [dimensions: readonly string[], names: readonly string[]];

/**
 * Returns the log of a stage. The line about the end of a run becomes metrics: the kind of end, the reason when the mail was held, and
 * every number of the line. The line about outstanding analyses becomes metrics, too. `airlock` names one airlock of the account.
 *
 * @example
 * ```ts
 * const log: Log = withMetrics(console, 'a1b2c3d4');
 * log.info('run ended', { state: 'delivered', reason: 'none', seconds: 4 });
 * ```
 */
export function withMetrics(log: JsonLog, airlock: string): Log {
  const line = (message: string, fields: Fields): JsonFields => {
    if (message === RUN_ENDED) return ofEnd(fields, airlock);
    return message === OUTSTANDING ? embedded(fields, airlock, [numbersOf(fields)]) : fields;
  };
  return {
    info: (message, fields) => log.info(message, line(message, fields)),
    warn: (message, fields) => log.warn(message, fields),
  };
}

function ofEnd(fields: Fields, airlock: string): JsonFields {
  const isHeld = fields.state === 'quarantined';
  const isFault = FAULT_REASONS.some((code) => code === fields.reason);
  const line = { ...fields, [isHeld ? 'quarantined' : 'delivered']: 1, ...(isFault && { heldByFault: 1 }) };
  const byReason: Directive = [['airlock', 'reason'], ['quarantined']];
  return embedded(line, airlock, isHeld ? [numbersOf(line), byReason] : [numbersOf(line)]);
}

function numbersOf(fields: Fields): Directive {
  return [['airlock'], Object.keys(fields).filter((name) => typeof fields[name] === 'number')];
}

function embedded(fields: Fields, airlock: string, directives: readonly Directive[]): JsonFields {
  const CloudWatchMetrics = directives.map(([dimensions, names]) => ({
    Namespace: NAMESPACE,
    Dimensions: [dimensions],
    Metrics: names.map((Name) => ({ Name })),
  }));
  return { ...fields, airlock, _aws: { Timestamp: Date.now(), CloudWatchMetrics } };
}
