import { createFileRoute } from '@tanstack/react-router';
import { ProfileScreen } from '../../features/settings/profile/profile-screen';

export const Route = createFileRoute('/_app/settings/')({ component: ProfileScreen });
