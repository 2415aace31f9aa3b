import type { CredentialSet } from '../../../api/types';
import { SelectField } from '../../../parts/field';
import type { Grant } from '../grants';

interface SetChoiceProps {
  grant: Grant;
  sets: readonly CredentialSet[];
  onChange: (grant: Grant) => void;
}

const troubles: Record<string, string> = {
  missing_variables: 'a value is missing',
  sign_in_needed: 'sign-in needed',
  error: 'error',
  revoked: 'revoked',
};

/** With which credentials the server is called. A choice only where the server has more than one set. */
export function SetChoice({ grant, sets, onChange }: SetChoiceProps) {
  return (
    <SelectField
      label="Credential set"
      hint="The server is called with these credentials. The set of a grant wins over those of profiles."
      value={grant.set}
      onChange={({ target }) => onChange({ ...grant, set: target.value })}
    >
      {sets.map(({ name, state }) => (
        <option key={name} value={name}>
          {troubles[state] ? `${name} (${troubles[state]})` : name}
        </option>
      ))}
    </SelectField>
  );
}
