import { createFileRoute, Outlet } from '@tanstack/react-router';
import { Page, Tabs } from '../../parts/page';
import { hasRole, useMe } from '../../session/me';

export const Route = createFileRoute('/_app/settings')({ component: Settings });

function Settings() {
  const admin = hasRole(useMe(), 'Admin');
  const ofAdmins = [
    { label: 'Users', to: '/settings/users' },
    { label: 'Webhooks', to: '/settings/webhooks', within: true },
  ];
  return (
    <Page title="Settings">
      <Tabs
        label="Settings"
        tabs={[
          { label: 'Profile', to: '/settings' },
          { label: 'API keys', to: '/settings/keys' },
          ...(admin ? ofAdmins : []),
          { label: 'About', to: '/settings/about' },
        ]}
      />
      <Outlet />
    </Page>
  );
}
