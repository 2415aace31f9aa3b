import styles from './brand.module.css';

export function Brand() {
  return (
    <span className={styles.brand}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M3 14.5 7.5 5l4 8.5L14 8l3 6.5" />
      </svg>
      <span>Work platform</span>
    </span>
  );
}
