import type { Input, InputWithVariables, NamedInput } from './server-json.js';

/** A variable in the form of an entry's file. */
export type VariableOfFile = Record<string, unknown> & { name: string };

/** Collects the variables of an entry while its templates are made. */
export class EntryVariables {
  private readonly byName = new Map<string, VariableOfFile>();

  /** Returns the variables in the order in which they were declared. */
  list(): VariableOfFile[] {
    return [...this.byName.values()];
  }

  /**
   * Declares a variable of the environment under its own name. The environment has no templates, so a value that is
   * composed of others becomes one variable that holds the whole.
   */
  declareEnvironment({ name, variables, ...own }: NamedInput): void {
    const { value } = own;
    const parts = Object.values(variables);
    if (value === undefined) this.add(name, own);
    else if (parts.length === 0)
      this.add(name, { ...own, isSecret: false, default: value, choices: [value] });
    else
      this.add(name, {
        ...own,
        isSecret: own.isSecret || parts.some(({ isSecret }) => isSecret),
        placeholder: value,
      });
  }

  /**
   * Returns the template of an argument or a header: its fixed value with its variables, or one variable, which is
   * called `fallback` in the form of a variable's name.
   */
  template({ variables, ...own }: InputWithVariables, fallback: string): string {
    if (own.value === undefined) return this.placeholder(fallback, own);
    return this.filled(own.value, variables);
  }

  /** Returns a text in which `{name}` stands for a declared variable; any other brace is literal. */
  filled(text: string, variables: Readonly<Record<string, Input>>): string {
    return text
      .split(/(\{[^{}]*\})/)
      .map((part) => this.part(part, variables))
      .join('');
  }

  private part(part: string, variables: Readonly<Record<string, Input>>): string {
    const name = /^\{(.*)\}$/.exec(part)?.[1];
    if (name === undefined || !Object.hasOwn(variables, name)) return part.replaceAll('{', '{{');
    const variable = variables[name]!;
    // A fixed part is the publisher's, not a person's.
    if (variable.value !== undefined) return variable.value.replaceAll('{', '{{');
    return this.placeholder(name, variable);
  }

  private placeholder(wanted: string, input: Input): string {
    const name = variableName(wanted);
    this.add(name, input);
    return `{env:${name}}`;
  }

  private add(name: string, input: Omit<Input, 'value'>): void {
    const { description, isRequired, isSecret, format, placeholder, choices } = input;
    this.byName.set(name, {
      name,
      description: description?.trim().slice(0, 1_000) || `Value of ${name}.`,
      isRequired,
      isSecret,
      // A secret has no default in an entry: readers of the catalogue would know it.
      ...(input.default !== undefined && !isSecret && { default: input.default }),
      ...(format && { format }),
      ...(choices && choices.length > 0 && { choices: [...new Set(choices)] }),
      ...(placeholder && { placeholder }),
    });
  }
}

/** Turns `--max-rows`, `tenant_id` or `X-Api-Key` into the form of a variable: `MAX_ROWS`. */
function variableName(text: string): string {
  const name = text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return /^[A-Z]/.test(name) ? name : `VALUE_${name}`;
}
