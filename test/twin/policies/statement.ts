/** Statements of policies in one closed form. Whatever IAM has and our templates do not use is refused. */
import { onlyKnown, unknown } from '../assembly/refuse.ts';

export interface Principals {
  /** True for `"*"` and `{ "AWS": "*" }`. */
  readonly anyone: boolean;
  readonly aws: readonly string[];
  readonly services: readonly string[];
}

/** Operator, key of the request, and the values of which one must match. */
export interface Condition {
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

export interface Statement {
  /** The policy it stands in, for people. */
  readonly where: string;
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  /** The statement is about every action but these. */
  readonly notActions: readonly string[];
  readonly resources: readonly string[];
  readonly notResources: readonly string[];
  /** Null in a policy of a role. */
  readonly principals: Principals | null;
  readonly conditions: readonly Condition[];
}

const KEYS = ['Sid', 'Effect', 'Action', 'NotAction', 'Resource', 'NotResource', 'Principal', 'Condition'];

/** The statements of a policy document. Throws UnknownToTwinError. */
export function statementsOf(where: string, document: unknown): Statement[] {
  const { Statement, ...rest } = document as { readonly Statement: unknown };
  onlyKnown('key of a policy', rest, ['Version', 'Id']);
  return listOf(Statement).map((raw) => statementOf(where, raw as Readonly<Record<string, unknown>>));
}

function statementOf(where: string, raw: Readonly<Record<string, unknown>>): Statement {
  onlyKnown('key of a statement', raw, KEYS);
  if (raw.Effect !== 'Allow' && raw.Effect !== 'Deny') unknown('effect', raw.Effect);
  return {
    where,
    effect: raw.Effect,
    actions: textsOf(raw.Action),
    notActions: textsOf(raw.NotAction),
    resources: textsOf(raw.Resource),
    notResources: textsOf(raw.NotResource),
    principals: raw.Principal === undefined ? null : principalsOf(raw.Principal),
    conditions: conditionsOf(raw.Condition),
  };
}

function principalsOf(raw: unknown): Principals {
  if (raw === '*') return { anyone: true, aws: [], services: [] };
  const { AWS, Service, ...others } = raw as { readonly AWS?: unknown; readonly Service?: unknown };
  onlyKnown('kind of principal', others, []);
  const aws = textsOf(AWS);
  return { anyone: aws.includes('*'), aws, services: textsOf(Service) };
}

function conditionsOf(raw: unknown): Condition[] {
  if (raw === undefined) return [];
  return Object.entries(raw as Record<string, Record<string, unknown>>).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, value]) => ({ operator, key, values: textsOf(value) })),
  );
}

const listOf = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

function textsOf(value: unknown): string[] {
  return listOf(value).map((one) =>
    ['string', 'number', 'boolean'].includes(typeof one) ? String(one) : unknown('value in a policy', one),
  );
}
