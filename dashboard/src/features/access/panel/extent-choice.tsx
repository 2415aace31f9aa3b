import type { ServerTool } from '../../../api/types';
import type { Given } from '../../../shared/mcp/effective-access';
import styles from '../access.module.css';
import type { Extent, Grant, Place } from '../grants';

/** What the parts of the panel have in common: the grant, the tools to choose from, and where a change goes. */
export interface ChoiceProps extends Pick<Place, 'of'> {
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
