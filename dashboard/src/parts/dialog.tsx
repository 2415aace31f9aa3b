import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { classes } from './classes';
import styles from './dialog.module.css';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons, the decisive one last. */
  footer: ReactNode;
  /** Given when the dialog is a form; the last button submits it. */
  onSubmit?: () => void;
  /** For texts that stand side by side or need room to be written. */
  wide?: boolean;
}

/** A dialog takes the focus and gives it back; Escape and a press beside it close it. */
export function Dialog({ open, onClose, title, children, footer, onSubmit, wide = false }: DialogProps) {
  const content = (
    <>
      <div className={styles.body}>
        <Base.Title render={<h2 />}>{title}</Base.Title>
        {children}
      </div>
      <div className={styles.footer}>{footer}</div>
    </>
  );
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={classes(styles.popup, wide && styles.wide)}>
          {onSubmit ? (
            <form
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                onSubmit();
              }}
            >
              {content}
            </form>
          ) : (
            content
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
