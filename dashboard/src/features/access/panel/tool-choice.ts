import type { ServerTool } from '../../../api/types';
import { gives, type Grant } from '../grants';

/** What an agent may do with one tool: nothing, call it after a person approved the call, or call it. */
export type ToolChoice = 'off' | 'ask' | 'allow';

type Tool = Pick<ServerTool, 'name' | 'annotations'>;

/** Whether a tool declares itself read-only, which is the server's own claim. */
export const isReadOnly = ({ annotations }: Tool): boolean => annotations?.['readOnlyHint'] === true;

export function choiceOf(grant: Grant, tool: Tool): ToolChoice {
  const { has, ask } = grant;
  if (!gives(grant) || (has !== 'all' && !has.includes(tool.name))) return 'off';
  const asks = ask === 'writes' ? !isReadOnly(tool) : (ask?.includes(tool.name) ?? false);
  return asks ? 'ask' : 'allow';
}

/** A grant in which one tool is chosen otherwise. What is said of all tools is said of each, where one differs from it. */
export function withChoice(grant: Grant, tools: readonly Tool[], tool: Tool, choice: ToolChoice): Grant {
  if (choiceOf(grant, tool) === choice) return grant;
  const choices = tools.map((one) => ({
    one,
    choice: one.name === tool.name ? choice : choiceOf(grant, one),
  }));
  const namesOf = (wanted: (choice: ToolChoice) => boolean) =>
    choices.filter((row) => wanted(row.choice)).map(({ one }) => one.name);
  const has = grant.has === 'all' && choice !== 'off' ? 'all' : namesOf((one) => one !== 'off');
  return { ...grant, has, ask: askAfter(grant, tool, choice, namesOf) };
}

function askAfter(
  { ask }: Grant,
  tool: Tool,
  choice: ToolChoice,
  namesOf: (wanted: (choice: ToolChoice) => boolean) => string[],
): Grant['ask'] {
  const followsWrites = ask === 'writes' && (choice === 'off' || (choice === 'ask') !== isReadOnly(tool));
  if (followsWrites) return ask;
  const asked = namesOf((one) => one === 'ask');
  return asked.length === 0 ? null : asked;
}
