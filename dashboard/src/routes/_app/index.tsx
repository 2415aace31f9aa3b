import { createFileRoute } from '@tanstack/react-router';
import { NeedsYouScreen } from '../../features/attention/needs-you-screen';
import { Page } from '../../parts/page';

export const Route = createFileRoute('/_app/')({ component: NeedsYou });

function NeedsYou() {
  return (
    <Page title="Needs you">
      <NeedsYouScreen />
    </Page>
  );
}
