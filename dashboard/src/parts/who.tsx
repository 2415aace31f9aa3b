import type { ReactNode } from 'react';
import { classes } from './classes';
import { Icon } from './icon';
import styles from './who.module.css';

interface Party {
  type: string;
  name: string;
}

/** Shows an agent as a square and a person as a disc with initials. */
export function Avatar({ party, large = false }: { party: Party | null; large?: boolean }) {
  const agent = party?.type === 'agent';
  return (
    <span className={classes(styles.avatar, agent && styles.agent, large && styles.large)} aria-hidden="true">
      {agent ? <Icon name="agent" /> : party === null ? '–' : initialsOf(party.name)}
    </span>
  );
}

/** Who has or did something; `children` replace the plain name, with a link for example. */
export function Who({ party, children }: { party: Party | null; children?: ReactNode }) {
  return (
    <span className={styles.who}>
      <Avatar party={party} />
      <span>{children ?? party?.name ?? 'Unassigned'}</span>
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const first = [...(words[0] ?? '')][0] ?? '?';
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : '';
  return (first + last).toUpperCase();
}
