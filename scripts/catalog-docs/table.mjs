import { sectionOf } from './section.mjs';

/** The comments in docs/catalogue.md between which the table stands. */
export const START = '<!-- the shipped entries: npm run catalog:docs -->';
export const END = '<!-- the end of the shipped entries -->';

/** Returns a page with the table and the sections of these entries in place of those that it has. */
export function withTable(page, entries) {
  const [before, rest = ''] = page.split(START);
  const [, after = ''] = rest.split(END);
  const sorted = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const sections = sorted.map(sectionOf).join('\n\n');
  return `${before}${START}\n\n${tableOf(sorted)}\n\n${sections}\n\n${END}${after}`;
}

function tableOf(entries) {
  const rows = [['Entry', 'What it does', 'Category', 'Runs as', 'Version', 'Needs'], ...entries.map(rowOf)];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => [...row[column]].length)));
  const [head, ...body] = rows.map((row) => lineOf(row, widths));
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

function rowOf(entry) {
  return [
    `[\`${entry.id}\`](#${entry.id})`,
    entry.description,
    entry.category,
    kindOf(entry),
    entry.version,
    needsOf(entry),
  ];
}

const kindOf = ({ transport, runtime }) => (transport === 'stdio' ? runtime : `remote (${transport})`);

function needsOf({ environmentVariables, runtimeVersion }) {
  const required = environmentVariables.filter(
    ({ isRequired, default: preset, searchPaths }) => isRequired && !preset && !searchPaths,
  );
  const names = required.map(({ name }) => `\`${name}\``);
  const runtime = runtimeVersion ? [`runtime ${runtimeVersion.replaceAll('||', 'or')}`] : [];
  return [...names, ...runtime].join(', ') || 'nothing';
}

function lineOf(cells, widths) {
  const padded = cells.map((cell, column) => cell + ' '.repeat(widths[column] - [...cell].length));
  return `| ${padded.join(' | ')} |`;
}
