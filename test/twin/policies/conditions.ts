/** The condition operators of IAM that our policies use. An operator or a key that is not here is refused. */
import { unknown } from '../assembly/refuse.ts';
import type { Condition } from './statement.ts';
import { matches } from './wildcards.ts';

/** Facts about a request, by condition key. A key that is absent was not in the request. */
export type RequestFacts = Readonly<Record<string, string>>;

/** Keys whose absence means something. Every other key is one that the twin would have to learn first. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'aws:PrincipalAccount',
  'aws:PrincipalArn',
  'aws:SecureTransport',
  'aws:SourceAccount',
  'aws:SourceArn',
  'aws:SourceVpce',
  'kms:ViaService',
  's3:ExistingObjectTag/airlock-state',
  's3:TlsVersion',
  's3:prefix',
  'ses:FromAddress',
]);

type Compare = (fact: string, value: string) => boolean;

const OPERATORS: Readonly<Record<string, Compare>> = {
  ArnEquals: matches,
  ArnLike: matches,
  Bool: (fact, value) => fact === value,
  NumericLessThan: (fact, value) => Number(fact) < Number(value),
  StringEquals: (fact, value) => fact === value,
  StringLike: matches,
};

/** The negated operators are true when none of the values matches, and when the key is absent. */
const NEGATED: Readonly<Record<string, string>> = {
  ArnNotEquals: 'ArnEquals',
  ArnNotLike: 'ArnLike',
  StringNotEquals: 'StringEquals',
  StringNotLike: 'StringLike',
};

const IF_EXISTS = 'IfExists';

/** Whether all conditions of a statement hold. Throws UnknownToTwinError. */
export function conditionsHold(conditions: readonly Condition[], facts: RequestFacts): boolean {
  return conditions.every((condition) => conditionHolds(condition, facts));
}

function conditionHolds({ operator, key, values }: Condition, facts: RequestFacts): boolean {
  if (!KNOWN_KEYS.has(key)) unknown('condition key', key);
  const fact = facts[key];
  if (operator === 'Null') return values.includes(String(fact === undefined));
  const isLenient = operator.endsWith(IF_EXISTS);
  const name = isLenient ? operator.slice(0, -IF_EXISTS.length) : operator;
  const positive = NEGATED[name];
  const compare = OPERATORS[positive ?? name] ?? unknown('condition operator', operator);
  if (fact === undefined) return isLenient || positive !== undefined;
  const isMatch = values.some((value) => compare(fact, value));
  return positive === undefined ? isMatch : !isMatch;
}
