import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role, User } from '../../../api/types';
import { Button, Buttons } from '../../../parts/button';
import { classes } from '../../../parts/classes';
import { Confirm } from '../../../parts/dialog';
import { inputClass } from '../../../parts/field';
import { Pill } from '../../../parts/status';
import { Time } from '../../../parts/time';
import { Who } from '../../../parts/who';
import { hasRole, rolesUpTo, useMe } from '../../../session/me';
import { signInMethodsQuery } from '../../../session/sign-in-methods';
import { useChangeUser } from './changes';
import { IdentityDialog } from './identity/identity-dialog';
import styles from './user-row.module.css';

/** One person. The service refuses changes of the own role and of people above, so those rows are facts only. */
export function UserRow({ user }: { user: User }) {
  const me = useMe();
  const own = user.id === me.id;
  const changeable = !own && hasRole(me, user.role);
  const disabled = user.disabledAt !== null;
  return (
    <tr>
      <td>
        <span className={classes('row', styles.name)}>
          <Who party={{ type: 'user', name: user.name }} />
          {own && <span className="soft small">You</span>}
          {disabled && (
            <Pill tone="disabled" icon="disabled">
              Disabled
            </Pill>
          )}
        </span>
      </td>
      <td data-label="E-mail" className="soft">
        {user.email}
      </td>
      <td data-label="Role">{changeable && !disabled ? <RoleChoice user={user} /> : user.role}</td>
      <td data-label="Since" className="soft">
        <Time iso={user.createdAt} />
      </td>
      <td>
        <Buttons>
          <Identity user={user} />
          {changeable && <Access user={user} />}
        </Buttons>
      </td>
    </tr>
  );
}

function RoleChoice({ user }: { user: User }) {
  const me = useMe();
  const change = useChangeUser(user);
  return (
    <select
      className={classes(inputClass, styles.role)}
      aria-label={`Role of ${user.name}`}
      value={
        change.isPending && change.variables && 'role' in change.variables ? change.variables.role : user.role
      }
      onChange={(event) => change.mutate({ role: event.target.value as Role })}
    >
      {rolesUpTo(me).map((role) => (
        <option key={role}>{role}</option>
      ))}
    </select>
  );
}

/** An Owner says who at the OpenID provider a user is, where there is a provider. */
function Identity({ user }: { user: User }) {
  const me = useMe();
  const provider = useQuery(signInMethodsQuery).data?.oidc?.name;
  const [open, setOpen] = useState(false);
  if (provider === undefined || !hasRole(me, 'Owner')) return null;
  return (
    <>
      <Button small aria-label={`Identity of ${user.name} at ${provider}`} onClick={() => setOpen(true)}>
        Identity
      </Button>
      {open && <IdentityDialog user={user} provider={provider} onClose={() => setOpen(false)} />}
    </>
  );
}

function Access({ user }: { user: User }) {
  const change = useChangeUser(user);
  const [asking, setAsking] = useState(false);
  if (user.disabledAt !== null)
    return (
      <Button small busy={change.isPending} onClick={() => change.mutate({ disabled: false })}>
        Enable
      </Button>
    );
  return (
    <>
      <Button small look="danger" aria-label={`Disable ${user.name}`} onClick={() => setAsking(true)}>
        Disable
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Disable ${user.name}?`}
        verb="Disable user"
        onConfirm={() => change.mutate({ disabled: true }, { onSuccess: () => setAsking(false) })}
        busy={change.isPending}
        error={change.error}
      >
        <p>Their sessions end and their keys stop working at once. You can enable them again.</p>
      </Confirm>
    </>
  );
}
