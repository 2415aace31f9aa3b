import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const A = 1;
const HEADER = 12;
/** Flags of a response that this server can give: no error, and no such name. */
const FOUND = 0x8180;
const NO_SUCH_NAME = 0x8183;

/**
 * The name service of the installation: a DNS server that knows its names, and a `resolv.conf` that leads to it. It listens
 * on an address of its own, because `resolv.conf` names no port.
 */
export class NameServer {
  /** How it treats a question. A silent one is what a firewall or a dead resolver looks like. */
  mode: 'answers' | 'denies' | 'silent' = 'answers';
  /** How many questions it has received. */
  asked = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly known: ReadonlySet<string>,
    private readonly resolvConf: string,
  ) {
    socket.on('message', (question, { port, address }) => {
      this.asked += 1;
      if (this.mode !== 'silent') socket.send(this.answerTo(question), port, address);
    });
  }

  /** @param names all of which lead to 127.0.0.1 */
  static async start(folder: string, names: string[]): Promise<NameServer> {
    const socket = createSocket('udp4');
    const address = `127.${(process.pid >> 8) & 255}.${process.pid & 255}.53`;
    socket.bind(53, address);
    await once(socket, 'listening');
    const resolvConf = join(folder, 'resolv.conf');
    await writeFile(resolvConf, `nameserver ${address}\n`);
    return new NameServer(socket, new Set(names), resolvConf);
  }

  /** Executes a process that asks this server for names: in a mount namespace where it is the one of `resolv.conf`. */
  get within(): string[] {
    const script = `mount --bind '${this.resolvConf}' "$(readlink -f /etc/resolv.conf)" && exec "$@"`;
    return ['unshare', '--mount', 'sh', '-c', script, 'sh'];
  }

  stop(): void {
    this.socket.close();
  }

  private answerTo(question: Buffer): Buffer {
    const end = endOfName(question);
    const isKnown = this.mode === 'answers' && this.known.has(nameIn(question));
    const isFound = isKnown && question.readUInt16BE(end) === A;
    const header = Buffer.from(question.subarray(0, HEADER));
    header.writeUInt16BE(isKnown ? FOUND : NO_SUCH_NAME, 2);
    header.writeUInt16BE(isFound ? 1 : 0, 6);
    // What follows the question, such as EDNS, is left out.
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    return Buffer.concat([header, question.subarray(HEADER, end + 4), ...(isFound ? [LOOPBACK] : [])]);
  }
}

/** A pointer to the name of the question, type A, class IN, 1 second to live, 4 bytes. */
const LOOPBACK = Buffer.from([0xc0, HEADER, 0, A, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1]);

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = HEADER; question[at]! > 0; at += question[at]! + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
  return labels.join('.').toLowerCase();
}

/** The position after the name, where its type is. */
function endOfName(question: Buffer): number {
  let at = HEADER;
  while (question[at]! > 0) at += question[at]! + 1;
  return at + 1;
}
