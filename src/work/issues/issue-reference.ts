import { validate as isUuid } from 'uuid';

const ISSUE_KEY = /^([A-Z][A-Z0-9]{1,9})-([1-9]\d{0,8})$/;

/** How a path or a body names an issue: by id, or by project key and number as in `DOCS-12`. */
export type IssueReference = { id: string } | { projectKey: string; number: number };

/** null for anything that can't name an issue. */
export function parseIssueReference(text: string): IssueReference | null {
  if (isUuid(text)) return { id: text };
  const parts = ISSUE_KEY.exec(text);
  return parts ? { projectKey: parts[1]!, number: Number(parts[2]) } : null;
}
