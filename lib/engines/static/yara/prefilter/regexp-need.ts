/** Finds the words that every match of a regular expression of YARA has. */
import { allOf, anyOf, type Need, NOTHING, NotUnderstood } from './need.ts';

/** Groups in groups. Deeper ones would fill the stack. */
const MAX_DEPTH = 50;

/** One character that matches itself, or anything else with what it needs. */
type Atom = { readonly character: string } | { readonly need: Need };

const OTHER: Atom = { need: NOTHING };

/**
 * Returns the need of the expression between the slashes. `needOf` makes the need of a run of characters that stand one behind the other in
 * every match. Throws `NotUnderstood`.
 */
export function regexpNeed(source: string, needOf: (run: string) => Need): Need {
  if (/[^\x20-\x7e]/.test(source)) throw new NotUnderstood('a character outside ASCII');
  const reader = new Reader(source, needOf);
  const need = reader.alternatives(0);
  if (!reader.isAtEnd()) throw new NotUnderstood('a bracket that nothing opens');
  return need;
}

class Reader {
  #at = 0;
  readonly #source: string;
  readonly #needOf: (run: string) => Need;

  constructor(source: string, needOf: (run: string) => Need) {
    this.#source = source;
    this.#needOf = needOf;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  alternatives(depth: number): Need {
    if (depth > MAX_DEPTH) throw new NotUnderstood('groups that are too deep');
    const needs = [this.#sequence(depth)];
    while (this.#next() === '|') {
      this.#take(/\|/y);
      needs.push(this.#sequence(depth));
    }
    return anyOf(needs);
  }

  #sequence(depth: number): Need {
    const needs: Need[] = [];
    let run = '';
    while (!['|', ')', ''].includes(this.#next())) {
      const atom = this.#atom(depth);
      const least = this.#least();
      if ('character' in atom && least === null) {
        run += atom.character;
        continue;
      }
      needs.push(this.#needOf(run));
      run = '';
      if ('need' in atom && least !== 0) needs.push(atom.need);
    }
    return allOf([...needs, this.#needOf(run)]);
  }

  #atom(depth: number): Atom {
    const character = this.#take(/[^*+?{]/y);
    if (character === '(') return this.#group(depth);
    if (character === '\\') return this.#escaped();
    // A bracket in a class has a meaning of its own.
    if (character === '[') this.#take(/\^?(?:[^[\]\\]|\\.)+\]/y);
    return '[.^$'.includes(character) ? OTHER : { character };
  }

  #group(depth: number): Atom {
    if (this.#next() === '?') this.#take(/\?:/y);
    const need = this.alternatives(depth + 1);
    this.#take(/\)/y);
    return { need };
  }

  #escaped(): Atom {
    const text = this.#take(/x[0-9a-fA-F]{2}|[wWsSdDbBtnrfa]|[^0-9A-Za-z]/y);
    if (text.length === 3) return { character: String.fromCharCode(Number.parseInt(text.slice(1), 16)) };
    return /\w/.test(text) ? OTHER : { character: text };
  }

  /** Returns how often the atom occurs at least, or null when nothing stands behind it, which is once and no more. */
  #least(): number | null {
    if (!['*', '+', '?', '{'].includes(this.#next())) return null;
    const text = this.#take(/[*+?]\??(?![*+?{])|\{\d*(?:,\d*)?\}\??(?![*+?{])/y);
    return text.startsWith('+') ? 1 : Number.parseInt(/^\{(\d+)/.exec(text)?.[1] ?? '0', 10);
  }

  #next(): string {
    return this.#source[this.#at] ?? '';
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#source)?.[0];
    if (text === undefined) throw new NotUnderstood('a part of a regular expression');
    this.#at += text.length;
    return text;
  }
}
