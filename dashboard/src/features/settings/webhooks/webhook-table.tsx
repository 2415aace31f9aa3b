import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { projectsQuery } from '../../../api/lists';
import type { Webhook } from '../../../api/types';
import { Pill } from '../../../parts/status';
import { Table } from '../../../parts/table';
import styles from './webhooks.module.css';

export function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const projects = useQuery(projectsQuery).data ?? [];
  return (
    <Table label="Webhooks" columns={['Address', 'State', 'Sends', 'Of']}>
      {webhooks.map(({ id, url, description, disabled, eventTypes, projectId }) => (
        <tr key={id}>
          <td>
            <Link to="/settings/webhooks/$id" params={{ id }} className={styles.address}>
              {url}
            </Link>
            {description !== '' && <span className="soft small">{description}</span>}
          </td>
          <td data-label="State">
            <WebhookPill disabled={disabled} />
          </td>
          <td data-label="Sends" className="soft">
            {eventTypes === null ? 'Every type' : eventTypes.join(', ')}
          </td>
          <td data-label="Of" className="soft">
            {projectId === null
              ? 'All projects'
              : (projects.find((project) => project.id === projectId)?.name ?? 'One project')}
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function WebhookPill({ disabled }: { disabled: boolean }) {
  return disabled ? (
    <Pill tone="disabled" icon="disabled">
      Disabled
    </Pill>
  ) : (
    <Pill tone="enabled" icon="enabled">
      Enabled
    </Pill>
  );
}
