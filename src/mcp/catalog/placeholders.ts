/** A part of a template: plain text, a folder of the server, or the value of a declared variable. */
export type Piece = { text: string } | { folder: Folder } | { variable: string };
export type Folder = 'installDir' | 'dataDir';

/** A template that cannot be read; the message is a sentence for the author of the entry. */
export class TemplateFault extends Error {}

const tokens = /\{\{|\{([^{}]*)\}|\{/g;

/**
 * Reads a template of an entry: `{installDir}`, `{dataDir}`, `{env:NAME}`, and `{{` for a literal `{`
 * (catalog-entry.schema.json).
 * @throws {TemplateFault} for any other placeholder, and for a `{` that begins none
 */
export function parseTemplate(template: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of template.matchAll(tokens)) {
    pieces.push({ text: template.slice(end, match.index) }, pieceOf(match[0], match[1]));
    end = match.index + match[0].length;
  }
  pieces.push({ text: template.slice(end) });
  return pieces.filter((piece) => !('text' in piece) || piece.text !== '');
}

/** The names of the variables that a template uses. A template that cannot be read uses none. */
export function variablesOf(template: string): string[] {
  return readable(template).flatMap((piece) => ('variable' in piece ? [piece.variable] : []));
}

/**
 * Fills a template in. `variable` gives the text to stand for a variable, or null where it has no value; then
 * the whole template is null, and its argument or header is left out.
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
  throw new TemplateFault(
    `${token} is no placeholder: use {installDir}, {dataDir} or {env:NAME}, and {{ for a literal {.`,
  );
}

function readable(template: string): Piece[] {
  try {
    return parseTemplate(template);
  } catch {
    return [];
  }
}
