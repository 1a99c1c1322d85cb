/**
 * ConditionExpression of DynamoDB: OR, AND, NOT, brackets, comparisons, attribute_exists and attribute_not_exists. Everything else is
 * refused.
 */
import { isDeepStrictEqual } from 'node:util';
import { unknown } from '../../assembly/refuse.ts';

export type Value = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, Value>>;

export interface Places {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, Value>>;
}

const TOKEN = /\s*(<>|<=|>=|[=<>(),]|[:#]?[A-Za-z_][\w.]*)/gy;

/** Whether the item fulfils the condition. An item that does not exist is one without attributes. Throws UnknownToTwinError. */
export function conditionHolds(expression: string, item: Item, places: Places): boolean {
  const tokens = tokensOf(expression);
  const parser = new ConditionParser(tokens, item, places);
  const result = parser.any();
  if (tokens.length > 0) unknown('condition expression', expression);
  return result;
}

function tokensOf(expression: string): string[] {
  const tokens = [...expression.matchAll(TOKEN)];
  const read = tokens.reduce((sum, [text]) => sum + text.length, 0);
  if (expression.slice(read).trim() !== '') unknown('condition expression', expression);
  return tokens.map(([, token = '']) => token);
}

/** Takes its tokens from the front of the list. */
class ConditionParser {
  private readonly tokens: string[];
  private readonly item: Item;
  private readonly places: Places;

  constructor(tokens: string[], item: Item, places: Places) {
    this.tokens = tokens;
    this.item = item;
    this.places = places;
  }

  any(): boolean {
    let result = this.all();
    while (this.takes('OR')) result = this.all() || result;
    return result;
  }

  private all(): boolean {
    let result = this.one();
    while (this.takes('AND')) result = this.one() && result;
    return result;
  }

  private one(): boolean {
    if (this.takes('NOT')) return !this.one();
    if (this.takes('(')) {
      const result = this.any();
      this.expect(')');
      return result;
    }
    const word = this.next();
    if (word === 'attribute_exists' || word === 'attribute_not_exists') {
      this.expect('(');
      const exists = this.operand(this.next()) !== undefined;
      this.expect(')');
      return word === 'attribute_exists' ? exists : !exists;
    }
    return compared(this.operand(word), this.next(), this.operand(this.next()));
  }

  private operand(token: string): Value | undefined {
    if (token.startsWith(':')) return this.places.values[token] ?? unknown('value in a condition', token);
    const name = token.startsWith('#') ? (this.places.names[token] ?? unknown('name in a condition', token)) : token;
    if (!/^\w+$/.test(name)) unknown('path in a condition', name);
    return this.item[name];
  }

  private next(): string {
    return this.tokens.shift() ?? unknown('end of a condition', '');
  }

  private takes(word: string): boolean {
    if (this.tokens[0]?.toUpperCase() !== word) return false;
    this.tokens.shift();
    return true;
  }

  private expect(word: string): void {
    if (!this.takes(word)) unknown('condition, which lacks', word);
  }
}

/** A comparison with an attribute that does not exist, or is of another type, is false; only `<>` is then true. */
function compared(left: Value | undefined, operator: string, right: Value | undefined): boolean {
  if (operator === '<>') return !isDeepStrictEqual(left, right);
  if (left === undefined || right === undefined) return false;
  if (operator === '=') return isDeepStrictEqual(left, right);
  const order = orderOf(left, right);
  if (order === null) return false;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  if (operator === '>') return order > 0;
  return operator === '>=' ? order >= 0 : unknown('operator of a condition', operator);
}

function orderOf(left: Value, right: Value): number | null {
  if (typeof left.N === 'string' && typeof right.N === 'string') return Number(left.N) - Number(right.N);
  if (typeof left.S === 'string' && typeof right.S === 'string')
    return Buffer.compare(Buffer.from(left.S), Buffer.from(right.S));
  return null;
}
