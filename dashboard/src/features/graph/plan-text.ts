/** An issue of a plan as it is sent. What a JSON text has beside these fields is sent too: the service judges it. */
export interface PlanIssue {
  ref: string;
  title: string;
  description?: string;
  parent?: string;
  blockedBy?: string[];
  [field: string]: unknown;
}

/** A plan that was read from a text, or what is wrong with the text. */
export interface ReadPlan {
  issues: PlanIssue[];
  /** The line of the text on which each issue begins, from 1; empty for JSON. */
  lines: number[];
  problems: { line: number | null; message: string }[];
}

/** A list item: its indent, an optional check box, and its text. */
const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
/** The name of an issue, as headings have it in many forms of Markdown. */
const NAME = /\s*\{#([^\s{}]{1,64})\}/;
/** What has to be finished first, at the end of an item. */
const AFTER =
  /\s*(?:[([]\s*after:\s*([^()[\]]+)[)\]]|\[\s*blocked by:?\s+([^()[\]]+)\]|\safter:\s*(.+?))\s*$/i;
const TAB = 4;

/**
 * Reads a plan from JSON, as the API takes it, or from a Markdown list. An item is an issue, and a nested item a part of the
 * one above it. Indented lines below an item are its description. `{#name}` names an issue; without it its number in the
 * list does, such as `2.1`. `after: name, name` at the end of an item, or `[blocked by name]`, says what has to be finished
 * first: names of this list, or keys of issues.
 */
export function readPlan(text: string): ReadPlan {
  return /^\s*(\{|\[\s*(\{|\]))/.test(text) ? readJson(text) : readList(text);
}

function readJson(text: string): ReadPlan {
  const failed = (message: string): ReadPlan => ({
    issues: [],
    lines: [],
    problems: [{ line: null, message }],
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return failed(`This is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const issues: unknown = Array.isArray(value) ? value : (value as { issues?: unknown }).issues;
  if (!Array.isArray(issues))
    return failed('The JSON is neither a list nor an object with a list named issues.');
  return { issues: issues as PlanIssue[], lines: [], problems: [] };
}

interface OpenItem {
  indent: number;
  ref: string;
  /** Its place in the list, such as `2.1`; empty for the list itself. */
  number: string;
  children: number;
}

function readList(text: string): ReadPlan {
  const read: ReadPlan = { issues: [], lines: [], problems: [] };
  /** The items that the next line may be a part of, the innermost last; the first stands for the list itself. */
  const open: OpenItem[] = [{ indent: -1, ref: '', number: '', children: 0 }];
  let fence: string | null = null;
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.replaceAll('\t', ' '.repeat(TAB));
    const item = fence === null ? ITEM.exec(line) : null;
    const mark = /^\s*(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === null ? mark : fence === mark ? null : fence;
    if (item) addItem(read, open, item[1]!.length, item[2]!, at + 1);
    else if (read.issues.length > 0) addToDescription(read.issues.at(-1)!, open.at(-1)!.indent, line);
    else if (line.trim() !== '' && !line.trimStart().startsWith('#'))
      read.problems.push({ line: at + 1, message: 'Begin with a list item, such as “- Write the notes”.' });
  }
  for (const issue of read.issues)
    if (issue.description !== undefined) issue.description = issue.description.trim();
  for (const issue of read.issues) if (issue.description === '') delete issue.description;
  if (read.issues.length === 0 && read.problems.length === 0)
    read.problems.push({ line: null, message: 'The text has no list item.' });
  return read;
}

function addItem(read: ReadPlan, open: OpenItem[], indent: number, content: string, line: number): void {
  while (open.at(-1)!.indent >= indent) open.pop();
  const above = open.at(-1)!;
  above.children += 1;
  const number = above.number === '' ? String(above.children) : `${above.number}.${above.children}`;
  const after = AFTER.exec(content);
  const plain = after ? content.slice(0, after.index) : content;
  const ref = NAME.exec(content)?.[1] ?? number;
  const blockedBy = (after?.[1] ?? after?.[2] ?? after?.[3] ?? '')
    .replace(NAME, '')
    .split(',')
    .map((name) => name.trim().replace(/^#/, ''))
    .filter((name) => name !== '');
  const title = plain.replace(NAME, '').trim();
  if (title === '') read.problems.push({ line, message: 'The item has no title.' });
  read.issues.push({
    ref,
    title,
    ...(above.number !== '' && { parent: above.ref }),
    ...(blockedBy.length > 0 && { blockedBy }),
  });
  read.lines.push(line);
  open.push({ indent, ref, number, children: 0 });
}

/** Text below an item belongs to it, without the indent that the list gives it. */
function addToDescription(issue: PlanIssue, indent: number, line: string): void {
  const inner = line.slice(0, indent + 2).trim() === '' ? line.slice(indent + 2) : line.trimStart();
  issue.description = issue.description === undefined ? inner : `${issue.description}\n${inner}`;
}
