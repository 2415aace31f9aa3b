/** A part of a template: plain text, a folder of the server, or the value of a declared variable. */
export type Piece = { text: string } | { folder: Folder } | { variable: string };
export type Folder = 'installDir' | 'dataDir';

const TOKENS = /\{\{|\{([^{}]*)\}|\{/g;

/** A template is invalid; the message is a sentence for the author of the entry. */
export class TemplateError extends Error {}

/**
 * Parses a template of an entry: `{installDir}`, `{dataDir}`, `{env:NAME}`, and `{{` for a literal `{`
 * (catalog-entry.schema.json).
 * @throws {TemplateError} when it contains another placeholder, or a `{` that begins none
 */
export function parseTemplate(template: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of template.matchAll(TOKENS)) {
    pieces.push({ text: template.slice(end, match.index) }, pieceOf(match[0], match[1]));
    end = match.index + match[0].length;
  }
  pieces.push({ text: template.slice(end) });
  return pieces.filter((piece) => !('text' in piece) || piece.text !== '');
}

/** Returns the names of the variables that a template uses; none for an invalid template. */
export function variablesOf(template: string): string[] {
  return parsedOrEmpty(template).flatMap((piece) => ('variable' in piece ? [piece.variable] : []));
}

/**
 * Fills in a template. `variable` returns the text of a variable, or null if it has no value; then the result is null,
 * and the argument or header of the template is left out.
 */
export function fillTemplate(
  template: string,
  folders: Partial<Record<Folder, string>>,
  variable: (name: string) => string | null,
): string | null {
  let filled = '';
  for (const piece of parseTemplate(template)) {
    const text =
      'text' in piece ? piece.text : 'folder' in piece ? folders[piece.folder] : variable(piece.variable);
    if (text === null || text === undefined) return null;
    filled += text;
  }
  return filled;
}

function pieceOf(token: string, name: string | undefined): Piece {
  if (token === '{{') return { text: '{' };
  if (name === 'installDir' || name === 'dataDir') return { folder: name };
  if (name?.startsWith('env:')) return { variable: name.slice('env:'.length) };
  throw new TemplateError(
    `${token} is not a placeholder: use {installDir}, {dataDir} or {env:NAME}, and {{ for a literal {.`,
  );
}

function parsedOrEmpty(template: string): Piece[] {
  try {
    return parseTemplate(template);
  } catch {
    // The rules for templates report the error; here an invalid template uses nothing.
    return [];
  }
}

/** The placeholders that a template may use. Each method returns why one is not allowed, or null if it is. */
export interface PlaceholderRule {
  folder(folder: Folder): string | null;
  variable(name: string): string | null;
}

/** Returns the first error of a template, in its syntax or by the rule for its placeholders; null if it is valid. */
export function templateError(template: string, rule: PlaceholderRule): string | null {
  try {
    for (const piece of parseTemplate(template)) {
      if ('text' in piece) continue;
      const error = 'folder' in piece ? rule.folder(piece.folder) : rule.variable(piece.variable);
      if (error) return error;
    }
    return null;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

/** Makes a rule for declared variables whose errors name the variable; an undeclared variable is an error too. */
export function declared<Variable extends { name: string }>(
  variables: readonly Variable[],
  rule: (variable: Variable) => string | null,
): (name: string) => string | null {
  return (name) => {
    const variable = variables.find((candidate) => candidate.name === name);
    if (!variable) return `uses ${name}, which is not declared in environmentVariables`;
    const error = rule(variable);
    return error && `uses ${name}, ${error}`;
  };
}
