import { useEffect, useState } from 'react';

const TICK_MS = 30_000;

/** The present time, new every 30 seconds, for screens that say how long ago something was. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
