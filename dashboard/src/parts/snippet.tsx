import { Button } from './button';
import { useCopy } from './copy';
import styles from './snippet.module.css';

interface SnippetProps {
  title: string;
  /** Where the text belongs, such as the path of a file. */
  place?: string;
  text: string;
}

/** A text to copy as a whole, such as a command or a piece of configuration. */
export function Snippet({ title, place, text }: SnippetProps) {
  const { copied, copy } = useCopy();
  return (
    <div className={styles.snippet}>
      <div className={styles.head}>
        <b>{title}</b>
        {place && <code>{place}</code>}
        <Button
          small
          icon={copied ? 'check' : 'copy'}
          aria-label={copied ? 'Copied' : `Copy ${title}`}
          onClick={() => copy(text)}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <pre className={styles.code} tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </div>
  );
}
