const PROGRAM = /^([A-Za-z0-9._-]+)\s*=/;

/**
 * Returns the first value of a field in the header of a METADATA file; empty where it has none. A package writes these
 * files, so they are read line by line: an expression over all lines can take the square of their length.
 */
export function fieldOf(metadata: string, name: string): string {
  const start = `${name.toLowerCase()}:`;
  for (const line of linesOf(metadata)) {
    if (line === '') return '';
    if (line.toLowerCase().startsWith(start)) return line.slice(start.length).trim();
  }
  return '';
}

/** Returns the names below `[console_scripts]` in an entry_points.txt. */
export function consoleScriptsIn(entryPoints: string): string[] {
  const names: string[] = [];
  let isWithin = false;
  for (const line of linesOf(entryPoints).map((each) => each.trim())) {
    if (line.startsWith('[')) isWithin = line === '[console_scripts]';
    const [, name] = (isWithin && PROGRAM.exec(line)) || [];
    if (name !== undefined) names.push(name);
  }
  return names;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}
