import { visibleText } from '../../platform/http/visible-text.js';
import type { Category, NetworkNeed } from './catalog-entry.js';
import { entryErrors } from './entry-rules.js';
import { parseEntry } from './catalog-files.js';
import {
  type Argument,
  ImportError,
  type Input,
  type InputWithVariables,
  type NamedInput,
  type RegistryServer,
  type Remote,
  type ServerJson,
  type ServerPackage,
  type ServerSource,
} from './server-json-and-import-source.js';

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

/**
 * Returns the templates of a package's arguments. A named one with a value is `--flag=value`, in one piece, so that the
 * launch leaves out the flag together with a value that is not given.
 */
export function argumentTemplates(args: readonly Argument[], variables: EntryVariables): string[] {
  return args.map((argument) => {
    if (argument.type === 'positional') return variables.template(argument, argument.valueHint ?? 'value');
    const flag = argument.name.replaceAll('{', '{{');
    return isSwitch(argument) ? flag : `${flag}=${variables.template(argument, argument.name)}`;
  });
}

/** A named argument that says nothing about a value is given alone, such as `--read-only`. */
function isSwitch(argument: Argument): boolean {
  const { value, default: preset, placeholder, format, choices, isRequired, isSecret } = argument;
  const aboutValue = [value, preset, placeholder, format, choices].some((part) => part !== undefined);
  return !aboutValue && !isRequired && !isSecret;
}

/** What the registries of packages say about the exact version of a package. */
export interface ResolvedPackage {
  /** `sha512-…` of an archive of npm, `sha256-…` of a wheel of PyPI. */
  integrity: string;
  /** The path of the program inside the package of npm, or its name in a package of PyPI. */
  program: string;
}

/** What an operator decides at an import. */
export interface ImportChoices {
  id: string | null;
  category: Category;
  network: NetworkNeed;
  /** The address that the server was read from. */
  importedFrom: string;
}

/**
 * Makes the file of a catalogue entry from a server of a registry: `verified: false`, everything pinned.
 * @param resolved null for a hosted server
 * @throws {ImportError} with every error when the entry would break a rule of the catalogue
 */
export function entryOfServer(
  { server, source: serverJson }: RegistryServer,
  source: ServerSource,
  resolved: ResolvedPackage | null,
  choices: ImportChoices,
): Record<string, unknown> & { id: string } {
  const variables = new EntryVariables();
  const id = choices.id ?? idOf(server.name);
  const parts =
    source.kind === 'remote'
      ? remoteParts(source.remote, variables)
      : packageParts(source.kind, source.package, resolved!, choices.network, variables);
  const entry = {
    ...{ id, ...factsOf(server), category: choices.category, verified: false, verifiedBy: null },
    ...{ importedFrom: choices.importedFrom, version: oneLine(server.version) },
    ...parts,
    manifest: { ...parts.manifest, serverJson },
    environmentVariables: variables.list(),
  };
  refuseErrors(entry, server.name);
  return entry;
}

/** Everybody may publish in a registry, and people read these words before they trust the entry. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' ').trim());
}

function factsOf({ name, title, description, websiteUrl, repository }: ServerJson) {
  const [publisher, shortName] = name.split('/');
  return {
    name: oneLine(title ?? shortName ?? name),
    description: visibleText(description),
    publisher,
    homepage: websiteUrl ?? repository?.url ?? null,
    installInstructions: `Imported from a registry of MCP servers, where every publisher may list a server, and not reviewed yet. Review the package, its variables and its network, then set verified and verifiedBy.`,
  };
}

function packageParts(
  registry: 'npm' | 'pypi',
  pkg: ServerPackage & { version: string },
  { integrity, program }: ResolvedPackage,
  network: NetworkNeed,
  variables: EntryVariables,
) {
  for (const variable of pkg.environmentVariables) variables.declareEnvironment(variable);
  const args = argumentTemplates(pkg.packageArguments, variables);
  const script = `{installDir}/node_modules/${pkg.identifier}/${program}`;
  const launch =
    registry === 'npm'
      ? { command: 'node', args: [script, ...args] }
      : { command: `{installDir}/bin/${program}`, args };
  return {
    transport: 'stdio',
    runtime: registry === 'npm' ? 'node' : 'pipx',
    version: pkg.version,
    manifest: {
      package: { registry, name: pkg.identifier, version: pkg.version, integrity },
      ...{ network, launch },
      noProbeReason: 'it was imported, and no operator has chosen a tool to try it with',
    },
  };
}

function remoteParts({ type, url, headers, variables: inAddress }: Remote, variables: EntryVariables) {
  const filledUrl = variables.filled(url, inAddress);
  const templates = headers.map((header) => [header.name, variables.template(header, header.name)]);
  return {
    transport: type === 'sse' ? 'sse' : 'http',
    runtime: 'none',
    manifest: { url: filledUrl, headers: Object.fromEntries(templates) },
  };
}

/** Returns the last part of a registry's name in the form of an id. */
function idOf(name: string): string {
  const words = (name.split('/')[1] ?? name).toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.slice(0, 64).replace(/^-+|-+$/g, '');
}

/** @throws {ImportError} with every error of an entry that breaks a rule of the catalogue */
export function refuseErrors(file: { id: string }, name: string): void {
  const { entry, errors } = parseEntry(structuredClone(file));
  const found = entry ? entryErrors(entry, `${file.id}.json`) : errors;
  if (found.length === 0) return;
  const lines = found.map(({ path, message }) => `  ${path} ${message}`);
  throw new ImportError(`${name} cannot become an entry:\n${lines.join('\n')}`);
}
