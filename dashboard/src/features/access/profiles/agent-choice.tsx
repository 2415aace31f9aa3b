import { useState } from 'react';
import type { AccessMatrix } from '../../../api/types';
import { inputClass } from '../../../parts/field';
import { Tag } from '../../../parts/status';
import { inOrderOfChoice } from './in-order';
import styles from './profiles.module.css';

interface AgentChoiceProps {
  agents: AccessMatrix['agents'];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** The agents that have a profile. Those that had it when the list was opened come first, and no row moves while it is open. */
export function AgentChoice({ agents, chosen, onChange }: AgentChoiceProps) {
  const [words, setWords] = useState('');
  const [first] = useState(chosen);
  const shown = inOrderOfChoice(agents, first, words);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset className={styles.agents}>
      <legend>
        Agents <span className="soft">{chosen.size === 0 ? 'none chosen' : `${chosen.size} chosen`}</span>
      </legend>
      <input
        className={inputClass}
        type="search"
        aria-label="Find an agent"
        placeholder="Find an agent"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        // Enter would send the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <ul className={styles.list} aria-label="Agents">
        {shown.map(({ id, name, disabled }) => (
          <li key={id}>
            <label>
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
              <span>{name}</span>
              {disabled && <Tag icon="disabled">Disabled</Tag>}
            </label>
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <p className="soft small">
          {agents.length === 0 ? 'There are no agents yet.' : 'No agent has this name.'}
        </p>
      )}
    </fieldset>
  );
}
