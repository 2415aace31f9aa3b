/** A file as a client sends it. */
export interface SentFile {
  filename: string;
  contentType: string;
  bytes: AsyncIterable<Buffer>;
}

/** A file whose bytes are in the store under `id`, before it has a row. */
export interface ReceivedFile {
  id: string;
  filename: string;
  contentType: string;
  isRasterImage: boolean;
  /** In bytes. */
  size: number;
  /** In hex. */
  sha256: string;
}
