/**
 * Makes this process print invisible characters as escapes. What commands print repeats texts of registries, servers and
 * files, which must not steer the terminal of the person who reads it (CWE-150). Line breaks are the command's own.
 */
export async function printVisibly() {
  const { visibleText } = await import('../dist/src/platform/http/visible-text.js');
  for (const method of ['log', 'warn', 'error']) {
    const print = console[method].bind(console);
    console[method] = (...values) => print(...values.map((value) => shown(value, visibleText)));
  }
}

function shown(value, visibleText) {
  const text = value instanceof Error ? value.stack : value;
  return typeof text === 'string' ? visibleText(text).replaceAll('\r', '\\u{d}') : text;
}
