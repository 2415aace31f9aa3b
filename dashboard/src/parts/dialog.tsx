import { Dialog as Base } from '@base-ui/react/dialog';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { Button } from './button';
import { classes } from './classes';
import styles from './dialog.module.css';
import { ProblemNotice } from './notice';

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  /** The question, with the name of what it is about. */
  title: string;
  /** What happens, and whether it can be undone. */
  children: ReactNode;
  /** The verb on the button: "Revoke key", not "OK". */
  verb: string;
  onConfirm: () => void;
  busy: boolean;
  error: unknown;
}

/** Asks before something that cannot be undone. A refusal is shown in the dialog, which stays open. */
export function Confirm({ open, onClose, title, children, verb, onConfirm, busy, error }: ConfirmProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      onSubmit={onConfirm}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger-solid" type="submit" busy={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <div className="stack">{children}</div>
      {error !== null && error !== undefined && <ProblemNotice title="Nothing was changed" error={error} />}
    </Dialog>
  );
}

interface FormDialogProps extends Pick<DialogProps, 'title' | 'onClose' | 'children' | 'wide'> {
  onSubmit: () => void;
  /** The verb on the button: "Create label", not "OK". */
  verb: string;
  busy?: boolean;
  disabled?: boolean;
  /** A refusal that no field shows, or false. */
  refusal?: unknown;
  /** What did not happen then: "The label was not saved". */
  refused?: string;
}

/** Fields that are sent together. It is closed without sending them, and stays open where they are refused. */
export function FormDialog({
  verb,
  busy = false,
  disabled = false,
  refusal,
  refused = 'Nothing was changed',
  children,
  ...dialog
}: FormDialogProps) {
  return (
    <Dialog
      open
      {...dialog}
      footer={
        <>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy} disabled={disabled}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
      {Boolean(refusal) && <ProblemNotice title={refused} error={refusal} />}
    </Dialog>
  );
}

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons, the decisive one last. */
  footer: ReactNode;
  /** Given when the dialog is a form; the last button submits it, and Ctrl with Enter in any of its fields. */
  onSubmit?: () => void;
  /** For texts that stand side by side or need room to be written. */
  wide?: boolean;
}

/** A dialog takes the focus and gives it back; Escape and a press beside it close it. */
export function Dialog({ open, onClose, title, children, footer, onSubmit, wide = false }: DialogProps) {
  const opener = useOpener(open);
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
        <Base.Popup className={classes(styles.popup, wide && styles.wide)} finalFocus={opener}>
          {onSubmit ? (
            <form
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                onSubmit();
              }}
              onKeyDown={submitByKey}
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

/** Enter alone submits one-line fields, and begins a line in others. The events of a dialog over this one arrive here too. */
function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, ctrlKey, metaKey, currentTarget, target } = event;
  if (key !== 'Enter' || !(ctrlKey || metaKey) || !currentTarget.contains(target as Node)) return;
  event.preventDefault();
  currentTarget.requestSubmit();
}

/**
 * Returns what had the focus when the dialog opened. It is read while the dialog is drawn, because a field with
 * `autoFocus` has the focus before the dialog itself looks. An item of a menu is gone by then: its button is found by the
 * dialog's own rule.
 */
function useOpener(open: boolean): () => HTMLElement | true {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;
  return () => {
    const { current } = opener;
    return current instanceof HTMLElement && current.isConnected && current !== document.body
      ? current
      : true;
  };
}
