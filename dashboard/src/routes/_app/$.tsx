import { createFileRoute } from '@tanstack/react-router';
import { NotFoundScreen } from '../../shell/problem-screen';

/** Any other address, within the frame of the screens. */
export const Route = createFileRoute('/_app/$')({ component: NotFoundScreen });
