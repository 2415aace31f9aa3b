import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Attachment, Issue } from '../../../../api/types';
import { Button, buttonClass, IconButton } from '../../../../parts/button';
import { classes } from '../../../../parts/classes';
import { Dialog } from '../../../../parts/dialog';
import { Icon } from '../../../../parts/icon';
import { LogView } from '../../../../parts/log-view';
import { Notice, ProblemNotice, Skeleton } from '../../../../parts/notice';
import { Time } from '../../../../parts/time';
import { attachmentsQuery } from '../../queries';
import { isAtEnd, sizeOf, useByteWindow } from './byte-window';
import styles from './files.module.css';

type View = 'picture' | 'text' | 'none';

/** Pictures of these types are drawn by every browser, and none of them runs a script. */
const PICTURE = /^image\/(png|jpeg|gif|webp)$/;
/** A thumbnail is the picture itself, so a large one is only loaded by who opens it. */
const MOST_FOR_THUMBNAIL = 8_000_000;
const TEXT_TYPE = /^text\/|[/+](json|x-ndjson|jsonl|xml|yaml|x-yaml|toml|javascript|sql|x-sh)\b/;
const TEXT_NAME =
  /\.(txt|log|md|csv|tsv|jsonl?|ndjson|ya?ml|toml|ini|conf|env|xml|html?|svg|css|[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cpp|cs|php|sh|sql|diff|patch)$/i;

/** How a file can be shown in place. The type is what its uploader said, so a name counts where that says nothing. */
export function viewOf({ contentType, filename }: Pick<Attachment, 'contentType' | 'filename'>): View {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  if (PICTURE.test(type)) return 'picture';
  return TEXT_TYPE.test(type) || type === 'image/svg+xml' || TEXT_NAME.test(filename) ? 'text' : 'none';
}

/** The files of an issue: pictures as thumbnails, the others by name. Pictures and texts open in place. */
export function Files({ issue }: { issue: Issue }) {
  const files = useQuery(attachmentsQuery(issue.id)).data ?? [];
  const [open, setOpen] = useState<string | null>(null);
  if (files.length === 0) return null;
  const viewable = files.filter((file) => viewOf(file) !== 'none');
  const shown = viewable.find(({ id }) => id === open);
  const pictures = files.filter((file) => viewOf(file) === 'picture');
  return (
    <section>
      <h2 className={styles.heading}>Files</h2>
      {pictures.length > 0 && (
        <ul className={styles.pictures}>
          {pictures.map((file) => (
            <li key={file.id}>
              <Thumbnail file={file} onOpen={() => setOpen(file.id)} />
            </li>
          ))}
        </ul>
      )}
      <ul className={styles.files}>
        {files
          .filter((file) => viewOf(file) !== 'picture')
          .map((file) => (
            <li key={file.id}>
              <Icon name="file" small />
              <FileName file={file} onOpen={() => setOpen(file.id)} />
              <span className="soft small">{sizeOf(file.size)}</span>
            </li>
          ))}
      </ul>
      {shown && <Viewer files={viewable} shown={shown} onShow={setOpen} onClose={() => setOpen(null)} />}
    </section>
  );
}

interface Opened {
  file: Attachment;
  onOpen: () => void;
}

function Thumbnail({ file, onOpen }: Opened) {
  const [isBroken, setBroken] = useState(file.size > MOST_FOR_THUMBNAIL);
  return (
    <button type="button" className={styles.thumbnail} onClick={onOpen} title={file.filename}>
      {isBroken ? (
        <Icon name="file" />
      ) : (
        <img src={file.downloadUrl} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
      )}
      <span className="sr-only">Show the picture {file.filename}</span>
    </button>
  );
}

function FileName({ file, onOpen }: Opened) {
  if (viewOf(file) === 'none')
    return (
      <a href={file.downloadUrl} download className="link clip">
        {file.filename}
      </a>
    );
  return (
    <button
      type="button"
      className={classes('link', 'clip', styles.name)}
      onClick={onOpen}
      title={file.filename}
    >
      {file.filename}
    </button>
  );
}

interface ViewerProps {
  /** All that can be shown, in the order of the arrows. */
  files: readonly Attachment[];
  shown: Attachment;
  onShow: (id: string) => void;
  onClose: () => void;
}

/** A picture or a text over the page. The arrows go to the next file, plus and minus zoom a picture. */
function Viewer({ files, shown, onShow, onClose }: ViewerProps) {
  const [zoom, setZoom] = useState(1);
  const at = files.findIndex(({ id }) => id === shown.id);
  const step = (by: number) => {
    setZoom(1);
    onShow(files[(at + by + files.length) % files.length]!.id);
  };
  const isPicture = viewOf(shown) === 'picture';
  const zoomBy = (factor: number) => setZoom((before) => Math.min(8, Math.max(1, before * factor)));
  const keys: Record<string, () => void> = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ...(isPicture && {
      '+': () => zoomBy(1.5),
      '=': () => zoomBy(1.5),
      '-': () => zoomBy(1 / 1.5),
      '0': () => setZoom(1),
    }),
  };
  useKeys(keys);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={shown.filename}
      footer={
        <>
          {isPicture && (
            <>
              <Button onClick={() => zoomBy(1 / 1.5)}>Zoom out</Button>
              <Button onClick={() => zoomBy(1.5)}>Zoom in</Button>
            </>
          )}
          <a href={shown.downloadUrl} download className={buttonClass({})}>
            Download
          </a>
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className={styles.viewer}>
        <div className="row">
          {files.length > 1 && (
            <>
              <IconButton
                icon="right"
                label="Previous file"
                className={styles.turned}
                onClick={() => step(-1)}
              />
              <IconButton icon="right" label="Next file" onClick={() => step(1)} />
              <span>
                {at + 1} of {files.length}
              </span>
            </>
          )}
          <span className="soft small">
            {sizeOf(shown.size)} · {shown.uploadedBy.name ?? 'The service'} · <Time iso={shown.createdAt} />
          </span>
        </div>
        {isPicture ? (
          <Picture key={shown.id} file={shown} zoom={zoom} />
        ) : shown.size === 0 ? (
          <Notice>The file is empty.</Notice>
        ) : (
          <FileText key={shown.id} file={shown} />
        )}
      </div>
    </Dialog>
  );
}

