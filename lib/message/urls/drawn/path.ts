/** Reads the paths of an SVG as outlines. Curves are taken as lines to their ends. */

export type Corner = readonly [number, number];

/** Commands and numbers of a path. */
const TOKEN = /[a-z]|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;
/** Numbers in front of the end of a curve. */
const SKIPPED: Readonly<Record<string, number>> = { c: 4, s: 2, q: 2, t: 0, a: 5 };

/** Returns the commands and numbers of a path, `most` at most. */
export function tokensOf(path: string, most: number): string[] {
  const tokens: string[] = [];
  for (const [token] of path.matchAll(TOKEN)) {
    if (tokens.length >= most) break;
    tokens.push(token);
  }
  return tokens;
}

/** Returns the corners of each part of a path. */
export function outlinesOf(tokens: readonly string[]): readonly Corner[][] {
  const pen = new Pen(tokens);
  while (pen.draw());
  return pen.parts.filter(({ length }) => length > 1);
}

class Pen {
  readonly parts: Corner[][] = [];
  private at = 0;
  private command = '';
  private here: Corner = [0, 0];
  private start: Corner = [0, 0];

  constructor(private readonly tokens: readonly string[]) {}

  /** Follows one command. Returns false behind the last one. */
  draw(): boolean {
    if (this.at >= this.tokens.length) return false;
    const isCommand = /^[a-z]$/i.test(this.tokens[this.at] ?? '');
    if (isCommand) this.command = this.tokens[this.at++] ?? '';
    const kind = this.command.toLowerCase();
    if (kind === 'z') {
      this.here = this.start;
      // A number behind it belongs to no command.
      if (!isCommand) this.at++;
    } else this.move(kind);
    this.parts.at(-1)?.push(this.here);
    return true;
  }

  private move(kind: string): void {
    const isRelative = kind === this.command;
    const [x, y] = this.here;
    const [fromX, fromY] = isRelative ? this.here : [0, 0];
    if (kind === 'h') this.here = [fromX + this.take(), y];
    else if (kind === 'v') this.here = [x, fromY + this.take()];
    else {
      this.at += SKIPPED[kind] ?? 0;
      this.here = [fromX + this.take(), fromY + this.take()];
    }
    if (kind !== 'm') return;
    this.start = this.here;
    this.parts.push([]);
    // Pairs behind the first one are lines.
    this.command = isRelative ? 'l' : 'L';
  }

  private take(): number {
    return Number(this.tokens[this.at++] ?? 0) || 0;
  }
}
