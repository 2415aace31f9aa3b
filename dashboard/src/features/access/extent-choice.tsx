import type { ServerTool } from '../../api/types';
import styles from './access.module.css';
import type { Extent, Grant } from './grants';

/** What the parts of the panel have in common: the grant, the tools to choose from, and where a change goes. */
export interface ChoiceProps {
  grant: Grant;
  tools: readonly ServerTool[];
  onChange: (grant: Grant) => void;
}

/** Nothing, everything, or single tools. */
export function ExtentChoice({ grant, tools, onChange }: ChoiceProps) {
  const { has } = grant;
  const chosen = typeof has === 'string' ? [] : has;
  const choices: { id: string; label: string; on: boolean; next: Extent }[] = [
    { id: 'none', label: 'None', on: has === 'none', next: 'none' },
    { id: 'all', label: 'All approved tools, also those that come later', on: has === 'all', next: 'all' },
    {
      id: 'some',
      label: typeof has === 'string' ? 'Only some tools' : `Only these: ${chosen.length} of ${tools.length}`,
      on: typeof has !== 'string',
      next: has === 'all' ? tools.map(({ name }) => name) : chosen,
    },
  ];
  return (
    <fieldset className={styles.how}>
      <legend>What the agent gets</legend>
      {choices.map(({ id, label, on, next }) => (
        <label key={id} className={styles.choice}>
          <input type="radio" name="extent" checked={on} onChange={() => onChange({ ...grant, has: next })} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
