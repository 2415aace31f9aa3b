import { createFileRoute } from '@tanstack/react-router';
import { ServersScreen } from '../../../features/servers/servers-screen';

export const Route = createFileRoute('/_app/_elevated/servers/')({ component: ServersScreen });
