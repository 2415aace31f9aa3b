import { Link } from '@tanstack/react-router';
import { buttonClass } from '../parts/button';
import { Empty } from '../parts/empty';
import { Page } from '../parts/page';

export function NotFoundScreen() {
  return (
    <Page title="Not found">
      <Empty
        icon="search"
        title="There is nothing at this address"
        actions={
          <Link to="/" className={buttonClass({ look: 'primary' })}>
            Go to Needs you
          </Link>
        }
      >
        It was removed, you cannot see it, or the address has a typing error.
      </Empty>
    </Page>
  );
}
