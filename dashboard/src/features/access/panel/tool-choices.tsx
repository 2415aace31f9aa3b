import { useState } from 'react';
import type { ServerTool } from '../../../api/types';
import { Card, Rows } from '../../../parts/card';
import { inputClass } from '../../../parts/field';
import { MarkedText } from '../../../parts/marked-text';
import { Segments } from '../../../parts/tabs';
import { Tag } from '../../../parts/status';
import type { Given } from '../../../shared/mcp/effective-access';
import styles from '../access.module.css';
import { gives, type Grant } from '../grants';
import type { ChoiceProps } from './extent-choice';

/** What an agent may do with one tool: nothing, call it after a person approved the call, or call it. */
export type ToolChoice = 'off' | 'ask' | 'allow';

type Tool = Pick<ServerTool, 'name' | 'annotations'>;

/** Whether a tool declares itself read-only, which is the server's own claim. */
const isReadOnly = ({ annotations }: Tool): boolean => annotations?.['readOnlyHint'] === true;

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

const options: readonly (readonly [ToolChoice, string])[] = [
  ['off', 'Off'],
  ['ask', 'Ask'],
  ['allow', 'Allow'],
];

/** Each tool with its own choice. */
export function ToolChoices({ grant, given, tools, onChange }: ChoiceProps) {
  const [search, setSearch] = useState('');
  const shown = tools.filter(({ name, title }) =>
    `${name} ${title ?? ''}`.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <>
      <input
        className={inputClass}
        type="search"
        aria-label="Search tools"
        placeholder="Search tools"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <Card title="Tools" count={shown.length} flush>
        <Rows label="Tools">
          {shown.map((tool) => (
            <li key={tool.name} className={styles.row}>
              <ToolName tool={tool} given={given} />
              <Segments
                label={tool.name}
                hideLabel
                value={choiceOf(grant, tool)}
                options={options}
                onChange={(choice) => onChange(withChoice(grant, tools, tool, choice))}
              />
            </li>
          ))}
        </Rows>
      </Card>
    </>
  );
}

function ToolName({ tool, given }: { tool: ServerTool; given: readonly Given[] }) {
  const by = given
    .filter(({ entry }) => entry.tools === null || entry.tools.includes(tool.name))
    .map(({ profile }) => profile);
  return (
    <div className={styles.tool}>
      <code>
        <MarkedText text={tool.name} />
      </code>
      {tool.title && (
        <span className="soft small clip">
          <MarkedText text={tool.title} />
        </span>
      )}
      <span className={styles.tags}>
        {isReadOnly(tool) && <span className="soft small">Declares itself read-only</span>}
        {by.length > 0 && <span className="soft small">By {by.join(', ')}</span>}
        {tool.state !== 'approved' && <Tag tone="waiting">{tool.state}</Tag>}
      </span>
    </div>
  );
}
