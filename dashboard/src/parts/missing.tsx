import { Link, type LinkProps } from '@tanstack/react-router';
import { buttonClass } from './button';
import { Empty } from './empty';
import { Page } from './page';

interface MissingProps {
  /** What is not there: "There is no project NOPE". */
  title: string;
  /** Where one goes on from here. */
  to?: LinkProps['to'];
  label?: string;
}

/** In place of a screen whose object does not exist, or is not visible to this person. */
export function Missing({ title, to = '/', label = 'Go to Needs you' }: MissingProps) {
  return (
    <Page title="Not found">
      <Empty
        icon="search"
        title={title}
        actions={
          <Link to={to} className={buttonClass({ look: 'primary' })}>
            {label}
          </Link>
        }
      >
        It was removed, you cannot see it, or the address has a typing error.
      </Empty>
    </Page>
  );
}
