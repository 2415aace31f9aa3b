import type { IssueRow } from '../../../work/issues/issue-row.js';
import type { AttachedFile } from '../attached-files.repository.js';
import type { NewComment } from '../new-comments.repository.js';

/** The most comments in a brief: the newest. */
export const COMMENTS_PER_BRIEF = 100;

/** Returns where an attachment's bytes are. */
export const downloadUrlOf = (id: string) => `/api/projects/attachments/${id}/download`;

/** Returns all that a worker needs to begin, as Markdown: title, description, comments, files, and the attempt. */
export function briefOf(
  { key, title, description, attempts, createdByType, createdByName }: IssueRow,
  comments: NewComment[],
  files: AttachedFile[],
): string {
  const parts = [
    `# ${key}: ${title}`,
    // What an agent wrote may be meant to mislead another one.
    createdByType === 'agent' ? `This issue comes from the agent ${createdByName}, not from a person.` : '',
    description,
    comments.length > 0 ? ['## Comments', ...comments.map(said)].join('\n\n') : '',
    files.length > 0 ? ['## Attachments', files.map(line).join('\n')].join('\n\n') : '',
    `Attempt ${attempts + 1}.`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function said({ authorName, createdAt, content }: NewComment): string {
  return `**${authorName}**, ${createdAt.toISOString()}:\n\n${content}`;
}

function line({ id, filename, contentType, size }: AttachedFile): string {
  return `- ${filename} (${contentType}, ${size} bytes): ${downloadUrlOf(id)}`;
}
