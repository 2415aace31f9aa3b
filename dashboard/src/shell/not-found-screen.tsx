import { Missing } from '../parts/missing';

/** Any address that no screen has. */
export function NotFoundScreen() {
  return <Missing title="There is nothing at this address" />;
}