/** Where the arrows move something else: within a field, a text, and a picture that is larger than its box. */
const TAKEN = 'input, [role="region"], [data-scrolls]';

/** Performs what a key means while the viewer is open, wherever in it the focus is. */
function useKeys(keys: Record<string, () => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const act = latest.current[event.key];
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(TAKEN) !== null) return;
      event.preventDefault();
      act();
    };
    // The dialog keeps arrows to itself, so they are heard before it gets them.
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, []);
}

function Picture({ file, zoom }: { file: Attachment; zoom: number }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken)
    return <Notice tone="warning">The bytes of this file are not a picture that a browser can draw.</Notice>;
  return (
    <div
      className={styles.picture}
      tabIndex={0}
      aria-label={`Picture ${file.filename}`}
      role="group"
      data-scrolls={zoom > 1 || undefined}
    >
      <img
        src={file.downloadUrl}
        alt={file.filename}
        style={{ width: zoom === 1 ? undefined : `${zoom * 100}%` }}
        className={zoom === 1 ? styles.fitted : undefined}
        onError={() => setBroken(true)}
      />
    </div>
  );
}

function FileText({ file }: { file: Attachment }) {
  const { window, error, goTo, earlier, later } = useByteWindow(file.id, 'start');
  if (window === null)
    return error === null ? (
      <Skeleton rows={6} />
    ) : (
      <ProblemNotice title="The file cannot be shown" error={error} />
    );
  if (window.lines.some(({ text }) => text.includes('\0')))
    return <Notice>The bytes of this file are not a text. Download it to open it.</Notice>;
  const held = window.lines.length === 0 ? 0 : window.to - window.from;
  return (
    <div className={styles.text}>
      <LogView
        label={file.filename}
        lines={window.lines}
        numbered={window.from === 0}
        onStart={window.from > 0 ? () => void earlier() : undefined}
        onEnd={isAtEnd(window) ? undefined : () => void later()}
        toEnd={isAtEnd(window) ? undefined : () => void goTo('end')}
        extent={window.from > 0 || !isAtEnd(window) ? `${sizeOf(held)} of ${sizeOf(window.size)}` : undefined}
      />
    </div>
  );
}
