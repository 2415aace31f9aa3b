const LEVEL_WIDTH = 5;
/** Text that needs no quotes between spaces. */
const PLAIN = /^[^\s"=]+$/;

/**
 * Rewrites one line of the log from JSON to a form for people: time, level, context, message, and every other field as
 * name=value. A text with a line break or a control character is quoted, so that an entry is always one line.
 */
export function textLine(line: string): string {
  const { time, level, context, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const parts = [
    String(time),
    String(level).toUpperCase().padEnd(LEVEL_WIDTH),
    ...(context === undefined ? [] : [`[${oneLine(String(context))}]`]),
    ...(msg === undefined ? [] : [oneLine(String(msg))]),
    ...Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name}=${valueText(value)}`),
  ];
  return `${parts.join(' ')}\n`;
}

/** JSON escapes control characters, and so does this, without the quotes. */
function oneLine(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return PLAIN.test(text) ? text : JSON.stringify(text);
}
