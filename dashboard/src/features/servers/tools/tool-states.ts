import type { ServerTool } from '../../../api/types';
import type { IconName } from '../../../parts/icon';
import type { Tone } from '../../../parts/status';

/** How each state reads, and what it means for agents. */
export const toolStates = {
  changed: {
    word: 'Changed',
    icon: 'error',
    tone: 'waiting',
    says: 'Not as it was approved. No agent has it.',
  },
  new: {
    word: 'New',
    icon: 'plus',
    tone: 'progress',
    says: 'Came after the first listing. No agent has it.',
  },
  removed: { word: 'Removed', icon: 'disabled', tone: 'disabled', says: 'The server no longer lists it.' },
  invalid: {
    word: 'Invalid',
    icon: 'error',
    tone: 'danger',
    says: 'Clients would refuse its definition. No agent has it.',
  },
  approved: { word: 'Approved', icon: 'resolved', tone: 'resolved', says: 'Agents with access have it.' },
} as const satisfies Record<ServerTool['state'], { word: string; icon: IconName; tone: Tone; says: string }>;

/** What agents read of a tool. */
export type ToolWords = NonNullable<ServerTool['approved']>;

const parts = {
  title: 'title',
  description: 'description',
  inputSchema: 'arguments',
  annotations: 'claims of the server',
} as const satisfies Record<keyof ToolWords, string>;

/** Says which parts of a tool are not as they were approved. The order of members in a schema is no difference. */
export function whatDiffers(tool: ToolWords, approved: ToolWords): string {
  const differing = (Object.keys(parts) as (keyof ToolWords)[]).filter(
    (part) => ordered(tool[part]) !== ordered(approved[part]),
  );
  if (differing.length === 0) return 'What agents read is the same. The description of its results differs.';
  return `These differ: ${differing.map((part) => parts[part]).join(', ')}.`;
}

function ordered(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** The tools that wait for an approval. */
export function withheld(tools: readonly ServerTool[]): ServerTool[] {
  return tools.filter(({ state }) => state === 'changed' || state === 'new');
}

/** The tools of which a search names a part, in any case. */
export function matching(tools: readonly ServerTool[], search: string): ServerTool[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter(({ name, title, description }) => {
    const text = `${name} ${title ?? ''} ${description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
