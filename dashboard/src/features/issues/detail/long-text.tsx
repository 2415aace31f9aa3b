import { useState } from 'react';
import { Button } from '../../../parts/button';
import { Markdown } from '../../../parts/markdown';

/** An agent may write its whole output into a comment, and the timeline has to stay readable below it. */
const LONG = 3000;
const SHOWN = 1500;

/** Markdown of which a long one shows its beginning, until the person asks for the rest. */
export function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(text.length <= LONG);
  if (whole) return <Markdown text={text} />;
  return (
    <div className="stack">
      <Markdown text={`${text.slice(0, SHOWN)}…`} />
      <Button small onClick={() => setWhole(true)}>
        Show all {text.length.toLocaleString('en')} characters
      </Button>
    </div>
  );
}
