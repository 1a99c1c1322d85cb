/** Calculates expressions of PowerShell and VBScript from their tokens, as far as their values are known. */
import { basicFunctionOf, decoded, methodOf, staticMethodOf } from './functions.ts';
import type { Token } from './tokens.ts';
import {
  added,
  charOf,
  formatted,
  joined,
  listOf,
  numberOf,
  picked,
  rangeOf,
  replaced,
  textOf,
  type Value,
} from './values.ts';

type Known = Value | undefined;

/** The deepest nesting, and the most operations of one script. */
const MAX_DEPTH = 60;
const MAX_OPERATIONS = 300_000;
const END: Token = { kind: 'end', text: '' };

export class Folder {
  at = 0;
  private depth = 0;
  /** The number of signs and casts in a row. */
  private signs = 0;
  private operations = 0;

  constructor(
    readonly tokens: readonly Token[],
    readonly variables: Map<string, Known>,
    private readonly isBasic: boolean,
  ) {}

  get token(): Token {
    return this.tokens[this.at] ?? END;
  }

  takes(...texts: readonly string[]): boolean {
    const { kind, text } = this.token;
    if (kind === 'text' || kind === 'end' || !texts.includes(text)) return false;
    this.at++;
    return true;
  }

  /** Returns the value of the expression that begins here, or undefined when it is not known. */
  expression(hasCommas = true): Known {
    if (++this.depth > MAX_DEPTH || ++this.operations > MAX_OPERATIONS) {
      this.at = this.tokens.length;
      return undefined;
    }
    let value = this.sum(hasCommas);
    while (this.token.kind === 'operator' && this.token.text !== '-f') {
      const { text } = this.token;
      this.at++;
      value = this.compared(text, value, this.sum(hasCommas));
    }
    this.depth--;
    return this.piped(value);
  }

  private compared(operator: string, left: Known, right: Known): Known {
    const [what, by] = listOf(right);
    switch (operator) {
      case '-replace':
        return replaced(textOf(left), textOf(what), textOf(by) ?? '', true);
      case '-split': {
        const [text, by] = [textOf(left), textOf(right)];
        return text === undefined || by === undefined || by === '' ? undefined : text.split(by);
      }
      case '-join':
        return joined(left, textOf(right) ?? '');
      case '-bxor':
        return left === undefined || right === undefined ? undefined : numberOf(left) ^ numberOf(right);
      default:
        return undefined;
    }
  }

  private sum(hasCommas: boolean): Known {
    let value = this.product(hasCommas);
    for (;;) {
      if (this.takes('+') || (this.isBasic && this.takes('&'))) value = added(value, this.product(hasCommas));
      else if (this.takes('-')) value = this.number(value, this.product(hasCommas), (one, other) => one - other);
      else return value;
    }
  }

  private product(hasCommas: boolean): Known {
    let value = this.format(hasCommas);
    for (;;) {
      if (this.takes('*')) {
        const by = this.format(hasCommas);
        const [text, times] = [typeof value === 'string' ? value : undefined, numberOf(by)];
        if (text === undefined) value = this.number(value, by, (one, other) => one * other);
        else value = times >= 0 && text.length * times < 65_536 ? text.repeat(times) : undefined;
      } else if (this.takes('/')) value = this.number(value, this.format(hasCommas), (one, other) => one / other);
      else return value;
    }
  }

  private number(left: Known, right: Known, work: (one: number, other: number) => number): Known {
    const result = work(numberOf(left), numberOf(right));
    return Number.isFinite(result) ? result : undefined;
  }

  private format(hasCommas: boolean): Known {
    let value = this.list(hasCommas);
    while (this.token.kind === 'operator' && this.token.text === '-f') {
      this.at++;
      value = formatted(textOf(value), listOf(this.list(true)));
    }
    return value;
  }

  private list(hasCommas: boolean): Known {
    const first = this.range();
    if (!hasCommas || this.isBasic || this.token.text !== ',' || this.token.kind === 'text') return first;
    const items: Known[] = [first];
    while (this.takes(',')) items.push(this.range());
    return items.includes(undefined) ? undefined : (items as Value[]);
  }

  private range(): Known {
    const from = this.unary();
    return this.takes('..') ? rangeOf(numberOf(from), numberOf(this.unary())) : from;
  }

  private unary(): Known {
    if (++this.operations > MAX_OPERATIONS || this.signs > MAX_DEPTH) return undefined;
    this.signs++;
    const value = this.signed();
    this.signs--;
    return value;
  }

  private signed(): Known {
    if (this.takes('-')) return this.number(0, this.unary(), (one, other) => one - other);
    if (this.token.kind === 'operator' && this.token.text === '-join') {
      this.at++;
      return joined(this.unary(), '');
    }
    if (this.token.kind === 'type') return this.typed();
    return this.postfix(this.primary());
  }

