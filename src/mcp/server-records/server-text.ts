import { visibleText } from '../../platform/http/visible-text.js';
import { ExactNumber } from '../../platform/json/exact-json.js';

/** Returns a server's text in a form that the database accepts: NUL and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd');
}

/** Returns a value in which every `title` and `description`, at any depth, is visible. Other members stay as they are. */
export function withVisibleDescriptions<T>(value: T): T {
  return copied(value) as T;
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      typeof item === 'string' && (name === 'description' || name === 'title')
        ? visibleText(item)
        : copied(item),
    ]),
  );
}
