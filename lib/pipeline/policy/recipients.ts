/**
 * The part of the policy with exceptions for some recipients. It counts for mail that came with an envelope, because the header of a mail
 * decides nothing.
 */
import * as z from 'zod/mini';
import { domain } from './texts.ts';

/** A domain, with the domains below it, or one address; in small letters. */
const recipient = () =>
  z.union([
    domain(),
    z
      .string()
      .check(
        z.maxLength(320),
        z.regex(/^[^\s@"<>A-Z]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'Expected an address or a domain in small letters'),
      ),
  ]);

export const Recipients = z.lazy(() =>
  z._default(
    z
      .record(recipient(), z.record(z.string(), z.json()))
      .check(z.refine((rules) => Object.keys(rules).length <= 1_000, 'must have at most 1000 recipients')),
    {},
  ),
);
export type Recipients = z.infer<typeof Recipients>;

/**
 * Returns the name of the rule for an address. The rule of the address itself comes first, also without the part after `+`. Then come the
 * rules of its domain and of the nearest domain above. Empty when there is none.
 */
export function recipientRule(rules: Recipients, address: string): string {
  const plain = address.toLowerCase().replace(/^"((?:[^"\\]|\\.)*)"@/, (_, quoted: string) => `${unescaped(quoted)}@`);
  const at = plain.lastIndexOf('@');
  const [local, domain] = [plain.slice(0, at), plain.slice(at + 1).replace(/\.$/, '')];
  const labels = domain.split('.');
  const above = labels.map((_, index) => labels.slice(index).join('.'));
  const untagged = local.replace(/\+.*$/s, '');
  return [`${local}@${domain}`, `${untagged}@${domain}`, ...above].find((name) => Object.hasOwn(rules, name)) ?? '';
}

const unescaped = (quoted: string) => quoted.replace(/\\(.)/gs, '$1');

type Json = z.infer<ReturnType<typeof z.json>>;

const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the base with the values of the rule instead of its own. A list replaces the whole list. */
export function overlaid(base: unknown, rule: unknown): unknown {
  if (!isObject(base) || !isObject(rule)) return rule;
  const merged = Object.entries(rule).map(([name, value]) => [
    name,
    name in base ? overlaid(base[name], value) : value,
  ]);
  return { ...base, ...Object.fromEntries(merged) };
}
