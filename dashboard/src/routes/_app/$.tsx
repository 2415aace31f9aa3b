import { createFileRoute } from '@tanstack/react-router';
import { NotFoundScreen } from '../../parts/later';

/** Any other address, within the frame of the screens. */
export const Route = createFileRoute('/_app/$')({ component: NotFoundScreen });
