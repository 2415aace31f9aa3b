import { useEffect, useRef } from 'react';
import { Button } from './button';

interface MoreProps {
  shown: number;
  total: number;
  busy: boolean;
  onMore: () => void;
}

/** The end of a list that goes on: loads the next rows when it comes near the view. The button is for those who do not scroll. */
export function More({ shown, total, busy, onMore }: MoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  useEffect(() => {
    if (end.current === null || busy) return undefined;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: '400px',
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [busy, shown]);
  return (
    <div className="row" ref={end}>
      <Button busy={busy} onClick={onMore}>
        Show more
      </Button>
      <span className="soft small">
        {shown} of {total}
      </span>
    </div>
  );
}
