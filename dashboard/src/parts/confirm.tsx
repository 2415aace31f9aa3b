import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
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
