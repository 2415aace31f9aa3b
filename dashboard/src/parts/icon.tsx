import sprite from './icons.svg';
import styles from './icon.module.css';

export type IconName =
  | 'inbox'
  | 'board'
  | 'agent'
  | 'server'
  | 'access'
  | 'activity'
  | 'settings'
  | 'search'
  | 'plus'
  | 'down'
  | 'right'
  | 'arrow'
  | 'close'
  | 'check'
  | 'copy'
  | 'link'
  | 'more'
  | 'refresh'
  | 'pause'
  | 'back'
  | 'filter'
  | 'theme'
  | 'tool'
  | 'clock'
  | 'user'
  | 'comment'
  | 'file'
  | 'shield'
  | 'info'
  | 'tree'
  | 'open'
  | 'progress'
  | 'waiting'
  | 'review'
  | 'resolved'
  | 'closed'
  | 'enabled'
  | 'disabled'
  | 'error'
  | 'none'
  | 'low'
  | 'medium'
  | 'high'
  | 'urgent';

/** An icon of the sprite. It is decoration: the word beside it, or the label of its button, carries the meaning. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg className={small ? styles.small : styles.icon} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
