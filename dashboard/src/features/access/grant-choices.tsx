import { useState } from 'react';
import type { Ask, ServerTool } from '../../api/types';
import { Card, Rows } from '../../parts/card';
import { inputClass, Segments, SelectField } from '../../parts/field';
import { MarkedText } from '../../parts/marked-text';
import { Tag } from '../../parts/status';
import type { Given } from '../../shared/mcp/effective-access';
import styles from './access.module.css';
import { type Extent, gives, type Grant, type Place } from './grants';

/** What the parts of the panel have in common: the grant, the tools to choose from, and where a change goes. */
interface ChoiceProps extends Pick<Place, 'of'> {
  grant: Grant;
  given: readonly Given[];
  tools: readonly ServerTool[];
  onChange: (grant: Grant) => void;
}

interface Choice {
  id: string;
  label: string;
  on: boolean;
  next: Extent;
}

/** Nothing, everything, single tools, or for an agent a refusal, which wins over its profiles. */
export function ExtentChoice({ of, grant, given, tools, onChange }: ChoiceProps) {
  const { has } = grant;
  const isSome = typeof has !== 'string';
  const chosen = isSome ? has : [];
  const choices: Choice[] = [
    {
      id: 'none',
      label: given.length > 0 ? 'Nothing of its own: only what its profiles give' : 'None',
      on: has === 'none',
      next: 'none',
    },
    { id: 'all', label: 'All approved tools, also those that come later', on: has === 'all', next: 'all' },
    {
      id: 'some',
      label: isSome ? `Only these: ${chosen.length} of ${tools.length}` : 'Only some tools',
      on: isSome,
      next: has === 'all' ? tools.map(({ name }) => name) : chosen,
    },
  ];
  if (of === 'agent' && (given.length > 0 || has === 'refused'))
    choices.push({
      id: 'refused',
      label: 'Refused, whatever its profiles give',
      on: has === 'refused',
      next: 'refused',
    });
  return (
    <fieldset className={styles.how}>
      <legend>{of === 'agent' ? 'What the agent gets' : 'What the agents of the profile get'}</legend>
      {choices.map(({ id, label, on, next }) => (
        <label key={id} className={styles.choice}>
          <input type="radio" name="extent" checked={on} onChange={() => onChange({ ...grant, has: next })} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

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

/** Which calls a person approves before they are made, and who that may be. */
export function ApprovalChoice({ of, grant, tools, onChange }: ChoiceProps) {
  const { ask, approver } = grant;
  const asked = tools.filter((tool) => choiceOf(grant, tool) === 'ask').map(({ name }) => name);
  const choices: { id: string; label: string; on: boolean; next: Ask }[] = [
    { id: 'never', label: 'No call', on: ask === null, next: null },
    {
      id: 'writes',
      label: 'Each call that may change something: all but tools that declare themselves read-only',
      on: ask === 'writes',
      next: 'writes',
    },
    {
      id: 'tools',
      label: Array.isArray(ask)
        ? `Only calls of these: ${asked.length}`
        : 'Only calls of the tools marked “Ask”',
      on: Array.isArray(ask),
      next: asked,
    },
  ];
  return (
    <>
      <fieldset className={styles.how}>
        <legend>What a person approves first</legend>
        {choices
          .filter(({ id }) => id !== 'tools' || asked.length > 0)
          .map(({ id, label, on, next }) => (
            <label key={id} className={styles.choice}>
              <input
                type="radio"
                name="ask"
                checked={on}
                onChange={() => onChange({ ...grant, ask: next })}
              />
              {label}
            </label>
          ))}
        <p className="soft small">
          Such a call waits under Needs you, with its arguments. The agent goes on once it is decided.
        </p>
      </fieldset>
      {of === 'profile' && ask !== null && (
        <p className="soft small">Editors and above approve calls that a profile asks about.</p>
      )}
      {of === 'agent' && ask !== null && (
        <SelectField
          label="Who approves"
          value={approver}
          onChange={({ target }) =>
            onChange({ ...grant, approver: target.value === 'Admin' ? 'Admin' : 'Editor' })
          }
        >
          <option value="Editor">Editors and above</option>
          <option value="Admin">Admins and above</option>
        </SelectField>
      )}
    </>
  );
}
