import { createFileRoute } from '@tanstack/react-router';
import { OwnKeys } from '../../features/settings/own-keys';

export const Route = createFileRoute('/_app/settings/keys')({ component: OwnKeys });
