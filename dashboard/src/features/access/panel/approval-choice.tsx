import type { Ask } from '../../../api/types';
import { SelectField } from '../../../parts/field';
import styles from '../access.module.css';
import type { ChoiceProps } from './extent-choice';
import { choiceOf } from './tool-choices';

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
