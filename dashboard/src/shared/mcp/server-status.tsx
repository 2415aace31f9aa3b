import type { ServerStatus } from '../../api/types';
import { Pill, type Tone } from '../../parts/status';
import type { IconName } from '../../parts/icon';

const statuses = {
  enabled: { word: 'Enabled', icon: 'enabled', tone: 'enabled' },
  disabled: { word: 'Disabled', icon: 'disabled', tone: 'disabled' },
  error: { word: 'Error', icon: 'error', tone: 'danger' },
} as const satisfies Record<ServerStatus, { word: string; icon: IconName; tone: Tone }>;

/** The status of a server: word, icon and colour together. */
export function ServerStatusPill({ status }: { status: ServerStatus }) {
  const { word, icon, tone } = statuses[status];
  return (
    <Pill tone={tone} icon={icon}>
      {word}
    </Pill>
  );
}
