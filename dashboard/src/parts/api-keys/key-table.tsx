import type { ApiKey } from '../../api/types';
import { Button } from '../button';
import { Tag } from '../status';
import { Table } from '../table';
import { Ago, Time } from '../time';
import { expiryState } from './expiry';

interface KeyTableProps {
  keys: readonly ApiKey[];
  /** Whether keys may be narrowed to a role. */
  roles: boolean;
  onRevoke: (key: ApiKey) => void;
}

export function KeyTable({ keys, roles, onRevoke }: KeyTableProps) {
  const columns = ['Name', 'Begins with', ...(roles ? ['Role'] : []), 'Last used', 'Ends', ''];
  return (
    <Table label="Keys" columns={columns}>
      {keys.map((key) => (
        <tr key={key.id}>
          <td>
            <b>{key.name}</b>
          </td>
          <td data-label="Begins with">
            <code className="soft">{key.prefix}…</code>
          </td>
          {roles && <td data-label="Role">{key.role ?? <span className="soft">Yours</span>}</td>}
          <td data-label="Last used" className="soft">
            {key.lastUsedAt === null ? 'Never' : <Ago iso={key.lastUsedAt} />}
          </td>
          <td data-label="Ends" className="soft">
            <Ends expiresAt={key.expiresAt} />
          </td>
          <td>
            <Button small look="danger" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
              Revoke
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Ends({ expiresAt }: { expiresAt: string | null }) {
  const state = expiryState(expiresAt);
  if (expiresAt === null) return 'Never';
  if (state === 'later') return <Time iso={expiresAt} />;
  return (
    <Tag tone={state === 'ended' ? 'danger' : 'waiting'} icon="clock">
      {state === 'ended' ? 'Ended ' : 'Soon, '}
      <Time iso={expiresAt} />
    </Tag>
  );
}