  /** Reads a cast such as `[char]97`, or a call of a class such as `[Convert]::FromBase64String(…)`. */
  private typed(): Known {
    const type = this.token.text;
    this.at++;
    if (this.takes('::')) return this.postfix(this.ofClass(type));
    const value = this.unary();
    if (type === 'char') return charOf(value);
    if (type === 'char[]')
      return value === undefined
        ? undefined
        : listOf(typeof value === 'string' ? [...value] : value).flatMap((one) => charOf(one) ?? []);
    if (type === 'string') return textOf(value);
    if (/^(?:u?int|byte|long)(?:16|32|64)?$/.test(type))
      return Number.isNaN(numberOf(value)) ? undefined : numberOf(value);
    return value;
  }

  private ofClass(type: string): Known {
    const member = this.token.text;
    this.at++;
    const [encoding, method] = member.split('.');
    if (type.endsWith('encoding')) {
      if (method === undefined && this.takes('.')) this.at++;
      return decoded(encoding ?? '', this.args()[0]);
    }
    const args = this.args();
    return staticMethodOf(`${type.slice(type.lastIndexOf('.') + 1)}::${member}`, args);
  }

  private args(): Known[] {
    const args: Known[] = [];
    if (!this.takes('(')) return args;
    while (this.token.kind !== 'sign' || this.token.text !== ')') {
      if (this.at >= this.tokens.length) return args;
      const before = this.at;
      args.push(this.expression(false));
      if (!this.takes(',') && this.token.text !== ')') this.skipTo(before);
    }
    this.at++;
    return args;
  }

  /** Continues behind text that is not understood. */
  private skipTo(before: number): void {
    if (this.at === before || this.token.text !== ')') this.at = Math.max(this.at + 1, before + 1);
  }

  private primary(): Known {
    const { kind, text, isOpen } = this.token;
    if (kind === 'end') return undefined;
    this.at++;
    switch (kind) {
      case 'text':
        return isOpen ? this.interpolated(text) : text;
      case 'number':
        return Number(text);
      case 'variable':
        return this.variables.get(text);
      case 'word':
        return this.word(text);
      default:
        break;
    }
    if (text === '@') return this.primary();
    if (text !== '(') return undefined;
    const value = this.expression();
    if (!this.takes(')')) this.closeBracket('(', ')');
    return value;
  }

  /** Continues behind the bracket that closes the one in front of this place. */
  private closeBracket(opening: string, closing: string): void {
    for (let open = 1; open > 0 && this.at < this.tokens.length; this.at++) {
      const { kind, text } = this.token;
      if (kind === 'sign') open += text === opening ? 1 : text === closing ? -1 : 0;
    }
  }

  private word(text: string): Known {
    if (!this.isBasic) return undefined;
    if (/^vb(?:crlf|newline|lf|cr)$/.test(text)) return '\n';
    if (this.token.text !== '(' || this.token.kind !== 'sign') return this.variables.get(text);
    if (this.variables.has(text)) return picked(this.variables.get(text), this.args()[0]);
    return basicFunctionOf(text, this.args());
  }

  private interpolated(text: string): Known {
    let isKnown = true;
    const filled = text.replace(/\$\{?([\w:]{1,80})\}?/g, (_, name: string) => {
      const value = textOf(this.variables.get(`$${name.toLowerCase()}`));
      isKnown &&= value !== undefined;
      return value ?? '';
    });
    return isKnown ? filled : text;
  }

  /** Reads members and indexes behind a value. */
  private postfix(start: Known): Known {
    let value = start;
    for (;;) {
      if (!this.isBasic && this.takes('[')) {
        value = picked(value, this.expression());
        this.takes(']');
      } else if (!this.isBasic && this.takes('.')) {
        const name = this.token.text;
        this.at++;
        value = methodOf(value, name, this.args());
      } else return value;
    }
  }

  /** Reads `| % { … }`, which calculates a value for each element. */
  private piped(value: Known): Known {
    if (this.isBasic || this.token.text !== '|' || this.token.kind !== 'sign') return value;
    const next = this.tokens[this.at + 1]?.text;
    if (next !== '%' && next !== 'foreach' && next !== 'foreach-object') return value;
    this.at += 2;
    if (!this.takes('{')) return undefined;
    const body = this.at;
    const items = listOf(value).map((item) => {
      this.at = body;
      this.variables.set('$_', item);
      return this.expression();
    });
    this.variables.delete('$_');
    this.at = body;
    this.closeBracket('{', '}');
    return this.piped(items.includes(undefined) ? undefined : (items as Value[]));
  }
}
