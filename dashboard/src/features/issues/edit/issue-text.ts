/** What people write of an issue. */
export interface IssueText {
  title: string;
  description: string;
}

export interface Line {
  text: string;
  /** Whether the version before did not have it. */
  changed: boolean;
}

/** The lines of a text, with a mark on those that an earlier version did not have. */
export function linesAgainst(before: string, text: string): Line[] {
  const known = new Map<string, number>();
  for (const line of before.split('\n')) known.set(line, (known.get(line) ?? 0) + 1);
  return text.split('\n').map((line) => {
    const left = known.get(line) ?? 0;
    known.set(line, left - 1);
    return { text: line, changed: left <= 0 };
  });
}
