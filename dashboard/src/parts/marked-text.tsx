import { piecesOf } from './invisible';
import styles from './marked-text.module.css';

/** A text from a server or an agent, as plain text: what would be invisible or change the reading order has a marker. */
export function MarkedText({ text }: { text: string }) {
  return (
    <bdi className={styles.text}>
      {piecesOf(text).map((piece, index) =>
        'text' in piece ? (
          piece.text
        ) : (
          <mark key={index} className={styles.marker} title={piece.name}>
            {piece.marker}
            <span className="sr-only"> {piece.name}</span>
          </mark>
        ),
      )}
    </bdi>
  );
}
