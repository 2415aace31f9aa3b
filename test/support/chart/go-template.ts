/**
 * The part of Go's text/template that the Helm chart uses, so that its tests render it on machines without Go: fields,
 * variables, pipelines, `if`, `with`, `range` and `define`. What it does not know is an error, and never text.
 */

export type Value = unknown;
export type Functions = Record<string, (...given: never[]) => Value>;

type Expression =
  | { kind: 'constant'; value: Value }
  | { kind: 'path'; variable: string | null; names: string[] }
  | { kind: 'call'; name: string }
  | { kind: 'pipeline'; commands: Expression[][] };

interface Branch {
  keyword: 'if' | 'with' | 'range';
  /** The variables that `range $key, $value :=` declares. */
  variables: string[];
  over: Expression;
}
type Node =
  | { kind: 'text'; text: string }
  | { kind: 'action'; variable: string | null; isNew: boolean; pipeline: Expression }
  | ({ kind: 'branch'; body: Node[]; otherwise: Node[] } & Branch);

const ACTION = /\{\{(- )?\s*((?:"(?:[^"\\]|\\.)*"|`[^`]*`|\/\*[^]*?\*\/|[^"`])*?)\s*( -)?\}\}/g;
const TOKEN =
  /\s*("(?:[^"\\]|\\.)*"|`[^`]*`|-?\d+(?:\.\d+)?|:=|[|(),=]|\$\w*(?:\.\w+)*|\.(?:\w+(?:\.\w+)*)?|\w+)/y;

/** Reads the files of a chart and renders them. Templates that one file defines are known in all. */
export class Templates {
  private readonly defined = new Map<string, Node[]>();

  constructor(private readonly functions: Functions) {}

  /** Reads a file, and returns the template of its own text. */
  read(file: string, text: string): Node[] {
    return new Parser(file, text, this.defined).parse();
  }

  /** Renders a template that a file defines. */
  include(name: string, dot: Value): string {
    const nodes = this.defined.get(name);
    if (!nodes) throw new Error(`No template is named ${name}.`);
    return this.render(nodes, dot);
  }

  render(nodes: Node[], dot: Value): string {
    return new Rendering(this.functions).render(nodes, {
      dot,
      variables: new Map([['$', dot]]),
      outer: null,
    });
  }
}

class Parser {
  private readonly parts: { text: string; action: string | null }[] = [];
  private at = 0;

  constructor(
    private readonly file: string,
    text: string,
    private readonly defined: Map<string, Node[]>,
  ) {
    let end = 0;
    let trimNext = false;
    const add = (piece: string, action: string | null, trim: boolean) =>
      this.parts.push({ text: trimmed(piece, trimNext, trim), action });
    for (const match of text.matchAll(ACTION)) {
      add(text.slice(end, match.index), match[2]!, match[1] !== undefined);
      end = match.index + match[0].length;
      trimNext = match[3] !== undefined;
    }
    add(text.slice(end), null, false);
  }

  parse(): Node[] {
    const { nodes, ending } = this.block();
    if (ending !== null) throw this.error(`{{ ${ending} }} ends nothing`);
    return nodes;
  }

  /** Reads up to the `end` or `else` of this block, or to the end of the file. */
  private block(): { nodes: Node[]; ending: string | null } {
    const nodes: Node[] = [];
    for (; this.at < this.parts.length;) {
      const { text, action } = this.parts[this.at]!;
      this.at += 1;
      if (text !== '') nodes.push({ kind: 'text', text });
      if (action === null || action.startsWith('/*')) continue;
      if (/^(end|else)\b/.test(action)) return { nodes, ending: action };
      const [, keyword = '', rest = ''] = /^(define|if|with|range)\s+([^]*)$/.exec(action) ?? [];
      if (keyword === 'define') this.defined.set(JSON.parse(rest) as string, this.until(['end']).nodes);
      else if (keyword) nodes.push(this.branch(keyword as Branch['keyword'], rest));
      else nodes.push(this.action(action));
    }
    return { nodes, ending: null };
  }

  private until(endings: string[]): { nodes: Node[]; ending: string } {
    const { nodes, ending } = this.block();
    if (ending === null || !endings.some((one) => ending === one || ending.startsWith(`${one} `)))
      throw this.error(`a block ends with ${ending}`);
    return { nodes, ending };
  }

  private branch(keyword: Branch['keyword'], text: string): Node {
    const [, declared = '', pipeline = ''] = /^(?:((?:\$\w+,?\s*)+):=)?([^]*)$/.exec(text)!;
    const over = this.pipeline(pipeline);
    const { nodes: body, ending } = this.until(['end', 'else']);
    const variables = declared.match(/\$\w+/g) ?? [];
    const otherwise = ending === 'end' ? [] : this.otherwise(ending);
    return { kind: 'branch', keyword, variables, over, body, otherwise };
  }

  private otherwise(ending: string): Node[] {
    const [, condition] = /^else if ([^]*)$/.exec(ending) ?? [];
    return condition === undefined ? this.until(['end']).nodes : [this.branch('if', condition)];
  }

  private action(text: string): Node {
    const [, variable = null, sign, pipeline = text] = /^(\$\w+)\s*(:?=)([^]*)$/.exec(text) ?? [];
    return { kind: 'action', variable, isNew: sign === ':=', pipeline: this.pipeline(pipeline) };
  }

  private pipeline(text: string): Expression {
    const tokens: string[] = [];
    for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.trimEnd().length;) {
      const from = TOKEN.lastIndex;
      const token = TOKEN.exec(text)?.[1];
      if (token === undefined) throw this.error(`${text.slice(from)} cannot be read`);
      tokens.push(token);
    }
    const read = this.commands(tokens);
    if (tokens.length > 0) throw this.error(`${tokens.join(' ')} is left over`);
    return read;
  }

  /** Takes the tokens up to a closing parenthesis. */
  private commands(tokens: string[]): Expression {
    const commands: Expression[][] = [[]];
    for (let token = tokens.shift(); token !== undefined && token !== ')'; token = tokens.shift())
      if (token === '|') commands.push([]);
      else commands.at(-1)!.push(token === '(' ? this.commands(tokens) : operand(token));
    return { kind: 'pipeline', commands };
  }

  private error(what: string): Error {
    return new Error(`${this.file}: ${what}`);
  }
}

function trimmed(text: string, atStart: boolean, atEnd: boolean): string {
  const begun = atStart ? text.trimStart() : text;
  return atEnd ? begun.trimEnd() : begun;
}

function operand(token: string): Expression {
  if (token.startsWith('"')) return { kind: 'constant', value: JSON.parse(token) as string };
  if (token.startsWith('`')) return { kind: 'constant', value: token.slice(1, -1) };
  if (/^-?\d/.test(token)) return { kind: 'constant', value: Number(token) };
  if (token === 'true' || token === 'false') return { kind: 'constant', value: token === 'true' };
  const [first, ...names] = token.split('.');
  if (token.startsWith('.'))
    return { kind: 'path', variable: null, names: names.filter((name) => name !== '') };
  return token.startsWith('$') ? { kind: 'path', variable: first!, names } : { kind: 'call', name: token };
}

/** What Go takes for false: also an empty text, list or map. */
export function isTrue(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return (Array.isArray(value) ? value : Object.keys(value)).length > 0;
}

interface Scope {
  dot: Value;
  variables: Map<string, Value>;
  /** That of the block around this one. */
  outer: Scope | null;
}

/** Returns the scope that declares a variable. */
function declaring(variable: string, scope: Scope): Scope {
  if (scope.variables.has(variable)) return scope;
  if (scope.outer === null) throw new Error(`${variable} is not declared.`);
  return declaring(variable, scope.outer);
}

class Rendering {
  constructor(private readonly functions: Functions) {}

  render(nodes: Node[], scope: Scope): string {
    return nodes.map((node) => this.one(node, scope)).join('');
  }

  private one(node: Node, scope: Scope): string {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'branch') return this.branch(node, scope);
    const value = this.value(node.pipeline, scope);
    if (node.variable === null) return value === undefined || value === null ? '' : String(value);
    const { variables } = node.isNew ? scope : declaring(node.variable, scope);
    variables.set(node.variable, value);
    return '';
  }

  private branch(node: Extract<Node, { kind: 'branch' }>, scope: Scope): string {
    const value = this.value(node.over, scope);
    const within = (dot: Value): Scope => ({ dot, variables: new Map(), outer: scope });
    if (!isTrue(value)) return this.render(node.otherwise, within(scope.dot));
    if (node.keyword !== 'range')
      return this.render(node.body, within(node.keyword === 'with' ? value : scope.dot));
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value as object).toSorted();
    return entries
      .map(([key, one]) => {
        const inner = within(one);
        const given = node.variables.length === 1 ? [one] : [key, one];
        for (const [index, name] of node.variables.entries()) inner.variables.set(name, given[index]);
        return this.render(node.body, inner);
      })
      .join('');
  }

  private value(expression: Expression, scope: Scope, given: Value[] = []): Value {
    if (expression.kind === 'constant') return expression.value;
    if (expression.kind === 'call') return this.call(expression.name, given);
    if (expression.kind === 'path') return this.path(expression, scope, given);
    return expression.commands.reduce<Value[]>((before, [head, ...rest]) => {
      const parameters = [...rest.map((one) => this.value(one, scope)), ...before];
      return [this.value(head!, scope, parameters)];
    }, [])[0];
  }

  private call(name: string, given: Value[]): Value {
    const known = this.functions[name];
    if (!known) throw new Error(`The function ${name} is not known.`);
    return known(...(given as never[]));
  }

  private path(
    { variable, names }: { variable: string | null; names: string[] },
    scope: Scope,
    given: Value[],
  ): Value {
    const start = variable === null ? scope.dot : declaring(variable, scope).variables.get(variable);
    const found = names.reduce<Value>((value, name) => {
      if (typeof value !== 'object' || value === null)
        throw new Error(`${names.join('.')}: nothing has ${name}.`);
      return (value as Record<string, Value>)[name];
    }, start);
    return typeof found === 'function' ? (found as (...parameters: Value[]) => Value)(...given) : found;
  }
}
