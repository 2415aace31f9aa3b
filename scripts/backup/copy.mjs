// PostgreSQL's COPY over a connection of node-postgres, which has the messages but no query that uses them.
import { once } from 'node:events';

/** Writes the output of `COPY … TO STDOUT` to `sink`, which stays open, and returns the number of rows. */
export function copyOut(client, sql, sink) {
  return new Promise((resolve, reject) => client.query(new CopyOut(sql, sink, resolve, reject)));
}

/** Sends the chunks of `source` to `COPY … FROM STDIN` and returns the number of rows. */
export function copyIn(client, sql, source) {
  return new Promise((resolve, reject) => client.query(new CopyIn(sql, source, resolve, reject)));
}

/** What node-postgres calls while a query runs. */
class Copy {
  rows = 0;

  constructor(sql, resolve, reject) {
    this.sql = sql;
    this.resolve = resolve;
    this.handleError = reject;
  }

  submit(connection) {
    connection.query(this.sql);
  }

  handleCommandComplete({ text }) {
    this.rows = Number(/\d+$/.exec(text)?.[0] ?? 0);
  }

  handleReadyForQuery() {
    this.resolve(this.rows);
  }
}

class CopyOut extends Copy {
  isPaused = false;

  constructor(sql, sink, resolve, reject) {
    super(sql, resolve, reject);
    this.sink = sink;
  }

  /** The chunk is copied, because the driver reuses its memory. Several arrive in one read, also after the pause. */
  handleCopyData({ chunk }, connection) {
    if (this.sink.write(Buffer.from(chunk)) || this.isPaused) return;
    this.isPaused = true;
    connection.stream.pause();
    this.sink.once('drain', () => {
      this.isPaused = false;
      connection.stream.resume();
    });
  }

  /** A sink that is ended reports no drain, and the next query needs the connection. */
  handleReadyForQuery(connection) {
    connection.stream.resume();
    super.handleReadyForQuery();
  }
}

class CopyIn extends Copy {
  constructor(sql, source, resolve, reject) {
    super(sql, resolve, reject);
    this.source = source;
  }

  handleCopyInResponse(connection) {
    void this.send(connection);
  }

  /** An error of the source makes the statement fail, and the server reports it. */
  async send(connection) {
    try {
      for await (const chunk of this.source) {
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
      }
      connection.endCopyFrom();
    } catch (error) {
      connection.sendCopyFail(error.message);
    }
  }
}
