import { Button, useCopy } from './button';
import { Notice } from './notice';
import styles from './snippet.module.css';

/** A secret that the service returns once. It is never stored in the browser: leaving the dialog forgets it. */
export function ShownOnce({ what, secret, children }: { what: string; secret: string; children?: string }) {
  return (
    <>
      <Notice tone="warning" title={`Copy the ${what} now`}>
        <p>{children ?? 'It is not shown again. A lost key is replaced, not recovered.'}</p>
      </Notice>
      <Snippet title={what.charAt(0).toUpperCase() + what.slice(1)} text={secret} />
    </>
  );
}

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
