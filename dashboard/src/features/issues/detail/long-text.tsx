import { useState } from 'react';
import { Button } from '../../../parts/button';
import { Markdown } from '../../../parts/markdown';

/** An agent may write its whole output into a comment, and the timeline has to stay readable below it. */
const LONG = { characters: 3000, lines: 60 };
const SHOWN = { characters: 1500, lines: 15 };

/** Markdown of which a long one shows its beginning, until the person asks for the rest. */
export function LongText({ text }: { text: string }) {
  const lines = text.split('\n');
  const [whole, setWhole] = useState(text.length <= LONG.characters && lines.length <= LONG.lines);
  if (whole) return <Markdown text={text} />;
  return (
    <div className="stack">
      <Markdown text={`${lines.slice(0, SHOWN.lines).join('\n').slice(0, SHOWN.characters)} …`} />
      <div>
        <Button small onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString('en')} characters
        </Button>
      </div>
    </div>
  );
}
