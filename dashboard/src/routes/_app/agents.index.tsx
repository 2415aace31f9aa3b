import { createFileRoute } from '@tanstack/react-router';
import { AgentsScreen } from '../../features/agents/list/agents-screen';

export const Route = createFileRoute('/_app/agents/')({ component: AgentsScreen });
