import sprite from './icons.svg';
import brand from './brand.module.css';
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
  | 'tag'
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

/** The sign and the name of the product. */
export function Brand() {
  return (
    <span className={brand.brand}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M3 14.5 7.5 5l4 8.5L14 8l3 6.5" />
      </svg>
      <span>Work platform</span>
    </span>
  );
}
