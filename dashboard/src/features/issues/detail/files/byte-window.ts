import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../../../api/client';
import { asProblem } from '../../../../api/problem';
import type { LogLine } from '../../../../parts/log-view';

/** How much is read at once, and how much of a file is held at most: a log may have a gigabyte. */
export const CHUNK = 256 * 1024;
const HELD = 4 * 1024 * 1024;
/** How many parts are read to follow a log; one that grows faster is shown from its end. */
const CATCH_UP = 8;

/** A line of a file; its key is the place of its first byte. */
export interface ByteLine extends LogLine {
  key: number;
}

/** A part of a file in whole lines. What stands behind `to` is the rest of the file, or a line that is still written. */
export interface ByteWindow {
  from: number;
  to: number;
  size: number;
  lines: readonly ByteLine[];
}

/** Bytes of a file from a place on. */
export interface Bytes {
  bytes: Uint8Array;
  from: number;
  size: number;
}

const LINE_FEED = 0x0a;
const decoder = new TextDecoder();

/**
 * Cuts bytes into lines. A first line whose begin is not among the bytes is left out, and a last one without its end. A line
 * that is longer than all that was read is cut, because nothing would be shown otherwise.
 * @param begins whether the first byte is that of a line
 * @param ends whether the last byte is that of a line, or of the file
 */
export function windowOf(
  { bytes, from, size }: Bytes,
  { begins = from === 0, ends = from + bytes.length >= size } = {},
): ByteWindow {
  const firstEnd = bytes.indexOf(LINE_FEED);
  const hasSecond = firstEnd !== -1 && firstEnd < bytes.length - 1;
  let start = begins || !hasSecond ? 0 : firstEnd + 1;
  const begin = from + start;
  const lines: ByteLine[] = [];
  const add = (end: number): void => {
    const text = decoder.decode(bytes.subarray(start, end));
    lines.push({ key: from + start, text: text.replace(/\r$/, '') });
  };
  for (let end = bytes.indexOf(LINE_FEED, start); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
    add(end);
    start = end + 1;
  }
  if (start < bytes.length && (ends || lines.length === 0)) {
    add(bytes.length);
    // The last line of a file may still be written, so it is read again from its begin.
    if (!ends) start = bytes.length;
  }
  return { from: begin, to: from + start, size, lines };
}

/** Whether the last line of the file is among the lines. */
export const isAtEnd = ({ to, size, lines }: ByteWindow): boolean => to >= size || lines.at(-1)?.key === to;

/** Adds what follows. The beginning is given up where more than fits would be held. */
export function appended(window: ByteWindow, next: Bytes): ByteWindow {
  const added = windowOf(next, { begins: true });
  // A last line that was still written is among those that were read now.
  const lines = [...window.lines.filter(({ key }) => key < window.to), ...added.lines];
  const shown = lines.slice(
    Math.max(
      0,
      lines.findIndex(({ key }) => added.to - key <= HELD),
    ),
  );
  return { from: shown[0]?.key ?? window.from, to: added.to, size: added.size, lines: shown };
}

/** Adds what stands before. The end is given up where more than fits would be held. */
export function prepended(window: ByteWindow, before: Bytes): ByteWindow {
  const added = windowOf(before, { ends: true });
  const lines = [...added.lines, ...window.lines];
  const most = lines.findIndex(({ key }) => key - added.from > HELD);
  if (most === -1) return { ...window, from: added.from, lines };
  return { ...window, from: added.from, to: lines[most]!.key, lines: lines.slice(0, most) };
}

/** Reads a range of an attachment; null where there is nothing at that place. */
async function read(id: string, range: string, signal: AbortSignal): Promise<Bytes | null> {
  try {
    const { data, response } = await api.GET('/api/projects/attachments/{attachmentId}/download', {
      params: { path: { attachmentId: id }, header: { Range: `bytes=${range}` } },
      parseAs: 'arrayBuffer',
      signal,
    });
    const bytes = new Uint8Array(data as unknown as ArrayBuffer);
    const [, from, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
    return { bytes, from: Number(from ?? 0), size: Number(size ?? bytes.length) };
  } catch (error) {
    if (asProblem(error).status === 416) return null;
    throw error;
  }
}

/** Reads what follows a window. The byte before is read too, because a range behind the end of a file is refused. */
async function readOn(id: string, { to }: ByteWindow, signal: AbortSignal): Promise<Bytes | null> {
  const from = Math.max(0, to - 1);
  const found = await read(id, `${from}-${to + CHUNK - 1}`, signal);
  if (found === null || found.bytes.length <= to - from) return null;
  return { ...found, bytes: found.bytes.subarray(to - from), from: to };
}

type Side = 'start' | 'end';

/** A window on the lines of an attachment, which moves towards either end as it is asked to. */
export function useByteWindow(id: string, begin: Side) {
  const [window, setWindow] = useState<ByteWindow | null>(null);
  const [error, setError] = useState<unknown>(null);
  const state = useRef({ id, window, busy: false, left: new AbortController() });
  state.current.id = id;

  /** Does one thing at a time; what is asked for meanwhile is asked for again by the next scroll or report. */
  const change = useCallback(async (next: (signal: AbortSignal) => Promise<ByteWindow | null>) => {
    const { current } = state;
    if (current.busy) return;
    current.busy = true;
    try {
      const changed = await next(current.left.signal);
      if (current.left.signal.aborted) return;
      if (changed !== null) setWindow((current.window = changed));
      setError(null);
    } catch (failure) {
      if (!current.left.signal.aborted) setError(failure);
    } finally {
      current.busy = false;
    }
  }, []);

  /** Shows the first or the last lines. */
  const goTo = useCallback(
    (side: Side) =>
      change(async (signal) => {
        const bytes = await read(state.current.id, side === 'end' ? `-${CHUNK}` : `0-${CHUNK - 1}`, signal);
        return bytes === null ? { from: 0, to: 0, size: 0, lines: [] } : windowOf(bytes);
      }),
    [change],
  );

  /** Shows more lines at the end: the next ones, or all that were written since. */
  const later = useCallback(
    (all = false) =>
      change(async (signal) => {
        let { window: shown } = state.current;
        for (let chunks = 0; shown !== null && chunks < (all ? CATCH_UP : 1); chunks += 1) {
          const bytes = await readOn(state.current.id, shown, signal);
          if (bytes === null) break;
          shown = appended(shown, bytes);
          if (bytes.from + bytes.bytes.length >= bytes.size) return shown;
        }
        if (!all || shown === null || shown.to >= shown.size) return shown;
        const last = await read(state.current.id, `-${CHUNK}`, signal);
        return last === null ? shown : windowOf(last);
      }),
    [change],
  );

  const earlier = useCallback(
    () =>
      change(async (signal) => {
        const { id: newest, window: shown } = state.current;
        if (shown === null || shown.from === 0) return null;
        const bytes = await read(newest, `${Math.max(0, shown.from - CHUNK)}-${shown.from - 1}`, signal);
        return bytes === null ? null : prepended(shown, bytes);
      }),
    [change],
  );

  useEffect(() => {
    const { current } = state;
    current.left = new AbortController();
    current.busy = false;
    void goTo(begin);
    return () => current.left.abort();
  }, [begin, goTo]);
  return { window, error, goTo, earlier, later };
}

/** `18 B`, `4.1 kB`, `1.07 GB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
