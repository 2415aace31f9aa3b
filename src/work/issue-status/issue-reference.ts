import { validate as isUuid } from 'uuid';

const ISSUE_KEY = /^([A-Z][A-Z0-9]{1,9})-([1-9]\d{0,8})$/;

/** A key such as `DOCS-12` in its parts. */
export interface IssueKey {
  projectKey: string;
  number: number;
}

/** The name of an issue in a path or body: its id or its key. */
export type IssueReference = { id: string } | IssueKey;

/** Returns null for a text that cannot name an issue. */
export function parseIssueReference(text: string): IssueReference | null {
  if (isUuid(text)) return { id: text };
  const parts = ISSUE_KEY.exec(text);
  return parts ? { projectKey: parts[1]!, number: Number(parts[2]) } : null;
}
