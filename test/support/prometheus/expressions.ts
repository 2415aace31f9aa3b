/** A part of PromQL as a tree: what the alert rules of the project use. */
export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'selector'; name: string; matchers: Matcher[]; rangeSeconds: number | null }
  | { kind: 'call'; name: string; of: Expression[] }
  | { kind: 'aggregate'; name: string; by: string[]; of: Expression }
  | { kind: 'binary'; operator: string; on: string[] | null; left: Expression; right: Expression };

export interface Matcher {
  label: string;
  matches: (value: string) => boolean;
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:e\d+)?)([smhd]?)|([a-zA-Z_:][\w:]*)|"((?:[^"\\]|\\.)*)"|(==|!=|=~|!~|>=|<=|[-+*/<>=(){}[\],]))/y;
const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const AGGREGATES = ['max', 'min', 'sum', 'count', 'avg'];
/** From the weakest to the strongest. */
const OPERATORS = [['or'], ['and', 'unless'], ['==', '!=', '>', '<', '>=', '<='], ['+', '-'], ['*', '/']];

interface Token {
  text: string;
  kind: 'number' | 'duration' | 'name' | 'string' | 'sign';
}

/** @throws {Error} for what it does not know: a rule that it cannot evaluate must not pass for one that is silent */
export function parse(text: string): Expression {
  const parser = new Parser(tokensOf(text));
  const expression = parser.binary(0);
  if (parser.next) throw new Error(`${text}: unexpected ${parser.next.text}`);
  return expression;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; end < text.trimEnd().length; end = TOKEN.lastIndex) {
    const found = TOKEN.exec(text);
    if (!found) throw new Error(`${text}: cannot be read from ${text.slice(end, end + 20)}`);
    const [, number, unit, name, quoted, sign] = found;
    if (number !== undefined)
      tokens.push(
        unit
          ? { kind: 'duration', text: String(Number(number) * SECONDS[unit]!) }
          : { kind: 'number', text: number },
      );
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (quoted !== undefined) tokens.push({ kind: 'string', text: quoted });
    else tokens.push({ kind: 'sign', text: sign! });
  }
  return tokens;
}

class Parser {
  private at = 0;

  constructor(private readonly tokens: Token[]) {}

  get next(): Token | undefined {
    return this.tokens[this.at];
  }

  binary(level: number): Expression {
    if (level === OPERATORS.length) return this.unary();
    let left = this.binary(level + 1);
    while (this.next && OPERATORS[level]!.includes(this.next.text) && this.next.kind !== 'string') {
      const operator = this.take();
      const on = this.takes('on') ? this.names() : null;
      left = { kind: 'binary', operator, on, left, right: this.binary(level + 1) };
    }
    return left;
  }

  private unary(): Expression {
    if (this.takes('(')) {
      const inner = this.binary(0);
      this.expect(')');
      return inner;
    }
    const { kind, text } = this.next ?? { kind: 'sign', text: 'the end' };
    if (kind === 'number') return { kind: 'number', value: Number(this.take()) };
    if (kind !== 'name') throw new Error(`unexpected ${text}`);
    return AGGREGATES.includes(text) ? this.aggregate() : this.callOrSelector();
  }

  private aggregate(): Expression {
    const name = this.take();
    const before = this.takes('by') ? this.names() : null;
    this.expect('(');
    const of = this.binary(0);
    this.expect(')');
    const by = before ?? (this.takes('by') ? this.names() : []);
    return { kind: 'aggregate', name, by, of };
  }

  private callOrSelector(): Expression {
    const name = this.take();
    if (this.takes('(')) {
      const of: Expression[] = [];
      while (!this.takes(')')) {
        of.push(this.binary(0));
        this.takes(',');
      }
      return { kind: 'call', name, of };
    }
    const matchers = this.takes('{') ? this.matchers() : [];
    let rangeSeconds: number | null = null;
    if (this.takes('[')) {
      rangeSeconds = Number(this.take());
      this.expect(']');
    }
    return { kind: 'selector', name, matchers, rangeSeconds };
  }

  private matchers(): Matcher[] {
    const matchers: Matcher[] = [];
    while (!this.takes('}')) {
      const [label, operator, value] = [this.take(), this.take(), this.take()];
      const pattern = new RegExp(`^(?:${value})$`);
      const tests: Record<string, (present: string) => boolean> = {
        '=': (present) => present === value,
        '!=': (present) => present !== value,
        '=~': (present) => pattern.test(present),
        '!~': (present) => !pattern.test(present),
      };
      matchers.push({ label, matches: tests[operator]! });
      this.takes(',');
    }
    return matchers;
  }

  private names(): string[] {
    const names: string[] = [];
    this.expect('(');
    while (!this.takes(')')) {
      names.push(this.take());
      this.takes(',');
    }
    return names;
  }

  private take(): string {
    const token = this.tokens[this.at];
    if (!token) throw new Error('The expression ends too early.');
    this.at += 1;
    return token.text;
  }

  private takes(text: string): boolean {
    if (this.next?.text !== text || this.next.kind === 'string') return false;
    this.at += 1;
    return true;
  }

  private expect(text: string): void {
    if (!this.takes(text)) throw new Error(`expected ${text} in place of ${this.next?.text ?? 'the end'}`);
  }
}
