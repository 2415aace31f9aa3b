import { Notice } from './notice';
import { Snippet } from './snippet';

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
