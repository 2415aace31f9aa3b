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
