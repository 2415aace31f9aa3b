import { useState } from 'react';
import type { ServerTool } from '../../../api/types';
import { Card, Rows } from '../../../parts/card';
import { inputClass } from '../../../parts/field';
import { MarkedText } from '../../../parts/marked-text';
import { Segments } from '../../../parts/segments';
import { Tag } from '../../../parts/status';
import type { Given } from '../../../shared/mcp/effective-access';
import styles from '../access.module.css';
import type { ChoiceProps } from './extent-choice';
import { choiceOf, isReadOnly, withChoice, type ToolChoice } from './tool-choice';

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
